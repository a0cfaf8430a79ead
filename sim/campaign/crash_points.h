// Crash points: for one scenario, each moment at which one more fault can strike it, and one run
// for each.
//
// The moments are those of the hand-outs that commit when the scenario runs as it is. A crash point
// is one at which a Worker dies: before its loads, in its handler, before its commit, in mid-commit
// after 0 .. n of n entries, after the commit. The other faults strike there too, in each way that
// makes a difference: a stalled Worker's commit arrives never, early or late; an engine crash loses
// as many commits as durability allows; limits drop to the least that is sound; options shrink.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "model/result.h"
#include "sim/campaign/hand_outs.h"
#include "sim/campaign/runner.h"
#include "sim/scenario.h"

namespace rollover {

struct CrashPoint {
  std::size_t scenario = 0;  // index into what was enumerated
  Fault fault{};
};

bool IsCrash(FaultKind kind);  // a kill-*

// All that can strike a hand-out, if its result has `entries` entries.
std::vector<Fault> FaultsAt(const Scenario& scenario, const HandOut& hand_out);

// Scenarios with all of their points, in order. Each is made sound first.
class CrashPoints {
 public:
  // The error says which scenario breaks a rule as it is, or that there is no point at all.
  static Result<CrashPoints> Of(std::vector<NamedScenario> scenarios, const CoreFactory& factory);

  std::size_t size() const { return points_.size(); }
  const CrashPoint& operator[](std::size_t i) const { return points_[i]; }
  // The scenario with one more fault, made sound; i < size().
  Scenario ScenarioOf(std::size_t i) const;
  std::string NameOf(
      std::size_t i) const;  // e.g. "x.json + kill-in-handler@RunModel 1.1 of turn 2"

 private:
  std::vector<NamedScenario> scenarios_;
  std::vector<CrashPoint> points_;
};

// How many points a run struck, of how many in its shard.
struct StruckPoints {
  std::uint64_t crashes = 0;
  std::uint64_t crashes_all = 0;
  std::uint64_t others = 0;
  std::uint64_t others_all = 0;
};

// RunSeeds over all points; `config` says the rest. Seed i is point i.
struct CrashPointsReport {
  RunSummary summary{};
  StruckPoints struck{};
};
CrashPointsReport RunCrashPoints(const CrashPoints& points, RunConfig config,
                                 const std::atomic<bool>& interrupted,
                                 const std::function<void(const RunProgress&)>& progress);

}  // namespace rollover
