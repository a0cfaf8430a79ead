// Tampering: a core with one of its answers changed, in any of the ways that an answer can be
// wrong.
#pragma once

#include <cstdint>
#include <memory>

#include "model/protocol/core.h"

namespace rollover {

// Which answer, and what to do to it. Every value means something.
struct Tamper {
  std::uint64_t answer = 0;  // 0: the first Step or read; later ones only if it can be changed so
  std::uint8_t what = 0;
  std::uint8_t which = 0;  // of the writes, loads, events, ...
  std::uint8_t how = 0;
};

// What became of it. Shared by the Workers of one session.
struct Tampered {
  Tamper tamper;
  std::uint64_t answers = 0;
  bool done = false;     // an answer was changed,
  bool of_read = false;  // and it was a read's
};

// `tampered` must outlive the core. An answer is changed once; a change that leaves an answer as it
// was is not made.
std::unique_ptr<Core> TamperWith(std::unique_ptr<Core> inner, Tampered& tampered);

}  // namespace rollover
