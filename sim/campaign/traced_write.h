// A write as a trace words it, read back (sim/committing.cc makes the words).
#pragma once

#include <optional>
#include <string_view>

#include "model/flow_state.h"
#include "model/values.h"

namespace rollover {

struct TracedWrite {
  Name name = Name::kSession;
  Key key = 0;
  bool deletes = false;
  std::uint64_t bytes = 0;            // of the value, encoded
  std::optional<ChunkRange> chunk{};  // the messages of a chunk that is put
};

// The text of a TraceKind::kWrite event; none when it is no such text.
std::optional<TracedWrite> ReadTracedWrite(std::string_view text);

}  // namespace rollover
