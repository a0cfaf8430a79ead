// Where a run's operations and faults come from: a scenario in memory, or a soak that makes them as
// it goes, so that a run of any length takes constant memory.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/scenario.h"

namespace rollover {

class ScenarioSource {
 public:
  virtual ~ScenarioSource() = default;
  // The next operation, null at the end; valid until Pop.
  virtual const Operation* Peek() = 0;
  // Takes the next operation; there must be one.
  virtual Operation Pop() = 0;
  // The faults of the `number`-th turn. Called once a turn, in order, when the turn is accepted.
  virtual std::vector<Fault> FaultsOf(std::uint64_t number, const Turn& turn) = 0;
};

// `scenario` must outlive the source.
class FixedSource : public ScenarioSource {
 public:
  explicit FixedSource(const Scenario& scenario) : scenario_(&scenario) {}
  const Operation* Peek() override;
  Operation Pop() override { return scenario_->operations[next_++]; }
  std::vector<Fault> FaultsOf(std::uint64_t number, const Turn& turn) override;

 private:
  const Scenario* scenario_;
  std::size_t next_ = 0;
};

}  // namespace rollover
