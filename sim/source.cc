#include "sim/source.h"

namespace rollover {

const Operation* FixedSource::Peek() {
  return next_ < scenario_->operations.size() ? &scenario_->operations[next_] : nullptr;
}

std::vector<Fault> FixedSource::FaultsOf(std::uint64_t number, const Turn&) {
  std::vector<Fault> faults;
  for (const Fault& fault : scenario_->faults) {
    if (fault.turn == number) faults.push_back(fault);
  }
  return faults;
}

}  // namespace rollover
