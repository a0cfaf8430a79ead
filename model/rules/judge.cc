#include "model/rules/judge.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/codec.h"

namespace rollover {

void Judge::OnTurnAccepted(const TurnId& turn_id, std::uint64_t hand_outs_max) {
  accepted_.push_back({turn_id, 0, hand_outs_max});
}

void Judge::OnHandOut(const TurnId& turn_id) {
  for (AcceptedTurn& turn : accepted_) {
    if (turn.turn_id != turn_id) continue;
    findings_.Evaluated(Rule::kNoWedge);
    if (++turn.hand_outs == turn.hand_outs_max + 1) {
      findings_.Broken(Rule::kNoWedge,
                       fmt::format("{} has not ended after {} Steps", turn_id, turn.hand_outs_max));
    }
  }
}

void Judge::OnCommit(const Commit& commit) {
  const Sequence first_new = ledger_.next();
  const Sequence kept_before = ledger_.first();
  const bool upgraded_before = upgraded();
  const bool migrating = HoldsLegacyMessages();
  const bool turn_was_loaded = TurnIsLoaded(commit);
  const Summary summary_before = summary_;
  const std::optional<RunningTurn> turn_before = turn_;

  ++commits_;
  largest_chunk_size_ = std::max(largest_chunk_size_, commit.options.message_chunk_size);
  stored_.Apply(commit.result.writes);
  for (ExpectedMessage& message : ExpectedMessages(commit.input)) {
    ledger_.Append(std::move(message));
  }
  if (const auto* compact = std::get_if<CompactContext>(&commit.input)) {
    summary_ = {compact->through, compact->text};
  }
  AdvanceTurn(commit, first_new);
  ForgetDeletedPrefix();
  if (commit.profile.legacy && ledger_.next() > first_new) legacy_until_ = ledger_.next() - 1;

  if (!checks_) return;
  CommitView view{.commit = commit,
                  .ledger = ledger_,
                  .stored = stored_,
                  .first_new = first_new,
                  .kept_before = kept_before,
                  .summary_before = summary_before,
                  .summary_after = summary_,
                  .turn_before = turn_before,
                  .turn_after = turn_,
                  .migrating = migrating,
                  .upgraded_before = upgraded_before,
                  .turn_was_loaded = turn_was_loaded,
                  .largest_chunk_size = largest_chunk_size_};
  view.state_bound = StateBound(view);
  if (view.stores() || view.compacts()) state_bound_ = view.state_bound;
  CheckUpgrade(view, findings_);
  CheckStorage(view, findings_);
  CheckIndex(view, findings_);
  CheckChunks(view, findings_);
  CheckRetention(view, findings_);
  CheckTurn(view, findings_);
  CheckMovement(view, findings_);
  CheckDraining(view);
}

void Judge::AdvanceTurn(const Commit& commit, Sequence first_new) {
  const std::uint64_t stored = ledger_.next() - first_new;
  if (const auto* control = std::get_if<ApplyTurnControl>(&commit.input)) {
    if (control->control == ControlKind::kCancel) return;
    EndTurn(control->turn_id);
    turn_ = {control->new_turn_id, first_new, 0, commit.profile.legacy};
    return;
  }
  if (const auto* start = std::get_if<StartTurn>(&commit.input)) {
    turn_ = {start->turn_id, first_new, 0, commit.profile.legacy};
    return;
  }
  if (turn_) turn_->replies += stored;
  const auto* model = std::get_if<RunModel>(&commit.input);
  const bool completes = model != nullptr && model->reply && model->reply->tool_calls == 0;
  if (completes || commit.step() == StepKind::kFinishTurnCancellation ||
      commit.step() == StepKind::kRecordTurnFailure) {
    EndTurn(TurnOf(commit.input));
    turn_.reset();
  }
}

void Judge::EndTurn(const TurnId& turn_id) {
  const auto at = std::find_if(accepted_.begin(), accepted_.end(),
                               [&](const AcceptedTurn& turn) { return turn.turn_id == turn_id; });
  if (at != accepted_.end()) accepted_.erase(at);
}

// Deleted chunks take their messages out of the ledger only from the oldest on, and only if nothing
// else holds them; whatever else is missing now is lost.
void Judge::ForgetDeletedPrefix() {
  std::vector<const Chunk*> gone;
  for (const ChunkDelete& deleted : stored_.change().chunk_deletes) {
    if (deleted.old) gone.push_back(deleted.old->as<Chunk>());
  }
  std::sort(gone.begin(), gone.end(),
            [](const Chunk* a, const Chunk* b) { return a->first() < b->first(); });
  for (const Chunk* chunk : gone) {
    if (chunk->first() != ledger_.first()) break;
    const Sequence last = std::min(chunk->last(), ledger_.next() - 1);
    bool held = false;
    for (Sequence s = chunk->first(); s <= last; ++s) held = held || stored_.Copies(s) > 0;
    if (held) break;
    ledger_.ForgetBefore(last + 1);
    stored_.ForgetBefore(last + 1);
  }
}

// A turn that 0.1.0 started has no reply sequence: its count is as good as what the Step loaded.
bool Judge::TurnIsLoaded(const Commit& commit) const {
  if (!turn_ || !turn_->by_legacy) return true;
  const auto loaded = [&](Key chunk) {
    return std::any_of(commit.loads.begin(), commit.loads.end(), [&](const Load& load) {
      return load.name == Name::kChunks && (load.all || load.key == chunk);
    });
  };
  if (turn_->first < ledger_.first()) return false;
  for (const auto& instance : stored_.chunks()) {
    const Chunk& chunk = *instance.value->as<Chunk>();
    if (chunk.last() > turn_->first && !loaded(instance.key)) return false;
  }
  return true;
}

bool Judge::HoldsLegacyMessages() const {
  const auto start = stored_.WindowStart();
  return start && *start <= legacy_until_;
}

void Judge::RollBackTo(const Judge& earlier) {
  Findings kept = std::move(findings_);
  *this = earlier;
  findings_ = std::move(kept);
}

void Judge::OnRead(const ReadRecord& read, const Ledger& as_of, bool upgraded_then) {
  CheckRead(read, as_of, upgraded_then, findings_);
  if (read.profile.legacy || !HoldsLegacyMessages()) return;
  findings_.Evaluated(Rule::kMigrationBounded);
  const auto* refusal = std::get_if<ReadRefusal>(&read.outcome);
  const bool snapshot = read.arguments.rpc == Rpc::kGetAgentSnapshot;
  if (refusal != nullptr && snapshot) {
    findings_.Broken(Rule::kMigrationBounded,
                     "a half-moved session is unreadable: " + refusal->error);
  }
}

void Judge::OnRefusal(const Refusal& refusal) {
  findings_.Evaluated(Rule::kNoWedge);
  // A steer whose message is refused fails the old turn; the new one never was.
  const auto* control = std::get_if<ApplyTurnControl>(&refusal.input);
  if (control != nullptr) EndTurn(control->new_turn_id);
  Sequence sequence = ledger_.next();
  std::uint64_t largest = 0;
  std::uint64_t sum = 0;
  for (const ExpectedMessage& message : ExpectedMessages(refusal.input)) {
    const std::uint64_t bytes = MessageHeaderBytes(sequence++, message.turn_id, message.role) +
                                message.content.encoded().size() +
                                (refusal.profile.legacy ? 0 : kChunkWrapperBytes);
    largest = std::max(largest, bytes);
    sum += bytes;
  }
  const bool own_value = largest > refusal.limits.max_value_bytes;
  const bool own_result = sum > refusal.limits.max_result_bytes;
  if (own_value || own_result) return;
  findings_.Broken(Rule::kNoWedge,
                   fmt::format("{} of {} is refused, though its own messages ({} bytes) fit",
                               StepName(KindOf(refusal.input)), TurnOf(refusal.input), sum));
}

void Judge::OnFailure(const Failure& failure) {
  const auto* control = std::get_if<ApplyTurnControl>(&failure.input);
  const bool steer = control != nullptr && control->control == ControlKind::kSteer;
  if (steer && !failure.failure.retryable) EndTurn(control->new_turn_id);
  if (failure.injected) return;
  const bool names_index = std::any_of(failure.loads.begin(), failure.loads.end(),
                                       [](const Load& load) { return load.name == Name::kIndex; });
  if ((failure.profile.legacy || !names_index) && upgraded()) {
    findings_.Evaluated(Rule::kUpgradeSafe);
    return;
  }
  findings_.Evaluated(Rule::kNoWedge);
  findings_.Broken(Rule::kNoWedge,
                   fmt::format("{} of {} fails on its own: {}", StepName(KindOf(failure.input)),
                               TurnOf(failure.input), failure.failure.error));
}

void Judge::OnUnloadedRead(StepKind step, const std::string& what) {
  findings_.Broken(Rule::kBoundedLoads,
                   fmt::format("{} reads {}, which was not loaded", StepName(step), what));
}

void Judge::OnQuiet(const Options& options) {
  const std::size_t window = stored_.window().size();
  const std::uint64_t size = options.message_window_size;
  quiet_ = Quiet{.storing_commits_max = (window > size ? window - size : 0) + 4,
                 .drained = window <= size};
}

void Judge::CheckDraining(const CommitView& view) {
  const Commit& commit = view.commit;
  if (!quiet_ || !view.stores() || view.legacy()) return;
  findings_.Evaluated(Rule::kWindowDrains);
  ++quiet_->storing_commits;
  if (view.StoppedByBytes()) ++quiet_->storing_commits_max;
  const std::size_t window = stored_.window().size();
  const bool within = window <= commit.options.message_window_size;
  if (quiet_->drained && !within) {
    findings_.Broken(Rule::kWindowDrains,
                     fmt::format("the window holds {} messages in quiet times; its size is {}",
                                 window, commit.options.message_window_size));
  }
  quiet_->drained = quiet_->drained || within;
  if (!quiet_->drained && quiet_->storing_commits >= quiet_->storing_commits_max) {
    findings_.Broken(
        Rule::kWindowDrains,
        fmt::format("after {} storing commits the window still holds {}; its size is {}",
                    quiet_->storing_commits, window, commit.options.message_window_size));
  }
}

void Judge::OnEnd() {
  for (const AcceptedTurn& turn : accepted_) {
    findings_.Broken(Rule::kNoWedge, fmt::format("{} never ended", turn.turn_id));
  }
}

void Judge::Audit(const FlowState& engine_state) {
  const auto& mirror = stored_.state();
  if (!(engine_state == mirror)) {
    findings_.Broken(Rule::kInOrder, "audit: the engine's state is not what its commits wrote");
  }
  const std::uint64_t kept = ledger_.next() - ledger_.first();
  std::vector<const Message*> found;
  found.reserve(kept);
  std::uint64_t bytes = 0;
  const auto find = [&](const ValueRef& value) {
    if (const Message* message = value ? value->as<Message>() : nullptr) found.push_back(message);
  };
  for (const auto& instance : engine_state.Map(Name::kChunks)) {
    const Chunk* chunk = instance.value->as<Chunk>();
    if (chunk != nullptr) std::for_each(chunk->messages.begin(), chunk->messages.end(), find);
    bytes += instance.value->encoded_bytes();
  }
  for (const auto& instance : engine_state.Map(Name::kMessages)) {
    find(instance.value);
    bytes += instance.value->encoded_bytes();
  }
  const auto older = [](const Message* a, const Message* b) { return a->sequence < b->sequence; };
  if (!std::is_sorted(found.begin(), found.end(), older)) {
    std::sort(found.begin(), found.end(), older);
  }
  if (found.size() != kept) {
    findings_.Broken(Rule::kExactlyOnce,
                     fmt::format("audit: {} messages are stored; kept are {}", found.size(), kept));
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(found.size(), kept); ++i) {
    if (found[i]->sequence == ledger_.first() + i && ledger_.Matches(*found[i])) continue;
    findings_.Broken(Rule::kInOrder,
                     fmt::format("audit: place {} of the kept log is not what was stored", i));
    break;
  }
  if (bytes != engine_state.stored_message_bytes()) {
    findings_.Broken(Rule::kBoundedState, fmt::format("audit: {} bytes are stored; counted are {}",
                                                      bytes, engine_state.stored_message_bytes()));
  }
}

}  // namespace rollover
