// What blame found out, for the page of a timeline (timeline_page.h).
#pragma once

#include <cstdint>
#include <string>

#include "sim/campaign/blame.h"

namespace rollover {

// Which decisions are necessary, and how many futures fail from when on.
std::string BlameSections(const BlameReport& report);
// For the heading of the hand-out that is this event of the trace; empty where nothing is known.
std::string FuturesTag(const BlameReport& report, std::uint64_t event);

}  // namespace rollover
