// Known failures: what earlier nights found, kept in DIR/known.json; a scenario of each in
// DIR/known/.
//
// Failures are one when their fingerprints are (failure.h). Each that has a scenario is replayed at
// the beginning of a night: only a replay that answers FIXED makes one fixed, never that a night
// happened not to meet it. One that comes back after that is new again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/result.h"
#include "sim/campaign/night_result.h"

namespace rollover {

enum class FailureState { kNew, kKnown, kFixed };
std::string_view StateName(FailureState state);  // new, known, fixed

struct FailureRecord {
  NightFailure failure{};  // its scenario is a path in the folder, as in known/in-order-1.json
  std::uint64_t first_night = 0;
  std::uint64_t last_night = 0;   // that saw it
  std::uint64_t fixed_night = 0;  // in which a replay found it fixed; 0: it is not
  std::uint64_t nights = 0;       // that saw it
};

// As known.json and a night's summary say it.
nlohmann::ordered_json RecordJson(const FailureRecord& record);

struct FailureTonight {
  FailureState state = FailureState::kNew;
  FailureRecord known{};
  bool seen = false;  // in this night, if only by its replay
};

class KnownFailures {
 public:
  // Of DIR/known.json; none when it is not there. The error names the file and what it is.
  static Result<KnownFailures> Read(const std::filesystem::path& folder);

  // Scenario files to replay, those that exist, in a steady order.
  std::vector<std::string> Scenarios() const;

  // Puts together what a night saw and what replays answered, copies the scenario of what is new,
  // and writes known.json. Taking the same night twice changes nothing. The error names a path.
  std::optional<std::string> Take(std::uint64_t night, const std::vector<NightFailure>& seen,
                                  const std::map<std::string, std::string>& replayed);

  // What there is to tell of a night: the new ones first, then the known, then those it found
  // fixed.
  std::vector<FailureTonight> Tonight(std::uint64_t night) const;

 private:
  std::optional<std::string> Keep(NightFailure& failure) const;
  std::optional<std::string> Write() const;

  std::filesystem::path folder_;
  std::map<std::string, FailureRecord> failures_;  // by fingerprint
};

}  // namespace rollover
