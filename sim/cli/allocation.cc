// Allocation: this program's operator new and delete, for small blocks.
//
// A turn makes and drops some eighty small values, and with it the C library spends an eighth of
// all instructions: its own cache holds seven blocks a size, and none of a kilobyte or more. Here
// each thread keeps the blocks that it freed, by size, and gives them out again. Blocks come from
// malloc, which knows how large they are, and go back to it when a size has enough, or the thread
// ends. Larger and over-aligned blocks are malloc's alone. Sanitizers bring their own, and other C
// libraries do not say how large a block is: there is nothing here then.
#include <malloc.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>

#ifdef __has_feature
#define ROLLOVER_SANITIZER(name) __has_feature(name##_sanitizer)
#else
#define ROLLOVER_SANITIZER(name) 0
#endif

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && \
    !ROLLOVER_SANITIZER(address) && !ROLLOVER_SANITIZER(thread) && !ROLLOVER_SANITIZER(memory)

namespace {

constexpr std::size_t kGrain = 16;   // bytes; malloc's own
constexpr std::size_t kSizes = 129;  // in grains: blocks of up to 2 KiB
constexpr std::uint32_t kKeptMax = 256;

struct Free {
  Free* next;
};

struct Kept {
  Free* first = nullptr;
  std::uint32_t count = 0;
};

constinit thread_local std::array<Kept, kSizes> kept{};
constinit thread_local bool ended = false;  // this thread keeps nothing any more

// Gives back what an ending thread kept.
struct Keeper {
  ~Keeper() {
    ended = true;
    for (Kept& size : kept) {
      while (size.first != nullptr) std::free(std::exchange(size.first, size.first->next));
    }
  }
};

// Keeps `block` if its size has room.
bool Keep(void* block) {
  const std::size_t grains = malloc_usable_size(block) / kGrain;
  if (grains >= kSizes || ended) return false;
  Kept& size = kept[grains];
  if (size.count == kKeptMax) return false;
  ++size.count;
  size.first = new (block) Free{size.first};
  return true;
}

void* FromMalloc(std::size_t bytes) {
  static thread_local const Keeper keeper;
  static_cast<void>(keeper);
  if (void* block = std::malloc(bytes)) return block;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t bytes) {
  const std::size_t grains = bytes <= kGrain ? 1 : (bytes + kGrain - 1) / kGrain;
  if (grains >= kSizes) return FromMalloc(bytes);
  Kept& size = kept[grains];
  if (size.first == nullptr) return FromMalloc(grains * kGrain);
  --size.count;
  return std::exchange(size.first, size.first->next);
}

void operator delete(void* block) noexcept {
  if (block != nullptr && !Keep(block)) std::free(block);
}

void operator delete(void* block, std::size_t) noexcept { operator delete(block); }

#endif
