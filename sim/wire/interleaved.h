// Interleaved: many sessions on one process, without threads.
//
// Each session runs as a fiber. Its request joins a batch and the fiber waits; when all wait, the
// batch goes out in one write, and each answer wakes the fiber that asked, in the order of asking.
// So the process computes while the sessions do, and a system call serves several requests. For
// sessions that kill nobody: what strikes the process strikes them all.
#pragma once

#include <cstddef>
#include <functional>

#include "sim/wire/dialogue.h"

namespace rollover {

// Starts the process, runs `session(dialogue, i)` for 0 .. count - 1 to their ends, ends the
// process. What a session throws ends all and is thrown here, as is CoreMisbehaved when the process
// does not answer.
void RunInterleaved(const DialogueConfig& config, std::size_t count,
                    const std::function<void(Dialogue&, std::size_t)>& session);

}  // namespace rollover
