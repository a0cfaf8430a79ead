#include "tests/cli/program.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace rollover {
namespace {

namespace fs = std::filesystem;

}  // namespace

void Program::SetUp() { fs::create_directory(here()); }

pid_t Program::Start(const std::vector<std::string>& arguments) {
  return Start(arguments, beside("out.txt"));
}

pid_t Program::Start(const std::vector<std::string>& arguments, const std::string& out_path) {
  constexpr int create = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, here().c_str());
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (out_path.empty()) {
    posix_spawn_file_actions_addclose(&actions, STDOUT_FILENO);
  } else {
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out_path.c_str(), create, 0600);
  }
  const std::string err = beside("err.txt");
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), create, 0600);
  std::vector<std::string> words = {ROLLOVER_BINARY};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = -1;
  EXPECT_EQ(posix_spawn(&child, ROLLOVER_BINARY, &actions, nullptr, argv.data(), environ), 0);
  posix_spawn_file_actions_destroy(&actions);
  return child;
}

Ended Program::Wait(pid_t child) {
  constexpr std::uint64_t kibibyte = 1024;
  int status = 0;
  rusage used{};
  EXPECT_EQ(wait4(child, &status, 0, &used), child);
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return {code, test::TextOf(beside("out.txt")), test::TextOf(beside("err.txt")),
          static_cast<std::uint64_t>(used.ru_maxrss) * kibibyte};
}

bool Program::HearsInterrupts(pid_t child) {
  const fs::path status = fs::path("/proc") / std::to_string(child) / "status";
  for (std::string text = test::TextOf(status); !text.empty(); text = test::TextOf(status)) {
    const std::size_t caught = text.find("SigCgt:");
    const bool ended = text.find("State:\tZ") != std::string::npos;
    if (caught == std::string::npos || ended) return false;
    const std::uint64_t signals = std::stoull(text.substr(caught + 7), nullptr, 16);
    if ((signals >> (SIGINT - 1) & 1) != 0) return true;
  }
  return false;
}

std::string Program::File(const std::string& name, const std::string& text) const {
  std::ofstream(scratch_.path() / name, std::ios::binary) << text;
  return beside(name);
}

void Program::ExpectRefused(const std::vector<std::string>& arguments,
                            const std::vector<std::string>& words) {
  const Ended ended = Run(arguments);
  std::string call = "rollover";
  for (const std::string& argument : arguments) call.append(" ").append(argument);
  SCOPED_TRACE(call);
  EXPECT_EQ(ended.code, 2);
  EXPECT_EQ(ended.out, "");
  EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
  EXPECT_EQ(ended.err.rfind("rollover: ", 0), 0u) << ended.err;
  for (const std::string& word : words) {
    EXPECT_NE(ended.err.find(word), std::string::npos) << word << " is not in: " << ended.err;
  }
  EXPECT_TRUE(NothingWritten());
}

std::string ScenarioText(const std::string& operations, const std::string& faults,
                         const std::string& more) {
  std::string text = "{\"version\": 1,";
  return text.append(more)
      .append("\n \"operations\": [")
      .append(operations)
      .append("],\n")
      .append(" \"faults\": [")
      .append(faults)
      .append("]}\n");
}

}  // namespace rollover
