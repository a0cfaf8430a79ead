// rollover bench
#include <fmt/format.h>

#include <regex>

#include "sim/campaign/benchmarks.h"
#include "sim/cli/command.h"

namespace rollover {
namespace {

struct BenchFlags {
  std::string filter = ".";
  std::string repetitions = "3";
  bool json = false;
};

// A benchmark that would match nothing is a mistake, and so is a text that is no expression.
void CheckFilter(const std::string& filter) {
  try {
    const std::regex valid(filter, std::regex::extended);
  } catch (const std::regex_error&) {
    throw UsageError{fmt::format("--filter is '{}'; valid: a regular expression", filter)};
  }
}

struct NamedRatio {
  const char* name;
  const char* says;
  double value;
};

std::vector<NamedRatio> Named(const BenchRatios& ratios) {
  return {{"rules", "a turn with rules : without", ratios.rules},
          {"faults", "a turn with faults : without", ratios.faults},
          {"bytes", "a turn behind bytes : typed", ratios.bytes},
          {"length", "a turn of 100,000 : of 1,000", ratios.length},
          {"two_jobs", "turns a second of two jobs : of one", ratios.two_jobs},
          {"floor", "a turn with faults : copying and hashing its payload", ratios.floor}};
}

// Every result has every field; a rate is null where there is nothing to count.
nlohmann::ordered_json BenchJson(const std::vector<BenchResult>& results) {
  const auto rate = [](double a_second) {
    return a_second > 0 ? nlohmann::ordered_json(a_second) : nlohmann::ordered_json();
  };
  nlohmann::ordered_json json;
  for (const BenchResult& result : results) {
    json["results"].push_back({{"name", result.name},
                               {"nanoseconds", result.nanoseconds},
                               {"commits_per_s", rate(result.commits_per_second)},
                               {"turns_per_s", rate(result.turns_per_second)},
                               {"bytes_per_s", rate(result.bytes_per_second)}});
  }
  for (const NamedRatio& ratio : Named(RatiosOf(results))) {
    if (ratio.value > 0) json["ratios"][ratio.name] = ratio.value;
  }
  return json;
}

std::string BenchScreen(const std::vector<BenchResult>& results) {
  std::string text =
      fmt::format("{:<16}{:>16}{:>12}{:>12}{:>12}\n", "", "ns", "turns/s", "commits/s", "MB/s");
  for (const BenchResult& result : results) {
    text += fmt::format("{:<16}{:>16.1f}", result.name, result.nanoseconds);
    for (const double rate :
         {result.turns_per_second, result.commits_per_second, result.bytes_per_second / 1e6}) {
      text += rate > 0 ? fmt::format("{:>12.0f}", rate) : fmt::format("{:>12}", "");
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  for (const NamedRatio& ratio : Named(RatiosOf(results))) {
    if (ratio.value > 0) text += fmt::format("{:<55} {:.2f}\n", ratio.says, ratio.value);
  }
  return text;
}

int Bench(const BenchFlags& flags) {
  CheckFilter(flags.filter);
  BenchConfig config{.filter = flags.filter};
  config.repetitions = NumberFlag("--repetitions", flags.repetitions, 1, 100);
  const std::vector<BenchResult> results = RunBenchmarks(config);
  if (results.empty()) {
    throw UsageError{fmt::format("--filter is '{}', which matches no benchmark", flags.filter)};
  }
  if (flags.json) {
    PrintJson(BenchJson(results));
  } else {
    Print(BenchScreen(results));
  }
  return kExitHeld;
}

}  // namespace

void AddBenchCommand(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<BenchFlags>();
  CLI::App* command = app.add_subcommand("bench", "what a commit, a turn, a session costs");
  command->add_option("--filter", flags->filter, "regular expression: which benchmarks")
      ->capture_default_str();
  command->add_option("--repetitions", flags->repetitions, "of each; the fastest counts")
      ->capture_default_str();
  command->add_flag("--json", flags->json, "one JSON object on standard output");
  command->footer(
      "Examples:\n"
      "  rollover bench --filter 'turns/' --json\n"
      "  rollover bench --repetitions 9");
  command->callback([flags, &exit_code] { exit_code = Bench(*flags); });
}

}  // namespace rollover
