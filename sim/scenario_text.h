// The text of a scenario file, before anybody asks what it says: one JSON value, whose every name
// stands once in its object. A tree of values would keep the last of two and show neither's place.
//
// Not here: which fields there are (scenario_reader.cc).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/result.h"

namespace rollover {

// Deeper nesting than any scenario has; a reader that recursed further could exhaust the stack.
inline constexpr int kScenarioDepthMax = 32;

// No value when the text could be a scenario's. White space and a byte order mark may stand before
// it.
std::optional<Error> BadScenarioText(std::string_view text);

// A string from a file, quoted and short, fit to stand in one line of a message.
std::string Shown(const std::string& text);

}  // namespace rollover
