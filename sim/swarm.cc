#include "sim/swarm.h"

#include <algorithm>

namespace rollover {
namespace {

// A message's fields around its content, generously: roles, a turn id, 20 digits.
constexpr std::uint64_t kHeaderBytesMax = 128;
// An index range, generously; the small values of a commit, generously.
constexpr std::uint64_t kRangeBytesMax = 64;
constexpr std::uint64_t kSmallValuesBytes = 4096;

OptionStyle DrawStyle(Random& random) {
  const std::uint64_t draw = random.Below(1000);
  if (draw < 5) return OptionStyle::kHuge;
  if (draw < 25) return OptionStyle::kDefault;
  return draw < 200 ? OptionStyle::kMiddling : OptionStyle::kTiny;
}

std::uint64_t DrawTurns(OptionStyle style, Random& random) {
  switch (style) {
    case OptionStyle::kTiny:
      return random.Skewed(1, 40);
    case OptionStyle::kMiddling:
      return random.Between(5, 60);
    case OptionStyle::kDefault:
      return random.Between(20, 90);
    case OptionStyle::kHuge:
      return random.Between(3, 8);
  }
  return 1;
}

void DrawVersions(Swarm& swarm, Random& random) {
  if (swarm.core != CoreKind::kLegacy) return;
  if (random.Chance({1, 12})) {
    swarm.legacy_turns = swarm.turns;  // 0.1.0 to the end
    return;
  }
  // At least one turn after the upgrade.
  swarm.turns += 2;
  swarm.legacy_turns = random.Between(1, swarm.turns - 1);
  swarm.upgrade_in_turn = random.Chance({1, 3});
  swarm.mixes_versions = random.Chance({1, 4});
}

void DrawFaults(Swarm& swarm, Random& random) {
  if (random.Chance({1, 8})) return;  // a calm session
  for (bool& fault : swarm.faults) fault = random.Chance({1, 2});
  constexpr std::array<Ratio, 4> odds = {{{1, 20}, {1, 8}, {1, 4}, {1, 2}}};
  swarm.fault_odds = random.Pick(odds);
}

void DrawFills(Swarm& swarm, Random& random) {
  for (std::size_t i = 0; i < kFillCount; ++i) {
    if (random.Chance({1, 2})) swarm.fills.push_back(static_cast<Fill>(i));
  }
  if (swarm.fills.empty()) swarm.fills.push_back(Fill::kAscii);
}

std::optional<std::uint64_t> DrawRetention(OptionStyle style, Random& random) {
  if (random.Chance({1, 10})) return std::nullopt;
  return random.Skewed(0, style == OptionStyle::kTiny ? 12 : 100);
}

}  // namespace

Swarm DrawSwarm(Random& random, std::optional<CoreKind> core) {
  Swarm swarm;
  const std::uint64_t draw = random.Below(100);
  swarm.core = core        ? *core
               : draw < 60 ? CoreKind::kReference
               : draw < 70 ? CoreKind::kNoCompaction
                           : CoreKind::kLegacy;
  swarm.style = DrawStyle(random);
  swarm.turns = DrawTurns(swarm.style, random);
  DrawVersions(swarm, random);
  DrawFaults(swarm, random);
  DrawFills(swarm, random);
  constexpr std::array<Ratio, 5> odds = {{{0, 1}, {1, 16}, {1, 4}, {1, 2}, {1, 1}}};
  swarm.compaction_odds = random.Pick(odds);
  swarm.control_odds = random.Pick(std::array<Ratio, 3>{{{0, 1}, {1, 8}, {1, 3}}});
  swarm.read_odds = random.Pick(std::array<Ratio, 3>{{{0, 1}, {1, 4}, {1, 1}}});
  swarm.restart_odds = random.Pick(std::array<Ratio, 3>{{{0, 1}, {1, 16}, {1, 4}}});
  swarm.tool_odds = random.Pick(std::array<Ratio, 3>{{{0, 1}, {1, 3}, {2, 3}}});
  swarm.tools_max = random.Skewed(1, 12);
  swarm.keep_max = random.Skewed(0, 24);
  swarm.at_value_limit =
      swarm.core != CoreKind::kLegacy && swarm.style != OptionStyle::kHuge && random.Chance({1, 4});
  return swarm;
}

Options DrawOptions(const Swarm& swarm, Random& random) {
  if (swarm.fixed_options) return *swarm.fixed_options;
  Options options;
  options.compaction = !random.Chance({1, 16});
  options.retained_message_limit = DrawRetention(swarm.style, random);
  switch (swarm.style) {
    case OptionStyle::kTiny:
      options.message_window_size = random.Skewed(1, 10);
      options.message_chunk_max_bytes = kChunkBytesFloor + random.Skewed(0, 3 * kKibibyte);
      break;
    case OptionStyle::kMiddling:
      options.message_window_size = random.Between(4, 40);
      options.message_chunk_max_bytes = random.Between(kChunkBytesFloor, 32 * kKibibyte);
      break;
    case OptionStyle::kDefault:
      return Options{.retained_message_limit = options.retained_message_limit};
    case OptionStyle::kHuge:
      options.message_window_size = random.Between(1, 3);
      options.message_chunk_max_bytes = random.Between(kMebibyte, kChunkBytesCeiling);
      break;
  }
  options.message_chunk_size = random.Between(1, options.message_window_size);
  return options;
}

namespace {

struct Extent {
  std::uint64_t cap = 0;             // largest message_chunk_max_bytes
  std::uint64_t alone = 0;           // largest message that may be stored, in a chunk of its own
  std::uint64_t messages = 0;        // in the whole session
  std::uint64_t stored_at_once = 1;  // by one commit
};

void Widen(const Options& options, Extent& extent) {
  extent.cap = std::max(extent.cap, options.message_chunk_max_bytes);
}

void Widen(const ContentSpec& spec, std::uint64_t value_limit_max, Extent& extent) {
  const std::uint64_t bytes =
      ContentBytesAtMost(spec, extent.cap, value_limit_max) + kHeaderBytesMax;
  extent.alone = std::max(extent.alone, bytes);
  ++extent.messages;
}

}  // namespace

SoundLimits SoundLimitsOf(const Scenario& scenario, std::uint64_t value_limit_max) {
  Extent extent;
  Widen(scenario.options, extent);
  for (const Operation& operation : scenario.operations) {
    const auto* restart = std::get_if<Restart>(&operation);
    if (restart != nullptr && restart->options) Widen(*restart->options, extent);
  }
  for (const Fault& fault : scenario.faults) {
    if (fault.kind == FaultKind::kOptionsChange) Widen(fault.options, extent);
  }
  for (const Operation& operation : scenario.operations) {
    const auto* turn = std::get_if<Turn>(&operation);
    if (turn == nullptr) continue;
    Widen(turn->user, value_limit_max, extent);
    for (const Round& round : turn->rounds) {
      Widen(round.reply, value_limit_max, extent);
      for (const ContentSpec& tool : round.tools) Widen(tool, value_limit_max, extent);
      extent.stored_at_once = std::max<std::uint64_t>(extent.stored_at_once, round.tools.size());
      extent.alone =
          std::max<std::uint64_t>(extent.alone, 6 * round.summary.size() + kHeaderBytesMax);
    }
  }
  const std::uint64_t quiet = 64;  // turns of the quiet phase, and default replies
  const std::uint64_t index = kSmallValuesBytes + kRangeBytesMax * (extent.messages + quiet);
  // With contents sized by the limit itself, what is over it is refused and never stored.
  const std::uint64_t alone = value_limit_max == 0 ? extent.alone : value_limit_max;
  SoundLimits sound;
  sound.value_bytes = std::max({extent.cap, index, value_limit_max == 0 ? extent.alone : 0});
  const std::uint64_t largest = std::max(extent.cap, alone);
  sound.result_bytes = std::min(kCommitMovedBytesMax, kCommitChunksMax * largest) + largest +
                       extent.stored_at_once * (std::max(extent.alone, alone) + kRangeBytesMax) +
                       index;
  return sound;
}

}  // namespace rollover
