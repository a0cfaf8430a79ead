#include "sim/wire/warden.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

namespace rollover {
namespace {

constexpr std::size_t kGroupsMax = 4096;  // far more than children live at once

// All of the warden's life. It was forked from a program with threads: only calls that are safe in
// a signal handler.
[[noreturn]] void Watch(int orders) {
  ::setsid();  // what a terminal sends to the harness does not end its warden
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ::signal(signal, SIG_IGN);
  // Whoever reads what the harness writes must see its end: nothing but the orders stays open.
  const int last = ::dup2(orders, 0);
  ::close_range(1, ~0u, 0);
  static std::array<pid_t, kGroupsMax> groups;
  std::size_t count = 0;
  pid_t order = 0;
  for (;;) {
    const ssize_t read = ::read(last, &order, sizeof(order));
    if (read < 0 && errno == EINTR) continue;
    if (read != sizeof(order)) break;
    const auto end = groups.begin() + static_cast<std::ptrdiff_t>(count);
    if (order > 0 && count < kGroupsMax) {
      groups[count++] = order;
    } else if (const auto at = std::find(groups.begin(), end, -order); at != end) {
      *at = groups[--count];
    }
  }
  for (std::size_t i = 0; i < count; ++i) ::kill(-groups[i], SIGKILL);
  ::_exit(0);
}

class Warden {
 public:
  Warden() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return;
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    process_ = ::fork();
    if (process_ == 0) {
      ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
      Watch(ends[0]);
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    ::close(ends[0]);
    orders_ = ends[1];
  }
  Warden(const Warden&) = delete;
  Warden& operator=(const Warden&) = delete;
  ~Warden() {
    if (orders_ >= 0) ::close(orders_);
    if (process_ > 0) ::waitpid(process_, nullptr, 0);
  }

  // Whole or not at all: it is smaller than PIPE_BUF.
  void Tell(pid_t order) const {
    if (process_ <= 0) return;
    while (::write(orders_, &order, sizeof(order)) < 0 && errno == EINTR) {
      // interrupted before anything was written
    }
  }

 private:
  pid_t process_ = -1;
  int orders_ = -1;
};

const Warden& TheWarden() {
  static const Warden warden;
  return warden;
}

}  // namespace

void GuardGroup(pid_t group) { TheWarden().Tell(group); }
void ReleaseGroup(pid_t group) { TheWarden().Tell(-group); }

}  // namespace rollover
