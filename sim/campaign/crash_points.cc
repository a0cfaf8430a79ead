#include "sim/campaign/crash_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/digest.h"
#include "sim/sound.h"

namespace rollover {
namespace {

constexpr std::array kPoints = {Point::kHandedOut, Point::kInHandler, Point::kBeforeCommit,
                                Point::kAfterCommit};
constexpr std::array kLates = {Late::kNever, Late::kBefore, Late::kAfter};

class StrikesAt {
 public:
  StrikesAt(const Scenario& scenario, const HandOut& at) : scenario_(scenario), at_(at) {}

  std::vector<Fault> All() {
    for (std::size_t f = 0; f < kFaultKindCount; ++f) {
      const auto kind = static_cast<FaultKind>(f);
      if (CanHit(kind, at_.step)) AddEach(kind);
    }
    return std::move(faults_);
  }

 private:
  Fault Plain(FaultKind kind) const {
    return {.kind = kind,
            .turn = at_.turn,
            .step = at_.step,
            .occurrence = at_.occurrence,
            .attempt = at_.attempt};
  }

  template <typename Values, typename Set>
  void ForEach(FaultKind kind, const Values& values, Set set) {
    for (const auto& value : values) {
      Fault fault = Plain(kind);
      set(fault, value);
      faults_.push_back(std::move(fault));
    }
  }

  void AddEach(FaultKind kind) {
    switch (kind) {
      case FaultKind::kKillMidCommit:
        for (std::uint64_t entries = 0; entries <= at_.entries; ++entries) {
          faults_.push_back(Plain(kind));
          faults_.back().entries = entries;
        }
        return;
      case FaultKind::kStall:
        return ForEach(kind, kLates, [](Fault& fault, Late late) { fault.late = late; });
      case FaultKind::kEngineCrash:
        return AddCrashes();
      case FaultKind::kValueLimit:
      case FaultKind::kResultLimit:
        return ForEach(kind, kPoints, [](Fault& fault, Point at) {
          fault.at = at;
          fault.bytes = 1;  // MakeSound raises it to the least that is sound
        });
      case FaultKind::kModelError:
      case FaultKind::kToolError:
        return ForEach(kind, std::array{true, false},
                       [](Fault& fault, bool retryable) { fault.retryable = retryable; });
      case FaultKind::kControl:
        return AddControls();
      case FaultKind::kReadRace:
        return AddReads();
      case FaultKind::kOptionsChange:
        return AddOptions();
      case FaultKind::kCoreSwap:
        if (scenario_.core == CoreKind::kLegacy) return;  // an upgrade is an operation of its own
        faults_.push_back(Plain(kind));
        faults_.back().core = CoreKind::kLegacy;
        faults_.back().this_attempt_only = true;
        return;
      default:
        faults_.push_back(Plain(kind));
    }
  }

  void AddCrashes() {
    const bool async = scenario_.limits.durability == Durability::kAsync;
    for (const Point point : kPoints) {
      const std::uint64_t commits = at_.commits + (point == Point::kAfterCommit ? 1 : 0);
      const std::uint64_t most = async ? std::min(kRollbackCommitsMax, commits) : 0;
      for (std::uint64_t lost = 0; lost <= most; ++lost) {
        faults_.push_back(Plain(FaultKind::kEngineCrash));
        faults_.back().at = point;
        faults_.back().commits = lost;
      }
    }
  }

  void AddControls() {
    for (const ControlKind control : {ControlKind::kCancel, ControlKind::kSteer}) {
      if (control == ControlKind::kSteer && !IsFollowedByATurn()) continue;
      for (const Point point : {Point::kHandedOut, Point::kInHandler, Point::kBeforeCommit}) {
        for (const Late late : kLates) {
          if (late != Late::kNever && point == Point::kHandedOut) continue;  // nothing computed
          faults_.push_back(Plain(FaultKind::kControl));
          faults_.back().at = point;
          faults_.back().control = control;
          faults_.back().late = late;
        }
      }
    }
  }

  // The steering message is the next operation.
  bool IsFollowedByATurn() const {
    std::uint64_t turn = 0;
    for (std::size_t i = 0; i + 1 < scenario_.operations.size(); ++i) {
      if (std::holds_alternative<Turn>(scenario_.operations[i])) ++turn;
      if (turn == at_.turn) return std::holds_alternative<Turn>(scenario_.operations[i + 1]);
    }
    return false;
  }

  void AddReads() {
    const std::array reads = {Read{}, Read{.rpc = Rpc::kListAgentMessages,
                                           .before = Anchor{.place = AnchorPlace::kNext}}};
    for (const Read& read : reads) {
      ForEach(FaultKind::kReadRace, kPoints, [&](Fault& fault, Point at) {
        fault.at = at;
        fault.read = read;
      });
    }
  }

  // A smaller window; smaller chunks too.
  void AddOptions() {
    Options smaller = scenario_.options;
    smaller.message_window_size = (smaller.message_window_size + 1) / 2;
    smaller.message_chunk_size = std::min(smaller.message_chunk_size, smaller.message_window_size);
    Options least = smaller;
    least.message_window_size = 1;
    least.message_chunk_size = 1;
    least.message_chunk_max_bytes = kChunkBytesFloor;
    ForEach(FaultKind::kOptionsChange, std::array{smaller, least},
            [](Fault& fault, const Options& options) { fault.options = options; });
  }

  const Scenario& scenario_;
  const HandOut& at_;
  std::vector<Fault> faults_;
};

}  // namespace

std::vector<Fault> FaultsAt(const Scenario& scenario, const HandOut& hand_out) {
  return StrikesAt(scenario, hand_out).All();
}

bool IsCrash(FaultKind kind) {
  switch (kind) {
    case FaultKind::kKillBeforeLoad:
    case FaultKind::kKillInHandler:
    case FaultKind::kKillBeforeCommit:
    case FaultKind::kKillMidCommit:
    case FaultKind::kKillAfterCommit:
      return true;
    default:
      return false;
  }
}

Result<CrashPoints> CrashPoints::Of(std::vector<NamedScenario> scenarios,
                                    const CoreFactory& factory) {
  CrashPoints points;
  points.scenarios_ = std::move(scenarios);
  for (std::size_t i = 0; i < points.scenarios_.size(); ++i) {
    NamedScenario& named = points.scenarios_[i];
    named.scenario = MakeSound(std::move(named.scenario));
    const HandOutLog log = HandOutsOf(named.scenario, factory);
    if (!log.verdict.held()) {
      const Violation& violation = log.verdict.violations.front();
      return Error{fmt::format("{}: breaks {} as it is ({}); valid: a scenario that holds",
                               named.name, RuleName(violation.rule), violation.what)};
    }
    for (const HandOut& hand_out : log.hand_outs) {
      if (!hand_out.committed) continue;
      for (Fault& fault : FaultsAt(named.scenario, hand_out)) {
        points.points_.push_back({i, std::move(fault)});
      }
    }
  }
  if (points.points_.empty()) {
    return Error{"no Step commits: there is nothing to strike; valid: a scenario with turns"};
  }
  return points;
}

Scenario CrashPoints::ScenarioOf(std::size_t i) const {
  const CrashPoint& point = points_[i];
  Scenario scenario = scenarios_[point.scenario].scenario;
  scenario.faults.push_back(point.fault);
  return MakeSound(std::move(scenario));
}

std::string CrashPoints::NameOf(std::size_t i) const {
  return fmt::format("{} + {}", scenarios_[points_[i].scenario].name, Describe(points_[i].fault));
}

CrashPointsReport RunCrashPoints(const CrashPoints& points, RunConfig config,
                                 const std::atomic<bool>& interrupted,
                                 const std::function<void(const RunProgress&)>& progress) {
  CrashPointsReport report;
  StruckPoints& struck = report.struck;
  for (std::size_t i = config.shard.index - 1; i < points.size(); i += config.shard.count) {
    ++(IsCrash(points[i].fault.kind) ? struck.crashes_all : struck.others_all);
  }
  config.first_seed = 0;
  config.seeds = points.size();
  config.scenario_of = [&](std::uint64_t i) { return points.ScenarioOf(i); };
  config.name_of = [&](std::uint64_t i) { return points.NameOf(i); };
  config.number_of = [&](std::uint64_t i) { return Digest(points.NameOf(i)); };
  config.on_verdict = [&](std::uint64_t i, const Verdict& verdict) {
    const Fault& fault = points[i].fault;
    const bool missed =
        std::any_of(verdict.unfired.begin(), verdict.unfired.end(), [&](const Fault& unfired) {
          return unfired.kind == fault.kind && unfired.turn == fault.turn &&
                 unfired.step == fault.step && unfired.occurrence == fault.occurrence &&
                 unfired.attempt == fault.attempt && unfired.at == fault.at;
        });
    if (!missed) ++(IsCrash(fault.kind) ? struck.crashes : struck.others);
  };
  report.summary = RunSeeds(config, interrupted, progress);
  return report;
}

}  // namespace rollover
