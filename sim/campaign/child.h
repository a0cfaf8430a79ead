// Child: another program, run to its end.
#pragma once

#include <atomic>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace rollover {

struct ChildCommand {
  std::filesystem::path program{};  // its path, which is not searched for
  std::vector<std::string> arguments{};
  std::filesystem::path output{};                    // where stdout and stderr go; emptied first
  std::map<std::string, std::string> environment{};  // beside what is inherited
};

inline constexpr int kChildNotStarted = -1;

// Its exit code, or kChildNotStarted. When `interrupted` becomes true the child is asked to stop
// (SIGINT), and still waited for.
int RunChild(const ChildCommand& command, const std::atomic<bool>& interrupted);

}  // namespace rollover
