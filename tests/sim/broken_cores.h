// Cores of the tests' own that break rules.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "sim/world.h"

namespace rollover {

// Runs the model's core and lets `change` have its results.
template <typename Change>
class ChangedCore : public Core {
 public:
  ChangedCore(std::unique_ptr<Core> inner, Change change)
      : inner_(std::move(inner)), change_(std::move(change)) {}

  StepOutcome Invoke(const Invocation& invocation) override {
    StepOutcome outcome = inner_->Invoke(invocation);
    if (auto* result = std::get_if<StepResult>(&outcome)) change_(*result);
    return outcome;
  }
  ReadOutcome Read(const ReadRequest& request) override { return inner_->Read(request); }

 private:
  std::unique_ptr<Core> inner_;
  Change change_;
};

template <typename Change>
CoreFactory Changed(Change change) {
  return [change](CoreKind kind, const Options& options) -> std::unique_ptr<Core> {
    return std::make_unique<ChangedCore<Change>>(MakeModelCore(kind, options), change);
  };
}

// Forgets to delete what it moved out of the window: exactly-once.
inline CoreFactory KeepsMovedMessages() {
  return Changed([](StepResult& result) {
    std::erase_if(result.writes, [](const Write& write) {
      return write.deletes() && write.name == Name::kMessages;
    });
  });
}

// Counts every invocation of the process in the replies that it reports: reply-count, and another
// trace each time.
inline CoreFactory CountsInvocations() {
  return Changed([](StepResult& result) {
    static std::atomic<std::uint64_t> invocations{0};
    const std::uint64_t count = ++invocations;
    for (Event& event : result.events) event.replies += count;
  });
}

// Warns after every Step, with a number of the process. No rule is about that: only the traces
// differ.
inline CoreFactory NumbersItsWarnings() {
  return Changed([](StepResult& result) {
    static std::atomic<std::uint64_t> warnings{0};
    result.events.push_back({.kind = EventKind::kWarning, .text = std::to_string(++warnings)});
  });
}

}  // namespace rollover
