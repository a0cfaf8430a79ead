// Parallel: one piece of work in several threads at once.
#pragma once

#include <cstdint>
#include <functional>

namespace rollover {

// Calls `work` in up to `jobs` threads, this one among them, and returns when every call has. When
// the system gives no more threads, those that there are do the work. What a call throws ends that
// call, not the program, and the first of it is thrown here.
void RunInParallel(std::uint64_t jobs, const std::function<void()>& work);

}  // namespace rollover
