// fuzz_rules: a whole scenario on a core that answers once with something else. The rules must say
// so: an answer that reaches the engine changed, and breaks no rule, is a lie of the harness.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "fuzz/input.h"
#include "fuzz/tampering.h"
#include "fuzz/target.h"
#include "sim/scenario_json.h"

namespace rollover {

namespace {

// Whether what the core was made to answer got to where it is judged: yes, no, or not known yet. A
// racing read may come between an answer and its commit.
std::optional<bool> Arrives(TamperedAnswer changed, TraceKind event) {
  switch (event) {
    case TraceKind::kRead:
      if (changed != TamperedAnswer::kRead) return std::nullopt;
      return true;
    case TraceKind::kCommitted:
      return changed == TamperedAnswer::kResult;
    case TraceKind::kFailed:
      return changed == TamperedAnswer::kFailure;
    case TraceKind::kFault:
      return std::nullopt;
    default:
      return false;
  }
}

// A failure that cannot be saved, or is not read back as it was, is as good as not found.
void ExpectSaved(const Scenario& scenario, const Violation& violation) {
  const ScenarioFile file{scenario, KnownFailure{.rule = std::string(RuleName(violation.rule)),
                                                 .what = violation.what}};
  const auto read = ReadScenario(WriteScenario(file));
  if (!read) Fail("saved", read.error().reason);
  if (!(read.value().failure == file.failure)) Fail("saved", violation.what);
}

}  // namespace

// Input: 5 bytes for what is done to which answer, then a scenario's bytes.
void Fuzz(std::span<const std::uint8_t> bytes) {
  constexpr std::size_t kTamperBytes = 5;
  Input input(bytes.first(std::min(bytes.size(), kTamperBytes)));
  Tampered tampered;
  tampered.tamper = {
      .answer = input.Word(), .what = input.Byte(), .which = input.Byte(), .how = input.Byte()};
  Scenario scenario = FuzzedScenario(bytes.subspan(std::min(bytes.size(), kTamperBytes)));
  // Whether a changed answer arrives must be plain to see: Workers live, models and tools answer.
  std::erase_if(scenario.faults, [](const Fault& fault) {
    return fault.kind != FaultKind::kControl && fault.kind != FaultKind::kReadRace;
  });

  std::string what;
  std::optional<bool> arrived;
  WorldConfig config;
  config.factory = [&](CoreKind kind, const Options& options) {
    auto core = MakeModelCore(kind, options);
    // 0.1.0 is not what is judged: what it does on a session that is not its own is its own affair.
    if (kind == CoreKind::kLegacy) return core;
    return TamperWith(std::move(core), tampered);
  };
  config.trace = [&](const TraceEvent& event) {
    if (tampered.changed == TamperedAnswer::kNone || arrived) return;
    arrived = Arrives(tampered.changed, event.kind);
    if (arrived == true) what = event.text;
  };
  const Verdict verdict = RunScenario(scenario, config);
  if (!verdict.held() && tampered.changed == TamperedAnswer::kNone) ExpectHeld(scenario, verdict);
  if (!verdict.held()) ExpectSaved(scenario, verdict.violations.front());
  if (verdict.held() && arrived == true) {
    SaveScenario(scenario);
    Fail("unseen",
         fmt::format("answer {} changed ({} {} {}) at {}", tampered.answers, tampered.tamper.what,
                     tampered.tamper.which, tampered.tamper.how, what));
  }
}

}  // namespace rollover
