#include "properties/arbitrary.h"

#include <rapidcheck/gen/Container.h>
#include <rapidcheck/gen/Transform.h>
#include <rapidcheck/gen/Tuple.h>

#include <algorithm>
#include <array>

#include "properties/simpler.h"
#include "sim/sound.h"

namespace rollover {
namespace {

// What holds for a session as a whole.
struct Head {
  CoreKind core = CoreKind::kReference;
  Options options{};
  std::uint64_t history_commits = 0;
  Durability durability = Durability::kSync;
};

std::vector<Head> SimplerHead(const Head& head) {
  std::vector<Head> simpler;
  if (head.core != CoreKind::kReference) {
    simpler.push_back(head);
    simpler.back().core = CoreKind::kReference;
  }
  if (head.durability != Durability::kSync) {
    simpler.push_back(head);
    simpler.back().durability = Durability::kSync;
  }
  for (const Options& options : Simpler(head.options)) {
    simpler.push_back(head);
    simpler.back().options = options;
  }
  return simpler;
}

class HappeningDraw {
 public:
  HappeningDraw(const Shape& shape, Random& random) : shape_(shape), random_(random) {}

  Happening Draw() {
    if (random_.Chance(shape_.read_odds)) return {DrawRead(), {}};
    if (random_.Chance(shape_.restart_odds)) return {DrawRestart(), {}};
    if (random_.Chance(shape_.limits_odds)) {
      return {ChangeLimits{random_.Between(1, 8192), random_.Between(1, 8192)}, {}};
    }
    Turn turn = DrawTurn();
    std::vector<Fault> faults;
    if (!shape_.faults.empty() && random_.Chance({1, 2})) {
      const std::vector<PlannedStep> plan = Plan(turn);
      for (std::uint64_t i = random_.Skewed(1, 4); i > 0; --i) faults.push_back(DrawFault(plan));
    }
    return {std::move(turn), std::move(faults)};
  }

 private:
  ContentSpec DrawContent() {
    ContentSpec spec{.fill = static_cast<Fill>(random_.Below(kFillCount))};
    const std::uint64_t kind = random_.Below(20);
    if (kind == 0) return {.kind = ContentSpec::Kind::kText, .text = DrawText(random_)};
    if (kind == 1) return {.kind = ContentSpec::Kind::kJson, .text = DrawJson(random_)};
    if (kind < 7 && shape_.sizes_from_options) {
      spec.base = kind == 2 ? SizeBase::kLimit : SizeBase::kCap;
      const std::int64_t most = shape_.large_messages ? 2 : 0;
      spec.amount = most - static_cast<std::int64_t>(random_.Below(5));
      return spec;
    }
    spec.base = random_.Chance({1, 4}) ? SizeBase::kMessage : SizeBase::kBytes;
    const std::uint64_t most = shape_.large_messages && kind < 10 ? 2500 : 300;
    spec.amount = static_cast<std::int64_t>(random_.Skewed(2, most));
    return spec;
  }

  Turn DrawTurn() {
    Turn turn{.user = DrawContent()};
    for (std::uint64_t i = random_.Skewed(0, 4); i > 0; --i) {
      Round round{.reply = DrawContent()};
      if (random_.Chance({1, 3})) {
        for (std::uint64_t t = random_.Skewed(1, 6); t > 0; --t) {
          round.tools.push_back(DrawContent());
        }
      }
      const bool last = round.tools.empty();
      turn.rounds.push_back(std::move(round));
      if (last) break;
    }
    if (random_.Chance(shape_.compaction_odds)) {
      Round round{.compact = true, .keep = random_.Skewed(0, 12)};
      if (random_.Chance({1, 2})) round.summary = DrawText(random_);
      const std::uint64_t at = random_.Below(turn.rounds.size() + 1);
      turn.rounds.insert(turn.rounds.begin() + static_cast<std::ptrdiff_t>(at), std::move(round));
    }
    return turn;
  }

  Anchor DrawAnchor() {
    constexpr std::array<AnchorPlace, 3> anywhere = {AnchorPlace::kAbsolute,
                                                     AnchorPlace::kOldestKept, AnchorPlace::kNext};
    Anchor anchor{.place = shape_.anchors_in_chunks
                               ? static_cast<AnchorPlace>(random_.Below(kAnchorPlaceCount))
                               : random_.Pick(anywhere)};
    anchor.chunk = random_.Below(6);
    anchor.offset = anchor.place == AnchorPlace::kAbsolute
                        ? static_cast<std::int64_t>(random_.Skewed(0, 120))
                        : static_cast<std::int64_t>(random_.Below(3)) - 1;
    return anchor;
  }

  Read DrawRead() {
    if (random_.Chance({1, 4})) return {};
    Read read{.rpc = Rpc::kListAgentMessages};
    if (!random_.Chance({1, 8})) {
      (random_.Chance({1, 2}) ? read.after : read.before) = DrawAnchor();
    }
    if (random_.Chance({1, 32})) read.after = read.before = Anchor{};
    constexpr std::array<std::int64_t, 6> edges = {-1, 0, 1, 199, 200, 201};
    read.limit = random_.Chance({1, 3}) ? random_.Pick(edges)
                                        : static_cast<std::int64_t>(random_.Skewed(1, 40));
    return read;
  }

  Restart DrawRestart() {
    Restart restart;
    if (!random_.Chance({1, 4})) restart.options = DrawOptions(shape_, random_);
    if (shape_.changes_cores && random_.Chance({1, 2})) {
      restart.core = static_cast<CoreKind>(random_.Below(3));
    }
    return restart;
  }

  // The Steps that the turn takes if nothing strikes it, and one of each of the others, so that
  // there is one for every fault.
  static std::vector<PlannedStep> Plan(const Turn& turn) {
    std::vector<PlannedStep> plan = PlannedSteps(turn);
    for (const StepKind other : {StepKind::kResumeTurn, StepKind::kApplyTurnControl,
                                 StepKind::kFinishTurnCancellation, StepKind::kRecordTurnFailure}) {
      const auto same = std::count_if(plan.begin(), plan.end(), [other](const PlannedStep& step) {
        return step.step == other;
      });
      plan.push_back({other, static_cast<std::uint64_t>(same) + 1});
    }
    return plan;
  }

  Fault DrawFault(std::vector<PlannedStep> plan) {
    Fault fault{.kind = random_.Pick(std::span<const FaultKind>(shape_.faults))};
    std::erase_if(plan, [&](const PlannedStep& one) { return !CanHit(fault.kind, one.step); });
    const PlannedStep planned = random_.Pick(std::span<const PlannedStep>(plan));
    fault.step = planned.step;
    fault.occurrence = planned.occurrence;
    if (random_.Chance({1, 4})) fault.attempt = random_.Between(2, 3);
    Settle(fault);
    return fault;
  }

  // The fields that count for its kind.
  void Settle(Fault& fault) {
    const auto any_point = static_cast<Point>(random_.Below(kPointCount));
    switch (fault.kind) {
      case FaultKind::kKillMidCommit:
        fault.entries = random_.Skewed(0, 8);
        break;
      case FaultKind::kStall:
        fault.late = static_cast<Late>(random_.Below(3));
        break;
      case FaultKind::kEngineCrash:
        fault.at = any_point;
        fault.commits = random_.Skewed(0, kRollbackCommitsMax);
        break;
      case FaultKind::kValueLimit:
      case FaultKind::kResultLimit:
        fault.at = any_point;
        fault.bytes = random_.Between(1, 8192);
        break;
      case FaultKind::kOptionsChange:
        fault.options = DrawOptions(shape_, random_);
        break;
      case FaultKind::kCoreSwap:
        fault.core = static_cast<CoreKind>(random_.Below(3));
        fault.this_attempt_only = random_.Chance({1, 2});
        break;
      case FaultKind::kModelError:
      case FaultKind::kToolError:
        fault.retryable = random_.Chance({3, 4});
        break;
      case FaultKind::kControl:
        fault.at = static_cast<Point>(random_.Below(kPointCount - 1));
        fault.late = static_cast<Late>(random_.Below(3));
        if (random_.Chance({1, 2})) fault.control = ControlKind::kSteer;
        break;
      case FaultKind::kReadRace:
        fault.at = any_point;
        fault.read = DrawRead();
        break;
      default:
        break;
    }
  }

  const Shape& shape_;
  Random& random_;
};

Scenario Assemble(const Head& head, const std::vector<Happening>& happenings, bool sound) {
  Scenario scenario{.core = head.core,
                    .options = head.options,
                    .limits = {.max_value_bytes = 1,
                               .max_result_bytes = 1,
                               .history_commits = head.history_commits,
                               .durability = head.durability}};
  std::uint64_t turn = 0;
  for (const Happening& happening : happenings) {
    scenario.operations.push_back(happening.operation);
    if (!std::holds_alternative<Turn>(happening.operation)) continue;
    ++turn;
    for (Fault fault : happening.faults) {
      fault.turn = turn;
      scenario.faults.push_back(std::move(fault));
    }
  }
  return sound ? MakeSound(std::move(scenario)) : scenario;
}

}  // namespace

std::vector<FaultKind> AllFaults() {
  std::vector<FaultKind> faults;
  for (std::size_t i = 0; i < kFaultKindCount; ++i) faults.push_back(static_cast<FaultKind>(i));
  return faults;
}

std::vector<FaultKind> Kills() {
  return {FaultKind::kKillBeforeLoad, FaultKind::kKillInHandler,   FaultKind::kKillBeforeCommit,
          FaultKind::kKillMidCommit,  FaultKind::kKillAfterCommit, FaultKind::kStall,
          FaultKind::kDuplicateCommit};
}

Shape EverythingHappens() {
  return {.cores = {CoreKind::kReference, CoreKind::kReference, CoreKind::kNoCompaction,
                    CoreKind::kLegacy},
          .faults = AllFaults(),
          .changes_cores = true};
}

Options DrawOptions(const Shape& shape, Random& random) {
  Options options;
  options.message_window_size = random.Skewed(1, random.Chance({1, 12}) ? 64 : 8);
  options.message_chunk_size = random.Between(1, options.message_window_size);
  options.message_chunk_max_bytes =
      kChunkBytesFloor + random.Skewed(0, random.Chance({1, 12}) ? 8192 : 1024);
  options.retained_message_limit.reset();
  if (shape.deletes && !random.Chance({1, 8}))
    options.retained_message_limit = random.Skewed(0, 16);
  options.compaction = !random.Chance({1, 10});
  return options;
}

std::string DrawText(Random& random) {
  constexpr std::array<std::string_view, 8> words = {
      "a", "so far", "\"quoted\"", "\n\t\\", "\x01\x1f", "\u4f1a\u8a71", "\U0001F600", " "};
  std::string text;
  for (std::uint64_t i = random.Skewed(0, 6); i > 0; --i) text += random.Pick(words);
  return text;
}

std::string DrawJson(Random& random, int depth) {
  constexpr std::array<std::string_view, 8> plain = {"null",  "true", "false", "0",
                                                     "-1.50", "1e3",  "\"\"",  R"("\u0041\n")"};
  const std::uint64_t kind = depth == 0 ? 0 : random.Below(4);
  if (kind < 2) return std::string(random.Pick(plain));
  std::string json = kind == 2 ? "[" : "{";
  const std::uint64_t members = random.Below(4);
  for (std::uint64_t i = 0; i < members; ++i) {
    if (i > 0) json += random.Chance({1, 2}) ? "," : " , ";
    if (kind == 3) json += i == 0 ? "\"b\": " : i == 1 ? "\"a\":" : "\"\\u00e9\":";
    json += DrawJson(random, depth - 1);
  }
  return json + (kind == 2 ? "]" : "}");
}

rc::Gen<Scenario> Scenarios(const Shape& shape) {
  const auto head = Drawn<Head>(
      [shape](Random& random, int) {
        Head drawn{.core = random.Pick(std::span<const CoreKind>(shape.cores)),
                   .options = DrawOptions(shape, random),
                   .history_commits = random.Skewed(0, 40)};
        if (shape.async && random.Chance({1, 3})) drawn.durability = Durability::kAsync;
        return drawn;
      },
      SimplerHead);
  const auto happening =
      Drawn<Happening>([shape](Random& random, int) { return HappeningDraw(shape, random).Draw(); },
                       [](const Happening& one) { return Simpler(one); });
  const auto happenings = rc::gen::withSize([shape, happening](int size) {
    const auto length = 1 + static_cast<int>(shape.turns_max) * std::min(size, 100) / 100;
    return rc::gen::resize(length, rc::gen::container<std::vector<Happening>>(happening));
  });
  return rc::gen::map(rc::gen::pair(head, happenings),
                      [sound = shape.sound](const std::pair<Head, std::vector<Happening>>& parts) {
                        return Assemble(parts.first, parts.second, sound);
                      });
}

}  // namespace rollover
