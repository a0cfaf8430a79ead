#include "sim/memory.h"

#include <malloc.h>

namespace rollover {

void KeepFreedMemory() {
#ifdef __GLIBC__
  constexpr int kMebibyte = 1024 * 1024;
  // 32 MiB is the most that glibc takes (mallopt(3)); a larger block than that is rare here.
  mallopt(M_MMAP_THRESHOLD, 32 * kMebibyte);
  mallopt(M_TRIM_THRESHOLD, 1024 * kMebibyte);
  mallopt(M_TOP_PAD, 16 * kMebibyte);
#endif
}

}  // namespace rollover
