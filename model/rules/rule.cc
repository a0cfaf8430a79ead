#include "model/rules/rule.h"

#include <algorithm>

namespace rollover {

const std::array<RuleInfo, kRuleCount>& Rules() {
  using enum RuleKind;
  static constexpr std::array<RuleInfo, kRuleCount> rules = {{
      {Rule::kUpgradeSafe, "upgrade-safe", kSafety,
       "a 0.1.0 Worker on an upgraded session stores, deletes and rewrites nothing"},
      {Rule::kChunkImmutable, "chunk-immutable", kSafety,
       "a chunk's value is written once and only ever deleted"},
      {Rule::kWindowWriteOnce, "window-write-once", kSafety,
       "a window message is written once, deleted with its chunk's write, and never oversized"},
      {Rule::kInOrder, "in-order", kSafety,
       "sequences are dense and every stored message is, byte for byte, what came in"},
      {Rule::kExactlyOnce, "exactly-once", kSafety,
       "each kept sequence is stored once, in the window or in one chunk"},
      {Rule::kNothingLost, "nothing-lost", kSafety,
       "a committed message disappears only with a deleted chunk that held the oldest messages"},
      {Rule::kIndexWriteRule, "index-write-rule", kSafety,
       "the index is written if and only if the commit wrote or deleted a chunk"},
      {Rule::kIndexMatchesChunks, "index-matches-chunks", kSafety,
       "index ranges, chunk keys and contents agree; window_start and oldest_kept are right"},
      {Rule::kChunkCaps, "chunk-caps", kSafety,
       "a chunk holds at most message_chunk_size messages and message_chunk_max_bytes"},
      {Rule::kCommitCaps, "commit-caps", kSafety,
       "a commit moves at most 4 chunks, and at most 8 MiB unless it is one chunk"},
      {Rule::kMigrationBounded, "migration-bounded", kSafety,
       "a storing commit moves 1 to 4 chunks of a 0.1.0 session's excess; it is readable "
       "throughout"},
      {Rule::kFullRuns, "full-runs", kSafety,
       "rollover takes full runs, oldest first, only while the window is too large"},
      {Rule::kNeverDeletes, "never-deletes", kSafety, "without compaction no chunk is deleted"},
      {Rule::kRetentionSafe, "retention-safe", kSafety,
       "a chunk goes only once summarised, and once the limit is stored after it"},
      {Rule::kRetentionDone, "retention-done", kSafety,
       "after a commit that stores or compacts nothing deletable is left"},
      {Rule::kReplySequenceOnce, "reply-sequence-once", kSafety,
       "TurnReplySequence is written once a turn, with its user message"},
      {Rule::kReplyCount, "reply-count", kSafety,
       "a turn's end is announced once, with the number of its replies"},
      {Rule::kSessionState, "session-state", kSafety,
       "AgentSession says what is so and is written only when it changes; ContextSummary is what "
       "the last compaction said"},
      {Rule::kModelInput, "model-input", kSafety,
       "the model saw every message after the summary, in order, once"},
      {Rule::kBoundedLoads, "bounded-loads", kSafety,
       "a movement goes to the right Step and lists exactly the keys that Step may load"},
      {Rule::kValueLimit, "value-limit", kSafety, "no committed value exceeds the engine's limit"},
      {Rule::kBoundedState, "bounded-state", kSafety,
       "with compaction and a limit, live bytes stay below a bound from options and contents"},
      {Rule::kPageExact, "page-exact", kSafety,
       "every page and snapshot equals the same slice of the kept log"},
      {Rule::kNoWedge, "no-wedge", kLiveness,
       "every accepted turn ends within bounded Steps, and fails only for a cause of its own"},
      {Rule::kWindowDrains, "window-drains", kLiveness,
       "in quiet times the window shrinks to its size within its excess + 4 storing commits"},
      {Rule::kDeterministic, "deterministic", RuleKind::kHarness,
       "the same scenario gives the same trace, byte for byte"},
      {Rule::kWellFormedAnswers, "well-formed-answers", RuleKind::kHarness,
       "a core that is a process answers each request once, in time, with a line of the protocol"},
  }};
  return rules;
}

std::string_view RuleName(Rule rule) { return Rules().at(static_cast<std::size_t>(rule)).name; }

std::optional<Rule> RuleNamed(std::string_view name) {
  for (const RuleInfo& info : Rules()) {
    if (info.name == name) return info.rule;
  }
  return std::nullopt;
}

std::vector<Violation> Findings::TakeViolations(std::uint64_t commit) {
  std::vector<Violation> taken = std::move(violations_);
  violations_.clear();
  for (Violation& violation : taken) violation.commit = commit;
  // Few at a time: each moves up before those of lesser rules, and stays behind its equals.
  for (auto at = taken.begin(); at != taken.end(); ++at) {
    const auto place =
        std::upper_bound(taken.begin(), at, *at,
                         [](const Violation& a, const Violation& b) { return a.rule < b.rule; });
    std::rotate(place, at, at + 1);
  }
  return taken;
}

}  // namespace rollover
