// rollover blame
#include <fmt/format.h>

#include "sim/campaign/blame.h"
#include "sim/campaign/replay.h"
#include "sim/campaign/runner.h"
#include "sim/cli/command.h"

namespace rollover {
namespace {

constexpr std::uint64_t kScenarioBytesMax = 64 * kMebibyte;

struct BlameFlags {
  std::string file;
  CoreFlags core;
  std::string continuations = "100";
  std::string jobs;
  std::string html;
  bool json = false;
};

// The timeline of the scenario, with what was found out about it.
void WriteTimeline(const BlameFlags& flags, const ScenarioFile& file, const CoreSpec& core,
                   const BlameReport& report) {
  const ReplayResult replay = ReplayScenario(
      file, core, {.trace = TraceFormat::kHtml, .path = flags.file, .blame = &report});
  WritePage(flags.html, replay.trace);
}

int BlameFile(const BlameFlags& flags) {
  BlameConfig config{.jobs = DefaultJobs()};
  config.continuations = NumberFlag("--continuations", flags.continuations, 1, 100'000);
  if (!flags.jobs.empty()) config.jobs = NumberFlag("--jobs", flags.jobs, 1, 1024);
  const auto file = ReadScenario(ReadInput(flags.file, kScenarioBytesMax));
  if (!file) throw UsageError{fmt::format("{}: {}", flags.file, file.error().reason)};
  config.core = CoreOf(flags.core, flags.file, file.value());
  if (!flags.html.empty()) CheckPagePath("--html", flags.html);
  const ReplayResult replay = ReplayScenario(file.value(), config.core, {});
  if (replay.verdict.held()) {
    throw UsageError{fmt::format(
        "{}: all rules hold: nothing to blame; valid: a scenario that breaks a rule", flags.file)};
  }
  if (replay.verdict.violations.front().rule == Rule::kDeterministic) {
    throw UsageError{fmt::format(
        "{}: breaks deterministic, which no single run shows; valid: another rule", flags.file)};
  }
  const BlameReport report = Blame(file.value().scenario, config, Interrupted());
  if (report.interrupted) {
    std::fputs("rollover: interrupted before every flip and future was tried\n", stderr);
    return kExitInterrupted;
  }
  if (flags.json) {
    PrintJson(BlameJson(report));
  } else {
    Print(BlameScreen(report));
  }
  if (!flags.html.empty()) WriteTimeline(flags, file.value(), config.core, report);
  return kExitBroken;
}

}  // namespace

void AddBlameCommand(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<BlameFlags>();
  CLI::App* command = app.add_subcommand(
      "blame", "why a scenario fails: which decisions are necessary, and since when it must");
  command->add_option("FILE", flags->file, "a scenario file that breaks a rule")->required();
  AddCoreFlags(command, flags->core, "in place of the one the file names");
  command
      ->add_option("--continuations", flags->continuations,
                   "random futures behind each hand-out, 1 .. 100000")
      ->capture_default_str();
  command->add_option("--jobs", flags->jobs, "threads (default: one a processor)");
  command->add_option("--html", flags->html, "the timeline with all of it, written to this file");
  command->add_flag("--json", flags->json, "one JSON object on standard output");
  command->footer(
      "Examples:\n"
      "  rollover blame out/failures/in-order-2a.json --html blame.html\n"
      "  rollover blame out/failures/in-order-2a.json --continuations 1000 --jobs 4 --json\n"
      "  rollover blame out/failures/in-order-2a.json --core 'exec:./core' --core-timeout 2s "
      "--core-log core.log --record said.jsonl");
  command->callback([flags, &exit_code] { exit_code = BlameFile(*flags); });
}

}  // namespace rollover
