// From rare: more of what is rare. Fresh seeds, and between them random futures of sessions that
// have just been where few sessions come.
//
// In batches: so many fresh seeds; then futures of those sessions that reached a situation
// (situations.h) which at most one in kRareSessions reaches, from the end of the turn in which it
// happened on (continuation.h). The rarest come first, and there are never more futures than fresh
// seeds.
// They are drawn from the session's own swarm: what made it rare stays likely.
//
// A schedule depends on its first seed alone: a batch is made when all of the last one was heard,
// in any order. What is spent on the search itself (the session that is continued runs once more,
// to find the moment) is counted too.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/campaign/hand_outs.h"
#include "sim/campaign/runner.h"
#include "sim/generator.h"
#include "sim/statistics.h"

namespace rollover {

inline constexpr std::uint64_t kRareSessions = 50;
inline constexpr std::uint64_t kRareWarmUp = 512;  // fresh seeds before anything is called rare
inline constexpr std::uint64_t kRareBatchSeeds = 64;
inline constexpr std::uint64_t kRareFutures = 8;  // of each moment

class RareSchedule {
 public:
  RareSchedule(std::uint64_t first_seed, const GeneratorConfig& generator, CoreFactory factory);

  // The next batch; all of the last one was heard. It has at least one scenario.
  void NextBatch();
  std::size_t size() const { return items_.size(); }
  bool fresh() const { return fresh_; }  // this batch is of fresh seeds
  // Pure, so that threads may ask at once; i < size().
  Scenario ScenarioOf(std::size_t i) const;
  std::string NameOf(std::size_t i) const;

  // How the i-th scenario of the batch went; each once, one call at a time.
  void Heard(std::size_t i, const Statistics& statistics);

  std::uint64_t futures() const { return futures_; }            // scheduled so far
  std::uint64_t search_turns() const { return search_turns_; }  // of the search itself

 private:
  struct Past {
    std::uint64_t seed = 0;
    Situation situation{};
    Scenario scenario{};
    HandOutLog log{};
    std::size_t count = 0;  // hand-outs before its futures begin
  };
  struct Item {
    std::uint64_t seed = 0;              // fresh, or of the future
    std::shared_ptr<const Past> past{};  // none: fresh
  };
  struct Reached {
    std::uint64_t seed = 0;
    Situation situation{};
  };

  std::shared_ptr<const Past> PastOf(const Reached& reached);
  std::vector<Reached> RareOnes();
  std::uint64_t SessionsOf(Situation situation) const {
    return sessions_[static_cast<std::size_t>(situation)];
  }

  GeneratorConfig generator_;
  CoreFactory factory_;
  std::uint64_t next_seed_;
  std::uint64_t fresh_seeds_ = 0;  // heard
  bool fresh_ = false;
  std::vector<Item> items_;
  std::vector<std::array<bool, kSituationCount>> heard_;   // of the fresh batch
  std::array<std::uint64_t, kSituationCount> sessions_{};  // fresh ones that reached it
  std::uint64_t futures_ = 0;
  std::uint64_t search_turns_ = 0;
};

// RunSeeds with futures of rare moments between the seeds of `config`, whose number or time bounds
// the fresh ones; scenario_of and name_of are not asked. Seeds in the summary are scenarios.
struct RareReport {
  RunSummary summary{};
  std::uint64_t futures = 0;
};
RareReport RunFromRare(const RunConfig& config, const GeneratorConfig& generator,
                       const std::atomic<bool>& interrupted,
                       const std::function<void(const RunProgress&)>& progress);

}  // namespace rollover
