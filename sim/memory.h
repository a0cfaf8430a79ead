// Memory: how this process asks the system for it.
#pragma once

namespace rollover {

// From here on, memory that was freed is kept for what comes next. Sessions hold contents of
// megabytes for microseconds; given back and asked for again, each of their pages is a fault. Where
// the C library is not glibc nothing changes. The most that is kept is the most that was in use.
void KeepFreedMemory();

}  // namespace rollover
