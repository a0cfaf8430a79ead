// A target as a plain program: runs files, and every file of folders, through it.
//
//   fuzz_NAME FILE|FOLDER...            each input once; dies at the first that fails
//   fuzz_NAME --measure SECONDS ...     over and over, beside a target that does nothing
//
// Exit 0: all ran. 2: nothing to run, or not readable.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz/target.h"
#include "sim/memory.h"

namespace {

using Bytes = std::vector<std::uint8_t>;
using Clock = std::chrono::steady_clock;

int Refuse(const std::string& line) {
  std::fputs((line + "\n").c_str(), stderr);
  return 2;
}

// In the order of their names, so that two runs are alike.
std::vector<std::filesystem::path> FilesOf(const std::filesystem::path& path) {
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::is_directory(path)) return {path};
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Runs of all inputs a second.
template <typename Target>
double Measure(const std::vector<Bytes>& inputs, double seconds, Target target) {
  const Clock::time_point start = Clock::now();
  std::uint64_t runs = 0;
  double taken = 0;
  while (taken < seconds) {
    for (const Bytes& input : inputs) target(input);
    runs += inputs.size();
    taken = std::chrono::duration<double>(Clock::now() - start).count();
  }
  return static_cast<double>(runs) / taken;
}

void Nothing(std::span<const std::uint8_t> bytes) {
  [[maybe_unused]] static volatile std::size_t sink = 0;
  sink = bytes.size();
}

}  // namespace

int main(int argc, char** argv) {
  rollover::KeepFreedMemory();
  double seconds = 0;
  std::vector<Bytes> inputs;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--measure" && i + 1 < argc) {
      seconds = std::atof(argv[++i]);
      if (seconds <= 0) return Refuse(fmt::format("--measure is '{}'; valid: above 0", argv[i]));
      continue;
    }
    if (!std::filesystem::exists(argument)) return Refuse(argument + ": no such file or folder");
    const auto files = FilesOf(argument);
    if (files.empty()) return Refuse(argument + ": holds no input");
    for (const auto& path : files) {
      std::ifstream file(path, std::ios::binary);
      if (!file) return Refuse(path.string() + ": cannot be read");
      inputs.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
      if (seconds > 0) continue;
      std::fputs(fmt::format("{}\r", path.string()).c_str(), stderr);
      rollover::Fuzz(inputs.back());
      inputs.back().clear();
    }
  }
  if (inputs.empty()) return Refuse("nothing to run: name files or folders");
  if (seconds > 0) {
    const double empty = Measure(inputs, seconds, Nothing);
    const double target = Measure(inputs, seconds, rollover::Fuzz);
    fmt::print("{} inputs: {:.0f} exec/s; an empty target: {:.0f} exec/s\n", inputs.size(), target,
               empty);
  } else {
    fmt::print("{} inputs ran\n", inputs.size());
  }
  return 0;
}
