// The file form of a scenario: versioned JSON, written to be read and edited by hand.
//
//   { "version": 1, "core": "reference",
//     "options": {...}, "limits": {...},
//     "operations": [ {"op":"turn", ...}, {"op":"read", ...}, {"op":"restart", ...},
//     {"op":"limits", ...} ], "faults": [
//     {"fault":"kill-mid-commit","turn":7,"step":"RunModel","attempt":1,"entries":2}, ... ],
//     "failure": {...} }
//
// docs/scenario.md names every field. What is left out has its default; a field nobody knows is an
// error, because a mistyped decision would otherwise be silently dropped.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "model/result.h"
#include "sim/scenario.h"

namespace rollover {

// What the scenario is known to show, written beside it when a run fails.
struct KnownFailure {
  std::string rule{};
  std::string what{};
  std::string core{};      // what stood in for the reference: a core specification (cores.h)
  std::string found_by{};  // e.g. "seed 0x5f1c"
  std::string trace_hash{};

  friend bool operator==(const KnownFailure&, const KnownFailure&) = default;
};

struct ScenarioFile {
  Scenario scenario{};
  std::optional<KnownFailure> failure{};
};

std::string WriteScenario(const ScenarioFile& file);

// Reads and validates. The error's reason names the line (for text that is not JSON) or the field,
// and the valid range; it is one line.
Result<ScenarioFile> ReadScenario(std::string_view text);

// Options and limits alone: presets and reports have the same form. A reader throws nothing; null
// members keep their defaults.
nlohmann::ordered_json ToJson(const Options& options);
nlohmann::ordered_json ToJson(const Limits& limits);

}  // namespace rollover
