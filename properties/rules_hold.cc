#include "properties/rules_hold.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/protocol/paging.h"
#include "sim/campaign/failure.h"
#include "sim/cores/cores.h"
#include "sim/sound.h"

namespace rollover {
namespace {

Answer HoldsEverywhere(const Scenario& scenario, Statistics& seen) {
  TraceHash hash;  // of the scenario itself, which comes last
  Scenario other = scenario;
  other.core = CoreKind::kNoCompaction;
  for (const Scenario& each : {other, UpgradedMidway(scenario), scenario}) {
    Verdict ran;
    if (Answer broken = HoldsOn(each, "reference", &ran); !broken.rule.empty()) return broken;
    seen += ran.statistics;
    hash = ran.hash;
  }

  const CoreFactory bytes = BehindBytes(MakeModelCore);
  if (hash == RunScenario(scenario, {.factory = bytes}).hash) return Held();
  return Broken("bytes", FirstDifference(scenario, MakeModelCore, bytes));
}

std::string TextOf(const ReadOutcome& outcome) {
  if (const auto* refusal = std::get_if<ReadRefusal>(&outcome)) return refusal->error;
  const Page& page = std::get<Page>(outcome);
  std::string text = fmt::format("deleted before {}{}: ", page.deleted_before_sequence.value_or(0),
                                 page.has_more ? ", and more" : "");
  for (const ValueRef& message : page.messages) text += Encode(*message);
  return text;
}

// Writes down the pages that its core gives. Snapshots are left out: the world takes more of them
// while a session migrates.
class PageRecorder : public Core {
 public:
  PageRecorder(std::unique_ptr<Core> core, std::vector<std::string>& pages)
      : core_(std::move(core)), pages_(pages) {}

  StepOutcome Invoke(const Invocation& invocation) override { return core_->Invoke(invocation); }
  ReadOutcome Read(const ReadRequest& request) override {
    ReadOutcome outcome = core_->Read(request);
    if (request.arguments.rpc == Rpc::kListAgentMessages) pages_.push_back(TextOf(outcome));
    return outcome;
  }

 private:
  std::unique_ptr<Core> core_;
  std::vector<std::string>& pages_;
};

}  // namespace

Answer HoldsOn(const Scenario& scenario, const std::string& core, Verdict* ran) {
  const auto spec = ParseCoreSpec(core);
  CHECK(spec.ok());
  const Verdict verdict = RunScenario(scenario, {.factory = spec.value().factory});
  if (ran != nullptr) *ran = verdict;
  if (verdict.held()) return Held();
  const Violation& first = verdict.violations.front();
  Answer broken = Broken(std::string(RuleName(first.rule)), first.what);
  broken.replay = ScenarioFile{.scenario = scenario,
                               .failure = KnownFailure{.rule = broken.rule,
                                                       .what = broken.what,
                                                       .core = core,
                                                       .found_by = "a property",
                                                       .trace_hash = verdict.hash.Hex()}};
  return broken;
}

Scenario UpgradedMidway(Scenario scenario) {
  scenario.core = CoreKind::kLegacy;
  const std::size_t middle = scenario.operations.size() / 2;
  scenario.operations.insert(scenario.operations.begin() + static_cast<std::ptrdiff_t>(middle),
                             Restart{.core = CoreKind::kReference});
  return MakeSound(std::move(scenario));
}

void ExpectRulesHold(const Shape& shape, const std::vector<Rule>& judged, int cases) {
  Statistics seen;
  const bool whole = ForAll<Scenario>(
      Scenarios(shape), [&seen](const Scenario& s) { return HoldsEverywhere(s, seen); }, cases);
  if (!whole) return;
  for (const Rule rule : judged) {
    EXPECT_GE(seen.evaluations[static_cast<std::size_t>(rule)], static_cast<std::uint64_t>(cases))
        << RuleName(rule) << " was given too little to judge";
  }
}

Ending RunToEnd(const Scenario& scenario) {
  Ending ending;
  WorldConfig config;
  config.factory = [&ending](CoreKind kind, const Options& options) {
    return std::make_unique<PageRecorder>(MakeModelCore(kind, options), ending.pages);
  };
  config.trace = [&ending](const TraceEvent& event) {
    const bool warning = event.text.starts_with(EventName(EventKind::kWarning));
    if (event.kind == TraceKind::kEvent && !warning) ending.events.push_back(event.text);
    if (event.kind == TraceKind::kInvoked) ending.model_inputs.push_back(event.text);
  };
  FixedSource source(scenario);
  World world(scenario.core, scenario.options, scenario.limits, source, config);
  ending.verdict = world.Run();
  ending.state = world.engine().state();
  std::vector<ValueRef> chunks;
  for (const auto& chunk : ending.state.Map(Name::kChunks)) chunks.push_back(chunk.value);
  const KeptLog log(std::move(chunks), ending.state.Map(Name::kMessages));
  ending.kept = log.Slice(log.first(), log.end());
  return ending;
}

std::string FirstDifference(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const std::string& one = i < a.size() ? a[i] : "the end";
    const std::string& other = i < b.size() ? b[i] : "the end";
    if (one != other) return fmt::format("{}: {} <> {}", i + 1, one, other);
  }
  return {};
}

std::string FirstDifference(const std::vector<ValueRef>& a, const std::vector<ValueRef>& b) {
  std::vector<std::string> texts[2];
  for (const ValueRef& message : a) texts[0].push_back(Encode(*message));
  for (const ValueRef& message : b) texts[1].push_back(Encode(*message));
  return FirstDifference(texts[0], texts[1]);
}

}  // namespace rollover
