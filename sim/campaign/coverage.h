// Coverage: which lines and branches of the model and of the engine the fuzz corpora reach, by
// clang's source-based coverage.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model/result.h"

namespace rollover {

struct Covered {
  std::uint64_t lines = 0;
  std::uint64_t lines_reached = 0;
  std::uint64_t branches = 0;
  std::uint64_t branches_reached = 0;

  Covered& operator+=(const Covered& other);
};

struct UncoveredLine {
  std::string file{};  // from the top of the checkout
  std::uint64_t line = 0;
};

struct Coverage {
  Covered model{};
  Covered engine{};
  std::vector<UncoveredLine> uncovered{};  // of model/
};

// A target, and the folder with its inputs.
struct CoverageInput {
  std::string target{};
  std::filesystem::path inputs{};
};

// Replays the inputs through the programs in build/coverage of the checkout; `scratch` is a folder
// for profiles.
Result<Coverage> MeasureCoverage(const std::filesystem::path& checkout,
                                 const std::vector<CoverageInput>& inputs,
                                 const std::filesystem::path& scratch,
                                 const std::atomic<bool>& interrupted);

}  // namespace rollover
