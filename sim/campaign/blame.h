// Blame: why did it fail? Which decisions of a failing scenario are necessary, and from which of
// its moments on is the failure certain?
//
// Each decision (operation, round, tool result, fault, option) is flipped on its own and the
// scenario run again: dropped; a fault also moved to the hand-out before and behind it, and given
// each other outcome that it can have there. Then the scenario is cut off behind each hand-out of
// its turns, and continued at random (continuation.h): the share of futures that break the same
// rule says how far the failure was decided by then.
#pragma once

#include <atomic>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/campaign/hand_outs.h"
#include "sim/cores/cores.h"

namespace rollover {

// Moments that are continued: the last ones before the failure, if there are more.
inline constexpr std::size_t kBlameMomentsMax = 128;

struct BlameConfig {
  CoreSpec core{};
  std::uint64_t continuations = 100;  // of each moment
  std::uint64_t jobs = 1;
};

struct Flip {
  std::string what{};   // e.g. "dropped", "at RunModel 1 attempt 1 of turn 2 instead"
  std::string broke{};  // the rule that the flipped scenario breaks; empty: it holds
  bool same = false;    // it still is the same failure (Fingerprint)
};

struct Decision {
  std::string what{};
  Flip dropped{};
  std::vector<Flip> others{};

  bool necessary() const { return !dropped.same; }
};

struct Moment {
  std::optional<HandOut> after{};  // none: before anything
  std::uint64_t failed = 0;
  std::uint64_t futures = 0;

  bool certain() const { return failed == futures; }
};

struct BlameReport {
  Violation violation{};
  TraceEvent where{};
  std::vector<Decision> decisions{};
  std::vector<Moment> moments{};
  std::size_t moments_skipped = 0;  // earlier ones
  // The first moment from which on every future fails; none: something behind the last hand-out,
  // such as a read, decides it.
  std::optional<std::size_t> certain_from{};
  std::uint64_t runs = 0;
  bool interrupted = false;  // nothing above may be relied on

  std::size_t necessary() const;
};

// `scenario` must break a rule on the core, `deterministic` aside.
BlameReport Blame(const Scenario& scenario, const BlameConfig& config,
                  const std::atomic<bool>& interrupted);

nlohmann::ordered_json BlameJson(const BlameReport& report);
std::string BlameScreen(const BlameReport& report);

}  // namespace rollover
