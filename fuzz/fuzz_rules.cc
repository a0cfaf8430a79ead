// fuzz_rules: a whole scenario on a core that answers once with something else. The rules must say
// so: an answer that reaches the engine changed, and breaks no rule, is a lie of the harness.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "fuzz/input.h"
#include "fuzz/tampering.h"
#include "fuzz/target.h"

namespace rollover {

// Input: 4 bytes for what is done to which answer, then a scenario's bytes.
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
  // Of a changed answer: nothing yet, or that the engine took it, or that something else came
  // first.
  std::optional<bool> taken;
  WorldConfig config;
  config.factory = [&](CoreKind kind, const Options& options) {
    auto core = MakeModelCore(kind, options);
    // 0.1.0 is not what is judged: what it does on a session that is not its own is its own affair.
    if (kind == CoreKind::kLegacy) return core;
    return TamperWith(std::move(core), tampered);
  };
  config.trace = [&](const TraceEvent& event) {
    if (!tampered.done || taken) return;
    taken = event.kind == (tampered.of_read ? TraceKind::kRead : TraceKind::kCommitted);
    if (*taken) what = event.text;
  };
  const Verdict verdict = RunScenario(scenario, config);
  for (const Violation& violation : verdict.violations) {
    // A failure is told, and saved, by the name of its rule.
    if (RuleNamed(RuleName(violation.rule)) != violation.rule) Fail("name", violation.what);
  }
  if (verdict.held() && taken == true) {
    SaveScenario(scenario);
    Fail("unseen",
         fmt::format("answer {} changed ({} {} {}) at {}", tampered.answers, tampered.tamper.what,
                     tampered.tamper.which, tampered.tamper.how, what));
  }
}

}  // namespace rollover
