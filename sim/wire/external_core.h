// ExternalCore: a process in the place of a core, for one session.
//
// A Core object is one Worker: one process that has seen nothing, started at its first call, and
// killed when the object goes. So what a scenario does to Workers is done to real processes, and
// every run of a scenario begins with a cold one: nothing that a process remembers can pass from
// one run into the next. Starting one costs its language's start-up; many sessions on one process,
// for speed, are in interleaved.h.
//
// Calls throw CoreMisbehaved, and CoreUnavailable when the process cannot be started or greeted.
#pragma once

#include <memory>

#include "sim/wire/dialogue.h"
#include "sim/world.h"

namespace rollover {

struct ExternalConfig {
  DialogueConfig dialogue{};
  bool compaction = true;  // what the core said of itself
};

// Starts the command, greets it, ends it. What it has become is put in its place in `config`, if
// that says the same. Throws CoreUnavailable.
HelloReply Probe(DialogueConfig& config);

// The kind that the process stands for: the reference's, or the one's without compaction. Of a core
// with compaction both, the second with its option switched off; the other kinds are the model's.
CoreFactory ExternalFactory(std::shared_ptr<const ExternalConfig> config);
CoreKind StandsFor(const ExternalConfig& config);

// A Worker over a dialogue that others may share. `dialogue` outlives it.
std::unique_ptr<Core> MakeCoreOver(Dialogue& dialogue, const std::string& session,
                                   const Options& options);

}  // namespace rollover
