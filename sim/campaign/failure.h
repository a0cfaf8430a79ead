// A failure: a broken rule, and the scenario that breaks it, reduced to the decisions that were
// taken.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cores/cores.h"
#include "sim/scenario.h"
#include "sim/world.h"

namespace rollover {

struct FoundSize {
  std::uint64_t operations = 0;
  std::uint64_t faults = 0;
};

struct FoundFailure {
  Rule rule = Rule::kExactlyOnce;
  std::string what{};
  std::uint64_t seed = 0;  // or, of a fuzzer's input, the first digits of its digest
  TraceEvent where{};
  std::string found_by{};  // one line, e.g. "seed 0x5f1c"
  TraceHash hash{};
  // Only the operations that began and the faults that struck, or less: shrunk.
  Scenario scenario{};
  // What the scenario had when it was found, if it was shrunk since.
  std::optional<FoundSize> found{};
  std::string saved{};                  // its file; empty: not saved
  std::vector<std::string> core_log{};  // an external core's last lines, when it misbehaved
};

// What makes two violations the same failure: the rule (or how else a program failed), and what it says without its numbers. Each
// word with a digit becomes #, a quoted text "..", and of what is repeated ("chunk 3 chunk 7") one
// stays. Which Step, which value and which of two findings of a rule it is all remain, so that
// another bug, even one of the same rule, rarely looks alike.
std::string Fingerprint(std::string_view kind, std::string_view what);
inline std::string Fingerprint(const Violation& violation) {
  return Fingerprint(RuleName(violation.rule), violation.what);
}
inline std::string Fingerprint(const FoundFailure& failure) {
  return Fingerprint(Violation{failure.rule, failure.what, 0});
}

// What had begun and struck when the run stopped at a broken rule. Everything else cannot have
// mattered.
Scenario CutToFailure(const Scenario& scenario, const Verdict& verdict);

// Runs the scenario again before it is reported. The same trace: the failure, its scenario cut down
// to what had begun and struck. Another trace: a failure of `deterministic` that names the first
// event that differs.
FoundFailure Confirm(const Scenario& scenario, const Verdict& verdict, const CoreFactory& factory);

// The first event in which two runs of one scenario differ; empty when they do not.
std::string FirstDifference(const Scenario& scenario, const CoreFactory& a, const CoreFactory& b);

// Writes a scenario file with what it is known to show, whole or not at all; sets `saved`. The
// error names the path.
std::optional<std::string> SaveAs(FoundFailure& failure, const CoreSpec& core,
                                  const std::filesystem::path& path);
// The same as DIR/failures/RULE-SEED.json, or RULE-SEED-NAME.json; where another failure has that
// name already, with -2, -3, ... behind it.
std::optional<std::string> Save(FoundFailure& failure, const CoreSpec& core,
                                const std::filesystem::path& directory,
                                const std::string& name = "");

// As people see it (docs/running.md), several lines.
std::string Describe(const FoundFailure& failure);

}  // namespace rollover
