#include "sim/campaign/nightly.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/campaign/child.h"
#include "sim/campaign/files.h"
#include "sim/campaign/night_report.h"

namespace rollover {
namespace {

using Json = nlohmann::ordered_json;
using std::chrono::milliseconds;
namespace fs = std::filesystem;

constexpr const char* kNightFile = "night.json";

std::string Now() {
  return fmt::format(
      "{:%Y-%m-%dT%H:%M:%SZ}",
      fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

Json JsonOf(const PartRun& run) {
  return {{"part", run.part},
          {"arguments", run.arguments},
          {"stem", run.stem},
          {"exit_code", run.exit_code},
          {"signal", run.signal},
          {"timed_out", run.timed_out},
          {"interrupted", run.interrupted},
          {"seconds", run.seconds}};
}

Json JsonOf(const Night& night) {
  Json json{
      {"night", night.number}, {"started", night.started}, {"budget_ms", night.budget.count()},
      {"core", night.core},    {"version", night.version}, {"finished", night.finished},
      {"runs", Json::array()}};
  for (const PartRun& run : night.runs) json["runs"].push_back(JsonOf(run));
  return json;
}

// These throw what the library throws when something is missing or of another kind.
PartRun RunFrom(const Json& json) {
  return {.part = json.at("part"),
          .arguments = json.at("arguments").get<std::vector<std::string>>(),
          .stem = json.at("stem"),
          .exit_code = json.at("exit_code"),
          .signal = json.at("signal"),
          .timed_out = json.at("timed_out"),
          .interrupted = json.at("interrupted"),
          .seconds = json.at("seconds")};
}

Night NightFrom(const Json& json) {
  Night night{.number = json.at("night"),
              .started = json.at("started"),
              .budget = milliseconds(json.at("budget_ms").get<std::int64_t>()),
              .core = json.at("core"),
              .version = json.at("version"),
              .finished = json.at("finished")};
  for (const Json& run : json.at("runs")) night.runs.push_back(RunFrom(run));
  return night;
}

fs::path FolderOf(const fs::path& out, std::uint64_t number) {
  return out / "nights" / fmt::to_string(number);
}

std::optional<std::string> WriteNight(const fs::path& out, const Night& night) {
  return WriteFile(FolderOf(out, night.number) / kNightFile, JsonOf(night).dump(1) + "\n");
}

// The highest number of a folder in nights/; 0: there is none.
std::uint64_t NewestIn(const fs::path& out) {
  std::uint64_t newest = 0;
  std::error_code code;
  for (const fs::directory_entry& entry : fs::directory_iterator(out / "nights", code)) {
    const std::string name = entry.path().filename().string();
    const bool number =
        !name.empty() && name.size() < 10 &&
        std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (number) newest = std::max<std::uint64_t>(newest, std::stoull(name));
  }
  return newest;
}

// The night that goes on, or a new one.
Result<Night> Begin(const NightConfig& config,
                    const std::function<void(const std::string&)>& tell) {
  Night night{.number = NewestIn(config.out),
              .started = Now(),
              .budget = config.budget,
              .core = config.core,
              .version = config.version};
  const fs::path path = FolderOf(config.out, night.number) / kNightFile;
  std::error_code code;
  if (night.number == 0 || !fs::exists(path, code)) {
    night.number = std::max<std::uint64_t>(1, night.number);
    return night;
  }
  try {
    Night newest = NightFrom(Json::parse(ReadFile(path)));
    const bool alike = newest.budget == night.budget && newest.core == night.core &&
                       newest.version == night.version;
    if (!newest.finished && alike) {
      tell(fmt::format("night {} goes on; {} calls have ended", newest.number, newest.runs.size()));
      return newest;
    }
    if (!newest.finished) {
      tell(
          fmt::format("night {} was not finished, and is left: its budget, core or build was "
                      "another",
                      newest.number));
    }
  } catch (const Json::exception& error) {
    return Error{fmt::format("{}: not what a night wrote ({}); move it away to begin anew",
                             path.string(), error.what())};
  }
  ++night.number;
  return night;
}

// Runs what is left of one night.
class Runner {
 public:
  Runner(const NightConfig& config, Night night, std::vector<NightPart> parts,
         const std::atomic<bool>& interrupted, const std::function<void(const std::string&)>& tell)
      : config_(config),
        interrupted_(interrupted),
        tell_(tell),
        folder_(FolderOf(config.out, night.number)),
        parts_(std::move(parts)) {
    report_.night = std::move(night);
    for (const NightPart& part : parts_) report_.planned.push_back(part.name);
  }

  NightReport Run() {
    for (const PartRun& run : report_.night.runs) report_.parts.push_back(Read(run));
    Write();
    for (std::size_t at = 0; at < parts_.size() && Goes(); ++at) {
      if (!report_.night.ended(parts_[at].name)) RunPart(at);
    }
    return std::move(report_);
  }

 private:
  bool Goes() const { return !interrupted_ && report_.environment_error.empty(); }

  void Write() {
    if (auto error = WriteNight(config_.out, report_.night)) report_.environment_error = *error;
  }

  PartResult Read(const PartRun& run) const {
    return ReadPart(run, ReadFile(folder_ / (run.stem + ".json")),
                    ReadFile(folder_ / (run.stem + ".log")));
  }

  // What is left of the budget; every part gets at least a second.
  milliseconds Left() const {
    const milliseconds used(static_cast<std::int64_t>(1000 * report_.seconds()));
    return std::max<milliseconds>(std::chrono::seconds(parts_.size()), report_.night.budget - used);
  }

  std::string Stem(const std::string& part) const {
    std::string stem = part;
    std::replace(stem.begin(), stem.end(), ' ', '-');
    const auto before = std::count_if(report_.night.runs.begin(), report_.night.runs.end(),
                                      [&](const PartRun& run) { return run.part == part; });
    return before == 0 ? stem : fmt::format("{}-{}", stem, before + 1);
  }

  void RunPart(std::size_t at) {
    const NightPart& part = parts_[at];
    const milliseconds share = ShareOf(parts_, at, Left());
    PartRun run{.part = part.name, .arguments = part.arguments(share), .stem = Stem(part.name)};
    std::vector<std::string> arguments = run.arguments;
    arguments.push_back("--json");
    if (part.saves) {
      const fs::path out = part.saves_to.empty() ? folder_ / run.stem : fs::path(part.saves_to);
      arguments.insert(arguments.end(), {"--out", out.string()});
    }
    if (part.page) {
      arguments.insert(arguments.end(), {"--html", (folder_ / (run.stem + ".html")).string()});
    }
    const auto start = std::chrono::steady_clock::now();
    const ChildEnd end = RunChild({.program = config_.program,
                                   .arguments = std::move(arguments),
                                   .output = folder_ / (run.stem + ".json"),
                                   .errors = folder_ / (run.stem + ".log"),
                                   .time_max = LimitOf(share)},
                                  interrupted_);
    run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    run.exit_code = end.exit_code;
    run.signal = end.signal;
    run.timed_out = end.timed_out;
    run.interrupted = interrupted_ && (end.exit_code == kChildInterrupted || end.signal != 0);
    if (end.exit_code == kChildNotStarted) {
      report_.environment_error = config_.program.string() + ": cannot be started";
      return;
    }
    Tell(at, report_.parts.emplace_back(Read(run)));
    report_.night.runs.push_back(std::move(run));
    Write();
  }

  void Tell(std::size_t at, const PartResult& part) const {
    tell_(fmt::format("[{:>2} of {}] {:<24} {:<11} {:>8.1f} s  {}", at + 1, parts_.size(),
                      part.run.part, OutcomeName(part.outcome), part.run.seconds,
                      part.outcome == PartOutcome::kNotRun ? part.reason : part.did));
  }

  const NightConfig& config_;
  const std::atomic<bool>& interrupted_;
  const std::function<void(const std::string&)>& tell_;
  fs::path folder_;
  std::vector<NightPart> parts_;
  NightReport report_;
};

// The known failures take the night in, the history gets its line, and only then it is finished: an
// end that is cut short is taken up again.
void Finish(const NightConfig& config, KnownFailures& known, NightReport& report) {
  std::vector<NightFailure> seen;
  std::map<std::string, std::string> replayed;
  for (const PartResult& part : report.parts) {
    seen.insert(seen.end(), part.failures.begin(), part.failures.end());
    if (part.run.part == kKnownPart) replayed.merge(Replayed(part));
  }
  const std::uint64_t number = report.night.number;
  auto error = known.Take(number, seen, replayed);
  report.failures = known.Tonight(number);
  const bool all_ended =
      std::all_of(report.planned.begin(), report.planned.end(),
                  [&](const std::string& part) { return report.night.ended(part); });
  report.night.finished = all_ended && report.environment_error.empty();
  if (!error) error = WriteReport(config.out, report);
  if (!error) error = WriteNight(config.out, report.night);
  if (error) report.environment_error = *error;
}

}  // namespace

bool Night::ended(const std::string& part) const {
  return std::any_of(runs.begin(), runs.end(),
                     [&](const PartRun& run) { return run.part == part && !run.interrupted; });
}

double NightReport::seconds() const {
  return std::accumulate(night.runs.begin(), night.runs.end(), 0.0,
                         [](double sum, const PartRun& run) { return sum + run.seconds; });
}

bool NightReport::broken() const {
  return std::any_of(failures.begin(), failures.end(),
                     [](const FailureTonight& failure) { return failure.seen; });
}

bool NightReport::all_ran() const {
  return night.finished && std::none_of(parts.begin(), parts.end(), [](const PartResult& part) {
           return part.outcome == PartOutcome::kNotRun;
         });
}

Result<NightReport> RunNight(const NightConfig& config, const std::atomic<bool>& interrupted,
                             const std::function<void(const std::string&)>& tell) {
  auto known = KnownFailures::Read(config.out);
  if (!known) return known.error();
  auto night = Begin(config, tell);
  if (!night) return night.error();
  NightScope scope{.core = config.core,
                   .night = night.value().number,
                   .known = known.value().Scenarios(),
                   .learnt = (config.out / "learnt").string()};
  Runner runner(config, std::move(night.value()), NightParts(scope), interrupted, tell);
  NightReport report = runner.Run();
  Finish(config, known.value(), report);
  return report;
}

}  // namespace rollover
