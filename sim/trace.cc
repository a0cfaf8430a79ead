#include "sim/trace.h"

#include <array>

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

namespace rollover {

struct Trace::State {
  XXH3_state_t* xxh = XXH3_createState();
};

void Trace::Free::operator()(State* state) const {
  XXH3_freeState(state->xxh);
  delete state;
}

TraceHash& TraceHash::operator+=(const TraceHash& other) {
  low += other.low;
  high += other.high + (low < other.low ? 1 : 0);
  return *this;
}

std::string TraceHash::Hex() const { return fmt::format("{:016x}{:016x}", high, low); }

std::string_view TraceKindName(TraceKind kind) {
  constexpr std::array<std::string_view, 17> names = {
      "accept", "hand-out", "invoke", "fail",    "commit", "write",     "event", "move", "refuse",
      "fence",  "fault",    "read",   "restart", "limits", "roll-back", "quiet", "end"};
  return names.at(static_cast<std::size_t>(kind));
}

Trace::Trace(TraceSink sink)
    : state_(new State),
      waiting_(std::make_unique<std::array<std::uint64_t, 1024>>()),
      sink_(std::move(sink)) {
  XXH3_128bits_reset(state_->xxh);
}

void Trace::Flush() {
  XXH3_128bits_update(state_->xxh, waiting_->data(), waiting_count_ * sizeof(std::uint64_t));
  waiting_count_ = 0;
}

void Trace::Tell(TraceKind kind, std::string text) {
  TraceEvent event = here_;
  event.kind = kind;
  event.text = std::move(text);
  sink_(event);
}

TraceHash Trace::hash() {
  Flush();
  const XXH128_hash_t digest = XXH3_128bits_digest(state_->xxh);
  return {digest.high64, digest.low64};
}

}  // namespace rollover
