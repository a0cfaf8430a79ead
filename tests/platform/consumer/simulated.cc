// The simulator in another project: one generated session under faults, judged by every rule.
#include <cstdio>

#include "sim/generator.h"
#include "sim/world.h"

int main() {
  const rollover::Scenario scenario = rollover::GenerateScenario(1);
  const rollover::Verdict verdict = rollover::RunScenario(scenario);
  std::printf("seed 1: %s\n",
              verdict.held() ? "all rules held" : verdict.violations[0].what.c_str());
  return verdict.held() ? 0 : 1;
}
