// The drawings of a timeline: all of it in lanes, and what one commit did to window and chunks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/campaign/traced_state.h"
#include "sim/trace.h"

namespace rollover {

// How an attempt ended.
enum class Outcome : std::uint8_t { kNone, kCommitted, kDied, kFailed, kRefused, kBroke };

// Events that belong together: one attempt, or what happens between attempts.
struct EventGroup {
  std::size_t first = 0;  // indices of events
  std::size_t last = 0;
  bool attempt = false;
  Outcome outcome = Outcome::kNone;
};

enum class Lane : std::uint8_t { kEngine, kAttempt, kCommit, kRead };
inline constexpr std::size_t kLaneCount = 4;
std::string_view LaneName(Lane lane);
Lane LaneOf(TraceKind kind);

// Events from left to right, in a lane each; `broken` is the index of the one at which a rule
// broke.
std::string OverviewSvg(const std::vector<TraceEvent>& events,
                        const std::vector<EventGroup>& groups, std::optional<std::size_t> broken,
                        int width);

// Which sequences were in the window and in which chunk, and are; nothing when neither changed.
std::string CommitSvg(const TracedState& before, const TracedState& after);
// The same in words: "window 4 to 2 messages ...".
std::string CommitWords(const TracedState& before, const TracedState& after);

}  // namespace rollover
