#include "sim/cores/bugs/decorators.h"

namespace rollover {
namespace {

class StatelessResultChanger : public ResultChanger {
 public:
  StatelessResultChanger(std::unique_ptr<Core> inner, const Options& options, ChangeDraft change)
      : ResultChanger(std::move(inner), options), change_(change) {}

 private:
  void Change(Draft& draft) override { change_(draft); }

  ChangeDraft change_;
};

class OutcomeChanger : public Decorator {
 public:
  OutcomeChanger(std::unique_ptr<Core> inner, const Options& options, ChangeOutcome change)
      : Decorator(std::move(inner), options), change_(change) {}

  StepOutcome Invoke(const Invocation& invocation) override {
    return change_(invocation, options(), inner().Invoke(invocation));
  }

 private:
  ChangeOutcome change_;
};

class ReadChanger : public Decorator {
 public:
  ReadChanger(std::unique_ptr<Core> inner, const Options& options, ChangeArguments change)
      : Decorator(std::move(inner), options), change_(change) {}

  ReadOutcome Read(const ReadRequest& request) override {
    return inner().Read({.arguments = change_(request.arguments), .state = request.state});
  }

 private:
  ChangeArguments change_;
};

class PageChanger : public Decorator {
 public:
  PageChanger(std::unique_ptr<Core> inner, const Options& options, ChangePage change)
      : Decorator(std::move(inner), options), change_(change) {}

  ReadOutcome Read(const ReadRequest& request) override {
    ReadOutcome outcome = inner().Read(request);
    if (auto* page = std::get_if<Page>(&outcome)) change_(request, options(), *page);
    return outcome;
  }

 private:
  ChangePage change_;
};

}  // namespace

StepOutcome ResultChanger::Invoke(const Invocation& invocation) {
  StepOutcome outcome = inner().Invoke(invocation);
  if (auto* result = std::get_if<StepResult>(&outcome)) {
    Draft draft(invocation, options(), *result);
    Change(draft);
  }
  return outcome;
}

StepOutcome InvokeAt(Core& core, const Invocation& invocation, Sequence next_sequence) {
  const Session* loaded = invocation.state.Attribute<Session>(Name::kSession);
  Session session = loaded != nullptr ? *loaded : Session{};
  session.next_sequence = next_sequence;
  FlowState altered = invocation.state.state();
  altered.Apply({Name::kSession, 0, MakeValue(std::move(session))});
  const LoadedState state(altered, invocation.state.loads());
  StepOutcome outcome =
      core.Invoke({.input = invocation.input, .attempt = invocation.attempt, .state = state});
  invocation.state.NoteUnloadedRead(state.unloaded_read());
  return outcome;
}

std::unique_ptr<Core> ChangeResults(std::unique_ptr<Core> inner, const Options& options,
                                    ChangeDraft change) {
  return std::make_unique<StatelessResultChanger>(std::move(inner), options, change);
}

std::unique_ptr<Core> ChangeOutcomes(std::unique_ptr<Core> inner, const Options& options,
                                     ChangeOutcome change) {
  return std::make_unique<OutcomeChanger>(std::move(inner), options, change);
}

std::unique_ptr<Core> ChangeReads(std::unique_ptr<Core> inner, const Options& options,
                                  ChangeArguments change) {
  return std::make_unique<ReadChanger>(std::move(inner), options, change);
}

std::unique_ptr<Core> ChangePages(std::unique_ptr<Core> inner, const Options& options,
                                  ChangePage change) {
  return std::make_unique<PageChanger>(std::move(inner), options, change);
}

}  // namespace rollover
