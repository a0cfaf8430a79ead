#include "sim/campaign/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/campaign/numbers.h"

namespace rollover {
namespace {

using Json = nlohmann::ordered_json;

Json FailureJson(const FoundFailure& failure) {
  Json json{{"fingerprint", Fingerprint(failure)},
            {"what", failure.what},
            {"turn", failure.where.turn},
            {"step", StepName(failure.where.step)},
            {"attempt", failure.where.attempt},
            {"commit", failure.where.commit},
            {"operations", failure.scenario.operations.size()},
            {"faults", failure.scenario.faults.size()}};
  if (failure.found) {
    json["operations_found"] = failure.found->operations;
    json["faults_found"] = failure.found->faults;
  }
  return json;
}

Json FailuresJson(const std::vector<FoundFailure>& failures) {
  Json list = Json::array();
  for (const FoundFailure& failure : failures) {
    Json json{
        {"rule", RuleName(failure.rule)}, {"seed", failure.seed}, {"scenario", failure.saved}};
    json.update(FailureJson(failure));
    list.push_back(std::move(json));
  }
  return list;
}

std::string FailuresScreen(const std::vector<FoundFailure>& failures, std::uint64_t total) {
  constexpr std::size_t shown_max = 5;
  std::string screen;
  for (std::size_t i = 0; i < std::min(failures.size(), shown_max); ++i) {
    screen += '\n';
    screen += Describe(failures[i]);
  }
  if (total > shown_max) {
    screen += fmt::format("\n... {} failures in all, {} of them saved\n", Grouped(total),
                          failures.size());
  }
  return screen;
}

// "name count" pairs in columns that fit a terminal of 100 characters.
template <typename NameOf>
std::string Columns(std::size_t count, NameOf name_of, const std::uint64_t* values) {
  constexpr std::size_t columns = 3;
  std::string screen;
  for (std::size_t i = 0; i < count; ++i) {
    screen += fmt::format("{}{:<20}{:>11}", i % columns == 0 ? "  " : "  ", name_of(i),
                          Grouped(values[i]));
    if (i % columns == columns - 1 || i + 1 == count) screen += '\n';
  }
  return screen;
}

std::size_t ReachedSituations(const Statistics& statistics, std::size_t& all) {
  std::size_t reached = 0;
  all = 0;
  for (const std::uint64_t count : statistics.situations) {
    ++all;
    if (count > 0) ++reached;
  }
  for (std::size_t f = 0; f < kFaultKindCount; ++f) {
    for (std::size_t s = 0; s < kStepKindCount; ++s) {
      if (!CanHit(static_cast<FaultKind>(f), static_cast<StepKind>(s))) continue;
      ++all;
      if (statistics.faults_at[f][s] > 0) ++reached;
    }
  }
  return reached;
}

}  // namespace

Json RunJson(const RunHeader& header, const RunSummary& summary,
             const std::vector<std::string>& not_reached) {
  const Statistics& statistics = summary.statistics;
  Json json{{"seeds", summary.seeds},
            {"turns", statistics.turns},
            {"commits", statistics.commits},
            {"attempts", statistics.attempts},
            {"reads", statistics.reads}};
  for (std::size_t f = 0; f < kFaultKindCount; ++f) {
    json["faults"][std::string(FaultName(static_cast<FaultKind>(f)))] = statistics.faults[f];
  }
  for (const SituationInfo& situation : Situations()) {
    json["situations"][std::string(situation.name)] =
        statistics.situations[static_cast<std::size_t>(situation.situation)];
  }
  for (std::size_t f = 0; f < kFaultKindCount; ++f) {
    for (std::size_t s = 0; s < kStepKindCount; ++s) {
      const auto fault = static_cast<FaultKind>(f);
      const auto step = static_cast<StepKind>(s);
      if (!CanHit(fault, step)) continue;
      json["situations"][fmt::format("{}@{}", FaultName(fault), StepName(step))] =
          statistics.faults_at[f][s];
    }
  }
  for (const RuleInfo& rule : Rules()) {
    json["rules"][std::string(rule.name)] =
        statistics.evaluations[static_cast<std::size_t>(rule.rule)];
  }
  json["not_reached"] = not_reached;
  json["failures"] = FailuresJson(summary.failures);
  json["failures_total"] = summary.failures_total;
  json["seconds"] = summary.seconds;
  json["trace_hash"] = summary.hash.Hex();
  if (header.every_crash_point.empty()) {
    json["first_seed"] = header.first_seed;
  } else {
    const StruckPoints& struck = header.struck;
    json["every_crash_point"] = {
        {"file", header.every_crash_point},
        {"crash_points", {{"struck", struck.crashes}, {"all", struck.crashes_all}}},
        {"other_faults", {{"struck", struck.others}, {"all", struck.others_all}}}};
  }
  if (header.futures) json["futures"] = *header.futures;
  json["core"] = header.core.empty() ? "all" : header.core;
  if (!header.preset.empty()) json["preset"] = header.preset;
  if (!header.transcript.empty()) {
    json["transcript"] = header.transcript;
    json["transcript_skipped_messages"] = header.transcript_skipped;
  }
  json["shard"] = fmt::format("{}/{}", header.shard.index, header.shard.count);
  json["interrupted"] = summary.interrupted;
  return json;
}

namespace {

std::string WhatRan(const RunHeader& header, const RunSummary& summary) {
  const std::string core = header.core.empty() ? "all cores" : header.core;
  if (header.every_crash_point.empty()) {
    const std::uint64_t futures = header.futures.value_or(0);
    return fmt::format(
        "{} seeds from {} on{} ({}), {:.1f} s\n", Grouped(summary.seeds - futures),
        header.first_seed,
        header.futures ? fmt::format(", {} futures of rare moments", Grouped(futures)) : "", core,
        summary.seconds);
  }
  const StruckPoints& struck = header.struck;
  return fmt::format(
      "{}: {} runs, each with one more fault, {:.1f} s\n"
      "crash points {}/{}, other faults {}/{}\n",
      header.every_crash_point, Grouped(summary.seeds), summary.seconds, Grouped(struck.crashes),
      Grouped(struck.crashes_all), Grouped(struck.others), Grouped(struck.others_all));
}

}  // namespace

std::string RunScreen(const RunHeader& header, const RunSummary& summary,
                      const std::vector<std::string>& not_reached) {
  const Statistics& statistics = summary.statistics;
  const double seconds = std::max(summary.seconds, 1e-9);
  std::string screen = WhatRan(header, summary);
  screen += fmt::format(
      "{} turns, {} commits, {} attempts, {} reads; {} turns/s\n", Grouped(statistics.turns),
      Grouped(statistics.commits), Grouped(statistics.attempts), Grouped(statistics.reads),
      Grouped(static_cast<std::uint64_t>(static_cast<double>(statistics.turns) / seconds)));
  if (!header.transcript.empty()) {
    screen += fmt::format(
        "transcript {}; {} messages skipped (system, developer, before the first "
        "user message)\n",
        header.transcript, header.transcript_skipped);
  }
  screen += "\nrules, with how often each judged\n";
  screen += Columns(
      kRuleCount, [](std::size_t i) { return RuleName(static_cast<Rule>(i)); },
      statistics.evaluations.data());
  screen += "\nfaults, with how often each struck\n";
  screen += Columns(
      kFaultKindCount, [](std::size_t i) { return FaultName(static_cast<FaultKind>(i)); },
      statistics.faults.data());
  std::size_t all = 0;
  const std::size_t reached = ReachedSituations(statistics, all);
  screen += fmt::format("\nsituations reached: {} of {}\n", reached, all);
  constexpr std::size_t shown_max = 4;
  for (std::size_t i = 0; i < std::min(not_reached.size(), shown_max); ++i) {
    screen += fmt::format("  not reached: {}\n", not_reached[i]);
  }
  if (not_reached.size() > shown_max) {
    screen +=
        fmt::format("  ... and {} more (--json lists them)\n", not_reached.size() - shown_max);
  }
  screen += fmt::format("trace_hash {}\n", summary.hash.Hex());
  screen += FailuresScreen(summary.failures, summary.failures_total);
  if (summary.failures_total == 0) screen += "all rules held\n";
  return screen;
}

namespace {

Json CheckpointJson(const SoakCheckpoint& checkpoint) {
  Json json{{"turn", checkpoint.turn},
            {"kept_messages", checkpoint.kept_messages},
            {"window_messages", checkpoint.window_messages},
            {"chunks", checkpoint.chunks},
            {"stored_message_bytes", checkpoint.stored_message_bytes},
            {"live_state_bytes", checkpoint.live_state_bytes},
            {"superseded_bytes", checkpoint.superseded_bytes}};
  for (std::size_t name = 0; name < kNameCount; ++name) {
    json["live_bytes"][std::string(NameText(static_cast<Name>(name)))] =
        checkpoint.live_bytes[name];
  }
  json["bound"] = nullptr;
  if (checkpoint.bound) json["bound"] = *checkpoint.bound;
  return json;
}

// Where the bytes are, and whether they stay as many.
std::string BoundScreen(const SoakReport& report) {
  const SoakCheckpoint& highest = report.highest;
  std::string screen = fmt::format("\nmost live bytes  {}, after turn {}",
                                   Grouped(highest.live_state_bytes), Grouped(highest.turn));
  if (highest.bound) screen += fmt::format("; the bound is {}", Grouped(*highest.bound));
  screen += "\n";
  for (std::size_t name = 0; name < kNameCount; ++name) {
    screen += fmt::format("  {:<20} {:>13}\n", NameText(static_cast<Name>(name)),
                          Grouped(highest.live_bytes[name]));
  }
  if (report.growth) {
    const SoakGrowth& growth = *report.growth;
    screen += fmt::format("second half      {}{} bytes of growth; one chunk is {}: {}\n",
                          growth.bytes < 0 ? "-" : "+",
                          Grouped(static_cast<std::uint64_t>(std::abs(growth.bytes))),
                          Grouped(growth.chunk_bytes), growth.flat() ? "flat" : "IT GROWS");
  }
  if (report.index_full_at_turn) {
    screen += fmt::format("index            larger than a value may be from turn {} on\n",
                          Grouped(*report.index_full_at_turn));
  }
  return screen;
}

}  // namespace

Json SoakJson(const SoakConfig& config, const SoakReport& report) {
  Json json{{"preset", config.preset.name}, {"turns", report.turns}};
  json["checkpoints"] = Json::array();
  for (const SoakCheckpoint& checkpoint : report.checkpoints) {
    json["checkpoints"].push_back(CheckpointJson(checkpoint));
  }
  json["highest"] = CheckpointJson(report.highest);
  json["growth"] = nullptr;
  if (report.growth) {
    json["growth"] = {{"bytes", report.growth->bytes},
                      {"chunk_bytes", report.growth->chunk_bytes},
                      {"flat", report.growth->flat()}};
  }
  json["index_full_at_turn"] = nullptr;
  if (report.index_full_at_turn) json["index_full_at_turn"] = *report.index_full_at_turn;
  json["stored_total_bytes"] = report.stored_total_bytes;
  json["commits"] = report.statistics.commits;
  for (std::size_t f = 0; f < kFaultKindCount; ++f) {
    json["faults"][std::string(FaultName(static_cast<FaultKind>(f)))] = report.statistics.faults[f];
  }
  json["failures"] = FailuresJson(report.failures);
  json["seconds"] = report.seconds;
  json["interrupted"] = report.interrupted;
  return json;
}

std::string SoakScreen(const SoakConfig& config, const SoakReport& report) {
  std::string screen =
      fmt::format("soak {}: {} turns, {} commits, {:.2f} s\n\n", config.preset.name,
                  Grouped(report.turns), Grouped(report.statistics.commits), report.seconds);
  screen += fmt::format("{:>8} {:>9} {:>8} {:>8} {:>15} {:>15} {:>15}\n", "turn", "kept", "window",
                        "chunks", "stored bytes", "live bytes", "superseded");
  for (const SoakCheckpoint& checkpoint : report.checkpoints) {
    screen +=
        fmt::format("{:>8} {:>9} {:>8} {:>8} {:>15} {:>15} {:>15}\n", Grouped(checkpoint.turn),
                    Grouped(checkpoint.kept_messages), Grouped(checkpoint.window_messages),
                    Grouped(checkpoint.chunks), Grouped(checkpoint.stored_message_bytes),
                    Grouped(checkpoint.live_state_bytes), Grouped(checkpoint.superseded_bytes));
  }
  if (report.turns > 0) screen += BoundScreen(report);
  screen +=
      fmt::format("\n{} bytes of messages stored in all\n", Grouped(report.stored_total_bytes));
  const auto& faults = report.statistics.faults;
  const std::uint64_t struck = std::accumulate(faults.begin(), faults.end(), std::uint64_t{0});
  if (struck > 0) screen += fmt::format("{} faults struck\n", Grouped(struck));
  screen += FailuresScreen(report.failures, report.failures.size());
  if (Held(report)) {
    screen += "all rules held\n";
  } else if (report.failures.empty()) {
    screen += "FAIL all rules held after every commit, but the state grows\n";
  }
  return screen;
}

Json ShrinkJson(const ShrinkReport& report) {
  const FoundFailure& failure = report.failure;
  Json json{{"answer", failure.found ? "SHRUNK" : "NOT-SHRUNK"},
            {"rule", RuleName(failure.rule)},
            {"scenario", failure.saved}};
  json.update(FailureJson(failure));
  json["runs"] = report.runs;
  json["complete"] = report.complete;
  json["seconds"] = report.seconds;
  json["trace_hash"] = failure.hash.Hex();
  return json;
}

std::string ShrinkScreen(const ShrinkReport& report) {
  const FoundFailure& failure = report.failure;
  std::string screen = Describe(failure);
  if (failure.rule == Rule::kDeterministic) {
    return screen + "  not shrunk: it does not fail the same way each time\n";
  }
  if (!failure.found) {
    return screen + "  not shrunk: what was smaller did not fail the same way twice\n";
  }
  screen += fmt::format("  {} operations, {} faults -> {}, {}; {} runs in {:.1f} s{}\n",
                        Grouped(failure.found->operations), Grouped(failure.found->faults),
                        failure.scenario.operations.size(), failure.scenario.faults.size(),
                        Grouped(report.runs), report.seconds,
                        report.complete ? "" : "; cut short, another call may go on from here");
  return screen;
}

}  // namespace rollover
