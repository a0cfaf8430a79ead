// Fate: the other half of an explored state, what is not durable: which faults are still to come,
// how often the queued Step was handed out, which late commits are on their way, and what the
// Worker's process has seen.
//
// Most fates at one durable state have the same future up to their numbers, so the search carries
// them together: a commit is computed and judged once for all of them.
#pragma once

#include <array>
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <memory>
#include <vector>

#include "model/step.h"
#include "sim/campaign/digest_set.h"
#include "sim/scenario.h"

namespace rollover {

inline constexpr std::size_t kExploreFaultsMax = 4;

// A Fault (scenario.h) in a few bytes.
struct Strike {
  FaultKind kind = FaultKind::kKillBeforeLoad;
  StepKind step = StepKind::kStartTurn;
  Point at = Point::kHandedOut;
  Late late = Late::kNever;
  ControlKind control = ControlKind::kCancel;
  bool retryable = false;
  std::uint8_t turn = 0;
  std::uint8_t occurrence = 0;
  std::uint8_t attempt = 0;
  std::uint8_t entries = 0;
  std::uint8_t commits = 0;
  std::uint16_t bytes = 0;
};

Fault FaultOf(const Strike& strike);

// What a Worker's process was asked since it started. A core that remembers is brought to the same
// memory by asking a fresh one the same; a core that is a function of its input needs none of it.
struct ProcessPast {
  std::shared_ptr<const ProcessPast> before;
  StepInput input;
  std::uint32_t attempt = 1;
  FlowState state;
  LoadList loads;
  std::uint64_t digest = 0;  // of all of it
};

// Hand-outs of a Step that a crash of the engine may bring back.
struct HandOutCount {
  std::uint8_t turn = 0;
  StepKind step = StepKind::kStartTurn;
  std::uint8_t occurrence = 0;
  std::uint8_t count = 0;
};

struct Fate {
  std::uint8_t faults_left = 0;
  std::uint8_t attempt = 1;      // of the queued Step
  std::uint8_t late_before = 0;  // commits that arrive before, after the next that is applied
  std::uint8_t late_after = 0;
  std::uint8_t struck_count = 0;
  std::array<Strike, kExploreFaultsMax> struck{};
  boost::container::small_vector<HandOutCount, 2> counts{};
  std::shared_ptr<const ProcessPast> process{};

  // With a durable half: the digest of the whole state. How it came about (`struck`) is no part.
  StateDigest DigestWith(const StateDigest& session, std::uint64_t history) const;
  // After one more fault.
  Fate Spent(const Strike& strike) const;
  std::uint8_t CountOf(std::uint8_t turn, StepKind step, std::uint8_t occurrence) const;
  void Forget(std::uint8_t turn, StepKind step, std::uint8_t occurrence);
};

using Fates = std::vector<Fate>;

}  // namespace rollover
