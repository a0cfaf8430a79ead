#include "sim/fuzzed_scenario.h"

#include "sim/scenario_bytes.h"
#include "sim/sound.h"

namespace rollover {
namespace {

// Contents of one input: enough for a few full chunks, and no more of the same.
std::uint64_t ContentBytes(const Scenario& scenario) {
  return 256 * kKibibyte + 3 * scenario.options.message_chunk_max_bytes;
}

}  // namespace

Scenario FuzzedScenario(std::span<const std::uint8_t> bytes) {
  Scenario scenario = DecodeScenario(bytes);
  LimitContents(scenario, ContentBytes(scenario));
  return MakeSound(std::move(scenario));
}

}  // namespace rollover
