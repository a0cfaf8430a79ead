#include "sim/campaign/explore_reads.h"

#include <algorithm>

namespace rollover {
namespace {

constexpr std::uint64_t kQuietTurnsMin = 3;
constexpr Token kToken = 2;

std::optional<Anchor> At(Sequence sequence) {
  return Anchor{.offset = static_cast<std::int64_t>(sequence)};
}

Read After(Sequence sequence, std::int64_t limit) {
  return {.rpc = Rpc::kListAgentMessages, .after = At(sequence), .limit = limit};
}

Read Before(Sequence sequence, std::int64_t limit) {
  return {.rpc = Rpc::kListAgentMessages, .before = At(sequence), .limit = limit};
}

void RunStep(ExploredSession& session, Core& core) {
  Judge& judge = session.judge();
  const LoadList loads = session.Loads();
  const StepInput input = session.Input();
  judge.OnHandOut(TurnOf(input));
  const LoadedState state(session.engine().state(), loads);
  const StepOutcome outcome = core.Invoke({.input = input, .attempt = 1, .state = state});
  if (!state.unloaded_read().empty()) judge.OnUnloadedRead(KindOf(input), state.unloaded_read());
  if (judge.has_violations()) return;
  const Profile profile = session.profile();
  if (const auto* failure = std::get_if<StepFailure>(&outcome)) {
    judge.OnFailure({.input = input,
                     .failure = *failure,
                     .injected = false,
                     .loads = loads,
                     .profile = profile});
    if (!failure->retryable) session.FailTurn(failure->error);
    return;
  }
  const auto& result = std::get<StepResult>(outcome);
  Engine& engine = session.engine();
  engine.HandOut(kToken);
  for (const Write& write : result.writes) engine.Receive(write);
  if (engine.Finish(kToken) == CommitAnswer::kApplied) {
    session.Committed(input, 1, result, loads);
    return;
  }
  judge.OnRefusal(
      {.cause = engine.refusal(), .input = input, .profile = profile, .limits = engine.limits()});
  session.FailTurn("the engine refused the result");
}

void ReadWholeLog(ExploredSession& session, Core& core) {
  AnswerRead(session, core, {});
  for (Sequence after = 0; !session.judge().has_violations();) {
    AnswerRead(session, core, After(after, kPageMessagesMax));
    after = after == 0 ? session.judge().ledger().first() + 199 : after + 200;
    if (after >= session.judge().ledger().next()) return;
  }
}

}  // namespace

std::vector<Read> ReadsOf(const Judge& judge) {
  const Ledger& ledger = judge.ledger();
  std::vector<Read> reads = {Read{},
                             After(0, kPageMessagesMax),
                             After(0, 1),
                             After(0, kPageMessagesMin - 1),
                             After(0, kPageMessagesMax + 1),
                             Before(ledger.next(), kPageMessagesMax),
                             Before(ledger.next(), 2),
                             Before(ledger.first(), 2)};
  const InstanceMap& chunks = judge.stored().chunks();
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    // Those in the middle were the newest before, and are read around then.
    if (i > 0 && i + 2 < chunks.size()) continue;
    const Chunk& chunk = *chunks[i].value->as<Chunk>();
    reads.push_back(After(chunk.last(), 3));
    reads.push_back(Before(chunk.first(), 3));
  }
  return reads;
}

void AnswerRead(ExploredSession& session, Core& core, const Read& read) {
  ReadArguments arguments{.rpc = read.rpc, .limit = read.limit};
  if (read.after) arguments.after_sequence = read.after->offset;
  if (read.before) arguments.before_sequence = read.before->offset;
  const Profile profile = session.profile();
  const LoadList loads = ReadLoads(profile);
  const LoadedState state(session.engine().state(), loads);
  const ReadOutcome outcome = core.Read({.arguments = arguments, .state = state});
  Judge& judge = session.judge();
  if (!state.unloaded_read().empty()) {
    judge.OnUnloadedRead(StepKind::kStartTurn, state.unloaded_read());
  }
  judge.OnRead({.arguments = arguments, .outcome = outcome, .profile = profile});
}

void RunQuietPhase(ExploredSession& session, Core& core) {
  Judge& judge = session.judge();
  const Options& options = session.scope().options;
  const bool legacy = session.core() == CoreKind::kLegacy;
  const std::size_t size = options.message_window_size;
  const std::size_t window = judge.stored().window().size();
  const bool too_large = !legacy && window > size;
  judge.OnQuiet(options);
  const std::uint64_t turns = kQuietTurnsMin + (too_large ? (window - size) / 2 + 1 : 0);
  for (std::uint64_t i = 0; i < turns && !judge.has_violations(); ++i) {
    session.AcceptQuiet();
    while (!session.idle() && !judge.has_violations()) RunStep(session, core);
    const bool drained = judge.stored().window().size() <= size;
    if (i + 1 >= kQuietTurnsMin && (legacy || drained)) break;
  }
  if (judge.has_violations()) return;
  ReadWholeLog(session, core);
  if (judge.has_violations()) return;
  judge.OnEnd();
  judge.Audit(session.engine().state());
}

}  // namespace rollover
