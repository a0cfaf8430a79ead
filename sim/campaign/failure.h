// A failure: a broken rule, and the scenario that breaks it, reduced to the decisions that were
// taken.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "sim/cores/cores.h"
#include "sim/scenario.h"
#include "sim/world.h"

namespace rollover {

struct FoundFailure {
  Rule rule = Rule::kExactlyOnce;
  std::string what{};
  std::uint64_t seed = 0;
  TraceEvent where{};
  std::string found_by{};  // one line, e.g. "seed 0x5f1c"
  TraceHash hash{};
  Scenario scenario{};  // only the operations that began and the faults that struck
  std::string saved{};  // its file; empty: not saved
};

// Runs the scenario again before it is reported. The same trace: the failure, its scenario cut down
// to what had begun and struck. Another trace: a failure of `deterministic` that names the first
// event that differs.
FoundFailure Confirm(const Scenario& scenario, const Verdict& verdict, const CoreFactory& factory);

// The first event in which two runs of one scenario differ; empty when they do not.
std::string FirstDifference(const Scenario& scenario, const CoreFactory& a, const CoreFactory& b);

// Writes DIR/failures/RULE-SEED.json, whole or not at all; sets `saved`. The error names the path.
std::optional<std::string> Save(FoundFailure& failure, const CoreSpec& core,
                                const std::filesystem::path& directory);

// As people see it (docs/running.md), several lines.
std::string Describe(const FoundFailure& failure);

// Writes a file by way of a temporary name, so that a killed run leaves the old one or the new one.
std::optional<std::string> WriteFile(const std::filesystem::path& path, const std::string& text);

}  // namespace rollover
