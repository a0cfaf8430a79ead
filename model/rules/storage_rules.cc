// in-order, exactly-once, nothing-lost, window-write-once, chunk-immutable, session-state,
// value-limit: what is stored is what came in, once.
#include <fmt/format.h>

#include <algorithm>

#include "model/codec.h"
#include "model/rules/commit_view.h"

namespace rollover {
namespace {

bool LargerThanAChunk(const Message& message, const Options& options) {
  const std::uint64_t bytes = MessageHeaderBytes(message.sequence, message.turn_id, message.role) +
                              message.content.encoded().size();
  return kChunkWrapperBytes + bytes > CapOf(options);
}

void CheckImmutable(const CommitView& view, Findings& findings) {
  for (const ChunkPut& put : view.change().chunk_puts) {
    findings.Evaluated(Rule::kChunkImmutable);
    if (put.existed) {
      findings.Broken(Rule::kChunkImmutable, fmt::format("chunk {} is written again", put.key));
    }
    // A write and a delete of one key in one commit: which of them counts, and twice over?
    const auto& gone = view.change().chunk_deletes;
    if (std::any_of(gone.begin(), gone.end(),
                    [&](const ChunkDelete& chunk) { return chunk.key == put.key; })) {
      findings.Broken(Rule::kChunkImmutable,
                      fmt::format("chunk {} is written and deleted by one commit", put.key));
    }
  }
}

bool IsInAWrittenChunk(const CommitView& view, Sequence sequence) {
  for (const ChunkPut& put : view.change().chunk_puts) {
    const auto [first, last] = std::minmax({put.chunk().first(), put.chunk().last()});
    if (first <= sequence && sequence <= last) return true;
  }
  return false;
}

void CheckWriteOnce(const CommitView& view, Findings& findings) {
  for (const MessagePut& put : view.change().message_puts) {
    findings.Evaluated(Rule::kWindowWriteOnce);
    if (put.existed || put.key < view.first_new) {
      findings.Broken(Rule::kWindowWriteOnce,
                      fmt::format("AgentMessages[{}] is written again", put.key));
    }
    if (!view.legacy() && LargerThanAChunk(put.value->message(), view.commit.options)) {
      findings.Broken(Rule::kWindowWriteOnce,
                      fmt::format("message {} is oversized, and is in the window", put.key));
    }
  }
  for (const MessageDelete& gone : view.change().message_deletes) {
    findings.Evaluated(Rule::kWindowWriteOnce);
    if (!gone.existed || gone.key >= view.first_new) {
      findings.Broken(Rule::kWindowWriteOnce,
                      fmt::format("AgentMessages[{}] is deleted but was not there", gone.key));
    } else if (view.stored.Copies(gone.key) > 0 && !IsInAWrittenChunk(view, gone.key)) {
      // Stored elsewhere; where it is not, nothing-lost says more.
      findings.Broken(
          Rule::kWindowWriteOnce,
          fmt::format("AgentMessages[{}] is deleted, and its chunk is not written", gone.key));
    }
  }
}

// `holder` is "chunk {}" or "AgentMessages[{}]", of `key`.
void CheckMessage(const CommitView& view, const Message& message, std::string_view holder, Key key,
                  Findings& findings) {
  findings.Evaluated(Rule::kInOrder);
  if (view.ledger.Matches(message)) return;
  const std::string where = fmt::format(fmt::runtime(holder), key);
  findings.Broken(
      Rule::kInOrder,
      view.ledger.Has(message.sequence)
          ? fmt::format("{} holds a message {} that is not the one stored", where, message.sequence)
          : fmt::format("{} holds a message {}; sequences run {} .. {}", where, message.sequence,
                        view.ledger.first(), view.next() - 1));
}

void CheckInOrder(const CommitView& view, Findings& findings) {
  if (!view.change().malformed.empty()) {
    findings.Broken(Rule::kInOrder, view.change().malformed);
  }
  for (const MessagePut& put : view.change().message_puts) {
    const Message& message = put.value->message();
    if (message.sequence != put.key) {
      findings.Broken(Rule::kInOrder,
                      fmt::format("AgentMessages[{}] holds message {}", put.key, message.sequence));
    }
    CheckMessage(view, message, "AgentMessages[{}]", put.key, findings);
  }
  for (const ChunkPut& put : view.change().chunk_puts) {
    const auto& messages = put.chunk().messages;
    for (std::size_t i = 0; i < messages.size(); ++i) {
      const Message& message = messages[i]->message();
      CheckMessage(view, message, "chunk {}", put.key, findings);
      if (i > 0 && message.sequence != messages[i - 1]->message().sequence + 1) {
        findings.Broken(Rule::kInOrder,
                        fmt::format("chunk {} holds message {} after message {}", put.key,
                                    message.sequence, messages[i - 1]->message().sequence));
      }
    }
  }
}

// Every sequence whose number of copies this commit may have changed.
template <typename Visit>
void VisitTouched(const CommitView& view, Visit visit) {
  for (Sequence s = view.first_new; s < view.next(); ++s) visit(s);
  for (const MessagePut& put : view.change().message_puts) visit(put.value->message().sequence);
  for (const MessageDelete& gone : view.change().message_deletes) visit(gone.key);
  for (const ChunkPut& put : view.change().chunk_puts) {
    for (const ValueRef& message : put.chunk().messages) visit(message->message().sequence);
  }
  for (const ChunkDelete& gone : view.change().chunk_deletes) {
    if (!gone.old) continue;
    for (const ValueRef& message : gone.old->as<Chunk>()->messages)
      visit(message->message().sequence);
  }
}

void CheckCopies(const CommitView& view, Findings& findings) {
  VisitTouched(view, [&](Sequence sequence) {
    if (!view.ledger.Has(sequence)) return;  // deleted as a prefix, or in-order says so
    const bool is_new = sequence >= view.first_new;
    const std::uint32_t copies = view.stored.Copies(sequence);
    findings.Evaluated(Rule::kExactlyOnce);
    if (!is_new) findings.Evaluated(Rule::kNothingLost);
    if (copies == 1) return;
    if (copies == 0 && !is_new) {
      findings.Broken(Rule::kNothingLost,
                      fmt::format("message {} disappeared; kept are {} .. {}", sequence,
                                  view.ledger.first(), view.next() - 1));
    } else {
      findings.Broken(Rule::kExactlyOnce,
                      fmt::format("message {} is stored {} times", sequence, copies));
    }
  });
}

std::optional<TurnId> RunningTurnId(const CommitView& view) {
  if (!view.turn_after) return std::nullopt;
  return view.turn_after->turn_id;
}

std::string Describe(const Session& session) {
  return fmt::format("next {}, turn {}", session.next_sequence, session.turn_id.value_or("none"));
}

void CheckSession(const CommitView& view, Findings& findings) {
  const Session* is = view.stored.state().Get<Session>(Name::kSession);
  findings.Evaluated(Rule::kSessionState);
  // A session that has stored nothing needs no value.
  static const Session none;
  const Session& actual = is != nullptr ? *is : none;
  const TurnId* running = view.turn_after ? &view.turn_after->turn_id : nullptr;
  const bool same_turn = running != nullptr ? actual.turn_id == *running : !actual.turn_id;
  if (actual.next_sequence != view.next() || !same_turn) {
    const Session expected{view.next(), RunningTurnId(view)};
    findings.Broken(Rule::kSessionState, fmt::format("AgentSession says {}; it is {}",
                                                     Describe(actual), Describe(expected)));
  }
  const auto& write = view.change().session;
  if (write && write->before && write->after && *write->before == *write->after) {
    findings.Broken(Rule::kSessionState, "AgentSession is written without a change");
  }
}

void CheckSummary(const CommitView& view, Findings& findings) {
  const auto& write = view.change().summary;
  if (write.has_value() != view.compacts()) {
    findings.Broken(Rule::kSessionState, write ? fmt::format("ContextSummary is written by {}",
                                                             StepName(view.commit.step()))
                                               : "CompactContext writes no ContextSummary");
    return;
  }
  if (!write) return;
  findings.Evaluated(Rule::kSessionState);
  const Summary* summary = write->after ? write->after->as<Summary>() : nullptr;
  if (summary != nullptr && *summary == view.summary_after) return;
  findings.Broken(Rule::kSessionState,
                  fmt::format("ContextSummary reaches {}; the compaction reached {}",
                              summary != nullptr ? summary->last_sequence : 0,
                              view.summary_after.last_sequence));
}

void CheckValueLimit(const CommitView& view, Findings& findings) {
  for (const Write& write : view.commit.result.writes) {
    if (write.deletes()) continue;
    findings.Evaluated(Rule::kValueLimit);
    if (write.value->encoded_bytes() <= view.commit.limits.max_value_bytes) continue;
    findings.Broken(
        Rule::kValueLimit,
        fmt::format("{}[{}] is {} bytes; the limit is {}", NameText(write.name), write.key,
                    write.value->encoded_bytes(), view.commit.limits.max_value_bytes));
  }
}

}  // namespace

void CheckStorage(const CommitView& view, Findings& findings) {
  CheckImmutable(view, findings);
  CheckWriteOnce(view, findings);
  CheckInOrder(view, findings);
  CheckCopies(view, findings);
  CheckSession(view, findings);
  CheckSummary(view, findings);
  CheckValueLimit(view, findings);
}

}  // namespace rollover
