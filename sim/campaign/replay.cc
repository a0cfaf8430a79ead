#include "sim/campaign/replay.h"

#include <fmt/format.h>

#include <array>

#include "sim/campaign/failure.h"
#include "sim/campaign/timeline_page.h"
#include "sim/wire/line_reader.h"

namespace rollover {
namespace {

using Json = nlohmann::ordered_json;

std::string DumpLine(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string TextOf(const TraceEvent& event) {
  return fmt::format("{:>6}  turn {:<5} {:<22} attempt {:<2} {:<9} {}\n", event.number, event.turn,
                     StepName(event.step), event.attempt, TraceKindName(event.kind), event.text);
}

std::string JsonOf(const TraceEvent& event) {
  return DumpLine({{"event", event.number},
                   {"kind", TraceKindName(event.kind)},
                   {"turn", event.turn},
                   {"step", StepName(event.step)},
                   {"attempt", event.attempt},
                   {"commit", event.commit},
                   {"text", event.text}}) +
         "\n";
}

// Chrome's trace event format: one lane a Step, an event a microsecond. Thread 0 is the idle one to
// some readers.
int ThreadOf(StepKind step) { return static_cast<int>(step) + 1; }

std::string PerfettoOf(const TraceEvent& event) {
  return DumpLine(
      {{"name", fmt::format("{} {}", TraceKindName(event.kind), event.text)},
       {"cat", TraceKindName(event.kind)},
       {"ph", "X"},
       {"ts", event.number},
       {"dur", 1},
       {"pid", 1},
       {"tid", ThreadOf(event.step)},
       {"args", {{"turn", event.turn}, {"attempt", event.attempt}, {"commit", event.commit}}}});
}

class TraceWriter {
 public:
  explicit TraceWriter(std::optional<TraceFormat> format) : format_(format) {
    if (format_ == TraceFormat::kPerfetto) OpenPerfetto();
  }

  TraceSink Sink() {
    if (!format_) return nullptr;
    return [this](const TraceEvent& event) { Write(event); };
  }

  std::string Finish() {
    if (format_ == TraceFormat::kPerfetto) text_ += "\n]}\n";
    return std::move(text_);
  }
  const std::vector<TraceEvent>& events() const { return events_; }

 private:
  void OpenPerfetto() {
    text_ = "{\"traceEvents\":[\n" + NameOf("process_name", 0, "session");
    for (std::size_t s = 0; s < kStepKindCount; ++s) {
      const auto step = static_cast<StepKind>(s);
      text_ += ",\n" + NameOf("thread_name", ThreadOf(step), StepName(step));
    }
  }

  static std::string NameOf(std::string_view what, int thread, std::string_view name) {
    return DumpLine({{"name", what},
                     {"ph", "M"},
                     {"ts", 0},
                     {"pid", 1},
                     {"tid", thread},
                     {"args", {{"name", name}}}});
  }

  void Write(const TraceEvent& event) {
    switch (*format_) {
      case TraceFormat::kText:
        text_ += TextOf(event);
        break;
      case TraceFormat::kJson:
        text_ += JsonOf(event);
        break;
      case TraceFormat::kPerfetto:
        text_ += ",\n";
        text_ += PerfettoOf(event);
        break;
      case TraceFormat::kHtml:
        events_.push_back(event);
        break;
    }
  }

  std::optional<TraceFormat> format_;
  std::string text_;
  std::vector<TraceEvent> events_;  // of the page, which is made once the end is known
};

std::string Reproduced(const Verdict& verdict, const std::optional<KnownFailure>& known) {
  const Violation& violation = verdict.violations.front();
  const std::string rule{RuleName(violation.rule)};
  std::string line = fmt::format("REPRODUCED rule {}   turn {}  {} attempt {}  commit {}\n  {}",
                                 rule, verdict.where.turn, StepName(verdict.where.step),
                                 verdict.where.attempt, violation.commit, violation.what);
  if (known && !known->rule.empty() && known->rule != rule) {
    line += fmt::format("\n  another rule than the file says: {}", known->rule);
  }
  if (!verdict.core_log.empty()) line += "\n  the core's standard error, its last lines:";
  for (const std::string& said : verdict.core_log) {
    line += "\n    " + Excerpt(said, said.size());
  }
  return line;
}

// A run that held must leave its trace again, in memory and behind bytes: what is broken in a file
// that shows `deterministic` is only seen in the comparison.
void CompareTraces(const Scenario& scenario, const CoreSpec& core, std::uint64_t until,
                   Verdict& verdict) {
  if (!verdict.held()) return;
  for (const CoreFactory& other : {core.factory, BehindBytes(core.factory)}) {
    const Verdict again = RunScenario(scenario, {.factory = other, .until = until});
    if (again.hash == verdict.hash) continue;
    const std::string difference = FirstDifference(scenario, core.factory, other);
    verdict.violations.push_back(
        {Rule::kDeterministic,
         "another run left another trace" + (difference.empty() ? "" : ": " + difference),
         verdict.statistics.commits});
    return;
  }
}

}  // namespace

std::optional<TraceFormat> TraceFormatNamed(std::string_view name) {
  if (name == "text") return TraceFormat::kText;
  if (name == "json") return TraceFormat::kJson;
  if (name == "perfetto") return TraceFormat::kPerfetto;
  if (name == "html") return TraceFormat::kHtml;
  return std::nullopt;
}

ReplayResult ReplayScenario(const ScenarioFile& file, const CoreSpec& core,
                            const ReplayConfig& config) {
  ReplayResult result;
  TraceWriter writer(config.trace);
  result.verdict = RunScenario(
      file.scenario, {.factory = core.factory, .trace = writer.Sink(), .until = config.until});
  result.trace = writer.Finish();
  CompareTraces(file.scenario, core, config.until, result.verdict);
  const Verdict& verdict = result.verdict;
  if (!verdict.held()) {
    result.answer = ReplayAnswer::kReproduced;
    result.line = Reproduced(verdict, file.failure);
  } else if (verdict.reached_end && !verdict.unfired.empty()) {
    result.answer = ReplayAnswer::kStale;
    result.line = fmt::format("STALE {} of {} decisions found nothing to hit; the first: {}",
                              verdict.unfired.size(), file.scenario.faults.size(),
                              Describe(verdict.unfired.front()));
  } else if (!verdict.reached_end) {
    result.answer = ReplayAnswer::kHeld;
    result.line = fmt::format("HELD all rules hold up to commit {}, where it was stopped",
                              verdict.statistics.commits);
  } else {
    result.line = fmt::format("FIXED all rules hold, every decision applied ({} commits)",
                              verdict.statistics.commits);
  }
  if (config.trace == TraceFormat::kHtml) {
    result.trace = TimelinePage({.path = config.path,
                                 .core = core.text,
                                 .file = file,
                                 .config = config,
                                 .result = result,
                                 .events = writer.events()});
  }
  return result;
}

Json ReplayJson(const ReplayResult& result) {
  constexpr std::array<std::string_view, 4> answers = {"FIXED", "REPRODUCED", "STALE", "HELD"};
  const Verdict& verdict = result.verdict;
  Json json{{"answer", answers.at(static_cast<std::size_t>(result.answer))},
            {"turns", verdict.statistics.turns},
            {"commits", verdict.statistics.commits},
            {"trace_hash", verdict.hash.Hex()}};
  json["violations"] = Json::array();
  for (const Violation& violation : verdict.violations) {
    json["violations"].push_back({{"rule", RuleName(violation.rule)},
                                  {"what", violation.what},
                                  {"commit", violation.commit}});
  }
  // A run that stopped early says nothing about the decisions that were still to come.
  json["stale_decisions"] = Json::array();
  if (result.answer == ReplayAnswer::kStale) {
    for (const Fault& fault : verdict.unfired) {
      json["stale_decisions"].push_back(Describe(fault));
    }
  }
  return json;
}

}  // namespace rollover
