// rollover core
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sim/campaign/conformance.h"
#include "sim/campaign/files.h"
#include "sim/campaign/throughput.h"
#include "sim/cli/command.h"
#include "sim/scenario_json.h"

namespace rollover {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kScenarioBytesMax = 64 * kMebibyte;

struct CoreCommandFlags {
  std::vector<std::string> words;
  CoreFlags core;
  std::string seeds;
  std::string every;
  std::string jobs;
  std::string junit;
  std::string regressions;
  std::string out = "out";
  bool first = false;
  bool throughput = false;
  bool json = false;
};

// One word is the command, as --core exec: takes it; several are its words.
std::string CommandOf(const std::vector<std::string>& words) {
  if (words.size() == 1) {
    const std::string_view exec = "exec:";
    return words[0].starts_with(exec) ? words[0].substr(exec.size()) : words[0];
  }
  std::string command;
  for (const std::string& word : words) {
    command += command.empty() ? "'" : " '";
    for (const char c : word) command += c == '\'' ? "'\\''" : std::string(1, c);
    command += '\'';
  }
  return command;
}

std::vector<NamedScenario> Regressions(const std::string& flag) {
  const fs::path folder =
      flag.empty() ? Checkout("core") / "corpus" / "regressions" : fs::path(flag);
  std::error_code code;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder, code)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  if (code || files.empty()) {
    const std::string line =
        fmt::format("--regressions: {}: no folder with scenario files", folder.string());
    if (flag.empty()) throw EnvironmentError{line};
    throw UsageError{line};
  }
  std::sort(files.begin(), files.end());
  std::vector<NamedScenario> scenarios;
  for (const fs::path& path : files) {
    const auto file = ReadScenario(ReadInput(path.string(), kScenarioBytesMax));
    if (!file) throw UsageError{fmt::format("{}: {}", path.string(), file.error().reason)};
    scenarios.push_back({path.filename().string(), file.value().scenario});
  }
  return scenarios;
}

std::function<void(const RunProgress&)> ProgressLine() {
  if (!StderrIsATerminal()) return nullptr;
  return [](const RunProgress& progress) {
    std::fputs(fmt::format("\r\x1b[K{} scenarios  {} turns  {} faults  {} failures", progress.seeds,
                           progress.turns, progress.faults, progress.failures)
                   .c_str(),
               stderr);
    std::fflush(stderr);
  };
}

int MeasureCore(const CoreSpec& core) {
  int exit_code = kExitHeld;
  for (const ThroughputConfig& config : ThroughputConfigs()) {
    const ThroughputReport report = MeasureThroughput(*core.external, config);
    Print(ThroughputScreen(report));
    if (!report.violations.empty()) exit_code = kExitBroken;
  }
  return exit_code;
}

int TestCore(const CoreCommandFlags& flags) {
  ConformanceConfig config{.jobs = DefaultJobs(), .out = flags.out};
  if (!flags.seeds.empty()) config.seeds = NumberFlag("--seeds", flags.seeds, 1, 100'000'000);
  if (!flags.every.empty()) config.every = NumberFlag("--every", flags.every, 1, 1000);
  if (!flags.jobs.empty()) config.jobs = NumberFlag("--jobs", flags.jobs, 1, 1024);
  config.first_only = flags.first;
  const bool of_the_suite = flags.json || flags.first || !flags.core.record.empty() ||
                            !flags.seeds.empty() || !flags.every.empty() || !flags.jobs.empty() ||
                            !flags.junit.empty() || !flags.regressions.empty();
  if (flags.throughput && of_the_suite) {
    throw UsageError{
        "--throughput measures and runs no suite; valid: without --json, --first, --record, "
        "--seeds, "
        "--every, --jobs, --junit, --regressions"};
  }
  config.core = CoreOf(flags.core, "exec:" + CommandOf(flags.words), "CMD");
  if (flags.throughput) return MeasureCore(config.core);
  config.regressions = Regressions(flags.regressions);
  const ConformanceReport report = RunConformance(config, Interrupted(), ProgressLine());
  if (StderrIsATerminal()) std::fputs("\r\x1b[K", stderr);
  if (flags.json) {
    PrintJson(ConformanceJson(config, report));
  } else {
    Print(ConformanceScreen(config, report));
  }
  if (!flags.junit.empty()) {
    if (const auto error = WriteFile(flags.junit, ConformanceJunit(config, report))) {
      throw EnvironmentError{*error};
    }
  }
  if (!report.summary.environment_error.empty()) {
    throw EnvironmentError{report.summary.environment_error};
  }
  if (report.summary.interrupted) return kExitInterrupted;
  return report.conformant() ? kExitHeld : kExitBroken;
}

}  // namespace

void AddCoreCommand(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<CoreCommandFlags>();
  CLI::App* command =
      app.add_subcommand("core", "is this external core conformant? (docs/wire.md)");
  command->add_option("CMD", flags->words, "the core's command; one word as /bin/sh reads it")
      ->required();
  command->add_option("--seeds", flags->seeds, "swarm seeds (default: 1000)");
  command->add_option("--every", flags->every,
                      "K: a K-th of the suite, each K-th scenario of every part (default: 1)");
  command->add_option("--jobs", flags->jobs, "how many at once (default: one a processor)");
  command->add_option("--junit", flags->junit, "file for a JUnit report");
  AddProcessFlags(command, flags->core);
  command->add_option("--regressions", flags->regressions,
                      "folder of scenario files (default: the checkout's corpus/regressions)");
  command->add_option("--out", flags->out, "folder for failures")->capture_default_str();
  command->add_flag("--first", flags->first, "stop at the first failure, and shrink it");
  command->add_flag("--throughput", flags->throughput,
                    "measure turns a second instead, many sessions on one process");
  command->add_flag("--json", flags->json, "one JSON object on standard output");
  command->footer(
      "Examples:\n"
      "  rollover core 'python3 tests/cores/python/core.py' --junit core.xml\n"
      "  rollover core ./core --every 6 --seeds 60 --first --out out/core\n"
      "  rollover core ./core --core-timeout 2s --core-log core.log --record said.jsonl\n"
      "  rollover core ./core --regressions corpus/regressions --jobs 1 --json\n"
      "  rollover core ./core --throughput");
  command->callback([flags, &exit_code] { exit_code = TestCore(*flags); });
}

}  // namespace rollover
