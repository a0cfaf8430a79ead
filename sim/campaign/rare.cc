#include "sim/campaign/rare.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <numeric>

#include "model/digest.h"
#include "sim/campaign/continuation.h"

namespace rollover {

RareSchedule::RareSchedule(std::uint64_t first_seed, const GeneratorConfig& generator,
                           CoreFactory factory)
    : generator_(generator), factory_(std::move(factory)), next_seed_(first_seed) {}

void RareSchedule::NextBatch() {
  std::vector<Item> next;
  if (fresh_) {
    for (const Reached& reached : RareOnes()) {
      const auto past = PastOf(reached);
      for (std::uint64_t i = 1; i <= kRareFutures; ++i) next.push_back({i, past});
    }
  }
  fresh_ = next.empty();
  for (std::uint64_t i = 0; fresh_ && i < kRareBatchSeeds; ++i) next.push_back({next_seed_++, {}});
  if (!fresh_) futures_ += next.size();
  items_ = std::move(next);
  heard_.assign(items_.size(), {});
}

void RareSchedule::Heard(std::size_t i, const Statistics& statistics) {
  for (std::size_t s = 0; s < kSituationCount; ++s) {
    heard_.at(i)[s] = statistics.situations[s] > 0;
  }
}

// One a session, the rarest first, as many as there is room for.
std::vector<RareSchedule::Reached> RareSchedule::RareOnes() {
  for (const auto& heard : heard_) {
    ++fresh_seeds_;
    for (std::size_t s = 0; s < kSituationCount; ++s) sessions_[s] += heard[s] ? 1 : 0;
  }
  std::vector<Reached> rare;
  for (std::size_t i = 0; i < items_.size() && fresh_seeds_ >= kRareWarmUp; ++i) {
    std::optional<std::size_t> rarest;
    for (std::size_t s = 0; s < kSituationCount; ++s) {
      if (heard_[i][s] && (!rarest || sessions_[s] < sessions_[*rarest])) rarest = s;
    }
    if (!rarest || sessions_[*rarest] * kRareSessions > fresh_seeds_) continue;
    rare.push_back({items_[i].seed, static_cast<Situation>(*rarest)});
  }
  std::sort(rare.begin(), rare.end(), [&](const Reached& a, const Reached& b) {
    return std::pair(SessionsOf(a.situation), a.seed) < std::pair(SessionsOf(b.situation), b.seed);
  });
  const std::uint64_t room = (fresh_seeds_ - std::min(fresh_seeds_, futures_)) / kRareFutures;
  if (rare.size() > room) rare.resize(room);
  return rare;
}

std::shared_ptr<const RareSchedule::Past> RareSchedule::PastOf(const Reached& reached) {
  auto past = std::make_shared<Past>();
  past->seed = reached.seed;
  past->situation = reached.situation;
  past->scenario = GenerateScenario(reached.seed, generator_);
  bool there = false;
  past->log = HandOutsOf(past->scenario, factory_, [&](const World& world, std::size_t hand_outs) {
    if (there) return;
    past->count = hand_outs;
    there = world.statistics().situations[static_cast<std::size_t>(reached.situation)] > 0;
  });
  if (!there) past->count = past->log.hand_outs.size();  // only behind the last turn
  search_turns_ += past->log.verdict.statistics.turns;
  return past;
}

Scenario RareSchedule::ScenarioOf(std::size_t i) const {
  const Item& item = items_.at(i);
  if (!item.past) return GenerateScenario(item.seed, generator_);
  GeneratorConfig generator = generator_;
  generator.swarm = item.past->seed;
  return Continue(item.past->scenario, item.past->log, item.past->count,
                  item.past->seed * kRareFutures + item.seed, generator);
}

std::string RareSchedule::NameOf(std::size_t i) const {
  const Item& item = items_.at(i);
  if (!item.past) return fmt::format("seed {:#x}", item.seed);
  return fmt::format("seed {:#x}, future {} from {}", item.past->seed, item.seed,
                     Situations()[static_cast<std::size_t>(item.past->situation)].name);
}

namespace {

using Clock = std::chrono::steady_clock;

void Add(RunSummary& all, RunSummary more) {
  all.seeds += more.seeds;
  all.statistics += more.statistics;
  all.hash += more.hash;
  std::move(more.failures.begin(), more.failures.end(), std::back_inserter(all.failures));
  all.failures_total += more.failures_total;
  if (all.environment_error.empty()) all.environment_error = std::move(more.environment_error);
  all.interrupted = all.interrupted || more.interrupted;
}

}  // namespace

RareReport RunFromRare(const RunConfig& config, const GeneratorConfig& generator,
                       const std::atomic<bool>& interrupted,
                       const std::function<void(const RunProgress&)>& progress) {
  const auto begin = Clock::now();
  RareSchedule schedule(config.first_seed, generator, config.core.factory);
  RareReport report;
  RunSummary& all = report.summary;
  std::uint64_t fresh = 0;
  const auto goes_on = [&] {
    if (interrupted || !all.environment_error.empty()) return false;
    if (config.first_only && all.failures_total > 0) return false;
    if (config.time && Clock::now() - begin >= *config.time) return false;
    return !config.seeds || fresh < *config.seeds;
  };
  while (goes_on()) {
    schedule.NextBatch();
    if (schedule.fresh()) fresh += schedule.size();
    RunConfig batch = config;
    batch.time.reset();
    batch.first_seed = 0;
    batch.seeds = schedule.size();
    batch.scenario_of = [&](std::uint64_t i) { return schedule.ScenarioOf(i); };
    batch.name_of = [&](std::uint64_t i) { return schedule.NameOf(i); };
    batch.number_of = [&](std::uint64_t i) { return Digest(schedule.NameOf(i)); };
    batch.on_verdict = [&](std::uint64_t i, const Verdict& verdict) {
      schedule.Heard(i, verdict.statistics);
    };
    batch.finishes = false;
    Add(all, RunSeeds(batch, interrupted, nullptr));
    KeepFewOfEachRule(config, all);
    if (progress) {
      const auto& faults = all.statistics.faults;
      progress({.seeds = all.seeds,
                .turns = all.statistics.turns,
                .faults = std::accumulate(faults.begin(), faults.end(), std::uint64_t{0}),
                .failures = all.failures_total,
                .seconds = std::chrono::duration<double>(Clock::now() - begin).count()});
    }
  }
  FinishFailures(config, interrupted, all);
  all.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  report.futures = schedule.futures();
  return report;
}

}  // namespace rollover
