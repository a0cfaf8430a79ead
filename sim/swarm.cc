#include "sim/swarm.h"

#include <algorithm>

namespace rollover {
namespace {

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

}  // namespace rollover
