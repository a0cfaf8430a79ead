// Child: another program, run to its end.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rollover {

struct ChildCommand {
  std::filesystem::path program{};  // its path, which is not searched for
  std::vector<std::string> arguments{};
  std::filesystem::path output{};                    // where stdout goes; emptied first
  std::filesystem::path errors{};                    // where stderr goes; empty: with stdout
  std::map<std::string, std::string> environment{};  // beside what is inherited
  // After so long it is asked to stop, and if it does not, killed.
  std::optional<std::chrono::milliseconds> time_max{};
};

inline constexpr int kChildNotStarted = -1;
inline constexpr int kChildInterrupted = 130;  // what this program itself answers to being stopped

struct ChildEnd {
  int exit_code = kChildNotStarted;  // or that of a signal, which says nothing by itself
  int signal = 0;                    // that ended it; 0: none did
  bool timed_out = false;            // it was stopped at `time_max`
};

// When `interrupted` becomes true the child is asked to stop (SIGINT), and still waited for. A
// child whose starter dies is asked to stop as well (SIGTERM).
ChildEnd RunChild(const ChildCommand& command, const std::atomic<bool>& interrupted);

}  // namespace rollover
