// rollover merge
#include <fmt/format.h>

#include "sim/campaign/runner.h"
#include "sim/campaign/summary.h"
#include "sim/cli/command.h"

namespace rollover {
namespace {

constexpr std::uint64_t kSummaryBytesMax = std::uint64_t{64} << 20;

// The whole of a default run must reach everything, in however many shards it was run.
void CheckReached(const nlohmann::ordered_json& sum) {
  const bool whole = sum["shard"] == "1/1" && sum["core"] == "all" && !sum.contains("preset") &&
                     !sum.contains("transcript") &&
                     sum["seeds"].get<std::uint64_t>() >= kDefaultRunSeeds;
  if (!whole || sum["not_reached"].empty()) return;
  throw EnvironmentError{
      fmt::format("{} not reached: a default run must reach everything; the first: {}",
                  sum["not_reached"].size(), sum["not_reached"].front().get<std::string>())};
}

int Merge(const std::vector<std::string>& paths) {
  std::vector<NamedSummary> summaries;
  for (const std::string& path : paths) {
    auto json = nlohmann::ordered_json::parse(ReadInput(path, kSummaryBytesMax), nullptr,
                                              /*allow_exceptions=*/false);
    if (json.is_discarded()) throw UsageError{fmt::format("{}: is not JSON", path)};
    summaries.push_back({path, std::move(json)});
  }
  const auto merged = MergeSummaries(summaries);
  if (!merged) throw UsageError{merged.error().reason};
  const nlohmann::ordered_json& sum = merged.value();
  PrintJson(sum);
  if (sum["failures_total"].get<std::uint64_t>() > 0) return kExitBroken;
  if (sum["interrupted"].get<bool>()) throw EnvironmentError{"a shard was interrupted"};
  CheckReached(sum);
  return kExitHeld;
}

}  // namespace

void AddMergeCommand(CLI::App& app, int& exit_code) {
  auto paths = std::make_shared<std::vector<std::string>>();
  CLI::App* command =
      app.add_subcommand("merge", "the summaries of shards (run --shard I/N --json) put together");
  command->add_option("SUMMARY", *paths, "files, each what one shard printed")->required();
  command->footer(
      "Examples:\n"
      "  rollover merge shard-1.json shard-2.json");
  command->callback([paths, &exit_code] { exit_code = Merge(*paths); });
}

}  // namespace rollover
