// The page of a soak (`soak --html`): one session over its turns, drawn.
#pragma once

#include <string>

#include "sim/campaign/soak.h"

namespace rollover {

// `config.sample` must have been set when the soak ran.
std::string SoakPage(const SoakConfig& config, const SoakReport& report);

}  // namespace rollover
