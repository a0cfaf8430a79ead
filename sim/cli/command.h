// What every command shares: how arguments are read, how errors end the program, how Ctrl-C is
// heard.
#pragma once

#include <CLI/CLI.hpp>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/cores/cores.h"
#include "sim/scenario_json.h"

namespace rollover {

// Exit codes (docs/running.md).
inline constexpr int kExitHeld = 0;
inline constexpr int kExitBroken = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitEnvironment = 3;
inline constexpr int kExitInterrupted = 130;

// Bad usage or bad input: one line that names the flag or file, exit 2.
struct UsageError {
  std::string line;
};
// The harness or its environment failed: one line, exit 3.
struct EnvironmentError {
  std::string line;
};

// Each adds its subcommand; `exit_code` is set when it has run.
void AddRunCommand(CLI::App& app, int& exit_code);
void AddReplayCommand(CLI::App& app, int& exit_code);
void AddSoakCommand(CLI::App& app, int& exit_code);
void AddFuzzCommand(CLI::App& app, int& exit_code);
void AddShrinkCommand(CLI::App& app, int& exit_code);
void AddCoreCommand(CLI::App& app, int& exit_code);
void AddBenchCommand(CLI::App& app, int& exit_code);
void AddBugsCommand(CLI::App& app, int& exit_code);
void AddExploreCommand(CLI::App& app, int& exit_code);
void AddBlameCommand(CLI::App& app, int& exit_code);
void AddMergeCommand(CLI::App& app, int& exit_code);
void AddNightlyCommand(CLI::App& app, int& exit_code);
void AddVersionCommand(CLI::App& app, int& exit_code);

// The version and the commit of this build: summaries are only merged when both are the same.
std::string BuildVersion();

// Readers of flag values. Each throws UsageError with the flag's name and the valid range.
std::uint64_t NumberFlag(const std::string& flag, const std::string& text, std::uint64_t low,
                         std::uint64_t high);
std::chrono::milliseconds DurationFlag(const std::string& flag, const std::string& text);

// --core, --core-timeout, --core-log, --record: what stands behind the Workers.
struct CoreFlags {
  std::string core;
  std::string timeout;
  std::string log;
  std::string record;
};
void AddCoreFlags(CLI::App* command, CoreFlags& flags, const std::string& help);
void AddProcessFlags(CLI::App* command, CoreFlags& flags);  // all but --core
// Of `--core`, or of what `place` names instead; throws UsageError that begins with the place.
// Records into the file that the flags name, or else tells the listener.
CoreSpec CoreOf(const CoreFlags& flags, const std::string& spec, const std::string& place,
                std::shared_ptr<Listener> listener = {});
inline CoreSpec CoreOf(const CoreFlags& flags) { return CoreOf(flags, flags.core, "--core"); }
// To run a scenario file on: as told, else what the file says that it failed on.
CoreSpec CoreOf(const CoreFlags& flags, const std::string& path, const ScenarioFile& file,
                std::shared_ptr<Listener> listener = {});

// A whole file as text; throws UsageError when it is missing, a folder, or larger than `bytes_max`.
std::string ReadInput(const std::string& path, std::uint64_t bytes_max);

// The checkout that this program was built in: it lies above build/PRESET/rollover. Throws
// EnvironmentError, naming the command that needs it, where there is none.
std::filesystem::path Checkout(const std::string& command);

// Pages go to files. The first throws UsageError when the flag's path cannot be one, so that nobody
// waits for a run whose page is lost; it leaves nothing behind but missing folders made.
void CheckPagePath(const std::string& flag, const std::string& path);
void WritePage(const std::string& path, const std::string& html);  // throws EnvironmentError

// Prints to stdout; throws EnvironmentError when it cannot be written (a full disk, a closed pipe).
void Print(const std::string& text);
// A path may hold bytes that are not UTF-8; JSON shows U+FFFD in their place.
void PrintJson(const nlohmann::ordered_json& json);

// Set once Ctrl-C or SIGTERM came after the first call; a second one ends the program at once.
// Before that call either does: to be asked for once the input is read, which may be a pipe that
// nobody writes to.
std::atomic<bool>& Interrupted();
bool StderrIsATerminal();

}  // namespace rollover
