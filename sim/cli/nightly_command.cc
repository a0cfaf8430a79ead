// rollover nightly
#include <fmt/format.h>

#include "sim/campaign/night_report.h"
#include "sim/campaign/nightly.h"
#include "sim/cli/command.h"

namespace rollover {
namespace {

constexpr std::chrono::minutes kBudgetMin{1};

struct NightlyFlags {
  std::string budget = "8h";
  std::string core;
  std::string out = "out/nightly";
  bool json = false;
};

NightConfig ConfigFrom(const NightlyFlags& flags) {
  NightConfig config;
  config.budget = DurationFlag("--budget", flags.budget);
  if (config.budget < kBudgetMin) {
    throw UsageError{
        fmt::format("--budget is '{}'; valid: 1m .. 8784h, as in 10m, 8h", flags.budget)};
  }
  // Read now, so that nobody wakes up to a night that could not begin.
  if (!flags.core.empty()) CoreOf({}, flags.core, "--core");
  Checkout("nightly");
  config.core = flags.core;
  config.out = flags.out;
  config.version = BuildVersion();
  config.program = std::filesystem::read_symlink("/proc/self/exe");
  return config;
}

int Nightly(const NightlyFlags& flags) {
  const NightConfig config = ConfigFrom(flags);
  const auto tell = [&](const std::string& line) {
    std::fputs((line + "\n").c_str(), flags.json ? stderr : stdout);
    std::fflush(flags.json ? stderr : stdout);
  };
  const auto answer = RunNight(config, Interrupted(), tell);
  if (!answer) throw UsageError{answer.error().reason};
  const NightReport& report = answer.value();
  if (flags.json) {
    PrintJson(NightJson(config.out, report));
  } else {
    Print(NightScreen(config.out, report));
  }
  if (!report.environment_error.empty()) throw EnvironmentError{report.environment_error};
  if (report.broken()) return kExitBroken;
  if (!report.night.finished) return kExitInterrupted;
  if (report.all_ran()) return kExitHeld;
  throw EnvironmentError{"not all parts of the night ran"};
}

}  // namespace

void AddNightlyCommand(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<NightlyFlags>();
  CLI::App* command = app.add_subcommand(
      "nightly", "a budget of time split over everything, and one report; goes on if interrupted");
  command->add_option("--budget", flags->budget, "all the time it takes, as in 10m, 8h")
      ->capture_default_str();
  command->add_option("--core", flags->core,
                      "what is tested in the model's place: " + std::string(kCoreSpecs));
  command->add_option("--out", flags->out, "folder for reports, failures and what was learnt")
      ->capture_default_str();
  command->add_flag("--json", flags->json, "one JSON object on standard output");
  command->footer(
      "Examples:\n"
      "  rollover nightly --budget 8h --out out/nightly\n"
      "  rollover nightly --core 'exec:./core' --json");
  command->callback([flags, &exit_code] { exit_code = Nightly(*flags); });
}

}  // namespace rollover
