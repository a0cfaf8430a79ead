#include "sim/campaign/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "model/codec.h"
#include "sim/campaign/conformance.h"
#include "sim/source.h"
#include "sim/wire/line_reader.h"
#include "sim/world.h"

namespace rollover {
namespace {

// What was answered, as parts with names; equal answers have equal parts.
struct Answer {
  std::string to{};  // the request
  std::map<std::string, std::string> parts{};
};

std::string PlaceOf(Name name, Key key) {
  std::string place{NameText(name)};
  if (IsMap(name)) place += fmt::format("[{}]", key);
  return place;
}

void Describe(const StepResult& result, Answer& answer) {
  for (const Write& write : result.writes) {
    answer.parts[PlaceOf(write.name, write.key)] =
        write.deletes() ? "deleted" : Encode(*write.value);
  }
  for (std::size_t i = 0; i < result.events.size(); ++i) {
    const Event& event = result.events[i];
    // What a warning says is the core's own affair.
    answer.parts[fmt::format("event {}", i)] =
        fmt::format("{} {} {}", EventName(event.kind), event.turn_id, event.replies);
  }
  answer.parts["next"] = result.next ? std::string(StepName(result.next->step)) : "none";
  if (!result.model_input) return;
  std::string& seen = answer.parts["model input"];
  for (const ChunkRange& run : result.model_input->runs()) {
    seen += fmt::format("{}..{} ", run.first, run.last);
  }
}

void Describe(const Page& page, Answer& answer) {
  for (std::size_t i = 0; i < page.messages.size(); ++i) {
    const Message* message = page.messages[i] ? page.messages[i]->as<Message>() : nullptr;
    std::string& part = answer.parts[fmt::format("messages[{:03}]", i)];
    if (message == nullptr) continue;
    const auto content = nlohmann::json::parse(message->content.encoded(), nullptr, false);
    part = fmt::format("{} {} {} {}", message->sequence, message->turn_id, RoleName(message->role),
                       content.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  }
  answer.parts["has_more"] = page.has_more ? "true" : "false";
  answer.parts["deleted_before_sequence"] =
      page.deleted_before_sequence ? fmt::to_string(*page.deleted_before_sequence) : "none";
}

// A core that notes what it answers.
class Tap : public Core {
 public:
  Tap(std::unique_ptr<Core> inner, std::vector<Answer>& answers)
      : inner_(std::move(inner)), answers_(answers) {}

  void Expect(Doom doom) override {
    doomed_ = doomed_ || doom != Doom::kStalled;
    inner_->Expect(doom);
  }

  StepOutcome Invoke(const Invocation& invocation) override {
    StepOutcome outcome = inner_->Invoke(invocation);
    if (doomed_) return outcome;
    Answer& answer = answers_.emplace_back();
    answer.to = fmt::format("{} attempt {} of turn {}", StepName(invocation.step()),
                            invocation.attempt, TurnOf(invocation.input));
    if (const auto* result = std::get_if<StepResult>(&outcome)) {
      Describe(*result, answer);
    } else {
      answer.parts["failure"] =
          std::get<StepFailure>(outcome).retryable ? "retryable" : "not retryable";
    }
    return outcome;
  }

  ReadOutcome Read(const ReadRequest& request) override {
    ReadOutcome outcome = inner_->Read(request);
    Answer& answer = answers_.emplace_back();
    answer.to = fmt::format("read {}", answers_.size());
    if (const auto* page = std::get_if<Page>(&outcome)) {
      Describe(*page, answer);
    } else {
      answer.parts["failure"] = "refused";
    }
    return outcome;
  }

 private:
  std::unique_ptr<Core> inner_;
  std::vector<Answer>& answers_;
  bool doomed_ = false;
};

using Parts = std::map<std::string, std::string>;

struct Told {
  std::string core{};  // its name
  std::vector<Answer> answers{};
  Answer state{.to = "the committed state"};
  std::optional<Violation> violation{};
};

Answer Describe(const FlowState& state) {
  Answer answer{.to = "the committed state"};
  for (std::size_t n = 0; n < kNameCount; ++n) {
    const auto name = static_cast<Name>(n);
    for (const InstanceMap::Instance& instance : state.Map(name)) {
      answer.parts[PlaceOf(name, instance.key)] = Encode(*instance.value);
    }
  }
  return answer;
}

Told Listen(const Scenario& scenario, const CoreSpec& core) {
  Told told{.core = core.text};
  const WorldConfig config{.factory = [&](CoreKind kind, const Options& options) {
    return std::make_unique<Tap>(core.factory(kind, options), told.answers);
  }};
  FixedSource source(scenario);
  World world(scenario.core, scenario.options, scenario.limits, source, config);
  const Verdict verdict = world.Run();
  if (!verdict.held()) told.violation = verdict.violations.front();
  told.state = Describe(world.engine().state());
  return told;
}

std::string PartOf(const Answer& answer, const std::string& name) {
  const auto part = answer.parts.find(name);
  return part == answer.parts.end() ? "nothing" : Excerpt(part->second);
}

std::optional<std::string> Difference(const Answer& first, const Answer& second, const Told& a,
                                      const Told& b) {
  if (first.to != second.to) {
    return fmt::format("{} is asked for {}, {} for {}", a.core, first.to, b.core, second.to);
  }
  Parts all = first.parts;
  all.insert(second.parts.begin(), second.parts.end());
  for (const auto& [name, text] : all) {
    const auto one = first.parts.find(name);
    const auto other = second.parts.find(name);
    const bool same =
        one != first.parts.end() && other != second.parts.end() && one->second == other->second;
    if (same) continue;
    return fmt::format("{}: {}: {} has {}; {} has {}", first.to, name, a.core, PartOf(first, name),
                       b.core, PartOf(second, name));
  }
  return std::nullopt;
}

std::string EndOf(const Told& told) {
  std::string text = fmt::format("{} gave {} answers", told.core, told.answers.size());
  if (told.violation) {
    text += fmt::format(" and broke {}: {}", RuleName(told.violation->rule), told.violation->what);
  }
  return text;
}

}  // namespace

Comparison CompareCores(const Scenario& scenario, const CoreSpec& first, const CoreSpec& second) {
  const auto compacts = [](const CoreSpec& core) { return core.start != CoreKind::kNoCompaction; };
  const Scenario asked = ForCore(scenario, compacts(first) && compacts(second));
  const Told a = Listen(asked, first);
  const Told b = Listen(asked, second);
  Comparison comparison;
  const std::size_t both = std::min(a.answers.size(), b.answers.size());
  for (; comparison.answers < both; ++comparison.answers) {
    const std::size_t at = comparison.answers;
    comparison.difference = Difference(a.answers[at], b.answers[at], a, b);
    if (comparison.difference) return comparison;
  }
  if (a.answers.size() != b.answers.size() || a.violation.has_value() != b.violation.has_value()) {
    comparison.difference = EndOf(a) + "; " + EndOf(b);
    return comparison;
  }
  comparison.difference = Difference(a.state, b.state, a, b);
  if (a.violation) comparison.broken = RuleName(a.violation->rule);
  comparison.values = a.state.parts.size();
  for (const auto& [name, value] : a.state.parts) comparison.bytes += value.size();
  return comparison;
}

}  // namespace rollover
