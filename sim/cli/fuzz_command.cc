// rollover fuzz
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/campaign/fuzzing.h"
#include "sim/campaign/runner.h"
#include "sim/cli/command.h"

namespace rollover {
namespace {

constexpr std::chrono::minutes kDefaultTime{10};

struct FuzzFlags {
  std::vector<std::string> targets;
  std::string time;
  std::string jobs;
  std::string core;
  std::string out = "out";
  bool json = false;
};

std::string ValidTargets() {
  std::string names;
  for (const std::string_view name : FuzzTargets()) {
    if (!names.empty()) names += ", ";
    names += name;
  }
  return names;
}

FuzzConfig ConfigFrom(const FuzzFlags& flags) {
  FuzzConfig config;
  for (const std::string& name : flags.targets) {
    const auto targets = FuzzTargets();
    if (std::find(targets.begin(), targets.end(), name) == targets.end()) {
      throw UsageError{fmt::format("unknown target '{}'; valid: {}", name, ValidTargets())};
    }
    config.targets.push_back(name);
  }
  if (flags.targets.empty()) config.targets.assign(FuzzTargets().begin(), FuzzTargets().end());
  config.time = flags.time.empty() ? kDefaultTime : DurationFlag("--for", flags.time);
  config.jobs = flags.jobs.empty() ? DefaultJobs() : NumberFlag("--jobs", flags.jobs, 1, 1024);
  auto core = ParseCoreSpec(flags.core);
  if (!core) throw UsageError{"--core: " + core.error().reason};
  if (core.value().start) {
    throw UsageError{fmt::format(
        "--core: an input chooses among the model's cores itself; '{}' chooses for it: a bug:NAME "
        "is needed",
        flags.core)};
  }
  config.core = std::move(core.value());
  config.checkout = Checkout("fuzz");
  config.out = std::filesystem::absolute(flags.out);
  return config;
}

std::string Percent(std::uint64_t part, std::uint64_t whole) {
  return fmt::format(
      "{:.1f} %",
      whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

// One line a file: "  not reached  model/step.cc 17-22 30". The lines of a file stand together and
// ascend.
std::string NotReached(const std::vector<UncoveredLine>& lines) {
  std::string text;
  for (std::size_t i = 0; i < lines.size();) {
    std::size_t end = i + 1;
    const auto follows = [&] {
      return end < lines.size() && lines[end].file == lines[i].file &&
             lines[end].line == lines[end - 1].line + 1;
    };
    while (follows()) ++end;
    const bool new_file = i == 0 || lines[i - 1].file != lines[i].file;
    if (new_file) text += fmt::format("{}  not reached  {}", i == 0 ? "" : "\n", lines[i].file);
    text += fmt::format(" {}", lines[i].line);
    if (end > i + 1) text += fmt::format("-{}", lines[end - 1].line);
    i = end;
  }
  return text.empty() ? text : text + "\n";
}

std::string CoverageScreen(const Coverage& coverage) {
  std::string text = "coverage\n";
  const auto row = [&](const char* name, const Covered& covered) {
    text += fmt::format("  {:<8} {:>5} of {:>5} lines ({}), {:>5} of {:>5} branches ({})\n", name,
                        covered.lines_reached, covered.lines,
                        Percent(covered.lines_reached, covered.lines), covered.branches_reached,
                        covered.branches, Percent(covered.branches_reached, covered.branches));
  };
  row("model/", coverage.model);
  row("engine", coverage.engine);
  return text + NotReached(coverage.uncovered);
}

nlohmann::ordered_json JsonOf(const Covered& covered) {
  return {{"lines", covered.lines},
          {"lines_reached", covered.lines_reached},
          {"branches", covered.branches},
          {"branches_reached", covered.branches_reached}};
}

nlohmann::ordered_json JsonOf(const FuzzReport& report) {
  nlohmann::ordered_json json{{"targets", nlohmann::ordered_json::array()},
                              {"failures", nlohmann::ordered_json::array()}};
  for (const FuzzedTarget& target : report.targets) {
    json["targets"].push_back({{"name", target.name},
                               {"runs", target.runs},
                               {"runs_per_s", target.runs_a_second},
                               {"edges", target.edges},
                               {"inputs", target.inputs},
                               {"input_bytes", target.input_bytes}});
    for (const FuzzFinding& finding : target.findings) {
      json["failures"].push_back({{"target", finding.target},
                                  {"rule", finding.kind},
                                  {"fingerprint", Fingerprint(finding)},
                                  {"what", finding.what},
                                  {"input", finding.input},
                                  {"seen", finding.seen},
                                  {"scenario", finding.failure ? finding.failure->saved : ""}});
    }
  }
  if (report.coverage) {
    json["coverage"] = {{"model", JsonOf(report.coverage->model)},
                        {"engine", JsonOf(report.coverage->engine)}};
    for (const UncoveredLine& line : report.coverage->uncovered) {
      json["coverage"]["not_reached"].push_back(fmt::format("{}:{}", line.file, line.line));
    }
  }
  json["seconds"] = report.seconds;
  json["interrupted"] = report.interrupted;
  return json;
}

int Fuzz(const FuzzFlags& flags) {
  const FuzzConfig config = ConfigFrom(flags);
  const auto tell = [&](const std::string& line) {
    std::fputs((line + "\n").c_str(), flags.json ? stderr : stdout);
    std::fflush(flags.json ? stderr : stdout);
  };
  const FuzzReport report = RunFuzzTargets(config, Interrupted(), tell);
  std::size_t findings = 0;
  std::string text;
  for (const FuzzedTarget& target : report.targets) {
    findings += target.findings.size();
    for (const FuzzFinding& finding : target.findings) text += Describe(finding);
  }
  if (flags.json) {
    PrintJson(JsonOf(report));
  } else {
    if (report.coverage) text += CoverageScreen(*report.coverage);
    Print(text + fmt::format("{} failures in {:.0f} s; inputs kept in {}\n", findings,
                             report.seconds, (config.out / "fuzz").string()));
  }
  if (!report.environment_error.empty()) throw EnvironmentError{report.environment_error};
  if (report.interrupted) return kExitInterrupted;
  return findings > 0 ? kExitBroken : kExitHeld;
}

}  // namespace

void AddFuzzCommand(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<FuzzFlags>();
  CLI::App* command =
      app.add_subcommand("fuzz", "coverage-guided fuzzing of every surface (10 min by default)");
  command->add_option("TARGET", flags->targets, "which targets (default: all): " + ValidTargets());
  command->add_option("--for", flags->time,
                      "how long to fuzz, as in 60s, 10m, 8h; minimising and measuring come on top");
  command->add_option("--jobs", flags->jobs, "targets at a time (default: one a processor)");
  command->add_option("--core", flags->core,
                      "what fuzz_session runs in the reference core's place, as bug:NAME");
  command->add_option("--out", flags->out, "folder for inputs and failures")->capture_default_str();
  command->add_flag("--json", flags->json, "one JSON object on standard output");
  command->footer(
      "Examples:\n"
      "  rollover fuzz fuzz_session --for 10m\n"
      "  rollover fuzz --jobs 1 --out out/night --json\n"
      "  rollover fuzz fuzz_session --core bug:retention-by-first");
  command->callback([flags, &exit_code] { exit_code = Fuzz(*flags); });
}

}  // namespace rollover
