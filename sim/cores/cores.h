// Core specifications: what a run puts behind the Workers.
//
//   reference | no-compaction | legacy    the model's own; sessions start on it
//   bug:NAME                              a planted bug in the reference core's place
//   bytes:SPEC                            any of them behind bytes
#pragma once

#include <optional>
#include <string>

#include "model/result.h"
#include "sim/world.h"

namespace rollover {

struct CoreSpec {
  std::string text{};  // as given; empty: all of the model's cores
  CoreFactory factory = MakeModelCore;
  std::optional<CoreKind> start{};  // what generated sessions start on; none: any
};

// The error names what is wrong and what is valid, in one line.
Result<CoreSpec> ParseCoreSpec(const std::string& text);

// The same factory behind bytes.
CoreFactory BehindBytes(CoreFactory factory);

}  // namespace rollover
