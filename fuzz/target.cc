#include "fuzz/target.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "sim/scenario_bytes.h"
#include "sim/scenario_json.h"
#include "sim/sound.h"

namespace rollover {
namespace {

// Contents of one input: enough for a few full chunks, and no more of the same.
std::uint64_t ContentBytes(const Scenario& scenario) {
  return 256 * kKibibyte + 3 * scenario.options.message_chunk_max_bytes;
}

}  // namespace

void Fail(std::string_view kind, std::string_view what) {
  std::fputs(fmt::format("\nFAIL {}: {}\n", kind, what).c_str(), stderr);
  std::fflush(stderr);
  std::abort();
}

Scenario FuzzedScenario(std::span<const std::uint8_t> bytes) {
  Scenario scenario = DecodeScenario(bytes);
  LimitContents(scenario, ContentBytes(scenario));
  return MakeSound(std::move(scenario));
}

void ExpectHeld(const Scenario& scenario, const Verdict& verdict) {
  if (verdict.held()) return;
  if (const char* path = std::getenv("ROLLOVER_FUZZ_SCENARIO")) {
    std::ofstream(path) << WriteScenario({scenario, {}});
  }
  const Violation& violation = verdict.violations.front();
  Fail(RuleName(violation.rule), violation.what);
}

}  // namespace rollover
