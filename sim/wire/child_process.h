// ChildProcess: a program that is spoken to in lines, and may do anything.
//
// It leads a process group of its own; its standard input, output and error are pipes. Whatever it
// does (nothing, exit, write without end, ignore its input, leave children that hold its pipes),
// every call here ends within the timeout. Its group is killed when the object goes, and when the
// harness ends in any way (warden.h); a child of a child that leaves the group is its own affair.
//
// One thread. Real time is looked at only to end a wait: nothing of it reaches a trace.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/wire/spawn.h"

namespace rollover {

struct ChildConfig {
  // `command` is one simple command, as /bin/sh reads it: the shell replaces itself with it (exec),
  // so that signals reach the program. Quotes work; for `a && b` say sh -c 'a && b'.
  Executable program{};
  std::chrono::milliseconds timeout{10'000};  // of one wait
  // The first line may take longer: a cold start on a busy machine is no silence.
  std::chrono::milliseconds start_timeout{10'000};
  std::size_t line_bytes_max = 0;  // of a line that it writes
  std::string log{};               // file to which its standard error is added, empty: none
  // Asked a few times a second during a wait: whether to give up. Any thread.
  std::function<bool()> interrupted{};
};

// Lines of standard error that are kept: the last ones.
inline constexpr std::size_t kLogLinesKept = 200;

class ChildProcess {
 public:
  // Starts it. Throws std::system_error when the system gives no process, pipe or log file.
  explicit ChildProcess(const ChildConfig& config);
  ~ChildProcess();  // kills it and waits for its end
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Queues a line without its line feed. It goes out in the next wait.
  void Send(std::string_view line);

  enum class Got : std::uint8_t {
    kLine,
    kTimeout,  // nothing whole came in time
    kClosed,   // it ended, or closed its output: no line will come any more
    kTooLong,
    kInterrupted,
  };
  // Waits for the next line; `line()` is it, until the next call.
  Got Receive();
  std::string_view line() const { return line_; }
  // Waits until all that is queued is in its pipe, or the timeout.
  void Flush();
  // Waits until anything is there to be received, or the timeout.
  void AwaitBytes();
  // How long the last wait for a line could take.
  std::chrono::milliseconds timeout() const;
  // What came after the last line: received and not asked for.
  std::string_view unread() const;

  void Kill();      // SIGKILL to the group, and waits for the end; what was written can still be
                    // received
  void Stop();      // SIGSTOP
  void Continue();  // SIGCONT

  // What the command has become; the same again can be started from it.
  Executable Became() const;

  // How it ended, in words: "exit code 1", "signal 9"; empty while it runs.
  const std::string& ending() const;
  std::vector<std::string> Log();  // standard error so far, its last lines

 private:
  class Io;
  std::unique_ptr<Io> io_;
  std::string_view line_;
};

}  // namespace rollover
