#include "sim/campaign/soak_samples.h"

#include "sim/campaign/traced_write.h"

namespace rollover {

void SoakBucket::Add(const SoakBucket& other) {
  if (other.live.high > live.high || turns == 0) {
    live_bytes = other.live_bytes;
    bound = other.bound;
  }
  turns += other.turns;
  live.Add(other.live);
  superseded.Add(other.superseded);
  kept.Add(other.kept);
  window.Add(other.window);
  chunks.Add(other.chunks);
  largest_commit = std::max(largest_commit, other.largest_commit);
  index_writes += other.index_writes;
  for (std::size_t f = 0; f < kFaultKindCount; ++f) faults[f] += other.faults[f];
}

void SoakSampler::OnEvent(const TraceEvent& event) {
  if (event.kind == TraceKind::kCommitted) commit_bytes_ = 0;
  if (event.kind != TraceKind::kWrite) return;
  const auto write = ReadTracedWrite(event.text);
  if (!write) return;
  commit_bytes_ += write->bytes;
  largest_commit_ = std::max(largest_commit_, commit_bytes_);
  if (write->name == Name::kIndex) ++index_writes_;
}

void SoakSampler::OnTurnEnd(const World& world) {
  const std::uint64_t turn = world.statistics().turns;
  if (turn == 0 || turn > turns_) return;
  const FlowState& state = world.engine().state();
  const Ledger& ledger = world.judge().ledger();
  const auto exactly = [](std::uint64_t value) { return SampleRange{value, value}; };
  SoakBucket bucket{.turns = 1,
                    .bound = world.judge().state_bound(),
                    .live = exactly(state.live_bytes()),
                    .superseded = exactly(world.engine().superseded_bytes()),
                    .kept = exactly(ledger.next() - ledger.first()),
                    .window = exactly(state.Map(Name::kMessages).size()),
                    .chunks = exactly(state.Map(Name::kChunks).size()),
                    .largest_commit = largest_commit_,
                    .index_writes = index_writes_};
  for (std::size_t name = 0; name < kNameCount; ++name) {
    bucket.live_bytes[name] = state.live_bytes(static_cast<Name>(name));
  }
  const auto& faults = world.statistics().faults;
  for (std::size_t f = 0; f < kFaultKindCount; ++f) {
    bucket.faults[f] = faults[f] - faults_before_[f];
  }
  faults_before_ = faults;
  largest_commit_ = 0;
  index_writes_ = 0;
  Add(turn, bucket);
}

void SoakSampler::Add(std::uint64_t turn, const SoakBucket& bucket) {
  std::vector<SoakBucket>& buckets = samples_.buckets;
  while ((turn - 1) / samples_.width >= kSoakBuckets) {
    for (std::size_t i = 0; i < buckets.size(); i += 2) {
      SoakBucket merged = buckets[i];
      if (i + 1 < buckets.size()) merged.Add(buckets[i + 1]);
      buckets[i / 2] = merged;
    }
    buckets.resize((buckets.size() + 1) / 2);
    samples_.width *= 2;
  }
  const auto at = static_cast<std::size_t>((turn - 1) / samples_.width);
  if (at >= buckets.size()) buckets.resize(at + 1);
  buckets[at].Add(bucket);
}

}  // namespace rollover
