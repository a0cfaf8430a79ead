// Scopes of explore: options so small that everything happens within a few turns.
#include "sim/campaign/explore.h"

namespace rollover {
namespace {

Turn Small() { return {}; }
Turn Sized(std::int64_t over_cap, Fill fill) {
  return {.user = {.fill = fill, .base = SizeBase::kCap, .amount = over_cap}};
}
// Two chunks in one commit, once the window is full, around a gap.
Turn Tools() {
  const ContentSpec oversized{.fill = Fill::kEscapes, .base = SizeBase::kCap, .amount = 1};
  return {.rounds = {{.tools = {ContentSpec{}, oversized, ContentSpec{}, ContentSpec{}}}}};
}
Turn Compacting() {
  return {.rounds = {{.compact = true, .keep = 1, .summary = "all but the newest"}}};
}

// Window 3, chunks of 2: every second message rolls over; the limit lets go after 4.
ExploreScope Tiny() {
  ExploreScope scope;
  scope.options = {.message_window_size = 3,
                   .message_chunk_size = 2,
                   .message_chunk_max_bytes = kChunkBytesFloor,
                   .retained_message_limit = 4};
  scope.value_limit = kChunkBytesFloor;  // sound: every chunk but an oversized one fits
  scope.menu = {Small(), Sized(0, Fill::kAscii), Sized(1, Fill::kCjk), Tools(), Compacting()};
  return scope;
}

std::vector<ExplorePreset> Make() {
  ExploreScope async = Tiny();
  async.limits.durability = Durability::kAsync;
  async.commits_lost_max = 3;
  async.menu = {Small(), Sized(1, Fill::kCjk), Tools(), Compacting()};
  ExploreScope migration = Tiny();
  migration.core = CoreKind::kLegacy;
  migration.upgrades = true;
  // A 0.1.0 message above the cap is still to be written as a chunk: a lower limit is unsound.
  migration.value_limit = 0;
  ExploreScope keeping = Tiny();
  keeping.core = CoreKind::kNoCompaction;
  keeping.options.compaction = false;
  keeping.menu.pop_back();
  return {
      {"tiny", "window 3, chunk 2, cap 1 KiB, limit 4: rollover, gaps, retention", Tiny()},
      {"async", "the same; a crash of the engine loses up to 3 commits", std::move(async)},
      {"migration", "the same; sessions start on 0.1.0, and are upgraded in some idle moment",
       std::move(migration)},
      {"no-compaction", "the same without compaction: nothing may be deleted", std::move(keeping)},
  };
}

}  // namespace

std::span<const ExplorePreset> ExplorePresets() {
  static const std::vector<ExplorePreset> presets = Make();
  return presets;
}

const ExplorePreset* ExplorePresetNamed(std::string_view name) {
  for (const ExplorePreset& preset : ExplorePresets()) {
    if (preset.name == name) return &preset;
  }
  return nullptr;
}

}  // namespace rollover
