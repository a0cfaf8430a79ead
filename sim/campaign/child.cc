#include "sim/campaign/child.h"

#include <poll.h>
#include <unistd.h>

#include <boost/process/args.hpp>
#include <boost/process/child.hpp>
#include <boost/process/env.hpp>
#include <boost/process/environment.hpp>
#include <boost/process/io.hpp>
#include <csignal>

extern "C" {  // this header of glibc 2.36 does not say so itself
#include <sys/pidfd.h>
}

namespace rollover {

namespace bp = boost::process;

namespace {

constexpr int kLookUp = 100;  // milliseconds between looks at `interrupted`

}  // namespace

int RunChild(const ChildCommand& command, const std::atomic<bool>& interrupted) {
  bp::environment environment = boost::this_process::environment();
  for (const auto& [name, value] : command.environment) environment[name] = value;
  std::error_code code;
  std::filesystem::remove(command.output, code);  // it would be written over, not emptied
  code.clear();
  bp::child child(command.program.string(), bp::args(command.arguments), environment,
                  (bp::std_out & bp::std_err) > command.output.string(), bp::std_in < bp::null,
                  code);
  if (code) return kChildNotStarted;
  // Not wait_for: it waits for the signal of any child, and two threads take each other's.
  pollfd ended{.fd = ::pidfd_open(child.id(), 0), .events = POLLIN, .revents = 0};
  bool asked = false;
  while (ended.fd >= 0 && ::poll(&ended, 1, kLookUp) <= 0) {
    if (interrupted && !asked) {
      asked = true;
      ::kill(child.id(), SIGINT);
    }
  }
  if (ended.fd >= 0) ::close(ended.fd);
  child.wait(code);
  return child.exit_code();
}

}  // namespace rollover
