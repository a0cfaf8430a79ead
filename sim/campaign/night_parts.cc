#include "sim/campaign/night_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/campaign/explore.h"
#include "sim/campaign/soak_presets.h"

namespace rollover {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Words = std::vector<std::string>;

constexpr std::string_view kProcess = "exec:";
constexpr std::string_view kPlanted = "bug:";

// Weights of all parts: fuzzing and fresh seeds take two thirds of a night.
constexpr std::uint64_t kKnownWeight = 2;
constexpr std::uint64_t kSoakWeight = 1;
constexpr std::uint64_t kExploreWeight = 2;
constexpr std::uint64_t kBugsWeight = 6;
constexpr std::uint64_t kCoreWeight = 15;
constexpr std::uint64_t kFuzzWeight = 32;
constexpr std::uint64_t kRareWeight = 10;
constexpr std::uint64_t kRunWeight = 32;

// Fuzzing ends with minimising and measuring, which its --for does not count.
constexpr seconds kAfterFuzzing{60};

std::string For(milliseconds time) {
  return fmt::format("{}s", std::max<std::int64_t>(1, time.count() / 1000));
}

Words With(Words words, const std::string& core) {
  if (!core.empty()) words.insert(words.end(), {"--core", core});
  return words;
}

NightPart Known(const Words& files) {
  return {.name = std::string(kKnownPart),
          .weight = kKnownWeight,
          .arguments =
              [files](auto) {
                Words words = {"replay"};
                words.insert(words.end(), files.begin(), files.end());
                return words;
              },
          .saves = false};
}

NightPart Soak(std::string_view preset, const NightScope& scope) {
  const Words words = With(
      {"soak", "--preset", std::string(preset), "--seed", fmt::to_string(scope.night)}, scope.core);
  return {.name = fmt::format("soak {}", preset),
          .weight = kSoakWeight,
          .arguments = [words](auto) { return words; },
          .page = true};
}

// As much scope as its time is surely enough for; --for is there for a slow machine.
NightPart Explore(std::string_view preset, const std::string& core) {
  return {.name = fmt::format("explore {}", preset),
          .weight = kExploreWeight,
          .arguments = [preset = std::string(preset), core](milliseconds time) {
            const bool long_night = time >= seconds(300);
            const bool short_night = time < seconds(20);
            return With({"explore", "--preset", preset, "--turns", long_night ? "5" : "4",
                         "--faults", short_night ? "1" : "2", "--for", For(time)},
                        core);
          }};
}

// From more first seeds the longer the night is.
NightPart Bugs() {
  return {.name = "bugs",
          .weight = kBugsWeight,
          .arguments =
              [](milliseconds time) {
                const auto starts = std::clamp<std::int64_t>(time / seconds(5), 1, 100);
                return Words{"bugs", "--starts", fmt::to_string(starts)};
              },
          .saves = false};
}

// The whole suite takes minutes of a slow core's time: a K-th of it in a short night.
NightPart Conformance(const std::string& command) {
  return {.name = "core", .weight = kCoreWeight, .arguments = [command](milliseconds time) {
            const auto every = std::clamp<std::int64_t>(seconds(600) / time, 1, 50);
            return Words{"core", "--every", fmt::to_string(every), command};
          }};
}

NightPart Fuzz(const std::string& core, const std::string& learnt) {
  return {
      .name = "fuzz",
      .weight = kFuzzWeight,
      .arguments =
          [core](milliseconds time) {
            const Words words = {"fuzz", "--for", For(std::max(time / 2, time - kAfterFuzzing))};
            return core.starts_with(kPlanted) ? With(words, core) : words;
          },
      .saves_to = learnt};
}

NightPart Seeds(const char* name, std::uint64_t weight, Words words) {
  return {.name = name,
          .weight = weight,
          .arguments =
              [words = std::move(words)](milliseconds time) {
                Words all = words;
                all.insert(all.end(), {"--for", For(time)});
                return all;
              },
          .page = true};
}

}  // namespace

std::vector<NightPart> NightParts(const NightScope& scope) {
  const bool process = scope.core.starts_with(kProcess);
  std::vector<NightPart> parts;
  if (!scope.known.empty()) parts.push_back(Known(scope.known));
  for (const SoakPreset& preset : SoakPresets()) parts.push_back(Soak(preset.name, scope));
  for (const ExplorePreset& preset : ExplorePresets()) {
    parts.push_back(Explore(preset.name, process ? "" : scope.core));
  }
  parts.push_back(Bugs());
  if (process) parts.push_back(Conformance(scope.core.substr(kProcess.size())));
  parts.push_back(Fuzz(scope.core, scope.learnt));
  parts.push_back(Seeds("rare", kRareWeight, With({"run", "--from-rare"}, scope.core)));
  parts.push_back(Seeds("run", kRunWeight, With({"run"}, scope.core)));
  return parts;
}

milliseconds ShareOf(const std::vector<NightPart>& parts, std::size_t at, milliseconds left) {
  std::uint64_t weights = 0;
  for (std::size_t i = at; i < parts.size(); ++i) weights += parts[i].weight;
  const auto part = static_cast<std::int64_t>(parts[at].weight);
  return left * part / static_cast<std::int64_t>(weights);
}

milliseconds LimitOf(milliseconds share) { return share * 3 / 2 + std::chrono::minutes(10); }

}  // namespace rollover
