#include "sim/cores/bugs/decorators.h"

namespace rollover {
namespace {

class ResultChanger : public Core {
 public:
  ResultChanger(std::unique_ptr<Core> inner, const Options& options, ChangeDraft change)
      : inner_(std::move(inner)), options_(options), change_(change) {}

  StepOutcome Invoke(const Invocation& invocation) override {
    StepOutcome outcome = inner_->Invoke(invocation);
    if (auto* result = std::get_if<StepResult>(&outcome)) {
      Draft draft(invocation, options_, *result);
      change_(draft);
    }
    return outcome;
  }

  ReadOutcome Read(const ReadRequest& request) override { return inner_->Read(request); }

 private:
  std::unique_ptr<Core> inner_;
  Options options_;
  ChangeDraft change_;
};

class ReadChanger : public Core {
 public:
  ReadChanger(std::unique_ptr<Core> inner, ChangeArguments change)
      : inner_(std::move(inner)), change_(change) {}

  StepOutcome Invoke(const Invocation& invocation) override { return inner_->Invoke(invocation); }

  ReadOutcome Read(const ReadRequest& request) override {
    return inner_->Read({.arguments = change_(request.arguments), .state = request.state});
  }

 private:
  std::unique_ptr<Core> inner_;
  ChangeArguments change_;
};

}  // namespace

std::unique_ptr<Core> ChangeResults(std::unique_ptr<Core> inner, const Options& options,
                                    ChangeDraft change) {
  return std::make_unique<ResultChanger>(std::move(inner), options, change);
}

std::unique_ptr<Core> ChangeReads(std::unique_ptr<Core> inner, ChangeArguments change) {
  return std::make_unique<ReadChanger>(std::move(inner), change);
}

}  // namespace rollover
