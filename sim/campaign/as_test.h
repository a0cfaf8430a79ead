// A failure as a GoogleTest case, to paste into a file of its own: red until the core is mended.
#pragma once

#include <string>

#include "sim/campaign/failure.h"

namespace rollover {

// `core` is a specification (cores.h).
std::string AsTest(const FoundFailure& failure, const std::string& core);

}  // namespace rollover
