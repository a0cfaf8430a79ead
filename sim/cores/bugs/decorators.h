// Decorators: a core of the model with its options, what it loads, its answers or its pages
// changed.
//
// A bug that needs no memory is one function, made into a core by one of the templates below; one
// that remembers is a class over Decorator.
#pragma once

#include <memory>

#include "model/protocol/core.h"
#include "sim/cores/bugs/draft.h"

namespace rollover {

// A core that does as the one inside does, until a bug overrides it.
class Decorator : public Core {
 public:
  Decorator(std::unique_ptr<Core> inner, const Options& options)
      : inner_(std::move(inner)), options_(options) {}

  StepOutcome Invoke(const Invocation& invocation) override { return inner_->Invoke(invocation); }
  ReadOutcome Read(const ReadRequest& request) override { return inner_->Read(request); }

 protected:
  Core& inner() { return *inner_; }
  const Options& options() const { return options_; }

 private:
  std::unique_ptr<Core> inner_;
  Options options_;
};

// One that changes results, and nothing else.
class ResultChanger : public Decorator {
 public:
  using Decorator::Decorator;

  StepOutcome Invoke(const Invocation& invocation) final;

 private:
  virtual void Change(Draft& draft) = 0;
};

// The core's answer to a session whose next sequence is another.
StepOutcome InvokeAt(Core& core, const Invocation& invocation, Sequence next_sequence);

using ChangeDraft = void (*)(Draft& draft);
using ChangeOutcome = StepOutcome (*)(const Invocation& invocation, const Options& options,
                                      StepOutcome outcome);
using ChangeArguments = ReadArguments (*)(ReadArguments arguments);
using ChangePage = void (*)(const ReadRequest& request, const Options& options, Page& page);

// `options` as `inner` has them.
std::unique_ptr<Core> ChangeResults(std::unique_ptr<Core> inner, const Options& options,
                                    ChangeDraft change);
std::unique_ptr<Core> ChangeOutcomes(std::unique_ptr<Core> inner, const Options& options,
                                     ChangeOutcome change);
std::unique_ptr<Core> ChangeReads(std::unique_ptr<Core> inner, const Options& options,
                                  ChangeArguments change);
std::unique_ptr<Core> ChangePages(std::unique_ptr<Core> inner, const Options& options,
                                  ChangePage change);

template <ChangeDraft kChange>
std::unique_ptr<Core> WithResult(const Options& options) {
  return ChangeResults(MakeReferenceCore(options), options, kChange);
}

template <ChangeDraft kChange>
std::unique_ptr<Core> WithResultWithoutCompaction(const Options& options) {
  Options without = options;
  without.compaction = false;
  return ChangeResults(MakeNoCompactionCore(options), without, kChange);
}

template <ChangeOutcome kChange>
std::unique_ptr<Core> WithOutcome(const Options& options) {
  return ChangeOutcomes(MakeReferenceCore(options), options, kChange);
}

template <ChangeOutcome kChange>
std::unique_ptr<Core> WithLegacyOutcome(const Options& options) {
  return ChangeOutcomes(MakeLegacyCore(options), options, kChange);
}

template <Options (*kChange)(Options)>
std::unique_ptr<Core> WithOptions(const Options& options) {
  return MakeReferenceCore(kChange(options));
}

template <ChangeArguments kChange>
std::unique_ptr<Core> WithArguments(const Options& options) {
  return ChangeReads(MakeReferenceCore(options), options, kChange);
}

template <ChangePage kChange>
std::unique_ptr<Core> WithPage(const Options& options) {
  return ChangePages(MakeReferenceCore(options), options, kChange);
}

// A class over Decorator.
template <typename T>
std::unique_ptr<Core> Remembering(const Options& options) {
  return std::make_unique<T>(MakeReferenceCore(options), options);
}

}  // namespace rollover
