// fuzz_differential: the same scenario with shared values and with every value encoded and decoded
// at the boundary leaves the same trace.
#include <fmt/format.h>

#include "fuzz/target.h"
#include "sim/cores/cores.h"

namespace rollover {

void Fuzz(std::span<const std::uint8_t> bytes) {
  static const CoreFactory encoded = BehindBytes(MakeModelCore);
  const Scenario scenario = FuzzedScenario(bytes);
  const Verdict typed = RunScenario(scenario);
  const Verdict through_bytes = RunScenario(scenario, {.factory = encoded});
  if (!(typed.hash == through_bytes.hash)) {
    Fail("differential",
         fmt::format("typed {} <> bytes {}", typed.hash.Hex(), through_bytes.hash.Hex()));
  }
  ExpectHeld(scenario, typed);
}

}  // namespace rollover
