#include "sim/wire/spawn.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <system_error>

extern "C" {  // this header of glibc 2.36 does not say so itself
#include <sys/pidfd.h>
}

#include "sim/wire/warden.h"

namespace rollover {
namespace {

// So that a state of usual size goes through in one write.
constexpr int kPipeBytes = 1 << 20;

[[noreturn]] void Throw(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) Throw("no pipe for a core");
    for (int& end : ends_) {
      // Not where the child's own streams will be, should ours be closed.
      while (end <= STDERR_FILENO) {
        const int higher = ::fcntl(end, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        if (higher < 0) Throw("no pipe for a core");
        ::close(end);
        end = higher;
      }
    }
    ::fcntl(ends_[1], F_SETPIPE_SZ, kPipeBytes);  // refused to some: then it stays small
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    for (const int end : ends_) {
      if (end >= 0) ::close(end);
    }
  }

  int reader() const { return ends_[0]; }
  int writer() const { return ends_[1]; }
  int TakeReader() { return Take(0); }
  int TakeWriter() { return Take(1); }

 private:
  int Take(std::size_t which) {
    const int end = ends_.at(which);
    ends_.at(which) = -1;
    return end;
  }
  std::array<int, 2> ends_{-1, -1};
};

struct Streams {
  int in;
  int out;
  int err;
};

// Made before the fork: nothing may be allocated after it.
struct Image {
  std::string file{};
  std::string folder{};
  std::vector<char*> arguments{};
  std::vector<char*> environment{};  // empty: ours
};

std::vector<char*> Pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// The child, from fork to exec: only calls that are safe in a signal handler.
[[noreturn]] void Become(const Image& image, const Streams& streams, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);  // it died before we could say so
  ::dup2(streams.in, STDIN_FILENO);
  ::dup2(streams.out, STDOUT_FILENO);
  ::dup2(streams.err, STDERR_FILENO);
  ::close_range(STDERR_FILENO + 1, ~0u, CLOSE_RANGE_CLOEXEC);
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (!image.folder.empty() && ::chdir(image.folder.c_str()) != 0) ::_exit(127);
  ::execve(image.file.c_str(), image.arguments.data(),
           image.environment.empty() ? environ : image.environment.data());
  ::_exit(127);
}

}  // namespace

Spawned Spawn(const Executable& program) {
  Pipe in;
  Pipe out;
  Pipe err;
  const bool shell = program.file.empty();
  std::vector<std::string> arguments = program.arguments;
  if (shell) arguments = {"sh", "-c", "exec " + program.command};
  std::vector<std::string> environment = program.environment;
  Image image{.file = shell ? "/bin/sh" : program.file,
              .folder = program.folder,
              .arguments = Pointers(arguments)};
  if (!shell) image.environment = Pointers(environment);
  const Streams streams{.in = in.reader(), .out = out.writer(), .err = err.writer()};
  const pid_t parent = ::getpid();
  // No handler of ours runs in the child.
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  // Not fork: the harness holds much memory, and copying its page tables takes longer than all
  // else.
  const pid_t process = ::vfork();
  if (process == 0) Become(image, streams, parent);
  const int error = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (process < 0) throw std::system_error(error, std::generic_category(), "no process for a core");
  ::setpgid(process, process);  // both sides say so: whoever comes first
  GuardGroup(process);
  return {.process = process,
          .ended = ::pidfd_open(process, 0),
          .in = in.TakeWriter(),
          .out = out.TakeReader(),
          .err = err.TakeReader()};
}

namespace {

// The words of a file of /proc, each ended by a zero byte.
std::vector<std::string> WordsOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

}  // namespace

Executable Became(const std::string& command, pid_t process) {
  namespace fs = std::filesystem;
  const std::string proc = "/proc/" + std::to_string(process);
  std::error_code code;
  Executable program{.command = command};
  const fs::path file = fs::read_symlink(proc + "/exe", code);
  if (code) return program;
  const fs::path folder = fs::read_symlink(proc + "/cwd", code);
  if (code) return program;
  std::vector<std::string> arguments = WordsOf(proc + "/cmdline");
  if (arguments.empty() || !fs::exists(file, code)) return program;
  program.file = file.string();
  program.arguments = std::move(arguments);
  program.environment = WordsOf(proc + "/environ");
  program.folder = folder.string();
  return program;
}

}  // namespace rollover
