#include "sim/campaign/explore_session.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/digest.h"
#include "sim/content.h"

namespace rollover {
namespace {

constexpr std::uint8_t kQuietChoice = 0xFF;
constexpr std::size_t kTurnIds = 64;

using Words = boost::container::small_vector<std::uint64_t, 256>;

void AddValues(const FlowState& state, Name name, Words& words) {
  const InstanceMap& map = state.Map(name);
  words.push_back(map.size());
  for (const auto& instance : map) {
    words.push_back(instance.key);
    words.push_back(instance.value->digest());
  }
}

void AddLoads(const LoadList& loads, Words& words) {
  words.push_back(loads.size());
  for (const Load& load : loads) {
    words.push_back(static_cast<std::uint64_t>(load.name) << 1 | (load.all ? 1 : 0));
    words.push_back(load.key);
  }
}

}  // namespace

struct ExploredSession::Checkpoint {
  ExploredSession session;  // right after a commit; holds the checkpoint before
};

ExploredSession::ExploredSession(const ExploreScope& scope)
    : scope_(&scope), core_(scope.core), engine_(scope.limits) {
  TakeCheckpoint();
}

const TurnId& ExploredSession::IdOf(std::uint8_t number) const {
  static const std::vector<TurnId> ids = [] {
    std::vector<TurnId> all;
    for (std::size_t i = 0; i < kTurnIds; ++i) all.push_back(fmt::format("t{:08}", i));
    return all;
  }();
  CHECK(number < kTurnIds);
  return ids[number];
}

const Turn& ExploredSession::TurnAt(std::uint8_t number) const {
  static const Turn quiet{.user = {.amount = 8}};
  const std::uint8_t choice = turns_[number - 1].choice;
  return choice == kQuietChoice ? quiet : scope_->menu[choice];
}

void ExploredSession::Accept(std::size_t choice) {
  turns_.push_back({static_cast<std::uint8_t>(choice), {}});
  Hear(static_cast<std::uint8_t>(turns_.size()));
  if (idle()) StartPending();
}

void ExploredSession::AcceptQuiet() { Accept(kQuietChoice); }

// As generous as a World that knows of `faults_max` faults in this turn.
void ExploredSession::Hear(std::uint8_t number) {
  judge_.OnTurnAccepted(IdOf(number), HandOutsAtMost(TurnAt(number), scope_->faults_max));
  pending_.push_back(number);
}

void ExploredSession::StartPending() {
  if (pending_.empty()) return;
  current_ = Current{.turn = pending_.front()};
  pending_.erase(pending_.begin());
  Queue({.step = StepKind::kStartTurn});
}

void ExploredSession::Upgrade() {
  core_ = CoreKind::kReference;
  upgraded_after_ = static_cast<std::uint8_t>(turns_.size());
}

void ExploredSession::Queue(Movement movement) {
  ++current_->occurrences[static_cast<std::size_t>(movement.step)];
  engine_.Queue(movement);
}

LoadList ExploredSession::Loads() const { return LoadsOf(engine_.queued(), profile()); }

StepInput ExploredSession::Input() {
  Current& current = *current_;
  const TurnId& turn_id = IdOf(current.turn);
  switch (step()) {
    case StepKind::kStartTurn:
      return StartTurn{turn_id, UserContent(current.turn)};
    case StepKind::kRunModel:
      return RunModelFor(Frame(current.turn), current.place);
    case StepKind::kResumeTurn:
      return ResumeTurnFor(Frame(current.turn), current.place);
    case StepKind::kCompactContext:
      return CompactContextFor(Frame(current.turn), current.place);
    case StepKind::kApplyTurnControl: {
      ApplyTurnControl control{turn_id, current.control, {}, {}};
      if (current.control == ControlKind::kSteer) {
        control.new_turn_id = IdOf(current.steered_to);
        control.content = UserContent(current.steered_to);
      }
      return control;
    }
    case StepKind::kFinishTurnCancellation:
      return FinishTurnCancellation{turn_id};
    case StepKind::kRecordTurnFailure:
      break;
  }
  return RecordTurnFailure{turn_id, current.failure};
}

InputFrame ExploredSession::Frame(std::uint8_t number) const {
  return {.turn = TurnAt(number),
          .turn_id = IdOf(number),
          .judge = judge_,
          .options = scope_->options,
          .max_value_bytes = engine_.limits().max_value_bytes,
          .compaction = scope_->options.compaction && profile().compaction};
}

const Content& ExploredSession::UserContent(std::uint8_t number) {
  auto& user = turns_[number - 1].user;
  if (!user) user = UserContentFor(Frame(number));
  return *user;
}

void ExploredSession::Committed(const StepInput& input, std::uint32_t attempt,
                                const StepResult& result, std::span<const Load> loads) {
  const StepKind step = KindOf(input);
  judge_.OnCommit({.number = judge_.commits() + 1,
                   .input = input,
                   .attempt = attempt,
                   .result = result,
                   .loads = loads,
                   .profile = profile(),
                   .options = scope_->options,
                   .limits = engine_.limits()});
  Current& current = *current_;
  if (step == StepKind::kResumeTurn || step == StepKind::kCompactContext) ++current.place.round;
  if (step == StepKind::kApplyTurnControl && current.control == ControlKind::kSteer) {
    current = Current{.turn = current.steered_to};
  }
  if (result.next) {
    Queue(*result.next);
  } else {
    current_.reset();
  }
  TakeCheckpoint();
  if (idle()) StartPending();
}

void ExploredSession::Cancel() {
  engine_.Fence();
  current_->control = ControlKind::kCancel;
  Queue({.step = StepKind::kApplyTurnControl, .loads = engine_.queued().control_loads});
}

void ExploredSession::Steer(std::size_t choice) {
  engine_.Fence();
  current_->control = ControlKind::kSteer;
  Accept(choice);
  pending_.pop_back();  // it does not wait: the control carries it
  current_->steered_to = static_cast<std::uint8_t>(turns_.size());
  Queue({.step = StepKind::kApplyTurnControl, .loads = engine_.queued().control_loads});
}

void ExploredSession::FailTurn(std::string reason) {
  current_->failure = std::move(reason);
  Queue({.step = StepKind::kRecordTurnFailure});
}

void ExploredSession::LowerValueLimit(std::uint64_t bytes) {
  Limits limits = engine_.limits();
  limits.max_value_bytes = bytes;
  engine_.set_limits(limits);
}

void ExploredSession::TakeCheckpoint() {
  if (scope_->commits_lost_max == 0) return;
  // So far back, and no further: what is older can be let go.
  std::uint64_t depth = 0;
  Words words;
  const StateDigest now = Digest();
  words.push_back(now.low);
  words.push_back(now.high);
  for (auto at = checkpoint_; at && depth < scope_->commits_lost_max; ++depth) {
    const StateDigest then = at->session.Digest();
    words.push_back(then.low);
    words.push_back(then.high);
    at = at->session.checkpoint_;
  }
  auto taken = std::make_shared<Checkpoint>(Checkpoint{*this});
  checkpoint_ = std::move(taken);
  history_digest_ = DigestOfWords(words).low;
}

std::optional<ExploredSession> ExploredSession::RolledBack(std::uint64_t commits) const {
  auto at = checkpoint_;
  for (std::uint64_t i = 0; at && i < commits; ++i) at = at->session.checkpoint_;
  if (!at || commits > scope_->commits_lost_max) return std::nullopt;
  ExploredSession back = at->session;
  back.checkpoint_ = at;
  back.history_digest_ = 0;
  back.engine_.set_limits(engine_.limits());
  back.engine_.Fence();
  back.core_ = core_;
  back.upgraded_after_ = upgraded_after_;
  const std::size_t known = back.turns_.size();
  back.turns_ = turns_;
  for (std::size_t i = known; i < turns_.size(); ++i) back.Hear(static_cast<std::uint8_t>(i + 1));
  if (back.idle()) back.StartPending();
  return back;
}

StateDigest ExploredSession::Digest() const {
  Words words;
  const FlowState& state = engine_.state();
  for (std::size_t name = 0; name < kNameCount; ++name) {
    AddValues(state, static_cast<Name>(name), words);
  }
  const Ledger& ledger = judge_.ledger();
  words.insert(words.end(),
               {ledger.first(), ledger.next(), ledger.largest_message_bytes(),
                judge_.summary().last_sequence, turns_.size(), static_cast<std::uint64_t>(core_),
                judge_.HoldsLegacyMessages(), engine_.limits().max_value_bytes,
                engine_.has_queued(), pending_.size(), judge_.turn().has_value()});
  for (const std::uint8_t number : pending_) {
    const Accepted& waits = turns_[number - 1];
    words.push_back(number);
    words.push_back(waits.choice);
    words.push_back(waits.user ? waits.user->digest() : 0);
  }
  if (const auto& turn = judge_.turn()) {
    words.insert(words.end(), {rollover::Digest(std::string_view(turn->turn_id)), turn->first,
                               turn->replies, static_cast<std::uint64_t>(turn->by_legacy)});
  }
  if (!engine_.has_queued() || !current_) return DigestOfWords(words);
  const Accepted& accepted = turns_[current_->turn - 1];
  const bool starts = step() == StepKind::kStartTurn;
  const bool controls = step() == StepKind::kApplyTurnControl;
  words.insert(
      words.end(),
      {static_cast<std::uint64_t>(step()), current_->turn, accepted.choice, current_->place.round,
       step() == StepKind::kCompactContext ? current_->place.compact_through : 0,
       starts && accepted.user ? accepted.user->digest() : 0,
       controls ? static_cast<std::uint64_t>(current_->control) + 1 : 0});
  if (controls && current_->control == ControlKind::kSteer) {
    words.push_back(turns_[current_->steered_to - 1].choice);
  }
  if (step() == StepKind::kRecordTurnFailure) {
    words.push_back(rollover::Digest(std::string_view(current_->failure)));
  }
  AddLoads(engine_.queued().loads, words);
  AddLoads(engine_.queued().control_loads, words);
  return DigestOfWords(words);
}

StateDigest ExploredSession::StorageDigest() const {
  Words words;
  for (const Name name : {Name::kMessages, Name::kChunks, Name::kIndex}) {
    AddValues(engine_.state(), name, words);
  }
  words.push_back(static_cast<std::uint64_t>(core_));
  words.push_back(judge_.ledger().first());
  words.push_back(judge_.ledger().next());
  return DigestOfWords(words);
}

std::vector<Operation> ExploredSession::Operations() const {
  std::vector<Operation> operations;
  for (std::size_t i = 0; i < turns_.size(); ++i) {
    if (upgraded_after_ == i) operations.push_back(Restart{.core = CoreKind::kReference});
    if (turns_[i].choice == kQuietChoice) break;
    operations.push_back(scope_->menu[turns_[i].choice]);
  }
  if (upgraded_after_ == turns_.size()) operations.push_back(Restart{.core = CoreKind::kReference});
  return operations;
}

}  // namespace rollover
