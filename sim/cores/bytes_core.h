// A core behind bytes: every value is encoded and decoded at the boundary, both ways, as it would
// be with a real engine. The trace must be the same as without, or the shared values hide
// something. A value never changes, so a process decodes each once; a new process starts with none.
#pragma once

#include <memory>

#include "model/protocol/core.h"

namespace rollover {

std::unique_ptr<Core> MakeBytesCore(std::unique_ptr<Core> inner);

}  // namespace rollover
