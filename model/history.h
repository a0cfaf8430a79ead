// What the rules judge: the history of one session, as told by whoever ran it.
//
// The simulator tells it, but so may a test by hand or a recording of a real engine: nothing here
// names the simulator. Each record is valid during the call that hands it over.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "model/options.h"
#include "model/protocol/core.h"
#include "model/step.h"

namespace rollover {

// A Step's result that the engine applied, whole.
struct Commit {
  std::uint64_t number = 0;  // 1, 2, ... in this history; used again after a roll-back
  const StepInput& input;
  std::uint32_t attempt = 1;
  const StepResult& result;
  std::span<const Load> loads;  // what the Step ran with
  Profile profile;              // of the core that ran it, with its options and the limits then
  const Options& options;
  const Limits& limits;

  StepKind step() const { return KindOf(input); }
  bool compaction() const { return profile.compaction && options.compaction; }
};

// A read that was answered, judged against the log as of the moment it loaded.
struct ReadRecord {
  const ReadArguments& arguments;
  const ReadOutcome& outcome;
  Profile profile;
};

enum class RefusalCause : std::uint8_t { kValueLimit, kResultLimit, kFlowStateLimit };

// A result that the engine refused: not retried, the turn takes its failure route.
struct Refusal {
  RefusalCause cause = RefusalCause::kValueLimit;
  const StepInput& input;
  Profile profile;
  const Limits& limits;
};

// A Step that answered with an error. `injected` errors are the harness's own (model, tool).
struct Failure {
  const StepInput& input;
  const StepFailure& failure;
  bool injected = false;
  std::span<const Load> loads;
  Profile profile;
};

}  // namespace rollover
