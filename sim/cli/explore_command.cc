// rollover explore
#include <fmt/format.h>

#include "sim/campaign/explore.h"
#include "sim/cli/command.h"

namespace rollover {
namespace {

struct ExploreFlags {
  std::string preset = "tiny";
  std::string turns = "4";
  std::string faults = "1";
  std::string core = "reference";
  std::string states_max;
  std::string memory_max;
  std::string time;
  std::string out = "out";
  bool json = false;
};

std::string PresetNames() {
  std::string names;
  for (const ExplorePreset& known : ExplorePresets()) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", known.name);
  }
  return names;
}

// Without --core the sessions start on the preset's core.
CoreSpec CoreFrom(const std::string& text) {
  constexpr std::string_view valid = "reference, no-compaction, legacy, bug:NAME, bytes:CORE";
  if (text.find("exec:") != std::string::npos) {
    throw UsageError{
        fmt::format("--core is '{}'; a process cannot be copied, explore takes: {}", text, valid)};
  }
  return CoreOf({}, text, "--core");
}

ExploreConfig ConfigFrom(const ExploreFlags& flags, bool core_given) {
  const ExplorePreset* preset = ExplorePresetNamed(flags.preset);
  if (preset == nullptr) {
    throw UsageError{fmt::format("--preset is '{}'; valid: {}", flags.preset, PresetNames())};
  }
  ExploreConfig config{.preset = *preset};
  config.turns = NumberFlag("--turns", flags.turns, 1, kExploreTurnsMax);
  config.faults = NumberFlag("--faults", flags.faults, 0, kExploreFaultsMax);
  if (core_given) config.core = CoreFrom(flags.core);
  if (!flags.states_max.empty()) {
    config.states_max = NumberFlag("--max-states", flags.states_max, 1, std::uint64_t{1} << 48);
  }
  if (!flags.memory_max.empty()) {
    config.memory_max =
        NumberFlag("--max-memory", flags.memory_max, kMebibyte, std::uint64_t{1} << 48);
  }
  if (!flags.time.empty()) config.time = DurationFlag("--for", flags.time);
  config.out = flags.out;
  return config;
}

int RunExplore(const ExploreFlags& flags, bool core_given) {
  const ExploreConfig config = ConfigFrom(flags, core_given);
  const ExploreReport report = Explore(config, Interrupted());
  if (flags.json) {
    PrintJson(ExploreJson(config, report));
  } else {
    Print(ExploreScreen(config, report));
  }
  if (!report.environment_error.empty()) throw EnvironmentError{report.environment_error};
  if (report.interrupted) return kExitInterrupted;
  if (!report.failures.empty()) return kExitBroken;
  if (!report.complete()) {
    std::fputs(
        fmt::format("rollover: explore is not complete: stopped by {}\n", report.search.stopped_by)
            .c_str(),
        stderr);
  }
  return kExitHeld;
}

}  // namespace

void AddExploreCommand(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<ExploreFlags>();
  CLI::App* command = app.add_subcommand(
      "explore", "everything that can happen to a small session, every crash point struck");
  command->add_option("--turns", flags->turns, "turns of a session")->capture_default_str();
  command->add_option("--faults", flags->faults, "faults of a session, at most")
      ->capture_default_str();
  command->add_option("--preset", flags->preset, PresetNames())->capture_default_str();
  CLI::Option* core = command->add_option(
      "--core", flags->core,
      "reference, no-compaction, legacy, bug:NAME, bytes:CORE (default: the preset's)");
  command->add_option("--max-states", flags->states_max, "stop after so many; complete is false");
  command->add_option("--max-memory", flags->memory_max,
                      "bytes for the states seen; complete is false when they are used up "
                      "(default: 1 GiB)");
  command->add_option("--for", flags->time, "stop after so long; complete is false");
  command->add_option("--out", flags->out, "folder for failures")->capture_default_str();
  command->add_flag("--json", flags->json, "one JSON object on standard output");
  command->footer(
      "Examples:\n"
      "  rollover explore --turns 3 --faults 1 --preset migration\n"
      "  rollover explore --core bug:retention-by-first --for 5m --out out/explore --json\n"
      "  rollover explore --faults 2 --max-states 1000000 --max-memory 2147483648");
  command->callback(
      [flags, core, &exit_code] { exit_code = RunExplore(*flags, core->count() > 0); });
}

}  // namespace rollover
