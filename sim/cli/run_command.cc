// rollover run
#include <fmt/format.h>

#include <algorithm>

#include "sim/campaign/crash_points.h"
#include "sim/campaign/rare.h"
#include "sim/campaign/report.h"
#include "sim/campaign/run_page.h"
#include "sim/campaign/runner.h"
#include "sim/cli/command.h"
#include "sim/generator.h"
#include "sim/scenario_json.h"
#include "sim/transcript.h"

namespace rollover {
namespace {

constexpr std::uint64_t kPresetBytesMax = 64 * kMebibyte;
constexpr std::chrono::seconds kDefaultTime{60};

struct RunFlags {
  std::string seed;
  std::string seeds;
  std::string time;
  std::string jobs;
  std::string preset;
  std::string transcript;
  CoreFlags core;
  std::string shard;
  std::string out = "out";
  std::string html;
  std::string every_crash_point;
  bool from_rare = false;
  bool no_shrink = false;
  bool json = false;
};

Shard ParseShard(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) {
    throw UsageError{fmt::format("--shard is '{}'; valid: I/N, as in 1/4", text)};
  }
  Shard shard;
  shard.count = NumberFlag("--shard (N of I/N)", text.substr(slash + 1), 1, 1'000'000);
  shard.index = NumberFlag("--shard (I of I/N)", text.substr(0, slash), 1, shard.count);
  return shard;
}

// A built-in name, or a file with options (a scenario file will do).
Options PresetOptions(const std::string& preset) {
  if (preset == "default") return Options{};
  if (preset == "tiny") {
    return Options{.message_window_size = 4,
                   .message_chunk_size = 2,
                   .message_chunk_max_bytes = kChunkBytesFloor,
                   .retained_message_limit = 5};
  }
  if (preset.find('/') == std::string::npos && preset.find('.') == std::string::npos) {
    throw UsageError{fmt::format("--preset is '{}'; valid: default, tiny, or a file", preset)};
  }
  const auto file = ReadScenario(ReadInput(preset, kPresetBytesMax));
  if (!file) throw UsageError{fmt::format("{}: {}", preset, file.error().reason)};
  return file.value().scenario.options;
}

// The conversations of a file that have a turn to replay; counts what was skipped.
std::vector<Conversation> LoadTranscript(const std::string& path, RunHeader& header) {
  auto read = ReadTranscripts(ReadInput(path, kTranscriptBytesMax));
  if (!read) throw UsageError{fmt::format("{}: {}", path, read.error().reason)};
  std::vector<Conversation> conversations;
  for (Conversation& conversation : read.value()) {
    header.transcript_skipped +=
        conversation.system + conversation.developer + conversation.early + conversation.orphans;
    if (!conversation.turns.empty()) conversations.push_back(std::move(conversation));
  }
  return conversations;
}

// A campaign bounded by time starts somewhere new each time; one bounded by a number of seeds is
// the same each time.
std::uint64_t FirstSeed(const RunFlags& flags) {
  if (!flags.seed.empty()) return NumberFlag("--seed", flags.seed, 0, ~std::uint64_t{0});
  if (!flags.seeds.empty()) return 1;
  // Nanoseconds, while a seed takes many thousand: two campaigns do not overlap.
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

std::function<void(const RunProgress&)> ProgressLine(const RunConfig& config) {
  if (!StderrIsATerminal()) return nullptr;
  return [&config](const RunProgress& progress) {
    const double seconds = std::max(progress.seconds, 1e-3);
    std::string left = "";
    if (config.time) {
      const double total = std::chrono::duration<double>(*config.time).count();
      left = fmt::format("  {:.0f} s left", std::max(0.0, total - progress.seconds));
    } else if (config.seeds) {
      left = fmt::format("  of {} seeds", *config.seeds / config.shard.count);
    }
    std::fputs(fmt::format("\r\x1b[K{} seeds  {:.0f} turns/s  {} faults  {} failures{}",
                           progress.seeds, static_cast<double>(progress.turns) / seconds,
                           progress.faults, progress.failures, left)
                   .c_str(),
               stderr);
    std::fflush(stderr);
  };
}

// Whether everything must have been reached: a default run must not pass by looking away.
bool MustReachAll(const RunFlags& flags, const RunConfig& config) {
  const bool plain = flags.core.core.empty() && flags.preset.empty() && flags.transcript.empty() &&
                     flags.shard.empty();
  const bool long_enough = config.seeds ? *config.seeds >= kDefaultRunSeeds : flags.time.empty();
  return plain && long_enough;
}

RunConfig ConfigFrom(const RunFlags& flags) {
  RunConfig config;
  config.first_seed = FirstSeed(flags);
  if (!flags.seeds.empty()) {
    if (!flags.time.empty()) throw UsageError{"--seeds and --for exclude each other"};
    config.seeds = NumberFlag("--seeds", flags.seeds, 1, std::uint64_t{1} << 48);
  } else if (!flags.time.empty()) {
    config.time = DurationFlag("--for", flags.time);
  } else {
    config.time = kDefaultTime;
  }
  config.jobs = DefaultJobs();
  if (!flags.jobs.empty()) config.jobs = NumberFlag("--jobs", flags.jobs, 1, 1024);
  if (!flags.shard.empty()) config.shard = ParseShard(flags.shard);
  config.core = CoreOf(flags.core);
  config.out = flags.out;
  if (flags.no_shrink) config.failures_shrunk_max = 0;
  return config;
}

// What a run found, told; and what the program returns for it.
int Tell(const RunFlags& flags, const RunHeader& header, const RunSummary& summary,
         const std::vector<std::string>& not_reached) {
  if (StderrIsATerminal()) std::fputs("\r\x1b[K", stderr);
  if (flags.json) {
    auto json = RunJson(header, summary, not_reached);
    json["version"] = BuildVersion();
    json["options"] = {{"seeds", flags.seeds}, {"for", flags.time}, {"shrink", !flags.no_shrink}};
    if (!summary.environment_error.empty()) json["environment_error"] = summary.environment_error;
    PrintJson(json);
  } else {
    Print(RunScreen(header, summary, not_reached));
  }
  if (!flags.html.empty()) WritePage(flags.html, RunPage(header, summary, not_reached));
  if (!summary.environment_error.empty()) throw EnvironmentError{summary.environment_error};
  if (summary.interrupted) return kExitInterrupted;
  return summary.failures_total > 0 ? kExitBroken : kExitHeld;
}

int RunFreshSeeds(const RunFlags& flags) {
  RunConfig config = ConfigFrom(flags);
  RunHeader header{.first_seed = config.first_seed,
                   .core = flags.core.core,
                   .preset = flags.preset,
                   .transcript = flags.transcript};
  header.shard = config.shard;
  GeneratorConfig generator{.core = config.core.start};
  if (!flags.preset.empty()) generator.options = PresetOptions(flags.preset);
  std::vector<Conversation> conversations;
  if (flags.transcript.empty()) {
    config.scenario_of = [&](std::uint64_t seed) { return GenerateScenario(seed, generator); };
  } else {
    conversations = LoadTranscript(flags.transcript, header);
    config.scenario_of = [&](std::uint64_t seed) {
      const Conversation& conversation = conversations[seed % conversations.size()];
      return GenerateAround(seed, ScenarioFrom(conversation).operations, SteerFaults(conversation),
                            generator);
    };
  }
  const RunSummary summary = RunSeeds(config, Interrupted(), ProgressLine(config));
  const bool cut_short = summary.interrupted || !summary.environment_error.empty();
  if (summary.seeds == 0 && config.seeds && !cut_short) {
    throw UsageError{fmt::format("--shard {} of {} seeds holds no seed", flags.shard, flags.seeds)};
  }
  const auto not_reached = NotReached(summary.statistics, summary.seeds);
  const int code = Tell(flags, header, summary, not_reached);
  if (code == kExitHeld && MustReachAll(flags, config) && !not_reached.empty()) {
    throw EnvironmentError{
        fmt::format("{} not reached: a default run must reach everything; the first: {}",
                    not_reached.size(), not_reached.front())};
  }
  return code;
}

// A scenario, or the conversations of a transcript.
std::vector<NamedScenario> ScenariosIn(const std::string& path) {
  const std::string text = ReadInput(path, kTranscriptBytesMax);
  const auto file = ReadScenario(text);
  if (file) return {{path, file.value().scenario}};
  const auto conversations = ReadTranscripts(text);
  if (!conversations) {
    throw UsageError{fmt::format("{}: no scenario ({}), and no transcript ({})", path,
                                 file.error().reason, conversations.error().reason)};
  }
  std::vector<NamedScenario> scenarios;
  for (const Conversation& conversation : conversations.value()) {
    if (conversation.turns.empty()) continue;
    scenarios.push_back(
        {fmt::format("{} ({})", path, conversation.id), ScenarioFrom(conversation)});
    scenarios.back().scenario.faults = SteerFaults(conversation);
  }
  return scenarios;
}

int RunEveryCrashPoint(const RunFlags& flags) {
  const bool others = !flags.seed.empty() || !flags.seeds.empty() || !flags.time.empty() ||
                      !flags.transcript.empty();
  if (others) {
    throw UsageError{
        "--every-crash-point takes each point once; valid: without --seed, --seeds, --for, "
        "--transcript"};
  }
  RunConfig config = ConfigFrom(flags);
  config.time.reset();
  std::vector<NamedScenario> scenarios = ScenariosIn(flags.every_crash_point);
  if (!flags.preset.empty()) {
    const Options options = PresetOptions(flags.preset);
    for (NamedScenario& named : scenarios) named.scenario.options = options;
  }
  const auto points = CrashPoints::Of(std::move(scenarios), config.core.factory);
  if (!points) throw UsageError{points.error().reason};
  config.seeds = points.value().size();
  const CrashPointsReport report =
      RunCrashPoints(points.value(), config, Interrupted(), ProgressLine(config));
  RunHeader header{.core = flags.core.core, .preset = flags.preset};
  header.shard = config.shard;
  header.every_crash_point = flags.every_crash_point;
  header.struck = report.struck;
  const int code = Tell(flags, header, report.summary, {});
  if (code == kExitHeld && report.struck.crashes < report.struck.crashes_all) {
    throw EnvironmentError{fmt::format("{} of {} crash points were not struck",
                                       report.struck.crashes_all - report.struck.crashes,
                                       report.struck.crashes_all)};
  }
  return code;
}

int RunRare(const RunFlags& flags) {
  if (!flags.transcript.empty() || !flags.shard.empty()) {
    throw UsageError{
        "--from-rare follows what fresh seeds reach; valid: without --transcript, "
        "--shard"};
  }
  const RunConfig config = ConfigFrom(flags);
  RunHeader header{
      .first_seed = config.first_seed, .core = flags.core.core, .preset = flags.preset};
  GeneratorConfig generator{.core = config.core.start};
  if (!flags.preset.empty()) generator.options = PresetOptions(flags.preset);
  const RareReport report = RunFromRare(config, generator, Interrupted(), ProgressLine(config));
  header.futures = report.futures;
  return Tell(flags, header, report.summary,
              NotReached(report.summary.statistics, report.summary.seeds));
}

int Run(const RunFlags& flags) {
  if (!flags.html.empty()) CheckPagePath("--html", flags.html);
  if (flags.from_rare && !flags.every_crash_point.empty()) {
    throw UsageError{"--from-rare and --every-crash-point exclude each other"};
  }
  if (flags.from_rare) return RunRare(flags);
  return flags.every_crash_point.empty() ? RunFreshSeeds(flags) : RunEveryCrashPoint(flags);
}

}  // namespace

void AddRunCommand(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<RunFlags>();
  CLI::App* command =
      app.add_subcommand("run", "simulate many sessions under faults (60 s by default)");
  command->add_option("--seed", flags->seed,
                      "first seed (default: 1 with --seeds, else a new one)");
  command->add_option("--seeds", flags->seeds, "how many seeds");
  command->add_option("--for", flags->time, "how long instead, as in 30s, 10m, 8h");
  command->add_option("--jobs", flags->jobs, "threads (default: one a processor)");
  command->add_option("--preset", flags->preset, "fixed options: default, tiny, or a file");
  command->add_option("--transcript", flags->transcript,
                      "real conversations as the workload (OpenAI chat format, JSON or JSONL)");
  AddCoreFlags(command, flags->core, std::string(kCoreSpecs) + " (default: the model's own)");
  command->add_option("--every-crash-point", flags->every_crash_point,
                      "a scenario or transcript: one run for each fault at each of its points");
  command->add_flag("--from-rare", flags->from_rare,
                    "between the seeds, random futures of moments that few sessions reach");
  command->add_option("--shard", flags->shard, "I/N: every N-th seed, from the I-th on");
  command->add_option("--out", flags->out, "folder for failures")->capture_default_str();
  command->add_flag("--no-shrink", flags->no_shrink, "save failures as they were found");
  command->add_option("--html", flags->html, "a page, written to this file");
  command->add_flag("--json", flags->json, "one JSON object on standard output");
  command->footer(
      "Examples:\n"
      "  rollover run --seed 1 --seeds 20000 --json\n"
      "  rollover run --for 10m --jobs 4 --out out/tonight --html out/tonight/run.html\n"
      "  rollover run --preset tiny --core bug:retention-by-first --no-shrink\n"
      "  rollover run --transcript corpus/transcripts/support-desk.jsonl --seeds 200\n"
      "  rollover run --every-crash-point corpus/transcripts/support-desk.jsonl\n"
      "  rollover run --from-rare --for 10m\n"
      "  rollover run --seeds 1000000 --shard 1/4 --json >shard-1.json\n"
      "  rollover run --core 'exec:./core' --core-timeout 2s --core-log core.log --record "
      "said.jsonl");
  command->callback([flags, &exit_code] { exit_code = Run(*flags); });
}

}  // namespace rollover
