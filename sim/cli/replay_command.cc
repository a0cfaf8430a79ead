// rollover replay
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/campaign/replay.h"
#include "sim/cli/command.h"

namespace rollover {
namespace {

constexpr std::uint64_t kScenarioBytesMax = 64 * kMebibyte;

struct ReplayFlags {
  std::vector<std::string> files;
  std::string until;
  std::string trace;
  CoreFlags core;
  bool json = false;
};

int ExitCode(ReplayAnswer answer) {
  switch (answer) {
    case ReplayAnswer::kFixed:
    case ReplayAnswer::kHeld:
      return kExitHeld;
    case ReplayAnswer::kReproduced:
      return kExitBroken;
    case ReplayAnswer::kStale:
      return kExitUsage;
  }
  return kExitEnvironment;
}

// A broken rule outweighs a stale file, and that a clean one.
int Worse(int a, int b) {
  if (a == kExitBroken || b == kExitBroken) return kExitBroken;
  return std::max(a, b);
}

int Replay(const ReplayFlags& flags) {
  ReplayConfig config;
  if (!flags.until.empty()) config.until = NumberFlag("--until", flags.until, 1, kSettingMax);
  if (!flags.trace.empty()) {
    const auto format = TraceFormatNamed(flags.trace);
    if (!format) {
      throw UsageError{
          fmt::format("--trace is '{}'; valid: text, json, perfetto, html", flags.trace)};
    }
    config.trace = *format;
    if (*format == TraceFormat::kHtml && flags.files.size() > 1) {
      throw UsageError{
          fmt::format("--trace html makes one page; valid: one FILE, not {}", flags.files.size())};
    }
    if (flags.json) throw UsageError{"--json and --trace both want standard output"};
  }
  // Everything is read before anything runs, so that a bad file stops the whole call.
  struct Input {
    std::string path;
    ScenarioFile file;
    CoreSpec core;
  };
  std::vector<Input> inputs;
  for (const std::string& path : flags.files) {
    auto file = ReadScenario(ReadInput(path, kScenarioBytesMax));
    if (!file) throw UsageError{fmt::format("{}: {}", path, file.error().reason)};
    const bool named = flags.core.core.empty() && file.value().failure;
    CoreSpec core = named ? CoreOf(flags.core, file.value().failure->core, path + ": failure.core")
                          : CoreOf(flags.core);
    inputs.push_back({path, std::move(file.value()), std::move(core)});
  }
  int exit_code = kExitHeld;
  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  for (const Input& input : inputs) {
    if (Interrupted()) break;
    config.path = input.path;
    const ReplayResult result = ReplayScenario(input.file, input.core, config);
    exit_code = Worse(exit_code, ExitCode(result.answer));
    if (flags.json) {
      nlohmann::ordered_json json = ReplayJson(result);
      json["file"] = input.path;
      results.push_back(std::move(json));
      continue;
    }
    if (config.trace) Print(result.trace);
    const std::string line = fmt::format("{}: {}\n", input.path, result.line);
    // With a trace for a program, the answer is for people.
    if (config.trace && *config.trace != TraceFormat::kText) {
      std::fputs(line.c_str(), stderr);
    } else {
      Print(line);
    }
  }
  if (flags.json) {
    const bool one = results.size() == 1;
    PrintJson(one ? results[0] : nlohmann::ordered_json{{"results", results}});
  }
  return Interrupted() ? kExitInterrupted : exit_code;
}

}  // namespace

void AddReplayCommand(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<ReplayFlags>();
  CLI::App* command = app.add_subcommand(
      "replay", "run scenario files: FIXED (exit 0), REPRODUCED (1) or STALE (2)");
  command->add_option("FILE", flags->files, "scenario files")->required();
  command->add_option("--until", flags->until,
                      "stop after this commit: HELD (0) if no rule broke before");
  command->add_option("--trace", flags->trace,
                      "text, json (a line an event), perfetto, or html (a page)");
  AddCoreFlags(command, flags->core, "in place of the one the file names");
  command->add_flag("--json", flags->json, "one JSON object on standard output");
  command->footer("Example: rollover replay out/failures/exactly-once-2a.json --trace text");
  command->callback([flags, &exit_code] { exit_code = Replay(*flags); });
}

}  // namespace rollover
