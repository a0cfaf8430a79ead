#include "sim/campaign/child.h"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/process/args.hpp>
#include <boost/process/child.hpp>
#include <boost/process/env.hpp>
#include <boost/process/environment.hpp>
#include <boost/process/extend.hpp>
#include <boost/process/io.hpp>
#include <csignal>

extern "C" {  // this header of glibc 2.36 does not say so itself
#include <sys/pidfd.h>
}

namespace rollover {

namespace bp = boost::process;

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kLookUp = 100;                         // milliseconds between looks at `interrupted`
constexpr std::chrono::seconds kAfterTheAsking{20};  // until it is killed

bp::child Start(const ChildCommand& command, std::error_code& code) {
  bp::environment environment = boost::this_process::environment();
  for (const auto& [name, value] : command.environment) environment[name] = value;
  std::error_code ignored;
  // They would be written over, not emptied.
  for (const auto& path : {command.output, command.errors}) {
    if (!path.empty()) std::filesystem::remove(path, ignored);
  }
  const auto of_its_own = bp::extend::on_exec_setup([](auto&) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    ::setpgid(0, 0);  // a terminal's Ctrl-C would reach it beside ours, and a second one kills
  });
  const std::string program = command.program.string();
  if (command.errors.empty()) {
    return bp::child(program, bp::args(command.arguments), environment, of_its_own,
                     (bp::std_out & bp::std_err) > command.output.string(), bp::std_in < bp::null,
                     code);
  }
  return bp::child(program, bp::args(command.arguments), environment, of_its_own,
                   bp::std_out > command.output.string(), bp::std_err > command.errors.string(),
                   bp::std_in < bp::null, code);
}

}  // namespace

ChildEnd RunChild(const ChildCommand& command, const std::atomic<bool>& interrupted) {
  std::error_code code;
  bp::child child = Start(command, code);
  ChildEnd end;
  if (code) return end;
  const Clock::time_point start = Clock::now();
  // Not wait_for: it waits for the signal of any child, and two threads take each other's.
  pollfd ended{.fd = ::pidfd_open(child.id(), 0), .events = POLLIN, .revents = 0};
  bool asked = false;
  while (ended.fd >= 0 && ::poll(&ended, 1, kLookUp) <= 0) {
    const auto past = Clock::now() - start;
    const bool late = command.time_max && past > *command.time_max;
    if (late && past > *command.time_max + kAfterTheAsking) ::kill(child.id(), SIGKILL);
    if ((late || interrupted) && !asked) {
      end.timed_out = late;
      asked = true;
      ::kill(child.id(), SIGINT);
    }
  }
  if (ended.fd >= 0) ::close(ended.fd);
  child.wait(code);
  const int status = child.native_exit_code();
  end.exit_code = child.exit_code();
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  return end;
}

}  // namespace rollover
