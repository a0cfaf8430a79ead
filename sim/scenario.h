// Scenario: the one thing that every part shares. What happens to a session, decision by decision.
//
// Seeds, bytes, combinators and files make scenarios; World runs them. Running one consults no
// random number, so a saved failure keeps reproducing after the generators change. The file form is
// in scenario_json.h and docs/scenario.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/options.h"
#include "model/step.h"
#include "sim/content.h"

namespace rollover {

inline constexpr int kScenarioVersion = 1;

// Which of the model's cores a Worker runs, by profile. What stands in for the reference (a planted
// bug, an external process) is the run's choice, not the scenario's.
enum class CoreKind : std::uint8_t { kReference, kNoCompaction, kLegacy };
std::string_view CoreKindName(CoreKind kind);
std::optional<CoreKind> CoreKindNamed(std::string_view name);

// One model call of a turn: a reply, and the results of its tool calls if it makes any; or, with
// `compact`, a context that is too long: all but the newest `keep` messages are summarised.
struct Round {
  bool compact = false;
  ContentSpec reply{};
  std::vector<ContentSpec> tools{};
  std::uint64_t keep = 0;
  std::string summary{};

  friend bool operator==(const Round&, const Round&) = default;
};

// A user message, and how its turn goes on. When the rounds are used up the model gives a short
// reply.
struct Turn {
  ContentSpec user{};
  std::vector<Round> rounds{};

  friend bool operator==(const Turn&, const Turn&) = default;
};

struct PlannedStep {
  StepKind step = StepKind::kStartTurn;
  std::uint64_t occurrence = 1;
};

// The Steps that the turn takes if nothing strikes it, in their order.
std::vector<PlannedStep> PlannedSteps(const Turn& turn);

// Where a page is anchored, resolved when the read happens, so that it means the same after a
// change elsewhere in the scenario.
enum class AnchorPlace : std::uint8_t {
  kAbsolute,     // `offset` itself
  kChunkFirst,   // of the `chunk`-th kept chunk (modulo their number)
  kChunkInside,  // its middle
  kChunkLast,
  kWindowStart,
  kOldestKept,
  kNext,
};
inline constexpr std::size_t kAnchorPlaceCount = 7;
std::string_view AnchorPlaceName(AnchorPlace place);

struct Anchor {
  AnchorPlace place = AnchorPlace::kAbsolute;
  std::uint64_t chunk = 0;
  std::int64_t offset = 0;  // added to the place

  friend bool operator==(const Anchor&, const Anchor&) = default;
};

struct Read {
  Rpc rpc = Rpc::kGetAgentSnapshot;
  std::optional<Anchor> after{};
  std::optional<Anchor> before{};
  std::int64_t limit = kPageMessagesMax;

  friend bool operator==(const Read&, const Read&) = default;
};

// The Worker stops and starts again, with other options or as another core.
struct Restart {
  std::optional<Options> options{};
  std::optional<CoreKind> core{};

  friend bool operator==(const Restart&, const Restart&) = default;
};

// The engine's limits change; durability and the history window stay.
struct ChangeLimits {
  std::uint64_t max_value_bytes = 0;
  std::uint64_t max_result_bytes = 0;

  friend bool operator==(const ChangeLimits&, const ChangeLimits&) = default;
};

using Operation = std::variant<Turn, Read, Restart, ChangeLimits>;

enum class FaultKind : std::uint8_t {
  kKillBeforeLoad,
  kKillInHandler,
  kKillBeforeCommit,
  kKillMidCommit,
  kKillAfterCommit,
  kStall,
  kDuplicateCommit,
  kEngineCrash,
  kValueLimit,
  kResultLimit,
  kOptionsChange,
  kCoreSwap,
  kModelError,
  kToolError,
  kControl,
  kReadRace,
};
inline constexpr std::size_t kFaultKindCount = 16;
std::string_view FaultName(FaultKind kind);
std::optional<FaultKind> FaultNamed(std::string_view name);

// A moment in one attempt of a Step.
enum class Point : std::uint8_t { kHandedOut, kInHandler, kBeforeCommit, kAfterCommit };
inline constexpr std::size_t kPointCount = 4;
std::string_view PointName(Point point);

// When the commit of a Worker that lost its Step arrives, relative to that of its successor.
enum class Late : std::uint8_t { kNever, kBefore, kAfter };
std::string_view LateName(Late late);

// One decision of fate, tied to what it hits: the `attempt`-th hand-out of the `occurrence`-th
// `step` of the `turn`-th turn of the scenario. Which of the other fields count depends on the
// kind.
struct Fault {
  FaultKind kind = FaultKind::kKillBeforeLoad;
  std::uint64_t turn = 1;
  StepKind step = StepKind::kStartTurn;
  std::uint64_t occurrence = 1;
  std::uint64_t attempt = 1;

  Point at = Point::kHandedOut;  // engine-crash, value-limit, result-limit, control, read-race
  std::uint64_t entries = 0;     // kill-mid-commit: writes that arrived
  Late late = Late::kNever;      // stall, control
  std::uint64_t commits = 0;     // engine-crash: rolled back, if durability is async
  ControlKind control = ControlKind::kCancel;  // control
  bool retryable = false;                      // model-error, tool-error
  std::uint64_t bytes = 0;                     // value-limit, result-limit: the new limit
  Options options{};                           // options-change; its compaction is ignored
  CoreKind core = CoreKind::kReference;        // core-swap
  bool this_attempt_only = false;              // core-swap: both versions run at once
  Read read{};                                 // read-race

  friend bool operator==(const Fault&, const Fault&) = default;
};

// No roll-back reaches further.
inline constexpr std::uint64_t kRollbackCommitsMax = 8;

struct Scenario {
  CoreKind core = CoreKind::kReference;
  Options options{};
  Limits limits{};
  std::vector<Operation> operations{};
  std::vector<Fault> faults{};

  friend bool operator==(const Scenario&, const Scenario&) = default;
};

// No value when the scenario can be run: settings valid, and every fault one that can occur
// (CanHit). Else one line: what, where, the valid range.
std::optional<std::string> Invalid(const Scenario& scenario);

// A decision in words, as in "stall at RunModel 1 attempt 2 of turn 3, its commit arrives late".
std::string Describe(const Fault& fault);

// Whether a fault of this kind can hit this Step, and if not, why (docs/situations.md).
bool CanHit(FaultKind fault, StepKind step);
std::string_view WhyNot(FaultKind fault, StepKind step);

std::uint64_t CountTurns(const Scenario& scenario);

}  // namespace rollover
