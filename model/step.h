// Steps: what a core is asked to do, and what it answers.
//
// A Step is a handler that a Worker runs. It gets an input and the values that its loads name; it
// returns writes, events and the next Step. Which Step may load and store what: docs/protocol.md,
// "Steps".
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/flow_state.h"
#include "model/options.h"
#include "model/values.h"

namespace rollover {

enum class StepKind : std::uint8_t {
  kStartTurn,
  kRunModel,
  kResumeTurn,
  kCompactContext,
  kApplyTurnControl,
  kFinishTurnCancellation,
  kRecordTurnFailure,
};
inline constexpr std::size_t kStepKindCount = 7;
std::string_view StepName(StepKind kind);
std::optional<StepKind> StepNamed(std::string_view name);

struct StartTurn {
  TurnId turn_id;
  Content content;
};

struct ModelReply {
  Content content;
  std::uint64_t tool_calls = 0;  // 0: the turn completes
};

// One model call; or, when `reply` is absent, the context is too long: no call, compact instead.
struct RunModel {
  TurnId turn_id;
  std::optional<ModelReply> reply;
  Sequence compact_through = 0;
};

struct ResumeTurn {
  TurnId turn_id;
  std::vector<Content> tool_results;
};

struct CompactContext {
  TurnId turn_id;
  Sequence through = 0;
  std::string text;
};

enum class ControlKind : std::uint8_t { kSteer, kCancel };

struct ApplyTurnControl {
  TurnId turn_id;
  ControlKind control = ControlKind::kCancel;
  TurnId new_turn_id;  // steer only, as is the content
  Content content;
};

struct FinishTurnCancellation {
  TurnId turn_id;
};

struct RecordTurnFailure {
  TurnId turn_id;
  std::string error;
};

// In the order of StepKind.
using StepInput = std::variant<StartTurn, RunModel, ResumeTurn, CompactContext, ApplyTurnControl,
                               FinishTurnCancellation, RecordTurnFailure>;

inline StepKind KindOf(const StepInput& input) { return static_cast<StepKind>(input.index()); }
const TurnId& TurnOf(const StepInput& input);

// One entry of a load list: an attribute, one instance of a map, or a whole map.
struct Load {
  Name name = Name::kSession;
  bool all = false;
  Key key = 0;

  friend bool operator==(const Load&, const Load&) = default;
};

// Most lists name a handful of values: those are held in place.
using LoadList = boost::container::small_vector<Load, 8>;

// What comes next: its loads, and the loads of ApplyTurnControl should a control come instead.
struct Movement {
  StepKind step = StepKind::kRunModel;
  LoadList loads{};
  LoadList control_loads{};
};

enum class EventKind : std::uint8_t {
  kTurnCompleted,
  kTurnSteered,
  kTurnCancelled,
  kTurnFailed,
  kWarning,
};
std::string_view EventName(EventKind kind);

struct Event {
  EventKind kind = EventKind::kTurnCompleted;
  TurnId turn_id{};
  std::uint64_t replies = 0;  // not on kTurnFailed, kWarning
  std::string text{};         // kWarning only
};

// Sequences in the order in which they were given, neighbours joined: 1 2 3 7 is {1,3} {7,7}.
class SequenceRuns {
 public:
  void Append(Sequence sequence);
  void Append(Sequence first, Sequence last);
  const std::vector<ChunkRange>& runs() const { return runs_; }
  friend bool operator==(const SequenceRuns&, const SequenceRuns&) = default;

 private:
  std::vector<ChunkRange> runs_;
};

struct StepResult {
  std::vector<Write> writes;
  std::vector<Event> events;
  std::optional<Movement> next;             // none: the turn has ended
  std::optional<SequenceRuns> model_input;  // what the model saw, when it was called
};

struct StepFailure {
  std::string error;
  bool retryable = false;
};

using StepOutcome = std::variant<StepResult, StepFailure>;

enum class Rpc : std::uint8_t { kListAgentMessages, kGetAgentSnapshot };

// Signed, because callers send anything; a core answers what is out of range with an error.
struct ReadArguments {
  Rpc rpc = Rpc::kGetAgentSnapshot;
  std::optional<std::int64_t> after_sequence{};  // list only, as is all below
  std::optional<std::int64_t> before_sequence{};
  std::int64_t limit = kPageMessagesMax;
};

struct Page {
  std::vector<ValueRef> messages;  // each a Message, ascending
  bool has_more = false;
  std::optional<Sequence> deleted_before_sequence;
};

struct ReadRefusal {
  std::string error;
};

using ReadOutcome = std::variant<Page, ReadRefusal>;

}  // namespace rollover
