// Tampering: a core with one of its answers changed, in any of the ways that an answer can be
// wrong.
#pragma once

#include <cstdint>
#include <memory>

#include "model/protocol/core.h"

namespace rollover {

// Which answer, and what to do to it. Every value means something.
struct Tamper {
  std::uint64_t answer =
      0;  // this many Steps and reads go by; then the first that can be changed so
  std::uint8_t what = 0;
  std::uint8_t which = 0;  // of the writes, loads, events, ...
  std::uint8_t how = 0;
};

// What an answer was changed to.
enum class TamperedAnswer : std::uint8_t { kNone, kResult, kFailure, kRead };

// What became of it. Shared by the Workers of one session.
struct Tampered {
  Tamper tamper;
  std::uint64_t answers = 0;  // so far, until one was changed
  TamperedAnswer changed = TamperedAnswer::kNone;
};

// `tampered` must outlive the core. An answer is changed once; a change that leaves an answer as it
// was is not made.
std::unique_ptr<Core> TamperWith(std::unique_ptr<Core> inner, Tampered& tampered);

}  // namespace rollover
