// rollover bugs
#include <fmt/format.h>

#include <regex>

#include "sim/campaign/bug_report.h"
#include "sim/campaign/runner.h"
#include "sim/cli/command.h"

namespace rollover {
namespace {

struct BugsFlags {
  std::string starts;
  std::string filter;
  std::string turns_max;
  std::string jobs;
  bool from_rare = false;
  bool json = false;
};

std::vector<const PlantedBug*> Chosen(const std::string& filter) {
  std::regex pattern;
  try {
    pattern = std::regex(filter, std::regex::ECMAScript);
  } catch (const std::regex_error&) {
    throw UsageError{fmt::format(
        "--filter is '{}'; valid: a regular expression (ECMAScript), as in 'page|index'", filter)};
  }
  std::vector<const PlantedBug*> chosen;
  std::string names;
  for (const PlantedBug& bug : PlantedBugs()) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", bug.name);
    if (std::regex_search(bug.name.begin(), bug.name.end(), pattern)) chosen.push_back(&bug);
  }
  if (chosen.empty()) {
    throw UsageError{
        fmt::format("--filter is '{}', which is in no name; the names: {}", filter, names)};
  }
  return chosen;
}

HuntConfig ConfigFrom(const BugsFlags& flags) {
  HuntConfig config;
  if (!flags.starts.empty()) config.starts = NumberFlag("--starts", flags.starts, 1, 1000);
  if (!flags.turns_max.empty()) {
    config.turns_max = NumberFlag("--max-turns", flags.turns_max, 1, std::uint64_t{1} << 48);
  }
  config.jobs = DefaultJobs();
  if (!flags.jobs.empty()) config.jobs = NumberFlag("--jobs", flags.jobs, 1, 1024);
  config.bugs = Chosen(flags.filter);
  config.from_rare = flags.from_rare;
  config.corpus = Checkout("bugs") / "corpus";
  return config;
}

int Bugs(const BugsFlags& flags) {
  const HuntConfig config = ConfigFrom(flags);
  std::function<void(std::size_t, std::size_t)> progress;
  if (StderrIsATerminal()) {
    progress = [](std::size_t done, std::size_t all) {
      std::fputs(fmt::format("\r\x1b[K{} of {} hunts", done, all).c_str(), stderr);
      std::fflush(stderr);
    };
  }
  const HuntReport report = HuntBugs(config, Interrupted(), progress);
  if (progress) std::fputs("\r\x1b[K", stderr);
  if (flags.json) {
    PrintJson(HuntJson(config, report));
  } else {
    Print(HuntScreen(report));
  }
  if (!report.environment_error.empty()) throw EnvironmentError{report.environment_error};
  if (report.interrupted) return kExitInterrupted;
  return report.all_well() ? kExitHeld : kExitBroken;
}

}  // namespace

void AddBugsCommand(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<BugsFlags>();
  CLI::App* command = app.add_subcommand(
      "bugs", "is each planted bug found, by which rule, by which means, how soon?");
  command->add_option("--starts", flags->starts,
                      "how many first seeds each bug is hunted from (default: 5)");
  command->add_option("--filter", flags->filter,
                      "only bugs whose name this regular expression finds");
  command->add_option("--max-turns", flags->turns_max,
                      "a start that took so many turns is given up (default: 1000000)");
  command->add_flag("--from-rare", flags->from_rare,
                    "each start once more, with futures of rare moments");
  command->add_option("--jobs", flags->jobs, "threads (default: one a processor)");
  command->add_flag("--json", flags->json, "one JSON object on standard output");
  command->footer(
      "Examples:\n"
      "  rollover bugs --filter 'page|index' --starts 3\n"
      "  rollover bugs --from-rare --max-turns 200000 --jobs 1 --json");
  command->callback([flags, &exit_code] { exit_code = Bugs(*flags); });
}

}  // namespace rollover
