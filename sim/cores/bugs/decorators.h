// Decorators: a core of the model with its options, its result or its reads changed.
//
// A bug that needs no memory is one function, made into a core by one of the templates below.
#pragma once

#include <memory>

#include "model/protocol/core.h"
#include "sim/cores/bugs/draft.h"

namespace rollover {

using ChangeDraft = void (*)(Draft& draft);
using ChangeArguments = ReadArguments (*)(ReadArguments arguments);

// `options` as `inner` has them.
std::unique_ptr<Core> ChangeResults(std::unique_ptr<Core> inner, const Options& options,
                                    ChangeDraft change);
std::unique_ptr<Core> ChangeReads(std::unique_ptr<Core> inner, ChangeArguments change);

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

template <Options (*kChange)(Options)>
std::unique_ptr<Core> WithOptions(const Options& options) {
  return MakeReferenceCore(kChange(options));
}

template <ChangeArguments kChange>
std::unique_ptr<Core> WithArguments(const Options& options) {
  return ChangeReads(MakeReferenceCore(options), kChange);
}

}  // namespace rollover
