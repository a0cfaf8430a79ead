// Night result: what a part of a night has to say, read from what its command printed as JSON.
//
// Nothing is taken for well that does not say so itself: a command that was stopped at its time
// limit, that a signal ended, or that reports nothing, is a failure like a broken rule.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace rollover {

struct NightFailure {
  std::string fingerprint{};
  std::string rule{};  // or: time-out, killed, out-of-memory, no-report
  std::string what{};
  std::string scenario{};  // its file; empty: there is none
  std::string part{};      // that saw it first in this night
};

// One call of one part, as it ended. A part that was interrupted is called again when the night
// goes on.
struct PartRun {
  std::string part{};
  std::vector<std::string> arguments{};
  std::string stem{};  // of its files in the night's folder: STEM.json, STEM.log, STEM.html
  int exit_code = 0;
  int signal = 0;
  bool timed_out = false;
  bool interrupted = false;  // with the night
  double seconds = 0;

  std::string command() const { return arguments.empty() ? "" : arguments.front(); }
};

enum class PartOutcome {
  kHeld,
  kBroken,
  kNotRun,       // the environment failed, or it could not judge
  kInterrupted,  // with the night
};

struct PartResult {
  PartRun run{};
  PartOutcome outcome = PartOutcome::kHeld;
  std::string did{};                     // one line: what it went through
  std::string reason{};                  // of kNotRun
  std::vector<NightFailure> failures{};  // without known ones that are replayed
  nlohmann::ordered_json json{};         // all it printed; null: nothing that is JSON
};

// `output` and `errors` are what it wrote to its standard output and error.
PartResult ReadPart(PartRun run, const std::string& output, const std::string& errors);

// What the part that replays known failures answered: REPRODUCED, FIXED or STALE, by file.
std::map<std::string, std::string> Replayed(const PartResult& part);

std::string_view OutcomeName(PartOutcome outcome);  // held, BROKEN, NOT RUN, interrupted

}  // namespace rollover
