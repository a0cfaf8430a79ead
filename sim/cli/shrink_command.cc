// rollover shrink
#include <fmt/format.h>

#include "sim/campaign/as_test.h"
#include "sim/campaign/replay.h"
#include "sim/campaign/report.h"
#include "sim/campaign/runner.h"
#include "sim/campaign/shrink.h"
#include "sim/cli/command.h"

namespace rollover {
namespace {

constexpr std::uint64_t kScenarioBytesMax = 64 * kMebibyte;

struct ShrinkFlags {
  std::string file;
  std::string out;
  CoreFlags core;
  std::string time;
  std::string jobs;
  bool as_test = false;
  bool json = false;
};

// x.json becomes x.min.json.
std::string DefaultOut(std::string path) {
  const std::string_view suffix = ".json";
  if (path.ends_with(suffix)) path.resize(path.size() - suffix.size());
  return path + ".min.json";
}

// What the file shows, run again: it may be another failure than the one it was saved for.
FoundFailure FailureIn(const ShrinkFlags& flags, const ScenarioFile& file, const CoreSpec& core,
                       const Verdict& verdict) {
  FoundFailure failure;
  const Violation& violation = verdict.violations.front();
  if (violation.rule == Rule::kDeterministic) {  // only the comparison of two runs shows it
    failure.rule = violation.rule;
    failure.what = violation.what;
    failure.where = verdict.where;
    failure.hash = verdict.hash;
    failure.scenario = file.scenario;
  } else {
    failure = Confirm(file.scenario, verdict, core.factory);
  }
  failure.found_by = flags.file;
  if (file.failure && !file.failure->found_by.empty()) failure.found_by = file.failure->found_by;
  return failure;
}

void Tell(const ShrinkFlags& flags, const ShrinkReport& report, const CoreSpec& core) {
  if (flags.json) return PrintJson(ShrinkJson(report));
  const std::string screen = ShrinkScreen(report);
  if (!flags.as_test) return Print(screen);
  std::fputs(screen.c_str(), stderr);
  Print(AsTest(report.failure, core.text));
}

int ShrinkFile(const ShrinkFlags& flags) {
  if (flags.json && flags.as_test)
    throw UsageError{"--json and --as-test both want standard output"};
  ShrinkConfig config{.jobs = DefaultJobs()};
  if (!flags.time.empty()) config.time = DurationFlag("--for", flags.time);
  if (!flags.jobs.empty()) config.jobs = NumberFlag("--jobs", flags.jobs, 1, 1024);
  const auto file = ReadScenario(ReadInput(flags.file, kScenarioBytesMax));
  if (!file) throw UsageError{fmt::format("{}: {}", flags.file, file.error().reason)};
  const CoreSpec core = CoreOf(flags.core, flags.file, file.value());
  config.interrupted = &Interrupted();

  const ReplayResult replay = ReplayScenario(file.value(), core, {});
  if (replay.verdict.held()) {
    if (flags.json) {
      PrintJson({{"answer", "HELD"}, {"trace_hash", replay.verdict.hash.Hex()}});
    } else {
      const std::string line = flags.file + ": nothing to shrink: all rules hold\n";
      if (flags.as_test) {
        std::fputs(line.c_str(), stderr);
      } else {
        Print(line);
      }
    }
    return kExitHeld;
  }
  ShrinkReport report =
      Shrink(FailureIn(flags, file.value(), core, replay.verdict), core.factory, config);
  if (report.failure.rule != Rule::kDeterministic) {
    const std::string out = flags.out.empty() ? DefaultOut(flags.file) : flags.out;
    if (const auto error = SaveAs(report.failure, core, out)) throw EnvironmentError{*error};
  }
  Tell(flags, report, core);
  return Interrupted() ? kExitInterrupted : kExitBroken;
}

}  // namespace

void AddShrinkCommand(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<ShrinkFlags>();
  CLI::App* command =
      app.add_subcommand("shrink", "the smallest scenario that fails like the one in a file");
  command->add_option("FILE", flags->file, "a scenario file that breaks a rule")->required();
  command->add_option("-o,--out", flags->out, "where to (default: FILE with .min.json at its end)");
  AddCoreFlags(command, flags->core, "in place of the one the file names");
  command->add_option("--for", flags->time, "how long at most (default: 30s)");
  command->add_option("--jobs", flags->jobs, "threads (default: one a processor)");
  command->add_flag("--as-test", flags->as_test, "a GoogleTest case on standard output");
  command->add_flag("--json", flags->json, "one JSON object on standard output");
  command->footer(
      "Examples:\n"
      "  rollover shrink out/failures/in-order-2a.json --out small.json\n"
      "  rollover shrink out/failures/in-order-2a.json --for 5m --jobs 1 --json\n"
      "  rollover shrink out/failures/in-order-2a.json --as-test\n"
      "  rollover shrink out/failures/in-order-2a.json --core 'exec:./core' --core-timeout 2s "
      "--core-log core.log --record said.jsonl");
  command->callback([flags, &exit_code] { exit_code = ShrinkFile(*flags); });
}

}  // namespace rollover
