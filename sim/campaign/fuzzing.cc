#include "sim/campaign/fuzzing.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <mutex>
#include <sstream>

#include "sim/campaign/child.h"
#include "sim/campaign/files.h"
#include "sim/campaign/parallel.h"
#include "sim/campaign/shrink.h"
#include "sim/scenario_json.h"

namespace rollover {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::array<std::string_view, 9> kTargets = {
    "fuzz_session", "fuzz_differential", "fuzz_migration",     "fuzz_rules",     "fuzz_codec",
    "fuzz_storage", "fuzz_paging",       "fuzz_scenario_file", "fuzz_transcript"};

constexpr std::size_t kInputBytesMax = 16 * kKibibyte;
constexpr std::size_t kFindingsMax = 10;  // of a target; then it is stopped
constexpr std::uint64_t kSeenMax = 3;     // of one finding; it would only be found again
constexpr std::chrono::seconds kMinimising{20};

// The rest of the last line that contains `mark`, from behind it.
std::string After(const std::string& text, const std::string& mark) {
  const std::size_t at = text.rfind(mark);
  if (at == std::string::npos) return {};
  const std::size_t from = at + mark.size();
  return text.substr(from, text.find('\n', from) - from);
}

// The last line that contains `mark`.
std::string LineWith(const std::string& text, const std::string& mark) {
  const std::size_t at = text.rfind(mark);
  if (at == std::string::npos) return {};
  const std::size_t before = text.rfind('\n', at);
  const std::size_t from = before == std::string::npos ? 0 : before + 1;
  return text.substr(from, text.find('\n', from) - from);
}

std::uint64_t NumberAfter(const std::string& text, const std::string& mark) {
  const std::string rest = After(text, mark);
  const std::size_t digit = rest.find_first_of("0123456789");
  std::uint64_t number = 0;
  if (digit != std::string::npos) {
    std::from_chars(rest.data() + digit, rest.data() + rest.size(), number);
  }
  return number;
}

// The driver names an input after the digest of its bytes: the first digits of that.
std::uint64_t NumberOf(const std::string& input) {
  const std::size_t dash = input.rfind('-');
  std::uint64_t number = 0;
  const std::string digits = input.substr(dash + 1, 8);
  std::from_chars(digits.data(), digits.data() + digits.size(), number, 16);
  return number;
}

bool ReadsJson(const std::string& target) {
  return target == "fuzz_codec" || target == "fuzz_scenario_file" || target == "fuzz_transcript";
}

// What a crashed driver's log says: our own FAIL line, or else the sanitizer's summary.
FuzzFinding FindingIn(const std::string& log) {
  FuzzFinding finding;
  if (const std::string ours = After(log, "\nFAIL "); !ours.empty()) {
    const std::size_t colon = ours.find(": ");
    finding.kind = ours.substr(0, colon);
    if (colon != std::string::npos) finding.what = ours.substr(colon + 2);
  } else if (const std::string check = LineWith(log, "CHECK failed: "); !check.empty()) {
    finding.kind = "check";
    finding.what = check;
  } else {
    finding.kind = "crash";
    finding.what = After(log, "SUMMARY: ");
  }
  return finding;
}

class TargetRun {
 public:
  TargetRun(const FuzzConfig& config, const std::string& name, std::chrono::milliseconds time,
            const std::atomic<bool>& interrupted)
      : config_(config),
        time_(time),
        interrupted_(interrupted),
        program_(config.checkout / "build/fuzz/fuzz" / name),
        folder_(config.out / "fuzz" / name),
        corpus_(folder_ / "corpus") {
    target_.name = name;
  }

  FuzzedTarget Run() {
    std::error_code code;
    fs::create_directories(corpus_, code);
    if (code) return Fail(fmt::format("{}: {}", corpus_.string(), code.message()));
    if (!fs::exists(program_)) {
      return Fail(fmt::format("{} is not there; ./rollover fuzz builds it", program_.string()));
    }
    if (!fs::is_directory(Committed()) || fs::is_empty(Committed())) {
      return Fail(fmt::format("{}: holds no input", Committed().string()));
    }
    const Clock::time_point end = Clock::now() + time_;
    while (!interrupted_ && target_.environment_error.empty()) {
      const auto left = std::chrono::duration_cast<std::chrono::seconds>(end - Clock::now());
      // At least once, however short the time: a target that ran nothing is not clean.
      if ((left.count() < 1 && target_.runs > 0) || Exhausted()) break;
      Drive(std::max(left, std::chrono::seconds(1)));
    }
    for (FuzzFinding& finding : target_.findings) MakeSmall(finding);
    // Not after a failure: inputs that crash make the driver start again and again.
    const bool clean = target_.findings.empty() && target_.environment_error.empty();
    if (clean && !interrupted_) Minimise();
    CountInputs();
    return std::move(target_);
  }

 private:
  FuzzedTarget Fail(std::string reason) {
    target_.environment_error = std::move(reason);
    return std::move(target_);
  }

  fs::path Log() const { return folder_ / "log"; }

  bool Exhausted() const {
    if (target_.findings.size() >= kFindingsMax) return true;
    return std::any_of(target_.findings.begin(), target_.findings.end(),
                       [](const FuzzFinding& finding) { return finding.seen >= kSeenMax; });
  }

  int Start(std::vector<std::string> arguments,
            std::map<std::string, std::string> environment = {}) const {
    environment["ROLLOVER_FUZZ_CORE"] = Core().text;
    return RunChild({.program = program_,
                     .arguments = std::move(arguments),
                     .output = Log(),
                     .environment = std::move(environment)},
                    interrupted_)
        .exit_code;
  }

  std::vector<std::string> Common() const {
    std::vector<std::string> arguments = {fmt::format("-max_len={}", kInputBytesMax), "-timeout=30",
                                          "-rss_limit_mb=4096",
                                          fmt::format("-artifact_prefix={}/", folder_.string())};
    if (ReadsJson(target_.name)) {
      arguments.push_back(fmt::format("-dict={}", (config_.checkout / "fuzz/json.dict").string()));
    }
    return arguments;
  }

  fs::path Committed() const { return config_.checkout / "corpus/fuzz" / target_.name; }
  std::vector<std::string> Corpora() const { return {corpus_.string(), Committed().string()}; }

  // One life of the driver: until its time is up, or the first crash.
  void Drive(std::chrono::seconds left) {
    std::vector<std::string> arguments = Common();
    arguments.push_back(fmt::format("-max_total_time={}", left.count()));
    arguments.push_back("-print_final_stats=1");
    for (const std::string& folder : Corpora()) arguments.push_back(folder);
    const Clock::time_point start = Clock::now();
    const int code = Start(std::move(arguments));
    driven_ += std::chrono::duration<double>(Clock::now() - start).count();
    const std::string log = ReadFile(Log());
    target_.runs += NumberAfter(log, "stat::number_of_executed_units:");
    target_.runs_a_second = static_cast<std::uint64_t>(static_cast<double>(target_.runs) / driven_);
    target_.edges = std::max(target_.edges, NumberAfter(log, " cov: "));
    if (interrupted_) return;
    if (code == 0) {
      if (target_.runs == 0) target_.environment_error = program_.string() + " ran no input";
      return;
    }
    FuzzFinding finding = FindingIn(log);
    finding.target = target_.name;
    finding.input = After(log, "Test unit written to ");
    if (finding.input.empty()) {
      target_.environment_error = fmt::format("{} ended with exit code {}; see {}",
                                              program_.string(), code, Log().string());
      return;
    }
    Note(std::move(finding));
  }

  void Note(FuzzFinding finding) {
    for (FuzzFinding& known : target_.findings) {
      if (Fingerprint(known) != Fingerprint(finding)) continue;
      ++known.seen;
      std::error_code code;
      if (fs::file_size(finding.input, code) < fs::file_size(known.input, code)) {
        known.input = finding.input;
      }
      return;
    }
    target_.findings.push_back(std::move(finding));
  }

  // A scenario becomes a failure like any other, shrunk; other inputs the driver makes smaller.
  void MakeSmall(FuzzFinding& finding) {
    const fs::path scenario = folder_ / "scenario.json";
    std::error_code code;
    fs::remove(scenario, code);
    Start({finding.input}, {{"ROLLOVER_FUZZ_SCENARIO", scenario.string()}});
    if (fs::exists(scenario)) {
      const auto file = ReadScenario(ReadFile(scenario));
      if (file && Fails(file.value().scenario, finding)) return;
    }
    const std::string small = finding.input + ".min";
    std::vector<std::string> arguments = Common();
    arguments.insert(arguments.end(),
                     {"-minimize_crash=1", fmt::format("-max_total_time={}", kMinimising.count()),
                      fmt::format("-exact_artifact_path={}", small), finding.input});
    Start(std::move(arguments));
    if (fs::exists(small)) finding.input = small;
  }

  // What the Workers of this target run.
  CoreSpec Core() const { return target_.name == "fuzz_session" ? config_.core : CoreSpec{}; }

  bool Fails(const Scenario& scenario, FuzzFinding& finding) {
    const CoreSpec core = Core();
    const Verdict verdict = RunScenario(scenario, {.factory = core.factory});
    if (verdict.held()) return false;
    FoundFailure failure = Confirm(scenario, verdict, core.factory);
    failure.found_by =
        fmt::format("{} {}", target_.name, fs::path(finding.input).filename().string());
    failure.seed = NumberOf(finding.input);
    if (failure.rule != Rule::kDeterministic) {
      failure = Shrink(failure, core.factory, {.interrupted = &interrupted_}).failure;
    }
    if (auto error = Save(failure, core, config_.out)) target_.environment_error = *error;
    finding.failure = std::move(failure);
    return true;
  }

  // The corpus keeps the fewest inputs that reach as much.
  void Minimise() {
    const fs::path small = folder_ / "minimised";
    std::error_code code;
    fs::remove_all(small, code);
    fs::create_directories(small, code);
    std::vector<std::string> arguments = Common();
    arguments.insert(arguments.end(), {"-merge=1", small.string()});
    for (const std::string& folder : Corpora()) arguments.push_back(folder);
    if (Start(std::move(arguments)) != 0 || fs::is_empty(small, code)) return;
    fs::remove_all(corpus_, code);
    fs::rename(small, corpus_, code);
  }

  void CountInputs() {
    std::error_code code;
    for (const auto& entry : fs::directory_iterator(corpus_, code)) {
      ++target_.inputs;
      target_.input_bytes += entry.file_size(code);
    }
  }

  const FuzzConfig& config_;
  std::chrono::milliseconds time_;
  const std::atomic<bool>& interrupted_;
  fs::path program_;
  fs::path folder_;
  fs::path corpus_;
  double driven_ = 0;  // seconds
  FuzzedTarget target_;
};

std::string Line(const FuzzedTarget& target) {
  return fmt::format(
      "{:<20} {:>9} runs {:>7} exec/s {:>6} edges {:>5} inputs {:>7} bytes{}", target.name,
      target.runs, target.runs_a_second, target.edges, target.inputs, target.input_bytes,
      target.findings.empty() ? "" : fmt::format("  {} FAILED", target.findings.size()));
}

}  // namespace

std::span<const std::string_view> FuzzTargets() { return kTargets; }

FuzzReport RunFuzzTargets(const FuzzConfig& config, const std::atomic<bool>& interrupted,
                          const std::function<void(const std::string&)>& tell) {
  const Clock::time_point start = Clock::now();
  FuzzReport report;
  report.targets.resize(config.targets.size());
  const std::uint64_t jobs = std::min<std::uint64_t>(config.jobs, config.targets.size());
  const std::chrono::milliseconds share = config.time * jobs / config.targets.size();
  std::atomic<std::size_t> next{0};
  std::mutex telling;
  const auto work = [&] {
    for (std::size_t i = next++; i < config.targets.size() && !interrupted; i = next++) {
      report.targets[i] = TargetRun(config, config.targets[i], share, interrupted).Run();
      const std::lock_guard lock(telling);
      tell(Line(report.targets[i]));
    }
  };
  try {
    RunInParallel(jobs, work);
  } catch (const std::exception& error) {  // no memory, a folder that cannot be read
    report.environment_error = error.what();
  }
  std::vector<CoverageInput> inputs;
  for (const FuzzedTarget& target : report.targets) {
    if (!target.environment_error.empty()) report.environment_error = target.environment_error;
    if (target.name.empty() || !target.findings.empty()) continue;
    inputs.push_back({target.name, config.out / "fuzz" / target.name / "corpus"});
  }
  if (!interrupted && report.environment_error.empty() && !inputs.empty()) {
    auto coverage =
        MeasureCoverage(config.checkout, inputs, config.out / "fuzz/coverage", interrupted);
    if (coverage) {
      report.coverage = std::move(coverage.value());
    } else if (!interrupted) {
      report.environment_error = coverage.error().reason;
    }
  }
  report.interrupted = interrupted;
  report.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return report;
}

std::string Fingerprint(const FuzzFinding& finding) {
  if (RuleNamed(finding.kind)) return Fingerprint(finding.kind, finding.what);
  return finding.kind + ": " + finding.what;
}

std::string Describe(const FuzzFinding& finding) {
  std::string text = fmt::format("FAIL {}   {}, seen {} times\n  {}\n  input    {}\n", finding.kind,
                                 finding.target, finding.seen, finding.what, finding.input);
  if (finding.failure) return text + Describe(*finding.failure);
  return text + fmt::format("  replay   build/fuzz/fuzz/{} {}\n", finding.target, finding.input);
}

}  // namespace rollover
