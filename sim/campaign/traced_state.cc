#include "sim/campaign/traced_state.h"

#include <algorithm>
#include <charconv>

#include "sim/campaign/traced_write.h"
#include "sim/scenario.h"

namespace rollover {

std::vector<ChunkRange> Runs(const std::vector<Sequence>& ascending) {
  std::vector<ChunkRange> runs;
  for (const Sequence sequence : ascending) {
    if (!runs.empty() && runs.back().last + 1 == sequence) {
      runs.back().last = sequence;
    } else {
      runs.push_back({sequence, sequence});
    }
  }
  return runs;
}

void TraceFollower::OnEvent(const TraceEvent& event) {
  if (event.kind == TraceKind::kCommitted && event.commit > 0) {
    after_commit_.insert_or_assign(event.commit - 1, state_);
    if (after_commit_.size() > kRollbackCommitsMax + 1) after_commit_.erase(after_commit_.begin());
  }
  if (event.kind == TraceKind::kWrite) OnWrite(event);
  if (event.kind == TraceKind::kRollBack) OnRollBack(event);
}

void TraceFollower::OnWrite(const TraceEvent& event) {
  const auto write = ReadTracedWrite(event.text);
  if (!write) return;
  if (write->name == Name::kMessages) {
    const auto at = std::lower_bound(state_.window.begin(), state_.window.end(), write->key);
    const bool there = at != state_.window.end() && *at == write->key;
    if (write->deletes && there) state_.window.erase(at);
    if (!write->deletes && !there) state_.window.insert(at, write->key);
  } else if (write->name == Name::kChunks) {
    if (write->deletes) state_.chunks.erase(write->key);
    if (write->chunk) state_.chunks.insert_or_assign(write->key, *write->chunk);
  }
}

// "N commits undone; back at commit M"
void TraceFollower::OnRollBack(const TraceEvent& event) {
  constexpr std::string_view before = "back at commit ";
  const std::size_t at = event.text.find(before);
  if (at == std::string::npos) return;
  std::uint64_t commit = 0;
  const char* end = event.text.data() + event.text.size();
  std::from_chars(event.text.data() + at + before.size(), end, commit);
  const auto then = after_commit_.find(commit);
  if (then == after_commit_.end()) return;  // nothing was undone
  state_ = then->second;
  after_commit_.erase(then, after_commit_.end());
}

}  // namespace rollover
