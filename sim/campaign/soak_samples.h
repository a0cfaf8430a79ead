// Samples of a soak, for drawing it: what each turn left, in at most kSoakBuckets buckets of
// equally many turns. When they are full, neighbours merge: memory does not grow with the turns.
//
// A bucket keeps the whole state at its turn with the most live bytes, so that names stacked on
// each other add up to what there really was; of counts the least and the most; of commits the
// largest; of what happens, sums.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/world.h"

namespace rollover {

inline constexpr std::size_t kSoakBuckets = 512;

struct SampleRange {
  std::uint64_t low = ~std::uint64_t{0};
  std::uint64_t high = 0;

  void Add(SampleRange other) {
    low = std::min(low, other.low);
    high = std::max(high, other.high);
  }
};

struct SoakBucket {
  std::uint64_t turns = 0;                             // that ended in it; 0: the rest is void
  std::array<std::uint64_t, kNameCount> live_bytes{};  // after the turn with the most
  std::optional<std::uint64_t> bound{};                // after the same turn
  SampleRange live{};
  SampleRange superseded{};
  SampleRange kept{};    // messages
  SampleRange window{};  // messages
  SampleRange chunks{};
  std::uint64_t largest_commit = 0;  // bytes of values written
  std::uint64_t index_writes = 0;
  std::array<std::uint64_t, kFaultKindCount> faults{};  // that struck

  void Add(const SoakBucket& other);
};

struct SoakSamples {
  std::uint64_t width = 1;            // turns a bucket; a power of two
  std::vector<SoakBucket> buckets{};  // the i-th holds turns i * width + 1 .. (i + 1) * width
};

class SoakSampler {
 public:
  // Turns after `turns` (a quiet phase) are not sampled.
  explicit SoakSampler(std::uint64_t turns) : turns_(turns) {}

  void OnEvent(const TraceEvent& event);  // every event of the run's trace
  void OnTurnEnd(const World& world);
  SoakSamples Take() { return std::move(samples_); }

 private:
  void Add(std::uint64_t turn, const SoakBucket& bucket);

  std::uint64_t turns_;
  SoakSamples samples_;
  std::uint64_t commit_bytes_ = 0;    // of the commit that is being told
  std::uint64_t largest_commit_ = 0;  // since the last end of a turn, as is what follows
  std::uint64_t index_writes_ = 0;
  std::array<std::uint64_t, kFaultKindCount> faults_before_{};
};

}  // namespace rollover
