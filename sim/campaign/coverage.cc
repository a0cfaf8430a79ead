#include "sim/campaign/coverage.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sim/campaign/child.h"
#include "sim/campaign/files.h"

namespace rollover {
namespace {

namespace fs = std::filesystem;

// What counts as the engine: hand-out, faults, commit, roll-back.
constexpr std::array<std::string_view, 7> kEngine = {
    "sim/engine.cc",  "sim/engine.h", "sim/attempt.cc", "sim/committing.cc",
    "sim/reading.cc", "sim/world.cc", "sim/inputs.cc"};

bool IsEngine(std::string_view file) {
  return std::find(kEngine.begin(), kEngine.end(), file) != kEngine.end();
}

Covered CoveredOf(const nlohmann::json& summary) {
  return {.lines = summary.at("lines").at("count"),
          .lines_reached = summary.at("lines").at("covered"),
          .branches = summary.at("branches").at("count"),
          .branches_reached = summary.at("branches").at("covered")};
}

// Lines of `llvm-cov show`: a file's name with a colon, then "  12|      0|code".
void AddUncovered(const std::string& shown, const std::string& checkout, Coverage& coverage) {
  std::istringstream lines(shown);
  std::string file;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(checkout, 0) == 0 && line.back() == ':') {
      file = line.substr(checkout.size(), line.size() - checkout.size() - 1);
      continue;
    }
    const std::size_t first = line.find('|');
    const std::size_t second = first == std::string::npos ? first : line.find('|', first + 1);
    if (second == std::string::npos) continue;
    const std::string count = line.substr(first + 1, second - first - 1);
    const std::size_t digit = count.find_first_not_of(' ');
    if (digit == std::string::npos || count.substr(digit) != "0") continue;
    UncoveredLine uncovered{.file = file};
    const std::size_t number = line.find_first_not_of(' ');
    std::from_chars(line.data() + number, line.data() + first, uncovered.line);
    coverage.uncovered.push_back(std::move(uncovered));
  }
}

class Measurement {
 public:
  Measurement(const fs::path& checkout, const fs::path& scratch,
              const std::atomic<bool>& interrupted)
      : checkout_(checkout.string() + "/"), scratch_(scratch), interrupted_(interrupted) {}

  Result<Coverage> Measure(const std::vector<CoverageInput>& inputs) {
    std::vector<std::string> profiles = {"llvm-profdata-19", "merge", "-sparse"};
    std::vector<std::string> objects;
    for (const CoverageInput& input : inputs) {
      const std::string program = checkout_ + "build/coverage/fuzz/" + input.target;
      const std::string profile = (scratch_ / (input.target + ".profraw")).string();
      if (!Run(program, {input.inputs.string()}, {{"LLVM_PROFILE_FILE", profile}})) return error_;
      profiles.push_back(profile);
      if (!objects.empty()) objects.push_back("-object");
      objects.push_back(program);
    }
    const std::string merged = (scratch_ / "merged.profdata").string();
    profiles.insert(profiles.end(), {"-o", merged});
    if (!RunTool(profiles)) return error_;
    objects.insert(objects.end(), {"-instr-profile", merged});

    std::vector<std::string> all = {"llvm-cov-19", "export", "-summary-only"};
    all.insert(all.end(), objects.begin(), objects.end());
    if (!RunTool(all)) return error_;
    Coverage coverage;
    if (!AddSummaries(ReadFile(Log()), coverage)) return error_;

    std::vector<std::string> show = {"llvm-cov-19", "show", "-show-instantiations=false"};
    show.insert(show.end(), objects.begin(), objects.end());
    show.push_back(checkout_ + "model");
    if (!RunTool(show)) return error_;
    AddUncovered(ReadFile(Log()), checkout_, coverage);
    return coverage;
  }

 private:
  fs::path Log() const { return scratch_ / "log"; }

  bool Run(const std::string& program, const std::vector<std::string>& arguments,
           const std::map<std::string, std::string>& environment = {}) {
    const ChildEnd end = RunChild(
        {.program = program, .arguments = arguments, .output = Log(), .environment = environment},
        interrupted_);
    if (end.exit_code == 0 && end.signal == 0) return true;
    error_.reason = end.signal != 0
                        ? fmt::format("{} was ended by signal {}", program, end.signal)
                        : fmt::format("{} failed with exit code {}", program, end.exit_code);
    return false;
  }

  // `words` are a command and its arguments; env finds the command.
  bool RunTool(const std::vector<std::string>& words) {
    if (Run("/usr/bin/env", words)) return true;
    error_.reason = fmt::format("{}: {}", words.front(), ReadFile(Log()));
    error_.reason = error_.reason.substr(0, error_.reason.find('\n'));
    return false;
  }

  bool AddSummaries(const std::string& text, Coverage& coverage) {
    // What the tool warns of comes first.
    const std::size_t begin = std::min(text.find('{'), text.size());
    const auto json = nlohmann::json::parse(text.substr(begin), nullptr, false);
    if (json.is_discarded() || !json.contains("data")) {
      error_.reason = "llvm-cov-19 printed no coverage";
      return false;
    }
    std::size_t engine_files = 0;
    for (const auto& file : json["data"][0]["files"]) {
      std::string name = file.at("filename");
      if (name.rfind(checkout_, 0) != 0) continue;
      name.erase(0, checkout_.size());
      if (name.rfind("model/", 0) == 0) coverage.model += CoveredOf(file.at("summary"));
      if (!IsEngine(name)) continue;
      coverage.engine += CoveredOf(file.at("summary"));
      ++engine_files;
    }
    if (engine_files == kEngine.size() && coverage.model.lines > 0) return true;
    error_.reason = fmt::format("coverage names {} of the engine's {} files, {} lines of model/",
                                engine_files, kEngine.size(), coverage.model.lines);
    return false;
  }

  std::string checkout_;  // with a slash
  fs::path scratch_;
  const std::atomic<bool>& interrupted_;
  Error error_;
};

}  // namespace

Covered& Covered::operator+=(const Covered& other) {
  lines += other.lines;
  lines_reached += other.lines_reached;
  branches += other.branches;
  branches_reached += other.branches_reached;
  return *this;
}

Result<Coverage> MeasureCoverage(const fs::path& checkout, const std::vector<CoverageInput>& inputs,
                                 const fs::path& scratch, const std::atomic<bool>& interrupted) {
  std::error_code code;
  fs::create_directories(scratch, code);
  if (code) return Error{fmt::format("{}: {}", scratch.string(), code.message()), 0};
  return Measurement(checkout, scratch, interrupted).Measure(inputs);
}

}  // namespace rollover
