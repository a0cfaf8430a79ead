// Builders: sessions, messages and commits for the tests of model/, and short texts to compare.
//
// Here: values of an exact encoded size, a session that commits storage changes, a session that a
// core runs. Not here: any expectation.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "model/codec.h"
#include "model/flow_state.h"
#include "model/json_text.h"
#include "model/options.h"
#include "model/protocol/core.h"
#include "model/protocol/loads.h"
#include "model/protocol/storage.h"
#include "model/step.h"
#include "model/values.h"

namespace rollover::test {

inline const TurnId kTurn = "t1";

// Contents -----------------------------------------------------------------------------------

inline Content Text(std::string_view text) {
  std::string encoded;
  AppendJsonString(text, encoded);
  return Content(std::move(encoded));
}

// A content whose encoding has exactly `bytes` bytes (2 or more).
inline Content ContentOfBytes(std::uint64_t bytes) { return Text(std::string(bytes - 2, 'x')); }

// The content that makes a message's encoding exactly `bytes` long.
inline Content ContentFor(std::uint64_t bytes, Sequence sequence, Role role = Role::kUser,
                          const TurnId& turn_id = kTurn) {
  return ContentOfBytes(bytes - MessageHeaderBytes(sequence, turn_id, role));
}

// Values -------------------------------------------------------------------------------------

inline ValueRef MessageOfBytes(Sequence sequence, std::uint64_t bytes,
                               const TurnId& turn_id = kTurn, Role role = Role::kUser) {
  return MakeValue(Message{sequence, turn_id, role, ContentFor(bytes, sequence, role, turn_id)});
}

inline ValueRef ChunkOf(Sequence first, Sequence last, std::uint64_t message_bytes = 100) {
  Chunk chunk;
  for (Sequence s = first; s <= last; ++s) {
    chunk.messages.push_back(MessageOfBytes(s, message_bytes));
  }
  return MakeValue(std::move(chunk));
}

inline void PutMessages(FlowState& state, Sequence first, Sequence last, std::uint64_t bytes = 100,
                        const TurnId& turn_id = kTurn) {
  for (Sequence s = first; s <= last; ++s) {
    state.Apply({Name::kMessages, s, MessageOfBytes(s, bytes, turn_id)});
  }
}

inline void PutChunk(FlowState& state, Sequence first, Sequence last) {
  state.Apply({Name::kChunks, first, ChunkOf(first, last)});
}

// Texts to compare ---------------------------------------------------------------------------

inline std::string Show(const ChunkRange& range) {
  return fmt::format("{}-{}", range.first, range.last);
}

inline std::string Show(const Index& index) {
  std::string text;
  for (const ChunkRange& range : index.chunks) text += Show(range) + " ";
  return text + fmt::format("window {} oldest {}", index.window_start, index.oldest_kept);
}

inline std::string Show(const SequenceRuns& runs) {
  std::string text;
  for (const ChunkRange& run : runs.runs()) {
    if (!text.empty()) text += " ";
    text += Show(run);
  }
  return text;
}

inline std::string Show(const Write& write) {
  const char* sign = write.deletes() ? "-" : "";
  if (write.name == Name::kMessages) return fmt::format("{}message {}", sign, write.key);
  if (write.name != Name::kChunks) return fmt::format("{}{}", sign, NameText(write.name));
  if (write.deletes()) return fmt::format("-chunk {}", write.key);
  return fmt::format("chunk {}-{}", write.key, write.value->as<Chunk>()->last());
}

// In alphabetical order: the order of writes in one commit means nothing, a key twice would show.
using Texts = std::vector<std::string>;
inline Texts Show(const std::vector<Write>& writes) {
  Texts texts;
  for (const Write& write : writes) texts.push_back(Show(write));
  std::sort(texts.begin(), texts.end());
  return texts;
}

inline std::string Show(const Load& load) {
  std::string text(NameText(load.name));
  if (load.all) return text + " (all)";
  return IsMap(load.name) ? fmt::format("{} {}", text, load.key) : text;
}

inline Texts Show(const LoadList& loads) {
  Texts texts;
  for (const Load& load : loads) texts.push_back(Show(load));
  std::sort(texts.begin(), texts.end());
  return texts;
}

inline std::string Show(const Event& event) {
  if (event.kind == EventKind::kWarning) return "warning";
  if (event.kind == EventKind::kTurnFailed) return fmt::format("turn_failed {}", event.turn_id);
  return fmt::format("{} {} {}", EventName(event.kind), event.turn_id, event.replies);
}

inline Texts Show(const std::vector<Event>& events) {
  Texts texts;
  for (const Event& event : events) texts.push_back(Show(event));
  return texts;
}

inline std::vector<Sequence> Keys(const InstanceMap& map) {
  std::vector<Sequence> keys;
  for (const auto& instance : map) keys.push_back(instance.key);
  return keys;
}

inline std::vector<Sequence> Range(Sequence first, Sequence last) {
  std::vector<Sequence> sequences;
  for (Sequence s = first; s <= last; ++s) sequences.push_back(s);
  return sequences;
}

inline std::vector<Sequence> Sequences(const std::vector<ValueRef>& messages) {
  std::vector<Sequence> sequences;
  for (const ValueRef& value : messages) sequences.push_back(value->message().sequence);
  return sequences;
}

// Sessions -----------------------------------------------------------------------------------

// A session as storing sees it; every call is one commit, applied.
struct StoredSession {
  Options options{};
  FlowState state{};
  Sequence next_sequence = 1;
  Sequence summary_last_sequence = 0;

  StorageView View() const {
    return {.options = options,
            .window = state.Map(Name::kMessages),
            .index = state.Get<Index>(Name::kIndex),
            .next_sequence = next_sequence,
            .summary_last_sequence = summary_last_sequence};
  }

  // Messages of these encoded sizes, one commit.
  StorageChange Store(const std::vector<std::uint64_t>& message_bytes) {
    std::vector<NewMessage> messages;
    Sequence sequence = next_sequence;
    for (const std::uint64_t bytes : message_bytes) {
      messages.push_back({Role::kUser, ContentFor(bytes, sequence++)});
    }
    return Commit(StoreMessages(View(), kTurn, messages));
  }

  StorageChange StoreEqual(std::size_t count, std::uint64_t message_bytes = 100) {
    return Store(std::vector<std::uint64_t>(count, message_bytes));
  }

  // One small message a commit, `count` commits.
  void StoreOneByOne(std::size_t count, std::uint64_t message_bytes = 100) {
    for (std::size_t i = 0; i < count; ++i) StoreEqual(1, message_bytes);
  }

  StorageChange Compact(Sequence through) {
    summary_last_sequence = through;
    return Commit(RetainOnly(View()));
  }

  StorageChange Commit(StorageChange change) {
    for (const Write& write : change.writes) state.Apply(write);
    next_sequence = change.next_sequence;
    return change;
  }

  std::string ShowIndex() const {
    const Index* index = state.Get<Index>(Name::kIndex);
    return index == nullptr ? "none" : Show(*index);
  }
};

// A session that a core runs: hands it Steps with the loads that its last movement listed (or the
// static ones), applies what it answers.
struct CoreSession {
  std::unique_ptr<Core> core;
  Profile profile{};
  FlowState state{};
  std::optional<Movement> movement{};
  std::string unloaded_read{};  // of the last Step or read

  LoadList LoadsFor(StepKind step) const {
    if (step == StepKind::kStartTurn) return StartTurnLoads(profile);
    if (step == StepKind::kRecordTurnFailure) return RecordTurnFailureLoads(profile);
    if (!movement) return {};
    return step == StepKind::kApplyTurnControl ? movement->control_loads : movement->loads;
  }

  StepOutcome Invoke(const StepInput& input) {
    const LoadList loads = LoadsFor(KindOf(input));
    const LoadedState loaded(state, loads);
    StepOutcome outcome = core->Invoke({.input = input, .state = loaded});
    unloaded_read = loaded.unloaded_read();
    if (const auto* result = std::get_if<StepResult>(&outcome)) {
      for (const Write& write : result->writes) state.Apply(write);
      movement = result->next;
    }
    return outcome;
  }

  // For a Step that must not fail: throws (and so fails the test) when it does.
  StepResult Run(const StepInput& input) { return std::get<StepResult>(Invoke(input)); }

  ReadOutcome Read(const ReadArguments& arguments) {
    const LoadList loads = ReadLoads(profile);
    const LoadedState loaded(state, loads);
    ReadOutcome outcome = core->Read({.arguments = arguments, .state = loaded});
    unloaded_read = loaded.unloaded_read();
    return outcome;
  }

  // A whole turn: user message, one reply without tool calls.
  StepResult RunTurn(const TurnId& turn_id) {
    Run(StartTurn{turn_id, Text("hello")});
    return Run(Reply(turn_id));
  }

  static RunModel Reply(const TurnId& turn_id, std::uint64_t tool_calls = 0) {
    return {.turn_id = turn_id, .reply = ModelReply{Text("reply"), tool_calls}};
  }

  // A RunModel whose context is too long.
  static RunModel TooLong(const TurnId& turn_id, Sequence compact_through) {
    return {.turn_id = turn_id, .reply = std::nullopt, .compact_through = compact_through};
  }
  static ApplyTurnControl Cancel(const TurnId& turn_id) {
    return {.turn_id = turn_id, .control = ControlKind::kCancel, .new_turn_id = "", .content = {}};
  }

  std::string ShowIndex() const {
    const Index* index = state.Get<Index>(Name::kIndex);
    return index == nullptr ? "none" : Show(*index);
  }
  Session SessionValue() const {
    const Session* session = state.Get<Session>(Name::kSession);
    return session == nullptr ? Session{} : *session;
  }
};

inline CoreSession Reference(const Options& options) {
  return {.core = MakeReferenceCore(options), .profile = {}};
}
inline CoreSession NoCompaction(const Options& options) {
  return {.core = MakeNoCompactionCore(options), .profile = {.compaction = false}};
}
inline CoreSession Legacy() { return {.core = MakeLegacyCore({}), .profile = {.legacy = true}}; }

}  // namespace rollover::test
