// Statistics: what one run, or many together, did and reached. Adds up in any order.
#pragma once

#include <array>
#include <cstdint>

#include "model/rules/rule.h"
#include "sim/scenario.h"
#include "sim/situations.h"

namespace rollover {

struct Statistics {
  std::uint64_t turns = 0;  // that started
  std::uint64_t commits = 0;
  std::uint64_t attempts = 0;  // hand-outs
  std::uint64_t reads = 0;
  std::uint64_t stored_bytes = 0;  // of messages, each once
  std::array<std::uint64_t, kFaultKindCount> faults{};
  // How often each kind of fault hit each Step.
  std::array<std::array<std::uint64_t, kStepKindCount>, kFaultKindCount> faults_at{};
  std::array<std::uint64_t, kSituationCount> situations{};
  std::array<std::uint64_t, kRuleCount> evaluations{};

  void Count(const Fault& fault) {
    ++faults[static_cast<std::size_t>(fault.kind)];
    ++faults_at[static_cast<std::size_t>(fault.kind)][static_cast<std::size_t>(fault.step)];
  }
  void Count(Situation situation) { ++situations[static_cast<std::size_t>(situation)]; }
  Statistics& operator+=(const Statistics& other);
};

}  // namespace rollover
