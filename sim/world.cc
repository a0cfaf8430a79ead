#include "sim/world.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "sim/wire/misbehaved.h"

namespace rollover {
namespace {

// Turns whose decisions are remembered after they ended: more than a roll-back can reach.
constexpr std::size_t kTurnsRemembered = 4 * kRollbackCommitsMax;

constexpr std::uint64_t kQuietTurnsMin = 3;

// "t00000042": in the order of the turns as text, too, up to 100 million.
TurnId TurnIdOf(std::uint64_t number) {
  constexpr std::size_t digits_min = 8;
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  const auto count = static_cast<std::size_t>(end - digits.data());
  TurnId id(1, 't');
  if (count < digits_min) id.append(digits_min - count, '0');
  return id.append(digits.data(), count);
}

}  // namespace

std::unique_ptr<Core> MakeModelCore(CoreKind kind, const Options& options) {
  switch (kind) {
    case CoreKind::kNoCompaction:
      return MakeNoCompactionCore(options);
    case CoreKind::kLegacy:
      return MakeLegacyCore(options);
    default:
      return MakeReferenceCore(options);
  }
}

Profile ProfileOf(CoreKind kind) {
  return {.legacy = kind == CoreKind::kLegacy, .compaction = kind != CoreKind::kNoCompaction};
}

World::World(CoreKind core, const Options& options, const Limits& limits, ScenarioSource& source,
             const WorldConfig& config)
    : config_(config),
      source_(source),
      core_kind_(core),
      modern_kind_(core == CoreKind::kLegacy ? CoreKind::kReference : core),
      options_(options),
      engine_(limits),
      judge_(config.checks),
      trace_(config.trace) {
  NewWorker();
  TakeCheckpoint();
}

void World::RunToEnd() {
  RunOperations();
  if (!Stopped()) RunQuietPhase();
  if (!Stopped()) {
    judge_.OnEnd();
    judge_.Audit(engine_.state());
    trace_.Add(TraceKind::kEnd, {judge_.commits()}, [] { return std::string("all is done"); });
    verdict_.reached_end = !Stopped();
  }
}

Verdict World::Run() {
  try {
    RunToEnd();
  } catch (const CoreUnavailable&) {
    throw;  // of the environment, not of the core's answers
  } catch (const CoreMisbehaved& error) {
    verdict_.violations = {{Rule::kWellFormedAnswers, error.what(), judge_.commits()}};
    verdict_.core_log = error.log();
    verdict_.where = trace_.here();
  }
  verdict_.hash = trace_.hash();
  statistics_.evaluations = judge_.evaluations();
  statistics_.evaluations[static_cast<std::size_t>(Rule::kWellFormedAnswers)] =
      statistics_.attempts + statistics_.reads;
  verdict_.statistics = statistics_;
  for (const auto& memory : turns_) Forget(*memory);
  return std::move(verdict_);
}

bool World::StopAtViolations() {
  verdict_.violations = judge_.TakeViolations();
  verdict_.where = trace_.here();
  stopped_ = true;
  return true;
}

void World::RunOperations() {
  while (!Stopped()) {
    RunUntilIdle();
    if (Stopped()) return;
    if (source_.Peek() == nullptr) return;
    ++verdict_.operations_begun;
    Perform(source_.Pop());
  }
}

void World::RunUntilIdle() {
  while (!Stopped()) {
    if (engine_.has_queued()) {
      RunAttempt();
    } else if (!progress_.pending.empty()) {
      StartNextTurn();
    } else {
      return;
    }
  }
}

void World::Perform(Operation operation) {
  if (auto* turn = std::get_if<Turn>(&operation)) {
    Accept(std::move(*turn));
    RunUntilIdle();
    if (config_.on_turn_end && !stopped_) config_.on_turn_end(*this);
  } else if (const auto* read = std::get_if<Read>(&operation)) {
    Perform(*read);
  } else if (const auto* restart = std::get_if<Restart>(&operation)) {
    RestartWorker(*restart);
  } else {
    SetLimits(std::get<ChangeLimits>(operation));
  }
}

std::uint64_t World::Accept(Turn turn) {
  const std::uint64_t number = turns_first_ + turns_.size();
  TurnMemory memory{.turn = std::move(turn), .turn_id = TurnIdOf(number)};
  if (!quiet_) {
    memory.faults = source_.FaultsOf(number, memory.turn);
    verdict_.turns_begun = number;
  }
  judge_.OnTurnAccepted(memory.turn_id, HandOutsAtMost(memory.turn, memory.faults.size()));
  trace_.Add(TraceKind::kTurnAccepted, {number}, [&] { return memory.turn_id; });
  turns_.push_back(std::make_unique<TurnMemory>(std::move(memory)));
  while (turns_.size() > kTurnsRemembered) {
    Forget(*turns_.front());
    turns_.pop_front();
    ++turns_first_;
  }
  progress_.accepted = number;
  progress_.pending.push_back(number);
  return number;
}

void World::Forget(const TurnMemory& turn) {
  if (!config_.keep_unfired) return;
  verdict_.unfired.insert(verdict_.unfired.end(), turn.faults.begin(), turn.faults.end());
}

void World::StartNextTurn() {
  progress_.current = Current{.turn = progress_.pending.front()};
  progress_.pending.pop_front();
  ++statistics_.turns;
  Queue({.step = StepKind::kStartTurn});
}

void World::Queue(const Movement& movement) {
  ++progress_.current->occurrences[static_cast<std::size_t>(movement.step)];
  engine_.Queue(movement);
  input_.reset();
}

void World::NewWorker() {
  worker_ = config_.factory(core_kind_, options_);
  modern_ran_ = modern_ran_ || core_kind_ != CoreKind::kLegacy;
}

bool World::Compacts() const { return options_.compaction && ProfileOf(core_kind_).compaction; }

void World::RestartWorker(const Restart& restart) {
  const bool compacted = Compacts();
  if (restart.options) options_ = *restart.options;
  if (restart.core) {
    core_kind_ = *restart.core;
    if (core_kind_ != CoreKind::kLegacy) modern_kind_ = core_kind_;
  }
  // Compaction is switched only while no Step is queued. A roll-back to a queued Step whose loads
  // were chosen under the other setting would break that, so a switch waits until all is durable.
  if (compacted != Compacts() && !checkpoints_.empty()) {
    checkpoints_.erase(checkpoints_.begin(), checkpoints_.end() - 1);
  }
  const std::size_t window = judge_.stored().window().size();
  if (window > options_.message_window_size && core_kind_ != CoreKind::kLegacy &&
      !judge_.HoldsLegacyMessages()) {
    statistics_.Count(Situation::kWindowSizeLowered);
  }
  trace_.Add(TraceKind::kRestart,
             {static_cast<std::uint64_t>(core_kind_), options_.message_window_size,
              options_.message_chunk_size, options_.message_chunk_max_bytes,
              options_.retained_message_limit.value_or(~std::uint64_t{0}), options_.compaction},
             [&] {
               return fmt::format("{} window {} chunk {} cap {} limit {} compaction {}",
                                  CoreKindName(core_kind_), options_.message_window_size,
                                  options_.message_chunk_size, options_.message_chunk_max_bytes,
                                  options_.retained_message_limit
                                      ? fmt::to_string(*options_.retained_message_limit)
                                      : "none",
                                  options_.compaction);
             });
  if (options_.amended()) {
    trace_.Add(TraceKind::kRestart,
               {options_.commit_chunks_max, options_.commit_moved_max_bytes,
                options_.value_max_bytes.value_or(~std::uint64_t{0})},
               [] { return std::string("with amendments of the protocol"); });
  }
  NewWorker();
  input_.reset();
}

void World::SetLimits(const ChangeLimits& change) {
  Limits limits = engine_.limits();
  limits.max_value_bytes = change.max_value_bytes;
  limits.max_result_bytes = change.max_result_bytes;
  engine_.set_limits(limits);
  trace_.Add(TraceKind::kLimits, {change.max_value_bytes, change.max_result_bytes}, [&] {
    return fmt::format("value {} result {}", change.max_value_bytes, change.max_result_bytes);
  });
}

void World::TakeCheckpoint() {
  if (engine_.limits().durability == Durability::kSync) return;
  checkpoints_.push_back({engine_, judge_, progress_, spotter_});
  if (checkpoints_.size() > kRollbackCommitsMax + 1) checkpoints_.pop_front();
}

// The engine comes back at an earlier commit boundary, with everything that it knew then. User
// messages accepted since are queued again; what Workers and users did is not undone.
void World::RollBack(std::uint64_t commits) {
  engine_.Fence();
  if (checkpoints_.empty()) return;  // sync: nothing acknowledged is lost
  const std::uint64_t accepted = progress_.accepted;
  const std::size_t window_chunks = judge_.stored().chunks().size();
  std::uint64_t undone = 0;
  bool rollover = false;
  bool deletion = false;
  for (; undone < commits && checkpoints_.size() > 1; ++undone) {
    const Change& change = checkpoints_.back().judge.stored().change();
    rollover = rollover || (!change.chunk_puts.empty() && !change.message_deletes.empty());
    deletion = deletion || !change.chunk_deletes.empty();
    checkpoints_.pop_back();
  }
  const Limits limits = engine_.limits();
  engine_ = checkpoints_.back().engine;
  engine_.set_limits(limits);
  judge_.RollBackTo(checkpoints_.back().judge);
  progress_ = checkpoints_.back().progress;
  spotter_ = checkpoints_.back().spotter;
  engine_.Fence();
  input_.reset();
  for (std::uint64_t turn = progress_.accepted + 1; turn <= accepted; ++turn) {
    const TurnMemory& memory = Memory(turn);
    judge_.OnTurnAccepted(memory.turn_id, HandOutsAtMost(memory.turn, memory.faults.size()));
    progress_.pending.push_back(turn);
    if (undone > 0) statistics_.Count(Situation::kRollBackAcrossUserMessage);
  }
  progress_.accepted = accepted;
  if (rollover) statistics_.Count(Situation::kRollBackAcrossRollover);
  if (deletion) statistics_.Count(Situation::kRollBackAcrossDeletion);
  trace_.Add(TraceKind::kRollBack, {undone, judge_.commits(), window_chunks}, [&] {
    return fmt::format("{} commits undone; back at commit {}", undone, judge_.commits());
  });
}

void World::RunQuietPhase() {
  quiet_ = true;
  // The upgrade rule is kept from here on: once 0.2.0 ran, no 0.1.0 Worker does.
  if (modern_ran_ && core_kind_ == CoreKind::kLegacy) RestartWorker({.core = modern_kind_});
  const bool legacy = core_kind_ == CoreKind::kLegacy;
  const std::size_t size = options_.message_window_size;
  const std::size_t window = judge_.stored().window().size();
  const bool too_large = !legacy && window > size;
  trace_.Add(TraceKind::kQuiet, {window, size},
             [&] { return fmt::format("window {} of {}", window, size); });
  judge_.OnQuiet(options_);
  // Each turn makes two storing commits; the judge allows the excess + 4.
  const std::uint64_t turns = kQuietTurnsMin + (too_large ? (window - size) / 2 + 1 : 0);
  const Turn small{.user = {.amount = 8}};
  for (std::uint64_t i = 0; i < turns && !Stopped(); ++i) {
    Accept(small);
    RunUntilIdle();
    const bool drained = judge_.stored().window().size() <= size;
    if (i + 1 >= kQuietTurnsMin && (legacy || drained)) break;
  }
  if (Stopped()) return;
  if (too_large) statistics_.Count(Situation::kWindowDrainedInQuiet);
  ReadWholeLog();
}

void World::ReadWholeLog() {
  Perform(Read{});
  Read page{.rpc = Rpc::kListAgentMessages, .after = Anchor{}};
  while (!Stopped()) {
    Perform(page);
    page.after->offset = page.after->offset == 0
                             ? static_cast<std::int64_t>(judge_.ledger().first()) + 199
                             : page.after->offset + 200;
    if (page.after->offset >= static_cast<std::int64_t>(judge_.ledger().next())) return;
  }
}

Verdict RunScenario(const Scenario& scenario, const WorldConfig& config) {
  FixedSource source(scenario);
  World world(scenario.core, scenario.options, scenario.limits, source, config);
  return world.Run();
}

}  // namespace rollover
