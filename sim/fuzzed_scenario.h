// The scenario that a fuzzer's bytes stand for: decoded, sound, and small enough to run many times
// a second.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "sim/scenario.h"

namespace rollover {

Scenario FuzzedScenario(std::span<const std::uint8_t> bytes);
inline Scenario FuzzedScenario(std::string_view bytes) {
  return FuzzedScenario({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

}  // namespace rollover
