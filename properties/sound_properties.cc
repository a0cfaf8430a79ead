// Soundness: any scenario is made sound once, and is then left alone.
#include <gtest/gtest.h>

#include "properties/rules_hold.h"
#include "sim/sound.h"

namespace rollover {
namespace {

Shape Unsound() {
  Shape shape = EverythingHappens();
  shape.sound = false;
  return shape;
}

TEST(Soundness, IsReachedInOneStep) {
  std::uint64_t changed = 0;
  const bool whole = ForAll<Scenario>(
      Scenarios(Unsound()),
      [&changed](const Scenario& scenario) {
        if (const auto invalid = Invalid(scenario)) return Broken("generator", *invalid);
        const Scenario sound = MakeSound(scenario);
        changed += sound == scenario ? 0 : 1;
        if (const auto invalid = Invalid(sound)) return Broken("invalid", *invalid);
        return MakeSound(sound) == sound ? Held() : Broken("twice", "the second time changes more");
      },
      2000);
  if (whole) {
    EXPECT_GT(changed, 1800u);
  }
}

TEST(Soundness, SparesTheReference) {
  ForAll<Scenario>(
      Scenarios(Unsound()),
      [](const Scenario& scenario) { return HoldsOn(MakeSound(scenario), "reference"); }, 2000);
}

TEST(Soundness, OutlivesSmallerContents) {
  ForAll<Scenario>(
      Scenarios(EverythingHappens()),
      [](const Scenario& scenario) {
        Scenario limited = scenario;
        LimitContents(limited, 4096);
        return HoldsOn(MakeSound(std::move(limited)), "reference");
      },
      2000);
}

}  // namespace
}  // namespace rollover
