// rollover soak
#include <fmt/format.h>

#include "sim/campaign/report.h"
#include "sim/campaign/runner.h"
#include "sim/campaign/soak.h"
#include "sim/campaign/soak_page.h"
#include "sim/cli/command.h"

namespace rollover {
namespace {

struct SoakFlags {
  std::string preset = "source-2000";
  std::string turns;
  std::string every;
  std::string seed = "1";
  CoreFlags core;
  std::string out = "out";
  std::string html;
  bool no_shrink = false;
  bool json = false;
};

std::string PresetNames() {
  std::string names;
  for (const SoakPreset& known : SoakPresets()) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", known.name);
  }
  return names;
}

int Soak(const SoakFlags& flags) {
  const SoakPreset* preset = SoakPresetNamed(flags.preset);
  if (preset == nullptr) {
    throw UsageError{fmt::format("--preset is '{}'; valid: {}", flags.preset, PresetNames())};
  }
  SoakConfig config{.preset = *preset};
  if (!flags.turns.empty()) {
    config.preset.turns = NumberFlag("--turns", flags.turns, 1, 10'000'000);
  }
  if (!flags.every.empty()) {
    config.preset.every = NumberFlag("--every", flags.every, 1, 10'000'000);
  }
  config.seed = NumberFlag("--seed", flags.seed, 0, ~std::uint64_t{0});
  config.core = CoreOf(flags.core);
  config.out = flags.out;
  config.shrink = !flags.no_shrink;
  config.jobs = DefaultJobs();
  config.sample = !flags.html.empty();
  if (config.sample) CheckPagePath("--html", flags.html);

  const SoakReport report = RunSoak(config, Interrupted());
  if (flags.json) {
    PrintJson(SoakJson(config, report));
  } else {
    Print(SoakScreen(config, report));
  }
  if (config.sample) WritePage(flags.html, SoakPage(config, report));
  if (!report.environment_error.empty()) throw EnvironmentError{report.environment_error};
  if (report.interrupted) return kExitInterrupted;
  return Held(report) ? kExitHeld : kExitBroken;
}

}  // namespace

void AddSoakCommand(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<SoakFlags>();
  CLI::App* command = app.add_subcommand("soak", "one long session, measured every so many turns");
  command->add_option("--preset", flags->preset, PresetNames())->capture_default_str();
  command->add_option("--turns", flags->turns, "turns (default: the preset's)");
  command->add_option("--every", flags->every, "turns between checkpoints (default: the preset's)");
  command->add_option("--seed", flags->seed, "of contents and faults")->capture_default_str();
  AddCoreFlags(command, flags->core, std::string(kCoreSpecs));
  command->add_option("--out", flags->out, "folder for failures")->capture_default_str();
  command->add_flag("--no-shrink", flags->no_shrink, "save a failure as it was found");
  command->add_option("--html", flags->html, "a page with charts, written to this file");
  command->add_flag("--json", flags->json, "one JSON object on standard output");
  command->footer(
      "Examples:\n"
      "  rollover soak --preset source-800 --json\n"
      "  rollover soak --preset migration --turns 10000 --every 500 --seed 7 --html soak.html\n"
      "  rollover soak --core 'exec:./core' --core-timeout 2s --core-log core.log --record "
      "said.jsonl\n"
      "  rollover soak --core bug:retention-by-first --no-shrink --out out/soak");
  command->callback([flags, &exit_code] { exit_code = Soak(*flags); });
}

}  // namespace rollover
