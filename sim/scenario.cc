#include "sim/scenario.h"

#include <fmt/format.h>

#include <array>

#include "model/json_text.h"

namespace rollover {
namespace {

constexpr std::array<std::string_view, 3> kCoreKindNames = {"reference", "no-compaction", "legacy"};
constexpr std::array<std::string_view, kFaultKindCount> kFaultNames = {
    "kill-before-load", "kill-in-handler",   "kill-before-commit",
    "kill-mid-commit",  "kill-after-commit", "stall",
    "duplicate-commit", "engine-crash",      "value-limit",
    "result-limit",     "options-change",    "core-swap",
    "model-error",      "tool-error",        "control",
    "read-race"};

template <typename Enum, std::size_t N>
std::optional<Enum> Named(const std::array<std::string_view, N>& names, std::string_view name) {
  for (std::size_t i = 0; i < N; ++i) {
    if (names[i] == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

std::optional<std::string> InvalidContent(const ContentSpec& spec) {
  constexpr auto amount_max = static_cast<std::int64_t>(kContentBytesMax);
  if (spec.kind == ContentSpec::Kind::kFill) {
    if (spec.amount >= -amount_max && spec.amount <= amount_max) return std::nullopt;
    return fmt::format("content size is {}; valid: {} .. {}", spec.amount, -amount_max, amount_max);
  }
  if (spec.text.size() > kContentBytesMax) {
    return fmt::format("content is {} bytes; valid: 0 .. {}", spec.text.size(), kContentBytesMax);
  }
  if (spec.kind == ContentSpec::Kind::kJson) {
    if (const auto error = NotOneJsonValue(spec.text)) {
      return fmt::format("content json, byte {}: {}", error->position, error->reason);
    }
  } else if (!ValidUtf8(spec.text)) {
    return "content text is not valid UTF-8";
  }
  return std::nullopt;
}

// A place in an operation and what is wrong there, as in ".rounds[0].reply: ...".
std::optional<std::string> In(const std::string& place, const std::optional<std::string>& bad) {
  if (!bad) return std::nullopt;
  return place + ": " + *bad;
}

std::optional<std::string> InvalidTurn(const Turn& turn) {
  if (auto bad = InvalidContent(turn.user)) return In(".user", bad);
  for (std::size_t r = 0; r < turn.rounds.size(); ++r) {
    const Round& round = turn.rounds[r];
    const std::string place = fmt::format(".rounds[{}]", r);
    if (auto bad = InvalidContent(round.reply)) return In(place + ".reply", bad);
    for (std::size_t t = 0; t < round.tools.size(); ++t) {
      auto bad = InvalidContent(round.tools[t]);
      if (bad) return In(fmt::format("{}.tools[{}]", place, t), bad);
    }
    if (!ValidUtf8(round.summary)) {
      return In(place + ".compact.summary", "summary is not valid UTF-8");
    }
  }
  return std::nullopt;
}

std::optional<std::string> InvalidOperation(const Operation& operation) {
  if (const auto* turn = std::get_if<Turn>(&operation)) return InvalidTurn(*turn);
  if (const auto* restart = std::get_if<Restart>(&operation)) {
    return restart->options ? In(".options", Invalid(*restart->options)) : std::nullopt;
  }
  if (const auto* change = std::get_if<ChangeLimits>(&operation)) {
    return In("", Invalid(Limits{.max_value_bytes = change->max_value_bytes,
                                 .max_result_bytes = change->max_result_bytes}));
  }
  return std::nullopt;
}

std::optional<std::string> InvalidFault(const Fault& fault, std::uint64_t turns) {
  if (fault.turn < 1 || fault.turn > turns) {
    return fmt::format("turn is {}; valid: 1 .. {}", fault.turn, turns);
  }
  if (fault.occurrence < 1) return "occurrence is 0; valid: 1 and up";
  if (fault.attempt < 1) return "attempt is 0; valid: 1 and up";
  if (!CanHit(fault.kind, fault.step)) {
    return fmt::format("{} cannot hit {}: {}", FaultName(fault.kind), StepName(fault.step),
                       WhyNot(fault.kind, fault.step));
  }
  if (fault.commits > kRollbackCommitsMax) {
    return fmt::format("commits is {}; valid: 0 .. {}", fault.commits, kRollbackCommitsMax);
  }
  const bool limit = fault.kind == FaultKind::kValueLimit || fault.kind == FaultKind::kResultLimit;
  if (limit && (fault.bytes < 1 || fault.bytes > kSettingMax)) {
    return fmt::format("bytes is {}; valid: 1 .. {}", fault.bytes, kSettingMax);
  }
  if (fault.kind == FaultKind::kOptionsChange) return Invalid(fault.options);
  if (fault.kind == FaultKind::kControl && fault.at == Point::kAfterCommit) {
    return "control at after-commit; valid: handed-out, in-handler, before-commit";
  }
  return std::nullopt;
}

}  // namespace

std::string_view CoreKindName(CoreKind kind) {
  return kCoreKindNames.at(static_cast<std::size_t>(kind));
}

std::optional<CoreKind> CoreKindNamed(std::string_view name) {
  return Named<CoreKind>(kCoreKindNames, name);
}

std::string_view FaultName(FaultKind kind) {
  return kFaultNames.at(static_cast<std::size_t>(kind));
}

std::optional<FaultKind> FaultNamed(std::string_view name) {
  return Named<FaultKind>(kFaultNames, name);
}

std::string_view AnchorPlaceName(AnchorPlace place) {
  constexpr std::array<std::string_view, kAnchorPlaceCount> names = {
      "absolute",     "chunk-first", "chunk-inside", "chunk-last",
      "window-start", "oldest-kept", "next"};
  return names.at(static_cast<std::size_t>(place));
}

std::string_view PointName(Point point) {
  constexpr std::array<std::string_view, kPointCount> names = {"handed-out", "in-handler",
                                                               "before-commit", "after-commit"};
  return names.at(static_cast<std::size_t>(point));
}

std::string_view LateName(Late late) {
  constexpr std::array<std::string_view, 3> names = {"never", "before", "after"};
  return names.at(static_cast<std::size_t>(late));
}

namespace {

// What its kind, place and time do not say.
std::string DetailOf(const Fault& fault) {
  const auto late = [&] {
    if (fault.late == Late::kNever) return "";
    return fault.late == Late::kBefore ? ", its commit arrives early" : ", its commit arrives late";
  };
  switch (fault.kind) {
    case FaultKind::kKillMidCommit:
      return fmt::format(", {} entries arrived", fault.entries);
    case FaultKind::kStall:
      return late();
    case FaultKind::kEngineCrash:
      return fmt::format(", {}, {} commits lost", PointName(fault.at), fault.commits);
    case FaultKind::kValueLimit:
    case FaultKind::kResultLimit:
      return fmt::format(", {}, to {} bytes", PointName(fault.at), fault.bytes);
    case FaultKind::kOptionsChange:
      return fmt::format(", to window {}, chunk {}, cap {}", fault.options.message_window_size,
                         fault.options.message_chunk_size, fault.options.message_chunk_max_bytes);
    case FaultKind::kCoreSwap:
      return fmt::format(", to {}{}", CoreKindName(fault.core),
                         fault.this_attempt_only ? " for this attempt" : "");
    case FaultKind::kModelError:
    case FaultKind::kToolError:
      return fault.retryable ? ", retryable" : "";
    case FaultKind::kControl:
      return fmt::format(", {} {}{}", fault.control == ControlKind::kSteer ? "a steer" : "a cancel",
                         PointName(fault.at), late());
    case FaultKind::kReadRace:
      return fmt::format(", {} {}",
                         fault.read.rpc == Rpc::kListAgentMessages ? "a page" : "a snapshot",
                         PointName(fault.at));
    default:
      return "";
  }
}

}  // namespace

std::string Describe(const Fault& fault) {
  return fmt::format("{} at {} {} attempt {} of turn {}{}", FaultName(fault.kind),
                     StepName(fault.step), fault.occurrence, fault.attempt, fault.turn,
                     DetailOf(fault));
}

bool CanHit(FaultKind fault, StepKind step) { return WhyNot(fault, step).empty(); }

std::string_view WhyNot(FaultKind fault, StepKind step) {
  switch (fault) {
    case FaultKind::kModelError:
      if (step == StepKind::kRunModel || step == StepKind::kCompactContext) return {};
      return "it calls no model";
    case FaultKind::kToolError:
      if (step == StepKind::kResumeTurn) return {};
      return "it takes no tool results";
    case FaultKind::kControl:
      switch (step) {
        case StepKind::kStartTurn:
          return "the turn does not run before its user message is committed";
        case StepKind::kApplyTurnControl:
          return "one control is applied at a time; the next waits for it";
        case StepKind::kFinishTurnCancellation:
          return "the turn is already being cancelled";
        case StepKind::kRecordTurnFailure:
          return "the turn has already failed";
        default:
          return {};
      }
    default:
      return {};
  }
}

std::uint64_t CountTurns(const Scenario& scenario) {
  std::uint64_t turns = 0;
  for (const Operation& operation : scenario.operations) {
    if (std::holds_alternative<Turn>(operation)) ++turns;
  }
  return turns;
}

std::optional<std::string> Invalid(const Scenario& scenario) {
  if (auto bad = Invalid(scenario.options)) return "options: " + *bad;
  if (auto bad = Invalid(scenario.limits)) return "limits: " + *bad;
  for (std::size_t i = 0; i < scenario.operations.size(); ++i) {
    if (auto bad = InvalidOperation(scenario.operations[i])) {
      return fmt::format("operations[{}]{}", i, *bad);
    }
  }
  const std::uint64_t turns = CountTurns(scenario);
  for (std::size_t i = 0; i < scenario.faults.size(); ++i) {
    if (auto bad = InvalidFault(scenario.faults[i], turns)) {
      return fmt::format("faults[{}]: {}", i, *bad);
    }
  }
  return std::nullopt;
}

std::vector<PlannedStep> PlannedSteps(const Turn& turn) {
  std::vector<PlannedStep> plan;
  plan.reserve(2 * turn.rounds.size() + 2);
  plan.push_back({StepKind::kStartTurn, 1});
  std::uint64_t models = 0;
  std::uint64_t resumes = 0;
  std::uint64_t compactions = 0;
  for (const Round& round : turn.rounds) {
    plan.push_back({StepKind::kRunModel, ++models});
    if (round.compact) {
      plan.push_back({StepKind::kCompactContext, ++compactions});
    } else if (round.tools.empty()) {
      return plan;
    } else {
      plan.push_back({StepKind::kResumeTurn, ++resumes});
    }
  }
  plan.push_back({StepKind::kRunModel, ++models});
  return plan;
}

}  // namespace rollover
