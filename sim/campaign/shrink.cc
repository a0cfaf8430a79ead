#include "sim/campaign/shrink.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <set>

#include "model/digest.h"
#include "sim/campaign/parallel.h"
#include "sim/campaign/smaller.h"
#include "sim/scenario_bytes.h"
#include "sim/scenario_json.h"
#include "sim/sound.h"

namespace rollover {
namespace {

using Clock = std::chrono::steady_clock;
using MakeEdits = Edits (*)(const Scenario&);
using MakeBlocks = Edits (*)(const Scenario&, std::size_t);

// A list of things is first taken apart in so many blocks at most; in more, only when that no
// longer helps. So a long scenario is cut down in few runs.
constexpr std::size_t kBlocksFirst = 32;
constexpr std::size_t kBlocksGrow = 8;
// Edits of single fields, of pairs, and folds wait until the operations are so few.
constexpr std::size_t kFewOperations = 48;
constexpr std::size_t kFewForPairs = 24;

std::uint64_t Identity(const Scenario& scenario) {
  const auto bytes = EncodeScenario(scenario);
  return Digest(bytes ? bytes.value() : WriteScenario({.scenario = scenario}));
}

// Whether a rule broke in the quiet phase, behind all turns of the scenario.
bool IsQuiet(const TraceEvent& where, std::uint64_t turns) { return where.turn > turns; }

class Shrinker {
 public:
  Shrinker(const FoundFailure& found, const CoreFactory& factory, const ShrinkConfig& config)
      : factory_(factory),
        config_(config),
        begin_(Clock::now()),
        fingerprint_(Fingerprint(found)),
        best_(found.scenario),
        size_(SizeOf(best_)),
        model_holds_(RunScenario(best_).held()),
        quiet_(IsQuiet(found.where, CountTurns(best_))),
        sound_(SameFailure(RunScenario(MakeSound(best_), {.factory = factory_}))) {}

  ShrinkReport Run(const FoundFailure& found) {
    ShrinkReport report{.failure = found};
    Search();
    report.runs = runs_;
    report.complete = !Over();
    if (const auto verified = Verified()) {
      report.failure.what = verified->what;
      report.failure.where = verified->where;
      report.failure.hash = verified->hash;
      report.failure.scenario = verified->scenario;
      report.failure.found = FoundSize{.operations = found.scenario.operations.size(),
                                       .faults = found.scenario.faults.size()};
    } else {
      report.complete = false;
    }
    report.seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    return report;
  }

 private:
  struct Tried {
    std::uint64_t identity = 0;
    bool ran = false;
    std::optional<Scenario> smaller{};  // shows the failure, cut down to it
  };

  bool Over() const {
    return Clock::now() - begin_ >= config_.time ||
           (config_.interrupted != nullptr && *config_.interrupted);
  }

  bool SameFailure(const Verdict& verdict) const {
    return !verdict.held() && Fingerprint(verdict.violations.front()) == fingerprint_ &&
           (quiet_ || !IsQuiet(verdict.where, verdict.turns_begun));
  }

  void Search() {
    Take(&Tails);
    std::size_t blocks = kBlocksFirst;
    while (!Over()) {
      const ScenarioSize before = size_;
      SearchOnce(blocks);
      if (size_ < before) continue;
      if (blocks >= best_.operations.size() && blocks >= CountRounds(best_) &&
          blocks >= CountTools(best_)) {
        break;
      }
      blocks *= kBlocksGrow;
    }
    settings_count_ = false;
    known_.clear();  // among them may be scenarios with larger options
    Take(&DefaultSettings);
  }

  void SearchOnce(std::size_t blocks) {
    Take(&WholeKinds);
    TakeBlocks(best_.operations.size(), blocks, &OperationBlocks);
    TakeBlocks(best_.faults.size(), blocks, &FaultBlocks);
    const bool few = best_.operations.size() <= kFewOperations;
    if (few || blocks > kBlocksFirst) {
      TakeBlocks(best_.operations.size(), blocks, &Folds);
    }
    TakeBlocks(CountRounds(best_), blocks, &RoundBlocks);
    TakeBlocks(CountTools(best_), blocks, &ToolBlocks);
    Take(&SimplerSettings);
    if (best_.operations.size() <= kFewForPairs) Take(&OperationPairs);
    if (!few && blocks == kBlocksFirst) return;
    Take(&SimplerFaults);
    Take(&SimplerContents);
    Take(&SimplerReads);
  }

  void TakeBlocks(std::size_t count, std::size_t blocks, MakeBlocks make) {
    for (std::size_t size = std::max<std::size_t>(count / 2, 1); size > 0; size /= 2) {
      if (count / size > blocks) return;
      TakeAll([=](const Scenario& scenario) { return make(scenario, size); });
    }
  }

  void Take(MakeEdits make) { TakeAll(make); }

  // Goes once through the edits; after one that helped the list is made again, and what stands at
  // its place comes next.
  void TakeAll(const std::function<Edits(const Scenario&)>& make) {
    std::size_t at = 0;
    while (!Over()) {
      const Edits edits = make(best_);
      const auto taken = FirstThatHelps(edits, at);
      if (!taken) return;
      at = *taken;
    }
  }

  // The first edit from `from` on that makes the best scenario smaller is done; its place.
  std::optional<std::size_t> FirstThatHelps(const Edits& edits, std::size_t from) {
    std::vector<Tried> tried(edits.size());
    std::atomic<std::size_t> next{from};
    std::atomic<std::size_t> first{edits.size()};
    std::mutex mutex;
    const auto work = [&] {
      try {
        while (!Over()) {
          const std::size_t place = next.fetch_add(1);
          if (place >= first) return;
          tried[place] = Try(edits[place]);
          if (!tried[place].smaller) continue;
          const std::lock_guard lock(mutex);
          first = std::min<std::size_t>(first, place);
        }
      } catch (...) {
        first = 0;  // nobody need go on
        throw;
      }
    };
    const std::size_t useful = edits.size() - std::min(from, edits.size());
    RunInParallel(std::min<std::size_t>(config_.jobs, useful), work);
    return Settle(tried, from, first);
  }

  // What was tried behind the first edit that helped is forgotten, so that the number of jobs does
  // not show.
  std::optional<std::size_t> Settle(std::vector<Tried>& tried, std::size_t from,
                                    std::size_t first) {
    for (std::size_t i = from; i < std::min(first + 1, tried.size()); ++i) {
      if (!tried[i].ran) continue;
      ++runs_;
      known_.insert(tried[i].identity);
    }
    if (first >= tried.size()) return std::nullopt;
    best_ = std::move(*tried[first].smaller);
    size_ = SizeOf(best_);
    return first;
  }

  Tried Try(const Edit& edit) const {
    Tried tried;
    Scenario scenario = best_;
    edit(scenario);
    DropIdleRounds(scenario);
    if (Invalid(scenario)) return tried;
    if (sound_) scenario = MakeSound(std::move(scenario));
    if (scenario == best_) return tried;
    tried.identity = Identity(scenario);
    if (known_.contains(tried.identity)) return tried;
    tried.ran = true;
    const Verdict verdict = RunScenario(scenario, {.factory = factory_});
    if (!SameFailure(verdict)) return tried;
    scenario = CutToFailure(scenario, verdict);
    if (!Smaller(scenario)) return tried;
    if (model_holds_ && !RunScenario(scenario).held()) return tried;
    tried.smaller = std::move(scenario);
    return tried;
  }

  bool Smaller(const Scenario& scenario) const {
    ScenarioSize size = SizeOf(scenario);
    if (settings_count_) return size < size_;
    size.settings = size_.settings;
    return size <= size_;
  }

  std::optional<FoundFailure> Verified() const {
    const Verdict verdict = RunScenario(best_, {.factory = factory_});
    if (!SameFailure(verdict)) return std::nullopt;
    FoundFailure failure = Confirm(best_, verdict, factory_);
    if (failure.rule == Rule::kDeterministic) return std::nullopt;
    return failure;
  }

  const CoreFactory& factory_;
  const ShrinkConfig& config_;
  const Clock::time_point begin_;
  const std::string fingerprint_;
  Scenario best_;
  ScenarioSize size_;
  const bool model_holds_;
  const bool quiet_;
  const bool sound_;  // what was found is sound or can be made so; else settings are part of it
  bool settings_count_ = true;
  std::set<std::uint64_t> known_;  // tried in vain, or left behind
  std::uint64_t runs_ = 0;
};

}  // namespace

ShrinkReport Shrink(const FoundFailure& found, const CoreFactory& factory,
                    const ShrinkConfig& config) {
  if (found.rule == Rule::kDeterministic) return {.failure = found};
  return Shrinker(found, factory, config).Run(found);
}

}  // namespace rollover
