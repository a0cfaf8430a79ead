#include "sim/campaign/child.h"

#include <boost/process/args.hpp>
#include <boost/process/child.hpp>
#include <boost/process/env.hpp>
#include <boost/process/environment.hpp>
#include <boost/process/io.hpp>
#include <chrono>
#include <csignal>
#include <thread>

namespace rollover {

namespace bp = boost::process;

int RunChild(const ChildCommand& command, const std::atomic<bool>& interrupted) {
  bp::environment environment = boost::this_process::environment();
  for (const auto& [name, value] : command.environment) environment[name] = value;
  std::error_code code;
  bp::child child(command.program.string(), bp::args(command.arguments), environment,
                  (bp::std_out & bp::std_err) > command.output.string(), bp::std_in < bp::null,
                  code);
  if (code) return kChildNotStarted;
  bool asked = false;
  // Not wait_for: it waits for the signal of any child, and two threads take each other's.
  while (child.running(code) && !code) {
    if (interrupted && !asked) {
      asked = true;
      ::kill(child.id(), SIGINT);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return child.exit_code();
}

}  // namespace rollover
