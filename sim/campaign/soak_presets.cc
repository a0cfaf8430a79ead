#include "sim/campaign/soak_presets.h"

namespace rollover {
namespace {

// 1,440 bytes encoded plus the digits of its sequence: the message of the source's guard.
ContentSpec GuardMessage() {
  ContentSpec message;
  message.base = SizeBase::kMessage;
  message.amount = 1440;
  return message;
}

// All but the newest `keep` messages are summarised.
Round Compaction(std::uint64_t keep) {
  Round round;
  round.compact = true;
  round.keep = keep;
  round.summary = "summary";
  return round;
}

Round Reply(const ContentSpec& content) {
  Round round;
  round.reply = content;
  return round;
}

// A user message, a compaction, a reply.
Turn GuardTurn(std::uint64_t, Random&) {
  return {GuardMessage(), {Compaction(1), Reply(GuardMessage())}};
}

Turn TurnWithoutCompaction(std::uint64_t, Random&) {
  return {GuardMessage(), {Reply(GuardMessage())}};
}

// Summaries come late: each kSoakPeriod-th turn only, and then leave 20 messages.
Turn LaggingTurn(std::uint64_t number, Random&) {
  if (number % kSoakPeriod == 0) return {GuardMessage(), {Compaction(20), Reply(GuardMessage())}};
  return {GuardMessage(), {Reply(GuardMessage())}};
}

ContentSpec MixedContent(Random& random) {
  ContentSpec content;
  content.fill = static_cast<Fill>(random.Below(kFillCount));
  content.amount = static_cast<std::int64_t>(random.Skewed(2, 64 * kKibibyte));
  if (random.Chance({1, 64})) {
    content.base = SizeBase::kCap;  // a message alone in a chunk, just within or just above
    content.amount = static_cast<std::int64_t>(random.Below(5)) - 2;
  }
  return content;
}

// Up to three rounds of tools, every size and script, a compaction now and then.
Turn MixedTurn(std::uint64_t, Random& random) {
  Turn turn{MixedContent(random), {}};
  if (random.Chance({1, 12})) turn.rounds.push_back(Compaction(random.Below(40)));
  for (std::uint64_t rounds = random.Below(4); rounds > 0; --rounds) {
    Round round = Reply(MixedContent(random));
    for (std::uint64_t tools = random.Between(1, 3); tools > 0; --tools) {
      round.tools.push_back(MixedContent(random));
    }
    turn.rounds.push_back(round);
  }
  turn.rounds.push_back(Reply(MixedContent(random)));
  return turn;
}

// Every other message goes to a chunk of its own at once.
Turn OversizedTurn(std::uint64_t, Random& random) {
  ContentSpec oversized;
  oversized.base = SizeBase::kCap;
  oversized.amount = static_cast<std::int64_t>(random.Between(1, 32 * kKibibyte));
  return {GuardMessage(), {Compaction(1), Reply(oversized)}};
}

std::vector<SoakPreset> MakePresets() {
  const Options guard{.retained_message_limit = 100};
  const std::vector<FaultKind> faults = {
      FaultKind::kKillBeforeLoad,  FaultKind::kKillInHandler,   FaultKind::kKillBeforeCommit,
      FaultKind::kKillMidCommit,   FaultKind::kKillAfterCommit, FaultKind::kStall,
      FaultKind::kDuplicateCommit, FaultKind::kEngineCrash,     FaultKind::kReadRace};
  return {
      {.name = "source-800",
       .says = "the source's guard: 800 turns, 100 messages retained",
       .turns = 800,
       .every = 200,
       .options = guard,
       .turn = GuardTurn},
      {.name = "source-800-faults",
       .says = "the same under kills, stalls, crashes and racing reads",
       .turns = 800,
       .every = 200,
       .options = guard,
       .turn = GuardTurn,
       .faults = faults,
       .fault_odds = {1, 4}},
      {.name = "source-2000",
       .says = "the same messages, the default limit",
       .turns = 2000,
       .every = 200,
       .options = {},
       .turn = GuardTurn},
      {.name = "nightly-2000",
       .says = "every size and script, tools, faults; the default options",
       .turns = 2000,
       .every = 200,
       .options = {},
       .turn = MixedTurn,
       .faults = faults,
       .fault_odds = {1, 6}},
      {.name = "no-compaction",
       .says = "the profile without compaction: the window is bounded, chunks and index grow",
       .turns = 2000,
       .every = 200,
       .options = {.compaction = false},
       .turn = TurnWithoutCompaction,
       .core = CoreKind::kNoCompaction},
      {.name = "oversized-storm",
       .says = "every other message is larger than a chunk may be",
       .turns = 2000,
       .every = 200,
       .options = {.message_chunk_max_bytes = 64 * kKibibyte, .retained_message_limit = 100},
       .turn = OversizedTurn},
      {.name = "migration",
       .says = "5,000 messages of 0.1.0, then the upgrade",
       .turns = 5000,
       .every = 500,
       .options = {},
       .turn = GuardTurn,
       .core = CoreKind::kLegacy,
       .upgraded_after = 2500},
      {.name = "lagging-summary",
       .says = "a summary each 125 turns: what follows it cannot go",
       .turns = 2000,
       .every = 125,
       .options = guard,
       .turn = LaggingTurn},
  };
}

}  // namespace

std::span<const SoakPreset> SoakPresets() {
  static const std::vector<SoakPreset> presets = MakePresets();
  return presets;
}

const SoakPreset* SoakPresetNamed(std::string_view name) {
  for (const SoakPreset& preset : SoakPresets()) {
    if (preset.name == name) return &preset;
  }
  return nullptr;
}

}  // namespace rollover
