// Night parts: what a night consists of, and how its time is shared.
//
// The parts run in their order. Each may use its weight's part of the time that is left; what it
// does not need falls to those behind it, so that no time is lost and the last takes the rest.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace rollover {

struct NightPart {
  std::string name{};        // "soak migration"
  std::uint64_t weight = 1;  // of its share
  // What the program is called with so that it is busy for so long, or shorter; --json and --out
  // come on top.
  std::function<std::vector<std::string>(std::chrono::milliseconds)> arguments{};
  bool page = false;       // it is given --html, for a page of its own
  bool saves = true;       // it is given --out, for what it finds
  std::string saves_to{};  // that folder; empty: one in the night's
};

struct NightScope {
  std::string core{};                // what is tested in the model's place; empty: the model
  std::uint64_t night = 1;           // from 1 on; long sessions take it as their seed
  std::vector<std::string> known{};  // scenario files of failures that are known
  std::string learnt{};              // the folder in which fuzz targets keep what they learnt
};

// The first to the last. Parts that cannot run the core in question run without it: bugs always,
// explore and fuzz for a process.
std::vector<NightPart> NightParts(const NightScope& scope);

// What the part at `at` may use of what is left.
std::chrono::milliseconds ShareOf(const std::vector<NightPart>& parts, std::size_t at,
                                  std::chrono::milliseconds left);

// So long that a part which takes longer is stuck: half as long again, and ten minutes.
std::chrono::milliseconds LimitOf(std::chrono::milliseconds share);

inline constexpr std::string_view kKnownPart = "known failures";

}  // namespace rollover
