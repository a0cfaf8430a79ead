#include "sim/campaign/conformance.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/generator.h"

namespace rollover {
namespace {

constexpr std::uint64_t kSeedsAnOptionSet = 8;
constexpr std::uint64_t kUpgrades = 24;
constexpr std::uint64_t kPagedTurns = 24;

// Of the default sizes, and of the smallest: every edge is near then.
std::vector<Options> OptionsMatrix() {
  const Options tiny{.message_window_size = 4,
                     .message_chunk_size = 2,
                     .message_chunk_max_bytes = kChunkBytesFloor,
                     .retained_message_limit = 5};
  std::vector<Options> matrix = {Options{}, tiny};
  const auto vary = [&matrix, &tiny](auto change) {
    matrix.push_back(tiny);
    change(matrix.back());
  };
  vary([](Options& options) { options.message_window_size = options.message_chunk_size = 1; });
  vary([](Options& options) { options.message_chunk_size = 1; });
  vary([](Options& options) { options.message_chunk_size = options.message_window_size; });
  vary([](Options& options) { options.retained_message_limit = 0; });
  vary([](Options& options) { options.retained_message_limit = 1; });
  vary([](Options& options) { options.retained_message_limit = std::nullopt; });
  vary([](Options& options) { options.compaction = false; });
  vary([](Options& options) { options.message_chunk_max_bytes = kChunkBytesCeiling; });
  return matrix;
}

// Both rpcs, both directions, every anchor on and beside an edge, every limit on and beside one.
Scenario PagingTable(bool compacted) {
  Scenario scenario{.options = {.message_window_size = 6,
                                .message_chunk_size = 3,
                                .message_chunk_max_bytes = kChunkBytesFloor,
                                .retained_message_limit = compacted ? 12 : 1000}};
  for (std::uint64_t turn = 0; turn < kPagedTurns; ++turn) {
    Turn due{.user = {.amount = 24}};
    if (turn == 3) due.user.amount = 2 * static_cast<std::int64_t>(kChunkBytesFloor);  // oversized
    if (compacted && turn % 6 == 5) due.rounds.push_back({.compact = true, .keep = 2});
    scenario.operations.emplace_back(due);
  }
  scenario.operations.emplace_back(Read{});
  std::vector<std::optional<Anchor>> anchors = {std::nullopt};
  for (const AnchorPlace place :
       {AnchorPlace::kAbsolute, AnchorPlace::kChunkFirst, AnchorPlace::kChunkInside,
        AnchorPlace::kChunkLast, AnchorPlace::kWindowStart, AnchorPlace::kOldestKept,
        AnchorPlace::kNext}) {
    for (const std::int64_t offset : {-1, 0, 1}) {
      anchors.push_back(Anchor{.place = place, .chunk = 1, .offset = offset});
    }
  }
  anchors.push_back(Anchor{.offset = std::int64_t{1} << 53});
  for (const std::int64_t limit : {-1, 0, 1, 2, 7, 200, 201}) {
    for (const auto& anchor : anchors) {
      scenario.operations.emplace_back(
          Read{.rpc = Rpc::kListAgentMessages, .after = anchor, .limit = limit});
      scenario.operations.emplace_back(
          Read{.rpc = Rpc::kListAgentMessages, .before = anchor, .limit = limit});
    }
  }
  scenario.operations.emplace_back(
      Read{.rpc = Rpc::kListAgentMessages, .after = Anchor{}, .before = Anchor{}});
  return scenario;
}

bool NeedsCompaction(Rule rule) {
  return rule == Rule::kRetentionSafe || rule == Rule::kRetentionDone ||
         rule == Rule::kBoundedState;
}

std::size_t SizeOfFailure(const FoundFailure& failure) {
  return failure.scenario.operations.size() + failure.scenario.faults.size();
}

// Which part a place of the whole list lies in, and where there.
std::pair<std::size_t, std::uint64_t> Locate(const std::vector<ConformancePart>& parts,
                                             std::uint64_t place) {
  std::size_t part = 0;
  while (place >= parts[part].scenarios) place -= parts[part++].scenarios;
  return {part, place};
}

std::vector<RuleConformance> JudgeRules(const RunSummary& summary, bool compaction) {
  std::vector<RuleConformance> rules;
  for (const RuleInfo& info : Rules()) {
    RuleConformance rule{
        .rule = info.rule,
        .judged = summary.statistics.evaluations[static_cast<std::size_t>(info.rule)]};
    for (const FoundFailure& failure : summary.failures) {
      if (failure.rule != info.rule) continue;
      rule.answer = RuleAnswer::kBroken;
      if (!rule.smallest || SizeOfFailure(failure) < SizeOfFailure(*rule.smallest)) {
        rule.smallest = failure;
      }
    }
    if (rule.answer != RuleAnswer::kBroken) {
      if (!compaction && NeedsCompaction(info.rule)) {
        rule.answer = RuleAnswer::kNotApplicable;
      } else if (rule.judged == 0) {
        rule.answer = RuleAnswer::kNotReached;
      }
    }
    rules.push_back(std::move(rule));
  }
  return rules;
}

}  // namespace

Scenario ForCore(Scenario scenario, bool compaction) {
  if (compaction) return scenario;
  const auto change = [](CoreKind& kind) {
    if (kind == CoreKind::kReference) kind = CoreKind::kNoCompaction;
  };
  change(scenario.core);
  for (Operation& operation : scenario.operations) {
    auto* restart = std::get_if<Restart>(&operation);
    if (restart != nullptr && restart->core) change(*restart->core);
  }
  for (Fault& fault : scenario.faults) {
    if (fault.kind == FaultKind::kCoreSwap) change(fault.core);
  }
  return scenario;
}

std::vector<ConformancePart> ConformanceParts(const ConformanceConfig& config) {
  const std::optional<CoreKind> start = config.core.start;
  std::vector<ConformancePart> parts;
  // First, as each is small: so is what is found with it.
  parts.push_back(
      {.name = "regressions",
       .scenarios = config.regressions.size(),
       .scenario_of = [&all = config.regressions](std::uint64_t i) { return all[i].scenario; },
       .name_of = [&all = config.regressions](std::uint64_t i) { return all[i].name; }});
  const std::vector<Options> matrix = OptionsMatrix();
  parts.push_back({.name = "options matrix",
                   .scenarios = matrix.size() * kSeedsAnOptionSet,
                   .scenario_of = [matrix, start](std::uint64_t i) {
                     const GeneratorConfig fixed{.core = start.value_or(CoreKind::kReference),
                                                 .options = matrix[i / kSeedsAnOptionSet]};
                     return GenerateScenario(i, fixed);
                   }});
  parts.push_back(
      {.name = "upgrades from 0.1.0", .scenarios = kUpgrades, .scenario_of = [](std::uint64_t i) {
         return GenerateScenario(i, {.core = CoreKind::kLegacy});
       }});
  parts.push_back({.name = "paging table", .scenarios = 2, .scenario_of = [](std::uint64_t i) {
                     return PagingTable(i == 1);
                   }});
  parts.push_back(
      {.name = "swarm seeds",
       .scenarios = config.seeds,
       .scenario_of = [start](std::uint64_t i) { return GenerateScenario(i + 1, {.core = start}); },
       .name_of = [](std::uint64_t i) { return fmt::format("seed {:#x}", i + 1); }});
  for (ConformancePart& part : parts) {
    part.scenarios = (part.scenarios + config.every - 1) / config.every;
    part.scenario_of = [all = std::move(part.scenario_of), every = config.every](std::uint64_t i) {
      return all(i * every);
    };
    part.name_of = [name = part.name, all = std::move(part.name_of),
                    every = config.every](std::uint64_t i) {
      return all ? all(i * every) : fmt::format("{} {}", name, i * every + 1);
    };
  }
  return parts;
}

ConformanceReport RunConformance(const ConformanceConfig& config,
                                 const std::atomic<bool>& interrupted,
                                 const std::function<void(const RunProgress&)>& progress) {
  ConformanceReport report{.parts = ConformanceParts(config)};
  const bool compaction = config.core.external == nullptr || config.core.external->compaction;
  const RunConfig run{
      .first_seed = 0,
      .seeds = std::accumulate(
          report.parts.begin(), report.parts.end(), std::uint64_t{0},
          [](std::uint64_t sum, const ConformancePart& part) { return sum + part.scenarios; }),
      .jobs = config.jobs,
      .core = config.core,
      .scenario_of =
          [&](std::uint64_t place) {
            const auto [part, at] = Locate(report.parts, place);
            return ForCore(report.parts[part].scenario_of(at), compaction);
          },
      .name_of =
          [&](std::uint64_t place) {
            const auto [part, at] = Locate(report.parts, place);
            return report.parts[part].name_of(at);
          },
      .first_only = config.first_only,
      .out = config.out};
  report.summary = RunSeeds(run, interrupted, progress);
  report.rules = JudgeRules(report.summary, compaction);
  return report;
}

}  // namespace rollover
