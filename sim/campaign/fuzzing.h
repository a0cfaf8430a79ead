// Fuzzing: the coverage-guided targets of fuzz/, run, and what they find made small and readable.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/campaign/coverage.h"
#include "sim/campaign/failure.h"
#include "sim/cores/cores.h"

namespace rollover {

std::span<const std::string_view> FuzzTargets();

struct FuzzConfig {
  std::vector<std::string> targets{};
  std::chrono::milliseconds time{};  // of all targets together
  std::uint64_t jobs = 1;            // targets at a time
  std::filesystem::path checkout{};  // corpus/fuzz, build/fuzz and build/coverage lie in it
  std::filesystem::path out{};
  CoreSpec core{};  // what fuzz_session runs in the reference core's place
};

// One way to fail, however often it was seen.
struct FuzzFinding {
  std::string target{};
  std::string kind{};  // a rule; or what a sanitizer says
  std::string what{};
  std::string input{};  // the smallest input known
  std::uint64_t seen = 1;
  // The scenario behind it, where the input is one and a rule is broken.
  std::optional<FoundFailure> failure{};
};

struct FuzzedTarget {
  std::string name{};
  std::uint64_t runs = 0;
  std::uint64_t runs_a_second = 0;
  std::uint64_t edges = 0;  // of the program that inputs reach
  std::uint64_t inputs = 0;
  std::uint64_t input_bytes = 0;
  std::vector<FuzzFinding> findings{};
  std::string environment_error{};
};

struct FuzzReport {
  std::vector<FuzzedTarget> targets{};
  std::optional<Coverage> coverage{};  // none when interrupted
  std::string environment_error{};
  double seconds = 0;
  bool interrupted = false;
};

// Starts from corpus/fuzz/TARGET and what earlier calls left in OUT/fuzz/TARGET/corpus, which is
// minimised at the end; an interrupted call keeps everything it has. `tell` hears one line as each
// target ends, from any thread, one at a time.
FuzzReport RunFuzzTargets(const FuzzConfig& config, const std::atomic<bool>& interrupted,
                          const std::function<void(const std::string&)>& tell);

// What two sightings of one failure have in common: a rule's words without their numbers, else the
// place in the code.
std::string Fingerprint(const FuzzFinding& finding);

std::string Describe(const FuzzFinding& finding);

}  // namespace rollover
