// fuzz_session: a whole scenario, and every rule after every commit.
//
// ROLLOVER_FUZZ_CORE puts another core in the reference core's place, as --core does: a planted bug
// shows that the target can find it.
#include <cstdlib>

#include "fuzz/target.h"
#include "sim/cores/cores.h"

namespace rollover {
namespace {

CoreFactory FactoryFromEnvironment() {
  const char* text = std::getenv("ROLLOVER_FUZZ_CORE");
  auto core = ParseCoreSpec(text == nullptr ? "" : text);
  if (!core) Fail("ROLLOVER_FUZZ_CORE", core.error().reason);
  return core.value().factory;
}

}  // namespace

void Fuzz(std::span<const std::uint8_t> bytes) {
  static const CoreFactory factory = FactoryFromEnvironment();
  const Scenario scenario = FuzzedScenario(bytes);
  ExpectHeld(scenario, RunScenario(scenario, {.factory = factory}));
}

}  // namespace rollover
