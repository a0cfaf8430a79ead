// rollover replay
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/campaign/compare.h"
#include "sim/campaign/conformance.h"
#include "sim/campaign/files.h"
#include "sim/campaign/replay.h"
#include "sim/cli/command.h"
#include "sim/wire/recording.h"

namespace rollover {
namespace {

constexpr std::uint64_t kScenarioBytesMax = 64 * kMebibyte;
constexpr std::uint64_t kRecordingBytesMax = 4096 * kMebibyte;

struct ReplayFlags {
  std::vector<std::string> files;
  std::string until;
  std::string trace;
  std::vector<std::string> cores;
  CoreFlags process;
  std::string recording;
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

struct Input {
  std::string path;
  ScenarioFile file;
  CoreSpec core;
};

// The core to run a file on: as told, else as the file says.
CoreSpec CoreFor(const ReplayFlags& flags, const std::string& path, const ScenarioFile& file,
                 std::shared_ptr<Listener> listener = {}) {
  // A replay runs more than once; what is recorded is a run of its own.
  CoreFlags process = flags.process;
  process.record.clear();
  if (!flags.cores.empty()) process.core = flags.cores[0];
  return CoreOf(process, path, file, std::move(listener));
}

ReplayConfig ConfigFrom(const ReplayFlags& flags) {
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
  const bool recording = !flags.process.record.empty() || !flags.recording.empty();
  if (!flags.process.record.empty() && !flags.recording.empty()) {
    throw UsageError{"--record and --recording exclude each other"};
  }
  if (recording && flags.files.size() > 1) {
    throw UsageError{
        fmt::format("a recording is of one run; valid: one FILE, not {}", flags.files.size())};
  }
  if (flags.cores.size() > 1 && (recording || flags.json || config.trace || config.until > 0)) {
    throw UsageError{
        "several --core are compared, without --trace, --until, --json, --record, --recording"};
  }
  return config;
}

// Everything is read before anything runs, so that a bad file stops the whole call.
std::vector<Input> ReadInputs(const ReplayFlags& flags) {
  std::vector<Input> inputs;
  for (const std::string& path : flags.files) {
    auto file = ReadScenario(ReadInput(path, kScenarioBytesMax));
    if (!file) throw UsageError{fmt::format("{}: {}", path, file.error().reason)};
    CoreSpec core = CoreFor(flags, path, file.value());
    // What is to be run on a core without compaction is a session without.
    if (core.external) {
      file.value().scenario = ForCore(std::move(file.value().scenario), core.external->compaction);
    }
    inputs.push_back({path, std::move(file.value()), std::move(core)});
  }
  return inputs;
}

std::string TextOf(const Comparison& comparison, const CoreSpec& first, const CoreSpec& other) {
  if (comparison.difference) {
    return fmt::format("DIFFERENT after {} answers that agree\n  {}", comparison.answers,
                       *comparison.difference);
  }
  std::string text =
      fmt::format("SAME   {} and {}: {} answers, {} committed values ({} bytes)", first.text,
                  other.text, comparison.answers, comparison.values, comparison.bytes);
  if (!comparison.broken.empty()) text += "; both break " + comparison.broken;
  return text;
}

int Compare(const ReplayFlags& flags, const std::vector<Input>& inputs) {
  std::vector<CoreSpec> others;
  for (std::size_t i = 1; i < flags.cores.size(); ++i) {
    others.push_back(CoreOf(flags.process, flags.cores[i], "--core"));
  }
  int exit_code = kExitHeld;
  for (const Input& input : inputs) {
    for (const CoreSpec& other : others) {
      if (Interrupted()) return kExitInterrupted;
      const Comparison comparison = CompareCores(input.file.scenario, input.core, other);
      if (comparison.difference) exit_code = kExitBroken;
      Print(fmt::format("{}: {}\n", input.path, TextOf(comparison, input.core, other)));
    }
  }
  return exit_code;
}

// A run of its own that is listened to: a replay runs more than once.
std::vector<Exchange> Listen(const ReplayFlags& flags, const Input& input) {
  std::vector<Exchange> exchanges;
  const CoreSpec core =
      CoreFor(flags, input.path, input.file, std::make_shared<Recorder>([&](Exchange exchange) {
                exchanges.push_back(std::move(exchange));
              }));
  RunScenario(input.file.scenario, {.factory = core.factory});
  return exchanges;
}

void Record(const ReplayFlags& flags, const Input& input) {
  CheckPagePath("--record", flags.process.record);
  std::string text;
  for (const Exchange& exchange : Listen(flags, input)) text += RecordingLine(exchange);
  if (const auto error = WriteFile(flags.process.record, text)) throw EnvironmentError{*error};
}

void CompareWithRecording(const ReplayFlags& flags, const std::vector<Exchange>& recorded,
                          const Input& input, ReplayResult& result) {
  const auto difference = FirstDifference(recorded, Listen(flags, input));
  if (!difference) return;
  if (!difference->of_answer) {
    throw UsageError{
        fmt::format("{} is not of {}: {}", flags.recording, input.path, difference->text)};
  }
  result.answer = ReplayAnswer::kReproduced;
  result.line = "REPRODUCED rule deterministic\n  " + difference->text;
  result.verdict.violations.insert(result.verdict.violations.begin(),
                                   {Rule::kDeterministic, difference->text, 0});
}

int Replay(const ReplayFlags& flags) {
  ReplayConfig config = ConfigFrom(flags);
  const std::vector<Input> inputs = ReadInputs(flags);
  if (flags.cores.size() > 1) return Compare(flags, inputs);
  std::vector<Exchange> recorded;
  if (!flags.recording.empty()) {
    auto read = ReadRecording(ReadInput(flags.recording, kRecordingBytesMax));
    if (!read) throw UsageError{fmt::format("{}: {}", flags.recording, read.error().reason)};
    recorded = std::move(read.value());
  }
  if (!flags.process.record.empty()) Record(flags, inputs[0]);
  int exit_code = kExitHeld;
  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  for (const Input& input : inputs) {
    if (Interrupted()) break;
    config.path = input.path;
    ReplayResult result = ReplayScenario(input.file, input.core, config);
    if (!flags.recording.empty()) CompareWithRecording(flags, recorded, input, result);
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
  command->add_option(
      "--core", flags->cores,
      "in place of the one the file names; of several, each is compared with the first");
  AddProcessFlags(command, flags->process);
  command->add_option("--recording", flags->recording,
                      "what --record wrote: names the first answer that is another one now");
  command->add_flag("--json", flags->json, "one JSON object on standard output");
  command->footer(
      "Examples:\n"
      "  rollover replay out/failures/in-order-2a.json --trace text\n"
      "  rollover replay out/failures/in-order-2a.json --until 17 --trace html >timeline.html\n"
      "  rollover replay out/failures/in-order-2a.json --core reference --core 'exec:./core' "
      "--core-timeout 2s --core-log core.log\n"
      "  rollover replay out/failures/in-order-2a.json --core 'exec:./core' --record said.jsonl\n"
      "  rollover replay out/failures/in-order-2a.json --core 'exec:./core' --recording said.jsonl "
      "--json");
  command->callback([flags, &exit_code] { exit_code = Replay(*flags); });
}

}  // namespace rollover
