// Structure-aware mutation, for the targets whose input is a scenario's bytes. Now and then the
// driver's own, which knows what comparisons the code made.
#include <algorithm>
#include <cstring>

#include "sim/scenario_mutator.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t size_max);

namespace {

std::size_t Deliver(const std::string& bytes, std::uint8_t* out, std::size_t size_max) {
  const std::size_t size = std::min(bytes.size(), size_max);
  std::memcpy(out, bytes.data(), size);
  return size;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t size_max, unsigned seed) {
  if (seed % 8 == 0) return LLVMFuzzerMutate(data, size, size_max);
  return Deliver(rollover::MutateScenario({data, size}, seed, size_max), data, size_max);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* data1, std::size_t size1,
                                                 const std::uint8_t* data2, std::size_t size2,
                                                 std::uint8_t* out, std::size_t size_max,
                                                 unsigned seed) {
  return Deliver(rollover::SpliceScenarios({data1, size1}, {data2, size2}, seed, size_max), out,
                 size_max);
}
