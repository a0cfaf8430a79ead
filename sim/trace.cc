#include "sim/trace.h"

#include <array>

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include "model/check.h"

namespace rollover {

// Words wait in a buffer, because hashing many at once is much cheaper than a few at a time.
struct Trace::State {
  XXH3_state_t* xxh = XXH3_createState();
  std::array<std::uint64_t, 1024> words{};
  std::size_t waiting = 0;
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

Trace::Trace(TraceSink sink) : state_(new State), sink_(std::move(sink)) {
  XXH3_128bits_reset(state_->xxh);
}

void Trace::Hash(TraceKind kind, std::initializer_list<std::uint64_t> words) {
  ++here_.number;
  State& state = *state_;
  CHECK(words.size() < state.words.size());
  if (state.words.size() - state.waiting <= words.size()) Flush();
  state.words[state.waiting++] = static_cast<std::uint64_t>(kind) | words.size() << 8;
  for (const std::uint64_t word : words) state.words[state.waiting++] = word;
}

void Trace::Flush() {
  XXH3_128bits_update(state_->xxh, state_->words.data(), state_->waiting * sizeof(std::uint64_t));
  state_->waiting = 0;
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
