#include "sim/statistics.h"

namespace rollover {
namespace {

template <std::size_t N>
void Add(std::array<std::uint64_t, N>& to, const std::array<std::uint64_t, N>& from) {
  for (std::size_t i = 0; i < N; ++i) to[i] += from[i];
}

}  // namespace

Statistics& Statistics::operator+=(const Statistics& other) {
  turns += other.turns;
  commits += other.commits;
  attempts += other.attempts;
  reads += other.reads;
  stored_bytes += other.stored_bytes;
  Add(faults, other.faults);
  for (std::size_t i = 0; i < kFaultKindCount; ++i) Add(faults_at[i], other.faults_at[i]);
  Add(situations, other.situations);
  Add(evaluations, other.evaluations);
  return *this;
}

}  // namespace rollover
