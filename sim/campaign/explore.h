// Explore: everything that can happen to a small session, tried once.
//
// First without faults, which counts the crash points there are; then with them. Where a rule
// breaks, smaller scopes are searched until the smallest one that breaks a rule is found, and its
// scenario is run in a World before it is reported: a scenario that does not show the same rule
// there is a fault of this search, and said so.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/campaign/explore_search.h"
#include "sim/campaign/failure.h"
#include "sim/cores/cores.h"

namespace rollover {

inline constexpr std::uint64_t kExploreTurnsMax = 8;

struct ExplorePreset {
  std::string_view name;
  std::string_view about;
  ExploreScope scope;
};
std::span<const ExplorePreset> ExplorePresets();
const ExplorePreset* ExplorePresetNamed(std::string_view name);  // null: none has this name

struct ExploreConfig {
  ExplorePreset preset{};
  std::uint64_t turns = 4;   // 1 .. kExploreTurnsMax
  std::uint64_t faults = 1;  // 0 .. kExploreFaultsMax
  CoreSpec core{};           // in this process: not exec:
  std::uint64_t states_max = ~std::uint64_t{0};
  std::uint64_t memory_max = std::uint64_t{1} << 30;  // bytes, of what was seen
  std::optional<std::chrono::milliseconds> time{};    // of both searches together
  std::filesystem::path out{};                        // where a failure is saved; empty: it is not
};

struct ExploreReport {
  SearchResult search{};
  std::uint64_t crash_points = 0;       // of all Steps that no fault precedes
  std::uint64_t turns = 0, faults = 0;  // of the scope that `search` is about
  std::vector<FoundFailure> failures{};
  std::string environment_error{};  // e.g. a counterexample does not replay
  double seconds = 0;               // of `search`
  double cpu_seconds = 0;           // ... in which it had a processor
  bool interrupted = false;

  bool complete() const { return search.stopped_by.empty(); }
};

ExploreReport Explore(const ExploreConfig& config, const std::atomic<bool>& interrupted);

// How Explore searches.
SearchConfig SearchOf(const ExploreConfig& config);

nlohmann::ordered_json ExploreJson(const ExploreConfig& config, const ExploreReport& report);
std::string ExploreScreen(const ExploreConfig& config, const ExploreReport& report);

}  // namespace rollover
