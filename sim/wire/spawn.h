// Spawn: a command in a process group of its own, with pipes for its three streams.
#pragma once

#include <sys/types.h>

#include <string>

namespace rollover {

// Our ends; each belongs to the caller. All are closed in whatever else is started.
struct Spawned {
  pid_t process = -1;
  int ended = -1;  // a pidfd: readable once it has ended
  int in = -1;     // written to
  int out = -1;    // read from, as is
  int err = -1;
};

// Runs `exec COMMAND` in /bin/sh. The process dies with the thread that calls this. Throws
// std::system_error. A command that is not found is no error here: the shell says so on its
// standard error and ends with 127.
Spawned Spawn(const std::string& command);

}  // namespace rollover
