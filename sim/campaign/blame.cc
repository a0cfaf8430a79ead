#include "sim/campaign/blame.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "sim/campaign/continuation.h"
#include "sim/campaign/crash_points.h"
#include "sim/campaign/failure.h"
#include "sim/campaign/parallel.h"
#include "sim/campaign/smaller.h"
#include "sim/sound.h"

namespace rollover {
namespace {

std::string PlaceOf(const HandOut& at) {
  return fmt::format("{} {} attempt {} of turn {}", StepName(at.step), at.occurrence, at.attempt,
                     at.turn);
}

bool IsAt(const Fault& fault, const HandOut& at) {
  return fault.turn == at.turn && fault.step == at.step && fault.occurrence == at.occurrence &&
         fault.attempt == at.attempt;
}

std::string OperationWords(const Scenario& scenario, std::size_t i) {
  const Operation& operation = scenario.operations[i];
  if (std::holds_alternative<Read>(operation)) return fmt::format("operation {}: a read", i + 1);
  if (std::holds_alternative<Restart>(operation)) {
    return fmt::format("operation {}: a restart", i + 1);
  }
  if (std::holds_alternative<ChangeLimits>(operation)) {
    return fmt::format("operation {}: other limits", i + 1);
  }
  const auto turn = std::count_if(
      scenario.operations.begin(), scenario.operations.begin() + static_cast<std::ptrdiff_t>(i) + 1,
      [](const Operation& each) { return std::holds_alternative<Turn>(each); });
  return fmt::format("operation {}: turn {}", i + 1, turn);
}

// A scenario to run, and the flip that hears how it ended.
struct Trial {
  Scenario scenario;
  std::size_t decision = 0;
  std::optional<std::size_t> other{};  // none: it is the drop
};

class Blamer {
 public:
  Blamer(const Scenario& scenario, const BlameConfig& config, const std::atomic<bool>& interrupted)
      : scenario_(scenario),
        config_(config),
        interrupted_(interrupted),
        sound_(MakeSound(scenario) == scenario),
        log_(HandOutsOf(scenario, config.core.factory)) {
    CHECK(!log_.verdict.held());
    report_.violation = log_.verdict.violations.front();
    report_.where = log_.verdict.where;
    fingerprint_ = Fingerprint(report_.violation);
  }

  BlameReport Run() {
    ListOperations();
    ListRounds();
    ListFaults();
    ListOptions();
    RunTrials();
    RunFutures();
    report_.interrupted = interrupted_;
    return std::move(report_);
  }

 private:
  void Add(std::string what, Scenario dropped) {
    report_.decisions.push_back({.what = std::move(what), .dropped = {.what = "dropped"}});
    trials_.push_back({std::move(dropped), report_.decisions.size() - 1});
  }

  // Another outcome of the decision that was added last.
  void AddOther(std::string what, Scenario other) {
    Decision& decision = report_.decisions.back();
    decision.others.push_back({.what = std::move(what)});
    trials_.push_back({std::move(other), report_.decisions.size() - 1, decision.others.size() - 1});
  }

  Scenario Edited(const Edit& edit) const {
    Scenario edited = scenario_;
    edit(edited);
    return sound_ ? MakeSound(std::move(edited)) : edited;
  }

  void ListOperations() {
    for (std::size_t i = 0; i < scenario_.operations.size(); ++i) {
      Add(OperationWords(scenario_, i), Edited(WithoutOperation(i)));
      if (i + 1 < scenario_.operations.size()) {
        AddOther("behind the next operation", Edited(OperationLater(i)));
      }
      if (std::holds_alternative<Turn>(scenario_.operations[i])) {
        AddOther("its contents small", Edited([i](Scenario& scenario) {
                   Turn& turn = std::get<Turn>(scenario.operations[i]);
                   turn.user = {};
                   for (Round& round : turn.rounds) {
                     round.reply = {};
                     for (ContentSpec& tool : round.tools) tool = {};
                   }
                 }));
      }
    }
  }

  void ListRounds() {
    std::uint64_t turn = 0;
    const Edits rounds = RoundBlocks(scenario_, 1);
    const Edits tools = ToolBlocks(scenario_, 1);
    std::size_t round_at = 0;
    std::size_t tool_at = 0;
    for (const Operation& operation : scenario_.operations) {
      const auto* begun = std::get_if<Turn>(&operation);
      if (begun == nullptr) continue;
      ++turn;
      for (std::size_t r = 0; r < begun->rounds.size(); ++r) {
        const Round& round = begun->rounds[r];
        Add(fmt::format("{} {} of turn {}", round.compact ? "compaction" : "round", r + 1, turn),
            Edited(rounds.at(round_at++)));
        for (std::size_t t = 0; t < round.tools.size(); ++t) {
          Add(fmt::format("tool result {} of round {} of turn {}", t + 1, r + 1, turn),
              Edited(tools.at(tool_at++)));
        }
      }
    }
  }

  void ListFaults() {
    for (std::size_t i = 0; i < scenario_.faults.size(); ++i) {
      const Fault& fault = scenario_.faults[i];
      const auto with = [&](const Fault& other) {
        return Edited([&](Scenario& scenario) { scenario.faults[i] = other; });
      };
      Add(Describe(fault), Edited([&](Scenario& scenario) {
            scenario.faults.erase(scenario.faults.begin() + static_cast<std::ptrdiff_t>(i));
          }));
      const auto& all = log_.hand_outs;
      const auto at = std::find_if(all.begin(), all.end(),
                                   [&](const HandOut& hand_out) { return IsAt(fault, hand_out); });
      if (at == all.end()) continue;
      const auto moved = [&](const HandOut& to) {
        Fault other = fault;
        other.turn = to.turn;
        other.step = to.step;
        other.occurrence = to.occurrence;
        other.attempt = to.attempt;
        AddOther("at " + PlaceOf(to) + " instead", with(other));
      };
      if (at != all.begin() && CanHit(fault.kind, (at - 1)->step)) moved(*(at - 1));
      if (at + 1 != all.end() && CanHit(fault.kind, (at + 1)->step)) moved(*(at + 1));
      for (const Fault& other : FaultsAt(scenario_, WithEntries(*at))) {
        if (other.kind == fault.kind && other != fault) AddOther(Describe(other), with(other));
      }
    }
  }

  // A hand-out that was struck has no entries of its own; those of the one that committed will do.
  HandOut WithEntries(const HandOut& struck) const {
    HandOut at = struck;
    for (const HandOut& other : log_.hand_outs) {
      const bool same =
          other.turn == at.turn && other.step == at.step && other.occurrence == at.occurrence;
      if (same) at.entries = std::max(at.entries, other.entries);
    }
    return at;
  }

  void ListOptions() {
    const Options standard{};
    const Options& now = scenario_.options;
    const auto add = [&](const std::string& what, auto set) {
      Add(what, Edited([&](Scenario& scenario) { set(scenario.options); }));
      report_.decisions.back().dropped.what = "its default";
    };
    if (now.message_window_size != standard.message_window_size) {
      add(fmt::format("message_window_size {}", now.message_window_size),
          [&](Options& options) { options.message_window_size = standard.message_window_size; });
    }
    if (now.message_chunk_size != standard.message_chunk_size &&
        standard.message_chunk_size <= now.message_window_size) {
      add(fmt::format("message_chunk_size {}", now.message_chunk_size),
          [&](Options& options) { options.message_chunk_size = standard.message_chunk_size; });
    }
    if (now.message_chunk_max_bytes != standard.message_chunk_max_bytes) {
      add(fmt::format("message_chunk_max_bytes {}", now.message_chunk_max_bytes),
          [&](Options& options) {
            options.message_chunk_max_bytes = standard.message_chunk_max_bytes;
          });
    }
    if (now.retained_message_limit != standard.retained_message_limit) {
      const auto limit = now.retained_message_limit;
      add(limit ? fmt::format("retained_message_limit {}", *limit) : "no retained_message_limit",
          [&](Options& options) {
            options.retained_message_limit = standard.retained_message_limit;
          });
    }
  }

  // Runs `count` pieces of work, each its own; in any order.
  void Each(std::size_t count, const std::function<void(std::size_t)>& run) {
    std::atomic<std::size_t> next{0};
    RunInParallel(config_.jobs, [&] {
      for (std::size_t i = next++; i < count && !interrupted_; i = next++) run(i);
    });
    report_.runs += count;
  }

  Flip& FlipOf(const Trial& trial) {
    Decision& decision = report_.decisions[trial.decision];
    return trial.other ? decision.others[*trial.other] : decision.dropped;
  }

  void RunTrials() {
    Each(trials_.size(), [&](std::size_t i) {
      const Verdict verdict = RunScenario(trials_[i].scenario, {.factory = config_.core.factory});
      if (verdict.held()) return;
      Flip& flip = FlipOf(trials_[i]);
      flip.broke = RuleName(verdict.violations.front().rule);
      flip.same = Fingerprint(verdict.violations.front()) == fingerprint_;
    });
  }

  void RunFutures() {
    const std::size_t all = log_.hand_outs.size() + 1;
    report_.moments_skipped = all - std::min(all, kBlameMomentsMax);
    for (std::size_t count = report_.moments_skipped; count < all; ++count) {
      Moment moment{.futures = config_.continuations};
      if (count > 0) moment.after = log_.hand_outs[count - 1];
      report_.moments.push_back(std::move(moment));
    }
    const std::size_t futures = config_.continuations;
    std::vector<std::uint8_t> failed(report_.moments.size() * futures, 0);
    Each(failed.size(), [&](std::size_t i) {
      const std::size_t count = report_.moments_skipped + i / futures;
      const Scenario future = Continue(scenario_, log_, count, 1 + i % futures);
      const Verdict verdict = RunScenario(future, {.factory = config_.core.factory});
      failed[i] = !verdict.held() && verdict.violations.front().rule == report_.violation.rule;
    });
    for (std::size_t i = 0; i < failed.size(); ++i)
      report_.moments[i / futures].failed += failed[i];
    for (std::size_t i = report_.moments.size(); i > 0 && report_.moments[i - 1].certain(); --i) {
      report_.certain_from = i - 1;
    }
  }

  const Scenario& scenario_;
  const BlameConfig& config_;
  const std::atomic<bool>& interrupted_;
  const bool sound_;
  const HandOutLog log_;
  std::string fingerprint_;
  std::vector<Trial> trials_;
  BlameReport report_;
};

}  // namespace

std::size_t BlameReport::necessary() const {
  return static_cast<std::size_t>(
      std::count_if(decisions.begin(), decisions.end(),
                    [](const Decision& decision) { return decision.necessary(); }));
}

BlameReport Blame(const Scenario& scenario, const BlameConfig& config,
                  const std::atomic<bool>& interrupted) {
  return Blamer(scenario, config, interrupted).Run();
}

}  // namespace rollover
