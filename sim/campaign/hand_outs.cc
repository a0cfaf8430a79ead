#include "sim/campaign/hand_outs.h"

namespace rollover {

HandOutLog HandOutsOf(const Scenario& scenario, const CoreFactory& factory) {
  HandOutLog log;
  bool quiet = false;
  const auto hear = [&](const TraceEvent& event) {
    quiet = quiet || event.kind == TraceKind::kQuiet;
    if (quiet) return;
    if (event.kind == TraceKind::kHandOut) {
      log.hand_outs.push_back({.turn = event.turn,
                               .step = event.step,
                               .occurrence = event.occurrence,
                               .attempt = event.attempt,
                               .commits = event.commit});
    } else if (event.kind == TraceKind::kCommitted) {
      log.hand_outs.back().committed = true;
    } else if (event.kind == TraceKind::kWrite) {
      ++log.hand_outs.back().entries;
    }
  };
  log.verdict = RunScenario(scenario, {.factory = factory, .trace = hear});
  return log;
}

}  // namespace rollover
