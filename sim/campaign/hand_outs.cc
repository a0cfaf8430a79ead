#include "sim/campaign/hand_outs.h"

namespace rollover {

HandOutLog HandOutsOf(const Scenario& scenario, const CoreFactory& factory,
                      const std::function<void(const World&, std::size_t)>& on_turn_end) {
  HandOutLog log;
  bool quiet = false;
  std::uint64_t accepted = 0;
  TraceKind before = TraceKind::kEnd;
  const auto hear = [&](const TraceEvent& event) {
    quiet = quiet || event.kind == TraceKind::kQuiet;
    if (quiet) return;
    if (event.kind == TraceKind::kHandOut) {
      log.hand_outs.push_back({.turn = event.turn,
                               .step = event.step,
                               .occurrence = event.occurrence,
                               .attempt = event.attempt,
                               .commits = event.commit,
                               .event = event.number});
    } else if (event.kind == TraceKind::kTurnAccepted) {
      ++accepted;
      // Any other turn is accepted while nothing is handed out.
      if (before == TraceKind::kFault) log.hand_outs.back().steered_to = accepted;
    } else if (event.kind == TraceKind::kCommitted) {
      log.hand_outs.back().committed = true;
    } else if (event.kind == TraceKind::kWrite) {
      ++log.hand_outs.back().entries;
    }
    before = event.kind;
  };
  WorldConfig config{.factory = factory, .trace = hear};
  if (on_turn_end) {
    config.on_turn_end = [&](const World& world) {
      if (!quiet) on_turn_end(world, log.hand_outs.size());
    };
  }
  log.verdict = RunScenario(scenario, config);
  return log;
}

}  // namespace rollover
