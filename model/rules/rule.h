// The rules: their names, what each says, and how a broken one is reported.
//
// Every name is the protocol's (docs/protocol.md, "Rules"). A commit can break several rules; the
// one that is reported first is the one that stands first here, so the order goes from the most
// telling to the most general.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rollover {

enum class Rule : std::uint8_t {
  kUpgradeSafe,
  kChunkImmutable,
  kWindowWriteOnce,
  kInOrder,
  kExactlyOnce,
  kNothingLost,
  kIndexWriteRule,
  kIndexMatchesChunks,
  kChunkCaps,
  kCommitCaps,
  kMigrationBounded,
  kFullRuns,
  kNeverDeletes,
  kRetentionSafe,
  kRetentionDone,
  kReplySequenceOnce,
  kReplyCount,
  kSessionState,
  kModelInput,
  kBoundedLoads,
  kValueLimit,
  kBoundedState,
  kPageExact,
  kNoWedge,
  kWindowDrains,
  kDeterministic,
  kWellFormedAnswers,
};
inline constexpr std::size_t kRuleCount = 27;

enum class RuleKind : std::uint8_t { kSafety, kLiveness, kHarness };

struct RuleInfo {
  Rule rule;
  std::string_view name;
  RuleKind kind;
  std::string_view says;
};

const std::array<RuleInfo, kRuleCount>& Rules();
std::string_view RuleName(Rule rule);
std::optional<Rule> RuleNamed(std::string_view name);

struct Violation {
  Rule rule = Rule::kExactlyOnce;
  std::string what;          // one line: what is, and what should be
  std::uint64_t commit = 0;  // the commit after which it was seen
};

// Collects what one event broke, and counts how often each rule really judged something: an event
// that a rule has nothing to say about is not an evaluation.
class Findings {
 public:
  void Evaluated(Rule rule) { ++evaluations_[static_cast<std::size_t>(rule)]; }
  void Broken(Rule rule, std::string what) { violations_.push_back({rule, std::move(what), 0}); }

  const std::array<std::uint64_t, kRuleCount>& evaluations() const { return evaluations_; }
  bool empty() const { return violations_.empty(); }
  // Takes what was found since the last call, in the order of Rules().
  std::vector<Violation> TakeViolations(std::uint64_t commit);

 private:
  std::array<std::uint64_t, kRuleCount> evaluations_{};
  std::vector<Violation> violations_;
};

}  // namespace rollover
