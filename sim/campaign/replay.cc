#include "sim/campaign/replay.h"

#include <fmt/format.h>

#include <array>

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

// Chrome's trace event format: one lane a Step, an event a microsecond.
std::string PerfettoOf(const TraceEvent& event) {
  return DumpLine({{"name", fmt::format("{} {}", TraceKindName(event.kind), event.text)},
                   {"cat", TraceKindName(event.kind)},
                   {"ph", "X"},
                   {"ts", event.number},
                   {"dur", 1},
                   {"pid", 1},
                   {"tid", static_cast<int>(event.step)},
                   {"args", {{"turn", event.turn}, {"attempt", event.attempt}}}});
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

 private:
  void OpenPerfetto() {
    text_ = "{\"traceEvents\":[";
    for (std::size_t s = 0; s < kStepKindCount; ++s) {
      text_ += s == 0 ? "\n" : ",\n";
      text_ += DumpLine({{"name", "thread_name"},
                         {"ph", "M"},
                         {"pid", 1},
                         {"tid", s},
                         {"args", {{"name", StepName(static_cast<StepKind>(s))}}}});
    }
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
    }
  }

  std::optional<TraceFormat> format_;
  std::string text_;
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
  return line;
}

}  // namespace

std::optional<TraceFormat> TraceFormatNamed(std::string_view name) {
  if (name == "text") return TraceFormat::kText;
  if (name == "json") return TraceFormat::kJson;
  if (name == "perfetto") return TraceFormat::kPerfetto;
  return std::nullopt;
}

ReplayResult ReplayScenario(const ScenarioFile& file, const CoreSpec& core,
                            const ReplayConfig& config) {
  ReplayResult result;
  TraceWriter writer(config.trace);
  result.verdict = RunScenario(
      file.scenario, {.factory = core.factory, .trace = writer.Sink(), .until = config.until});
  result.trace = writer.Finish();
  const Verdict& verdict = result.verdict;
  if (!verdict.held()) {
    result.answer = ReplayAnswer::kReproduced;
    result.line = Reproduced(verdict, file.failure);
  } else if (verdict.reached_end && !verdict.unfired.empty()) {
    const Fault& fault = verdict.unfired.front();
    result.answer = ReplayAnswer::kStale;
    result.line = fmt::format(
        "STALE {} decisions found nothing to hit; the first: {} at {} {} attempt {} of turn {}",
        verdict.unfired.size(), FaultName(fault.kind), StepName(fault.step), fault.occurrence,
        fault.attempt, fault.turn);
  } else {
    result.line = fmt::format("FIXED all rules hold, every decision applied ({} commits)",
                              verdict.statistics.commits);
    if (!verdict.reached_end) {
      result.line = fmt::format("FIXED all rules hold up to commit {}", config.until);
    }
  }
  return result;
}

Json ReplayJson(const ReplayResult& result) {
  constexpr std::array<std::string_view, 3> answers = {"FIXED", "REPRODUCED", "STALE"};
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
  json["decisions_without_effect"] = verdict.unfired.size();
  return json;
}

}  // namespace rollover
