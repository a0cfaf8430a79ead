// Core specifications: what a run puts behind the Workers.
//
//   reference | no-compaction | legacy    the model's own; sessions start on it
//   bug:NAME                              a planted bug in the reference core's place
//   bytes:SPEC                            any of them behind bytes
//   exec:CMD                              a process over the wire (docs/wire.md); CMD is one simple
//                                         command as /bin/sh reads it, quotes and all
#pragma once

#include <optional>
#include <string>

#include "model/result.h"
#include "sim/wire/external_core.h"
#include "sim/world.h"

namespace rollover {

struct CoreSpec {
  std::string text{};  // as given; empty: all of the model's cores
  CoreFactory factory = MakeModelCore;
  std::optional<CoreKind> start{};                   // what generated sessions start on; none: any
  std::shared_ptr<const ExternalConfig> external{};  // of exec:, else none
};

inline constexpr std::string_view kCoreSpecs =
    "reference, no-compaction, legacy, bug:NAME, bytes:CORE, exec:CMD";

// How a process is dealt with, beside its command.
struct ExternalSettings {
  std::chrono::milliseconds timeout{10'000};  // of each answer
  std::string log{};                          // its standard error goes there, too
  std::shared_ptr<Listener> listener{};
  std::function<bool()> interrupted{};  // child_process.h
};

// The error names what is wrong and what is valid, in one line. Starts the process of an exec:
// once, to ask what it is: throws CoreUnavailable when it is nothing.
Result<CoreSpec> ParseCoreSpec(const std::string& text, const ExternalSettings& settings = {});

// The same factory behind bytes.
CoreFactory BehindBytes(CoreFactory factory);

}  // namespace rollover
