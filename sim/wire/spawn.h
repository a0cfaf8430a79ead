// Spawn: a command in a process group of its own, with pipes for its three streams.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace rollover {

// Our ends; each belongs to the caller. All are closed in whatever else is started.
struct Spawned {
  pid_t process = -1;
  int ended = -1;  // a pidfd: readable once it has ended
  int in = -1;     // written to
  int out = -1;    // read from, as is
  int err = -1;
};

// What to run.
struct Executable {
  // Run by /bin/sh, which replaces itself with it.
  std::string command{};
  // What that became, if known: the file, its arguments, its environment, its folder. Started
  // without a shell then: a launcher on the way (a version manager's shim) can take longer than
  // the program.
  std::string file{};
  std::vector<std::string> arguments{};
  std::vector<std::string> environment{};
  std::string folder{};
};

// Starts it. The process dies with the thread that calls this. Throws std::system_error. A command
// that is not found is no error here: the shell says so on its standard error and ends with 127.
Spawned Spawn(const Executable& program);

// What the process that runs `command` has become by now; just the command when the system does not
// tell.
Executable Became(const std::string& command, pid_t process);

}  // namespace rollover
