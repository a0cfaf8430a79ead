// A result on its way into the engine, and what its commit sets going.
#include <fmt/format.h>

#include <utility>

#include "model/digest.h"
#include "sim/wire/line_reader.h"
#include "sim/world.h"

namespace rollover {
namespace {

std::uint64_t DigestOf(const LoadList& loads) {
  std::uint64_t digest = loads.size();
  for (const Load& load : loads) {
    digest = Digest({digest, static_cast<std::uint64_t>(load.name), load.all, load.key});
  }
  return digest;
}

std::string Describe(const LoadList& loads) {
  std::string text;
  for (const Load& load : loads) {
    if (!text.empty()) text += ' ';
    text += NameText(load.name);
    if (load.all) text += "[*]";
    if (load.key != 0) text += fmt::format("[{}]", load.key);
  }
  return text;
}

std::string Describe(const Write& write) {
  std::string text{NameText(write.name)};
  if (IsMap(write.name)) text += fmt::format("[{}]", write.key);
  if (write.deletes()) return text + " deleted";
  text += fmt::format(" = {} bytes", write.value->encoded_bytes());
  if (const auto* chunk = write.value->as<Chunk>()) {
    text += fmt::format(", messages {}..{}", chunk->first(), chunk->last());
  } else if (write.name != Name::kMessages && write.value->encoded_bytes() < 512) {
    text += ' ';
    text += Encode(*write.value);
  }
  return text;
}

}  // namespace

CommitAnswer World::Send(Token token, const StepResult& result) {
  for (const Write& write : result.writes) engine_.Receive(write);
  return engine_.Finish(token);
}

void World::CommitResult(const StepResult& result, std::span<const Load> loads,
                         std::uint32_t attempt) {
  DeliverLate(Late::kBefore);
  const CommitAnswer answer = Send(token_, result);
  CHECK(answer != CommitAnswer::kFenced);  // nothing took the Step from this attempt
  if (answer == CommitAnswer::kApplied) return AfterCommit(result, loads, attempt);

  const StepInput& input = Input();
  trace_.Add(TraceKind::kRefused, {static_cast<std::uint64_t>(engine_.refusal())},
             [] { return std::string("the engine refuses the result"); });
  judge_.OnRefusal({.cause = engine_.refusal(),
                    .input = input,
                    .profile = ProfileOf(ActiveKind()),
                    .limits = engine_.limits()});
  if (Stopped()) return;
  statistics_.Count(Situation::kRefusedAtFirstStore);
  if (KindOf(input) == StepKind::kApplyTurnControl) statistics_.Count(Situation::kSteerRefused);
  FailTurn("the engine refused the result");
}

void World::AfterCommit(const StepResult& result, std::span<const Load> loads,
                        std::uint32_t attempt) {
  Input();
  const StepInput input = *std::exchange(input_, std::nullopt);
  const Commit commit{.number = judge_.commits() + 1,
                      .input = input,
                      .attempt = attempt,
                      .result = result,
                      .loads = loads,
                      .profile = ProfileOf(ActiveKind()),
                      .options = options_,
                      .limits = engine_.limits()};
  trace_.AtCommit(commit.number);
  TraceCommit(commit);
  judge_.OnCommit(commit);
  ++statistics_.commits;
  if (Stopped()) return;
  spotter_.OnCommit(commit, judge_, statistics_);
  const Change& change = judge_.stored().change();
  const bool rolled_over = !change.chunk_puts.empty() && !change.message_deletes.empty();
  if (attempt > 1 && rolled_over) statistics_.Count(Situation::kRolloverRetried);
  if (attempt > 1 && !change.chunk_deletes.empty()) {
    statistics_.Count(Situation::kDeletionRetried);
  }
  const bool probe = rolled_over && judge_.HoldsLegacyMessages();

  MoveOn(result);
  TakeCheckpoint();
  if (probe) Perform(Read{});  // readable at every stage of a migration
  if (Take(FaultKind::kDuplicateCommit)) {
    CHECK(Send(token_, result) == CommitAnswer::kFenced);
    trace_.Add(TraceKind::kFenced, {token_}, [] { return std::string("the same commit again"); });
  }
  DeliverLate(Late::kAfter);
  if (Take(FaultKind::kKillAfterCommit)) Die("after its commit, unacknowledged");
  StruckAt(Point::kAfterCommit, nullptr);
  if (judge_.commits() % config_.audit_every == 0) judge_.Audit(engine_.state());
}

void World::MoveOn(const StepResult& result) {
  Current& current = *progress_.current;
  const StepKind step = trace_.here().step;
  if (step == StepKind::kResumeTurn || step == StepKind::kCompactContext) ++current.place.round;
  if (step == StepKind::kApplyTurnControl && current.control == ControlKind::kSteer) {
    current = Current{.turn = current.steered_to};
    ++statistics_.turns;
  }
  if (result.next) {
    Queue(*result.next);
  } else {
    progress_.current.reset();
  }
}

void World::DeliverLate(Late late) {
  for (std::size_t i = 0; i < late_commits_.size();) {
    if (late_commits_[i].late != late) {
      ++i;
      continue;
    }
    const LateCommit commit = std::move(late_commits_[i]);
    late_commits_.erase(late_commits_.begin() + static_cast<std::ptrdiff_t>(i));
    CHECK(Send(commit.token, commit.result) == CommitAnswer::kFenced);
    statistics_.Count(commit.controlled       ? Situation::kControlledCommitFenced
                      : late == Late::kBefore ? Situation::kLateCommitFencedBefore
                                              : Situation::kLateCommitFencedAfter);
    trace_.Add(TraceKind::kFenced, {commit.token}, [&] {
      return fmt::format("a commit arrives late ({}), and is fenced", LateName(late));
    });
  }
}

void World::TraceCommit(const Commit& commit) {
  trace_.Add(TraceKind::kCommitted, {commit.number, commit.profile.legacy}, [&] {
    return fmt::format("commit {} of {}", commit.number, StepName(commit.step()));
  });
  for (const Write& write : commit.result.writes) {
    const std::uint64_t digest = write.deletes() ? 0 : write.value->digest();
    const std::uint64_t bytes = write.deletes() ? 0 : write.value->encoded_bytes();
    trace_.Add(TraceKind::kWrite,
               {static_cast<std::uint64_t>(write.name), write.key, digest, bytes},
               [&] { return Describe(write); });
  }
  for (const Event& event : commit.result.events) {
    const bool warning = event.kind == EventKind::kWarning;
    const std::string& says = warning ? event.text : event.turn_id;
    trace_.Add(TraceKind::kEvent,
               {static_cast<std::uint64_t>(event.kind), event.replies, Digest(says)}, [&] {
                 const std::string text =
                     fmt::format("{} {}", EventName(event.kind), Excerpt(says));
                 return warning ? text : fmt::format("{} replies {}", text, event.replies);
               });
  }
  if (commit.result.model_input) {
    for (const ChunkRange& run : commit.result.model_input->runs()) {
      trace_.Add(TraceKind::kInvoked, {run.first, run.last},
                 [&] { return fmt::format("the model saw {}..{}", run.first, run.last); });
    }
  }
  if (!commit.result.next) return;
  const Movement& next = *commit.result.next;
  const std::uint64_t loads = DigestOf(next.loads);
  const bool same = next.control_loads == next.loads;
  trace_.Add(
      TraceKind::kMovement,
      {static_cast<std::uint64_t>(next.step), loads, same ? loads : DigestOf(next.control_loads)},
      [&] { return fmt::format("to {} with {}", StepName(next.step), Describe(next.loads)); });
}

}  // namespace rollover
