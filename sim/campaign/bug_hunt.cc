#include "sim/campaign/bug_hunt.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <mutex>

#include "sim/campaign/files.h"
#include "sim/campaign/parallel.h"
#include "sim/campaign/rare.h"
#include "sim/campaign/runner.h"
#include "sim/fuzzed_scenario.h"
#include "sim/generator.h"
#include "sim/scenario_json.h"

namespace rollover {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::vector<fs::path> FilesIn(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(folder, code)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

Conviction ConvictionOf(const Verdict& verdict, std::string by) {
  const Violation& first = verdict.violations.front();
  Conviction conviction{.rule = first.rule, .what = first.what, .also = {}, .by = std::move(by)};
  Rule last = first.rule;
  for (const Violation& other : verdict.violations) {  // in the order of the rules
    if (other.rule != last) conviction.also.push_back(other.rule);
    last = other.rule;
  }
  return conviction;
}

class Hunters {
 public:
  Hunters(const HuntConfig& config, const std::atomic<bool>& interrupted)
      : config_(config), interrupted_(interrupted) {}

  HuntReport Run(const std::function<void(std::size_t, std::size_t)>& progress) {
    const auto begin = Clock::now();
    if (!config_.corpus.empty()) ReadCorpus();
    report_.corpus_scenarios = corpus_.size();
    for (const PlantedBug* bug : config_.bugs) {
      const std::size_t rare = config_.from_rare ? config_.starts : 0;
      report_.bugs.push_back({.bug = bug,
                              .swarm = std::vector<Hunt>(config_.starts),
                              .rare = std::vector<Hunt>(rare)});
    }
    RunInParallel(config_.jobs, [&] { Work(progress); });
    if (!interrupted_) TryTheModel();
    report_.seconds = SecondsSince(begin);
    report_.interrupted = interrupted_;
    return std::move(report_);
  }

 private:
  void ReadCorpus() {
    for (const fs::path& file : Corpus("fuzz/fuzz_session")) {
      corpus_.push_back({file.filename().string(), FuzzedScenario(ReadFile(file))});
    }
    for (const fs::path& file : Corpus("regressions")) {
      auto read = ReadScenario(ReadFile(file));
      if (read.ok()) {
        corpus_.push_back({file.filename().string(), std::move(read.value().scenario)});
      } else {
        CannotRead(file, read.error().reason);
      }
    }
  }

  std::vector<fs::path> Corpus(const char* folder) {
    std::vector<fs::path> files = FilesIn(config_.corpus / folder);
    if (files.empty()) CannotRead(config_.corpus / folder, "no files");
    return files;
  }

  void CannotRead(const fs::path& path, const std::string& reason) {
    if (!report_.environment_error.empty()) return;
    report_.environment_error = fmt::format("{}: {}", path.string(), reason);
  }

  // One hunt after another: every bug's first start, every bug's second, ..., the corpus.
  void Work(const std::function<void(std::size_t, std::size_t)>& progress) {
    const std::size_t bugs = report_.bugs.size();
    const std::size_t swarms = config_.starts * (config_.from_rare ? 2 : 1);
    const std::size_t all = bugs * (swarms + (corpus_.empty() ? 0 : 1));
    while (!interrupted_) {
      const std::size_t place = next_.fetch_add(1);
      if (place >= all) return;
      HuntedBug& hunted = report_.bugs[place % bugs];
      const std::size_t start = place / bugs;
      if (start < config_.starts) {
        hunted.swarm[start] = SearchSwarm(*hunted.bug, FirstSeed(start));
      } else if (start < swarms) {
        const std::size_t again = start - config_.starts;
        hunted.rare[again] = SearchFromRare(*hunted.bug, FirstSeed(again));
      } else {
        hunted.corpus = SearchCorpus(*hunted.bug);
      }
      if (!progress) continue;
      const std::lock_guard lock(mutex_);
      progress(++done_, all);
    }
  }

  static std::uint64_t FirstSeed(std::size_t start) { return 1 + start * kSeedsBetweenStarts; }

  Hunt SearchSwarm(const PlantedBug& bug, std::uint64_t first_seed) const {
    const auto begin = Clock::now();
    const CoreFactory factory = FactoryOf(bug);
    Hunt hunt;
    while (GoesOn(hunt) && hunt.scenarios < kSeedsBetweenStarts) {
      const std::uint64_t seed = first_seed + hunt.scenarios;
      Try(GenerateScenario(seed), fmt::format("seed {:#x}", seed), seed, factory, hunt);
    }
    hunt.seconds = SecondsSince(begin);
    return hunt;
  }

  Hunt SearchFromRare(const PlantedBug& bug, std::uint64_t first_seed) const {
    const auto begin = Clock::now();
    const CoreFactory factory = FactoryOf(bug);
    RareSchedule schedule(first_seed, {}, factory);
    Hunt hunt;
    std::uint64_t tried = 0;  // turns
    while (GoesOn(hunt)) {
      schedule.NextBatch();
      for (std::size_t i = 0; i < schedule.size() && GoesOn(hunt); ++i) {
        const Statistics statistics =
            Try(schedule.ScenarioOf(i), schedule.NameOf(i), hunt.scenarios + 1, factory, hunt);
        tried += statistics.turns;
        schedule.Heard(i, statistics);
        hunt.turns = tried + schedule.search_turns();
      }
    }
    hunt.seconds = SecondsSince(begin);
    return hunt;
  }

  bool GoesOn(const Hunt& hunt) const {
    return !hunt.conviction && hunt.turns < config_.turns_max && !interrupted_;
  }

  // One more scenario of a hunt; one place in so many also behind bytes.
  static Statistics Try(const Scenario& scenario, const std::string& by, std::uint64_t place,
                        const CoreFactory& factory, Hunt& hunt) {
    const Verdict verdict = RunScenario(scenario, {.factory = factory});
    ++hunt.scenarios;
    hunt.turns += verdict.statistics.turns;
    if (!verdict.held()) {
      hunt.conviction = ConvictionOf(verdict, by);
    } else if (place % kBytesEvery == 0) {
      const auto failure = CompareWithBytes(scenario, verdict, factory);
      if (failure) {
        hunt.conviction = {.rule = failure->rule, .what = failure->what, .also = {}, .by = by};
      }
    }
    return verdict.statistics;
  }

  Hunt SearchCorpus(const PlantedBug& bug) const {
    const auto begin = Clock::now();
    const CoreFactory factory = FactoryOf(bug);
    Hunt hunt;
    for (const NamedScenario& each : corpus_) {
      if (interrupted_) break;
      const Verdict verdict = RunScenario(each.scenario, {.factory = factory});
      ++hunt.scenarios;
      hunt.turns += verdict.statistics.turns;
      if (verdict.held()) continue;
      hunt.conviction = ConvictionOf(verdict, each.name);
      break;
    }
    hunt.seconds = SecondsSince(begin);
    return hunt;
  }

  // Every seed that convicted a bug, or cleared it before, must clear the model.
  void TryTheModel() {
    for (std::size_t start = 0; start < config_.starts && !interrupted_; ++start) {
      std::uint64_t seeds = 0;
      for (const HuntedBug& hunted : report_.bugs) {
        seeds = std::max(seeds, hunted.swarm[start].scenarios);
      }
      RunConfig run{.first_seed = FirstSeed(start), .seeds = seeds, .jobs = config_.jobs};
      run.scenario_of = [](std::uint64_t seed) { return GenerateScenario(seed); };
      run.failures_shrunk_max = 0;
      const RunSummary summary = RunSeeds(run, interrupted_, nullptr);
      report_.reference_scenarios += summary.seeds;
      for (const FoundFailure& failure : summary.failures) {
        Accuse(failure.rule, failure.what, failure.found_by);
      }
    }
    for (const NamedScenario& each : corpus_) {
      if (interrupted_) return;
      const Verdict verdict = RunScenario(each.scenario);
      ++report_.reference_scenarios;
      if (verdict.held()) continue;
      Accuse(verdict.violations.front().rule, verdict.violations.front().what, each.name);
    }
  }

  void Accuse(Rule rule, const std::string& what, const std::string& by) {
    if (!report_.reference_broke.empty()) return;
    report_.reference_broke = fmt::format("{}: {} ({})", RuleName(rule), what, by);
  }

  const HuntConfig& config_;
  const std::atomic<bool>& interrupted_;
  std::vector<NamedScenario> corpus_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;  // guards the two below
  std::size_t done_ = 0;
  HuntReport report_;
};

}  // namespace

std::uint64_t HuntedBug::starts_that_found() const {
  return static_cast<std::uint64_t>(std::count_if(
      swarm.begin(), swarm.end(), [](const Hunt& hunt) { return hunt.conviction.has_value(); }));
}

bool HuntedBug::by_its_rule() const {
  const auto another = [&](const Hunt& hunt) {
    return hunt.conviction && hunt.conviction->rule != bug->expected;
  };
  return found() && !another(corpus) && std::none_of(swarm.begin(), swarm.end(), another) &&
         std::none_of(rare.begin(), rare.end(), another);
}

bool HuntedBug::convicted_alone() const {
  return std::all_of(swarm.begin(), swarm.end(), [&](const Hunt& hunt) {
    return hunt.conviction && hunt.conviction->also.empty() &&
           hunt.conviction->rule == bug->expected;
  });
}

std::optional<Hunt> HuntedBug::MedianOf(std::vector<Hunt> hunts) {
  std::sort(hunts.begin(), hunts.end(), [](const Hunt& a, const Hunt& b) {
    const bool a_found = a.conviction.has_value();
    const bool b_found = b.conviction.has_value();
    return a_found != b_found ? a_found : a.turns < b.turns;
  });
  if (hunts.empty() || !hunts[hunts.size() / 2].conviction) return std::nullopt;
  return hunts[hunts.size() / 2];
}

std::uint64_t HuntReport::found() const {
  return static_cast<std::uint64_t>(std::count_if(
      bugs.begin(), bugs.end(), [](const HuntedBug& hunted) { return hunted.found(); }));
}

bool HuntReport::all_well() const {
  return reference_broke.empty() &&
         std::all_of(bugs.begin(), bugs.end(),
                     [](const HuntedBug& hunted) { return hunted.by_its_rule(); });
}

HuntReport HuntBugs(const HuntConfig& config, const std::atomic<bool>& interrupted,
                    const std::function<void(std::size_t, std::size_t)>& progress) {
  return Hunters(config, interrupted).Run(progress);
}

}  // namespace rollover
