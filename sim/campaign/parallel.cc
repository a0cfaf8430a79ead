#include "sim/campaign/parallel.h"

#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace rollover {

void RunInParallel(std::uint64_t jobs, const std::function<void()>& work) {
  std::exception_ptr failed;
  std::mutex mutex;
  const auto guarded = [&] {
    try {
      work();
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failed) failed = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  while (threads.size() + 1 < jobs) {
    try {
      threads.emplace_back(guarded);
    } catch (const std::system_error&) {
      break;
    }
  }
  guarded();
  for (std::thread& thread : threads) thread.join();
  if (failed) std::rethrow_exception(failed);
}

}  // namespace rollover
