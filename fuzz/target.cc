#include "fuzz/target.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "sim/campaign/files.h"
#include "sim/scenario_json.h"

namespace rollover {
void Fail(std::string_view kind, std::string_view what) {
  std::fputs(fmt::format("\nFAIL {}: {}\n", kind, what).c_str(), stderr);
  std::fflush(stderr);
  std::abort();
}

void SaveScenario(const Scenario& scenario) {
  if (const char* path = std::getenv("ROLLOVER_FUZZ_SCENARIO")) {
    // A file that cannot be written is missed by whoever named it; the failure is told below.
    WriteFile(path, WriteScenario({scenario, {}}));
  }
}

void ExpectHeld(const Scenario& scenario, const Verdict& verdict) {
  if (verdict.held()) return;
  SaveScenario(scenario);
  const Violation& violation = verdict.violations.front();
  Fail(RuleName(violation.rule), violation.what);
}

}  // namespace rollover
