// seed_corpus FOLDER: first inputs from nothing but the generator, for the targets that take
// scenarios, values and scenario files. The others grow theirs from nothing.
//
// For those that take scenarios: the smallest scenario known to reach each situation, and
// each pair of a fault and a Step, named after it. For the readers: values and files that such
// scenarios leave. Exit 1 when a situation was not reached by an input that is small enough.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include "sim/campaign/files.h"
#include "sim/fuzzed_scenario.h"
#include "sim/generator.h"
#include "sim/scenario_bytes.h"
#include "sim/scenario_json.h"
#include "sim/world.h"

namespace rollover {
namespace {

constexpr std::uint64_t kSeeds = 40'000;
constexpr std::size_t kFileBytesMax = 4096;
constexpr std::size_t kScenarioFiles = 60;

void WriteInput(const std::filesystem::path& folder, const std::string& name,
                const std::string& bytes) {
  if (const auto error = WriteFile(folder / name, bytes)) {
    fmt::print(stderr, "{}\n", *error);
    std::exit(3);
  }
}

std::string FileName(std::string_view step) {
  std::string name(step);
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

// Names of what a run reached.
std::vector<std::string> Reached(const Statistics& statistics) {
  std::vector<std::string> names;
  for (const SituationInfo& info : Situations()) {
    if (statistics.situations[static_cast<std::size_t>(info.situation)] > 0) {
      names.emplace_back(info.name);
    }
  }
  for (std::size_t f = 0; f < kFaultKindCount; ++f) {
    for (std::size_t s = 0; s < kStepKindCount; ++s) {
      if (statistics.faults_at[f][s] == 0) continue;
      names.push_back(fmt::format("{}-at-{}", FaultName(static_cast<FaultKind>(f)),
                                  FileName(StepName(static_cast<StepKind>(s)))));
    }
  }
  return names;
}

std::size_t SituationCount() {
  std::size_t count = kSituationCount;
  for (std::size_t f = 0; f < kFaultKindCount; ++f) {
    for (std::size_t s = 0; s < kStepKindCount; ++s) {
      count += CanHit(static_cast<FaultKind>(f), static_cast<StepKind>(s)) ? 1 : 0;
    }
  }
  return count;
}

void AddValues(const Engine& engine, std::map<std::string, std::string>& values) {
  constexpr std::array<std::string_view, kNameCount> names = {"message", "chunk",   "index",
                                                              "reply",   "summary", "session"};
  for (std::size_t n = 0; n < kNameCount; ++n) {
    for (const auto& instance : engine.state().Map(static_cast<Name>(n))) {
      const std::string bytes = Encode(*instance.value);
      if (bytes.size() > 1024) continue;
      const auto size = std::bit_width(bytes.size());
      values.try_emplace(fmt::format("{}-{}", names[n], size), bytes);
    }
  }
}

int Main(const std::filesystem::path& folder) {
  std::map<std::string, std::string> best;    // by situation
  std::map<std::string, std::string> values;  // by kind and size
  std::size_t files = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const auto bytes = EncodeScenario(GenerateScenario(seed));
    if (!bytes || bytes.value().size() > kFileBytesMax) continue;
    const Scenario scenario = FuzzedScenario(bytes.value());
    WorldConfig config;
    if (seed <= 400) config.on_turn_end = [&](const World& w) { AddValues(w.engine(), values); };
    for (const std::string& name : Reached(RunScenario(scenario, config).statistics)) {
      const auto [at, added] = best.try_emplace(name, bytes.value());
      if (!added && bytes.value().size() < at->second.size()) at->second = bytes.value();
    }
    const std::string text = WriteScenario({scenario, {}});
    if (text.size() <= kFileBytesMax && files < kScenarioFiles) {
      WriteInput(folder / "fuzz_scenario_file", fmt::format("seed-{}", seed), text);
      ++files;
    }
  }
  std::uint8_t turn = 0;
  for (const auto& [name, bytes] : best) {
    WriteInput(folder / "fuzz_session", name, bytes);
    WriteInput(folder / "fuzz_differential", name, bytes);
    std::string upgraded =
        bytes;  // each after another turn, now and then to a core without compaction
    upgraded[kSpareByte] = static_cast<char>(turn);
    upgraded[kSpareByte + 1] = static_cast<char>(turn);
    ++turn;
    WriteInput(folder / "fuzz_migration", name, upgraded);
  }
  for (const auto& [name, bytes] : values) WriteInput(folder / "fuzz_codec", name, bytes);
  fmt::print("{} of {} situations\n", best.size(), SituationCount());
  return best.size() == SituationCount() ? 0 : 1;
}

}  // namespace
}  // namespace rollover

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "one folder is needed\n");
    return 2;
  }
  return rollover::Main(argv[1]);
}
