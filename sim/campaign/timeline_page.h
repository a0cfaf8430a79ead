// The page of one scenario (`replay --trace html`): its events in lanes, each commit's window and
// chunks before and after it, and the rule that broke where it broke.
#pragma once

#include <string>
#include <vector>

#include "sim/campaign/replay.h"

namespace rollover {

// Events that are drawn: the last before a broken rule, or, when none broke, the first.
inline constexpr std::size_t kTimelineEventsMax = 400;

struct Timeline {
  std::string path{};  // of the scenario file, for the command
  std::string core{};  // a specification (cores.h); empty: the scenario's own
  const ScenarioFile& file;
  const ReplayConfig& config;
  const ReplayResult& result;
  const std::vector<TraceEvent>& events;  // all of them
};
std::string TimelinePage(const Timeline& timeline);

}  // namespace rollover
