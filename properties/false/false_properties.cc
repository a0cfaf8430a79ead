// Properties that are false on purpose, in a program of their own: tests/properties runs it to see
// that each fails, and how.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "properties/arbitrary.h"
#include "properties/property.h"
#include "properties/rules_hold.h"
#include "sim/cores/planted_bugs.h"

namespace rollover {
namespace {

// False until it is mended: then its reproduce string has nothing more to show.
TEST(False, NoScenarioHasTwoTurnsAndAFault) {
  const bool mended = std::getenv("ROLLOVER_MENDED") != nullptr;
  ForAll<Scenario>(Scenarios({.faults = {FaultKind::kStall}}), [&](const Scenario& scenario) {
    const bool has = CountTurns(scenario) >= 2 && !scenario.faults.empty();
    return has && !mended ? Broken("two-turns", "two turns and a fault") : Held();
  });
}

// Shrinking must stay with the rule that was found first: shorter scenarios break another.
TEST(False, NoScenarioIsLong) {
  bool found = false;
  ForAll<Scenario>(Scenarios({}), [&found](const Scenario& scenario) {
    const std::size_t operations = scenario.operations.size();
    found = found || operations >= 12;
    if (operations >= 12) return Broken("twelve", "twelve operations or more");
    return found ? Broken("fewer", "fewer than twelve operations") : Held();
  });
}

TEST(False, EverythingIsDiscarded) {
  ForAll<Scenario>(Scenarios({}), [](const Scenario&) { return Discarded(); });
}

TEST(False, ThisOneIsTrue) {
  ForAll<Scenario>(Scenarios({}), [](const Scenario&) { return Held(); });
}

class AllRulesHoldOn : public testing::TestWithParam<std::string> {};

TEST_P(AllRulesHoldOn, Bug) {
  ForAll<Scenario>(
      Scenarios(EverythingHappens()),
      [](const Scenario& scenario) { return HoldsOn(scenario, "bug:" + GetParam()); }, 3000);
}

std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (const PlantedBug& bug : PlantedBugs()) {
    if (IsCommon(bug)) names.emplace_back(bug.name);
  }
  return names;
}

// GoogleTest takes no hyphens.
std::string NameOf(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Planted, AllRulesHoldOn, testing::ValuesIn(Names()), NameOf);

}  // namespace
}  // namespace rollover
