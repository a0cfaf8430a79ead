#include "sim/campaign/known_failures.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "sim/campaign/files.h"

namespace rollover {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr const char* kFile = "known.json";
constexpr const char* kFolder = "known";

// Throws what the library throws when something is missing or of another kind.
FailureRecord FromJson(const Json& json) {
  return {.failure = {.fingerprint = json.at("fingerprint"),
                      .rule = json.at("rule"),
                      .what = json.at("what"),
                      .scenario = json.at("scenario"),
                      .part = json.at("part")},
          .first_night = json.at("first_night"),
          .last_night = json.at("last_night"),
          .fixed_night = json.at("fixed_night"),
          .nights = json.at("nights")};
}

FailureState StateIn(std::uint64_t night, const FailureRecord& known) {
  if (known.fixed_night > 0) return FailureState::kFixed;
  return known.first_night == night ? FailureState::kNew : FailureState::kKnown;
}

// Letters, digits and dashes of a rule's name, for a file's.
std::string Plain(const std::string& rule) {
  std::string plain;
  for (const char c : rule) {
    const bool keeps = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    plain += keeps ? c : '-';
  }
  return plain;
}

}  // namespace

nlohmann::ordered_json RecordJson(const FailureRecord& known) {
  return {{"fingerprint", known.failure.fingerprint},
          {"rule", known.failure.rule},
          {"what", known.failure.what},
          {"scenario", known.failure.scenario},
          {"part", known.failure.part},
          {"first_night", known.first_night},
          {"last_night", known.last_night},
          {"fixed_night", known.fixed_night},
          {"nights", known.nights}};
}

std::string_view StateName(FailureState state) {
  switch (state) {
    case FailureState::kNew:
      return "new";
    case FailureState::kKnown:
      return "known";
    case FailureState::kFixed:
      return "fixed";
  }
  return "";
}

Result<KnownFailures> KnownFailures::Read(const fs::path& folder) {
  KnownFailures known;
  known.folder_ = folder;
  const fs::path path = folder / kFile;
  std::error_code code;
  if (!fs::exists(path, code)) return known;
  try {
    const Json file = Json::parse(ReadFile(path));
    for (const Json& json : file.at("failures")) {
      FailureRecord failure = FromJson(json);
      std::string fingerprint = failure.failure.fingerprint;
      known.failures_[std::move(fingerprint)] = std::move(failure);
    }
  } catch (const Json::exception& error) {
    return Error{fmt::format("{}: not what a night wrote ({}); move it away to begin anew",
                             path.string(), error.what())};
  }
  return known;
}

std::vector<std::string> KnownFailures::Scenarios() const {
  std::vector<std::string> paths;
  for (const auto& [fingerprint, known] : failures_) {
    const fs::path path = folder_ / known.failure.scenario;
    std::error_code code;
    const bool readable = path.extension() == ".json" && fs::is_regular_file(path, code);
    if (readable && known.fixed_night == 0) paths.push_back(path.string());
  }
  return paths;
}

// A copy that stays when the night's own folder is cleared away.
std::optional<std::string> KnownFailures::Keep(NightFailure& failure) const {
  if (failure.scenario.empty()) return std::nullopt;
  const fs::path from = failure.scenario;
  for (std::uint64_t number = 1;; ++number) {
    const fs::path name = fs::path(kFolder) / fmt::format("{}-{}{}", Plain(failure.rule), number,
                                                          from.extension().string());
    std::error_code code;
    if (fs::exists(folder_ / name, code)) continue;
    failure.scenario = name.string();
    return WriteFile(folder_ / name, ReadFile(from));
  }
}

std::optional<std::string> KnownFailures::Take(std::uint64_t night,
                                               const std::vector<NightFailure>& seen,
                                               const std::map<std::string, std::string>& replayed) {
  const auto see = [night](FailureRecord& known) {
    if (known.last_night != night) ++known.nights;
    known.last_night = night;
  };
  for (NightFailure failure : seen) {
    const auto at = failures_.find(failure.fingerprint);
    const bool returns = at != failures_.end() && at->second.fixed_night > 0;
    if (at != failures_.end() && !returns) {
      see(at->second);
      continue;
    }
    if (auto error = Keep(failure)) return error;
    FailureRecord& known = failures_[failure.fingerprint];
    known.failure = failure;
    known.first_night = night;
    known.fixed_night = 0;
    see(known);
  }
  for (auto& [fingerprint, known] : failures_) {
    const auto answer = replayed.find((folder_ / known.failure.scenario).string());
    if (answer == replayed.end() || known.fixed_night > 0) continue;
    if (answer->second == "REPRODUCED") see(known);
    if (answer->second == "FIXED" && known.last_night != night) known.fixed_night = night;
  }
  return Write();
}

std::optional<std::string> KnownFailures::Write() const {
  Json json{{"failures", Json::array()}};
  for (const auto& [fingerprint, known] : failures_) json["failures"].push_back(RecordJson(known));
  return WriteFile(folder_ / kFile,
                   json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

std::vector<FailureTonight> KnownFailures::Tonight(std::uint64_t night) const {
  std::vector<FailureTonight> tonight;
  for (const auto& [fingerprint, known] : failures_) {
    if (known.fixed_night > 0 && known.fixed_night != night) continue;
    tonight.push_back(
        {.state = StateIn(night, known), .known = known, .seen = known.last_night == night});
  }
  std::sort(tonight.begin(), tonight.end(), [](const auto& a, const auto& b) {
    return std::tie(a.state, a.known.failure.fingerprint) <
           std::tie(b.state, b.known.failure.fingerprint);
  });
  return tonight;
}

}  // namespace rollover
