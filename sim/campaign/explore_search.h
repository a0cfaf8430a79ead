// ExploreSearch: one depth-first search through everything that can happen to a session in a scope.
//
//   idle ──► any turn of the menu ──► Step handed out ──► commit ──► Step ... ──► idle
//                                        │  │  └► dies, stalls, engine crashes: handed out again
//                                        │  └► error, refusal: the failure route
//                                        └► cancel, steer
//
// A state is a durable half (explore_session.h) and a fate (explore_fate.h). States that were seen
// are not entered again. At each new durable half every read of a menu is answered and judged; when
// all turns are used up, the quiet phase follows, as in a World. The search stops at the first
// broken rule.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/campaign/explore_fate.h"
#include "sim/campaign/explore_session.h"
#include "sim/world.h"

namespace rollover {

struct SearchConfig {
  ExploreScope scope{};
  CoreFactory factory = MakeModelCore;
  // The core's answers depend on its input and loads alone, as the model's do: not on the attempt,
  // and not on what the process did before.
  bool core_is_a_function = false;
  std::uint64_t states_max = ~std::uint64_t{0};
  std::uint64_t memory_max = std::uint64_t{1} << 30;  // bytes, of the digests
  std::function<bool()> time_is_up{};  // asked now and then; none: never
  // Each idle session when all turns are used up, with a scenario that leads to it.
  std::function<void(const Scenario&, const ExploredSession&)> on_leaf{};
};

struct SearchResult {
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint64_t commits = 0;  // judged, without those of quiet phases
  std::uint64_t reads = 0;
  std::uint64_t quiet_phases = 0;
  std::uint64_t depth = 0;         // transitions on the longest path
  std::uint64_t crash_points = 0;  // of the Steps that no fault precedes
  std::uint64_t crash_points_struck = 0;
  std::string stopped_by{};  // empty: everything in the scope was seen
  std::optional<Violation> violation{};
  // What should show the violation, the simplest first; none if it is not one.
  std::vector<Scenario> scenarios{};
};

// `interrupted` ends it, as if a maximum was reached.
SearchResult Search(const SearchConfig& config, const std::atomic<bool>& interrupted);

}  // namespace rollover
