// A fuzz target: one surface, fed with any bytes.
//
// Each fuzz_NAME.cc defines Fuzz. Linked with libFuzzer (libfuzzer.cc) it is driven by coverage;
// linked with replay.cc it is a plain program that runs files and folders.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "model/rules/rule.h"
#include "sim/fuzzed_scenario.h"
#include "sim/world.h"

namespace rollover {

// Returns when nothing is wrong; else dies by way of Fail, CHECK or a sanitizer.
void Fuzz(std::span<const std::uint8_t> bytes);

// Says "FAIL <kind>: <what>" in one line on stderr, and aborts. The kind and the shape of what was
// seen tell failures apart (docs/fuzzing.md).
[[noreturn]] void Fail(std::string_view kind, std::string_view what);

// Before a failure: writes the scenario as JSON to the file that ROLLOVER_FUZZ_SCENARIO names, if
// it is set.
void SaveScenario(const Scenario& scenario);

// Saves the scenario and fails with the broken rule, if there is one.
void ExpectHeld(const Scenario& scenario, const Verdict& verdict);

}  // namespace rollover
