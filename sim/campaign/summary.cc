#include "sim/campaign/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <set>

#include "sim/campaign/runner.h"

namespace rollover {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kShardsMax = 1'000'000;
constexpr std::array<const char*, 6> kCounts = {"seeds",    "turns", "commits",
                                                "attempts", "reads", "failures_total"};
constexpr std::array<const char*, 3> kMaps = {"faults", "situations", "rules"};
// What must be the same in all, for their sum to mean something.
constexpr std::array<const char*, 6> kSame = {"version",    "options", "core",
                                              "first_seed", "preset",  "transcript"};

struct Refused {
  std::string reason;
};

[[noreturn]] void Refuse(const std::string& name, const std::string& what) {
  throw Refused{fmt::format("{}: {}", name, what)};
}

std::optional<std::uint64_t> Number(std::string_view text, int base) {
  std::uint64_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

const Json& Field(const NamedSummary& summary, const char* field) {
  if (!summary.json.is_object() || !summary.json.contains(field)) {
    Refuse(summary.name, fmt::format("no summary of run --json: '{}' is missing", field));
  }
  return summary.json[field];
}

std::uint64_t Count(const std::string& name, std::string_view field, const Json& json) {
  if (!json.is_number_unsigned()) {
    Refuse(name, fmt::format("'{}' is {}; valid: a whole number", field, json.dump(-1, ' ', true)));
  }
  return json.get<std::uint64_t>();
}

std::uint64_t Sum(const std::string& name, std::string_view field, const Json& a, const Json& b) {
  std::uint64_t sum = 0;
  if (__builtin_add_overflow(a.get<std::uint64_t>(), Count(name, field, b), &sum)) {
    Refuse(name, fmt::format("'{}' adds up to more than 2^64 - 1", field));
  }
  return sum;
}

TraceHash HashOf(const NamedSummary& summary) {
  const Json& json = Field(summary, "trace_hash");
  const std::string text = json.is_string() ? json.get<std::string>() : "";
  const auto high = Number(std::string_view(text).substr(0, 16), 16);
  const auto low = Number(text.size() == 32 ? std::string_view(text).substr(16) : "", 16);
  if (!high || !low) Refuse(summary.name, "'trace_hash' is none; valid: 32 hexadecimal digits");
  return {.high = *high, .low = *low};
}

struct Shards {
  std::uint64_t count = 1;
  std::set<std::uint64_t> there{};
};

// "I/N", or what a merge wrote: "I,J,K/N".
Shards ShardsOf(const NamedSummary& summary) {
  const Json& json = Field(summary, "shard");
  const std::string text = json.is_string() ? json.get<std::string>() : "";
  const auto refuse = [&] {
    Refuse(summary.name, fmt::format("'shard' is '{}'; valid: I/N, as in 1/4", text));
  };
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) refuse();
  Shards shards;
  shards.count = Number(std::string_view(text).substr(slash + 1), 10).value_or(0);
  if (shards.count < 1 || shards.count > kShardsMax) refuse();
  for (std::size_t begin = 0; begin <= slash;) {
    const std::size_t end = std::min(text.find(',', begin), slash);
    const auto index = Number(std::string_view(text).substr(begin, end - begin), 10);
    if (!index || *index < 1 || *index > shards.count) refuse();
    if (!shards.there.insert(*index).second) refuse();
    begin = end + 1;
  }
  return shards;
}

std::string ShardText(const Shards& shards) {
  if (shards.there.size() == shards.count) return "1/1";
  std::string text;
  for (const std::uint64_t index : shards.there) {
    text += fmt::format("{}{}", text.empty() ? "" : ",", index);
  }
  return fmt::format("{}/{}", text, shards.count);
}

void CheckFailures(const NamedSummary& summary) {
  const Json& failures = Field(summary, "failures");
  if (!failures.is_array()) Refuse(summary.name, "'failures' is no list");
  for (const Json& failure : failures) {
    const bool valid = failure.is_object() && failure.contains("rule") &&
                       failure["rule"].is_string() && failure.contains("seed") &&
                       failure["seed"].is_number_unsigned();
    if (!valid) Refuse(summary.name, "'failures' holds one without 'rule' and 'seed'");
  }
}

void Check(const NamedSummary& summary) {
  for (const char* field : {"version", "options", "core", "not_reached"}) Field(summary, field);
  for (const char* field : {"every_crash_point", "futures"}) {
    if (summary.json.contains(field)) {
      Refuse(summary.name, fmt::format("has '{}'; only runs of fresh seeds can be merged", field));
    }
  }
  if (summary.json.contains("environment_error")) {
    Refuse(summary.name, "did not finish (environment_error): run this shard again");
  }
  Count(summary.name, "first_seed", Field(summary, "first_seed"));
  for (const char* field : kCounts) Count(summary.name, field, Field(summary, field));
  for (const char* field : kMaps) {
    const Json& map = Field(summary, field);
    if (!map.is_object()) Refuse(summary.name, fmt::format("'{}' is no object", field));
    for (const auto& [key, value] : map.items()) Count(summary.name, key, value);
  }
  if (!Field(summary, "seconds").is_number()) Refuse(summary.name, "'seconds' is no number");
  if (!Field(summary, "interrupted").is_boolean()) {
    Refuse(summary.name, "'interrupted' is neither true nor false");
  }
  CheckFailures(summary);
  HashOf(summary);
}

void CheckSame(const NamedSummary& first, const NamedSummary& other) {
  const auto text = [](const NamedSummary& summary, const char* field) {
    if (!summary.json.contains(field)) return std::string("not there");
    // Another program may have put the names of an object in another order.
    return nlohmann::json::parse(summary.json[field].dump(-1, ' ', true)).dump(-1, ' ', true);
  };
  for (const char* field : kSame) {
    const std::string a = text(first, field);
    const std::string b = text(other, field);
    if (a == b) continue;
    Refuse(other.name, fmt::format("'{}' is {}, in {} it is {}", field, b, first.name, a));
  }
}

void AddCounts(Json& sum, const NamedSummary& part) {
  for (const char* field : kCounts) {
    sum[field] = Sum(part.name, field, sum[field], part.json[field]);
  }
  for (const char* field : kMaps) {
    if (sum[field].size() != part.json[field].size()) {
      Refuse(part.name, fmt::format("'{}' has other names than the first summary's", field));
    }
    for (const auto& [key, value] : part.json[field].items()) {
      if (!sum[field].contains(key)) {
        Refuse(part.name,
               fmt::format("'{}' has '{}', which the first summary has not", field, key));
      }
      sum[field][key] = Sum(part.name, key, sum[field][key], value);
    }
  }
  for (const Json& failure : part.json["failures"]) sum["failures"].push_back(failure);
  sum["seconds"] = std::max(sum["seconds"].get<double>(), part.json["seconds"].get<double>());
  sum["interrupted"] = sum["interrupted"].get<bool>() || part.json["interrupted"].get<bool>();
}

// As a run keeps them: by seed, so many a rule.
Json Kept(const Json& failures) {
  std::vector<Json> sorted(failures.begin(), failures.end());
  std::sort(sorted.begin(), sorted.end(), [](const Json& a, const Json& b) {
    const auto seed_a = a["seed"].get<std::uint64_t>();
    const auto seed_b = b["seed"].get<std::uint64_t>();
    return seed_a != seed_b ? seed_a < seed_b : a.dump() < b.dump();
  });
  std::map<std::string, std::uint64_t> of_rule;
  Json kept = Json::array();
  for (const Json& failure : sorted) {
    if (++of_rule[failure["rule"].get<std::string>()] > RunConfig{}.failures_saved_max) continue;
    kept.push_back(failure);
  }
  return kept;
}

Statistics StatisticsOf(const Json& json) {
  const auto count = [&](const char* field, const std::string& name) {
    return json[field].contains(name) ? json[field][name].get<std::uint64_t>() : 0;
  };
  Statistics statistics;
  for (const RuleInfo& rule : Rules()) {
    statistics.evaluations[static_cast<std::size_t>(rule.rule)] =
        count("rules", std::string(rule.name));
  }
  for (const SituationInfo& situation : Situations()) {
    statistics.situations[static_cast<std::size_t>(situation.situation)] =
        count("situations", std::string(situation.name));
  }
  for (std::size_t f = 0; f < kFaultKindCount; ++f) {
    const std::string fault(FaultName(static_cast<FaultKind>(f)));
    statistics.faults[f] = count("faults", fault);
    for (std::size_t s = 0; s < kStepKindCount; ++s) {
      statistics.faults_at[f][s] =
          count("situations", fmt::format("{}@{}", fault, StepName(static_cast<StepKind>(s))));
    }
  }
  return statistics;
}

Json Merged(const std::vector<NamedSummary>& summaries) {
  for (const NamedSummary& summary : summaries) Check(summary);
  Json sum = summaries.front().json;
  TraceHash hash = HashOf(summaries.front());
  Shards shards = ShardsOf(summaries.front());
  for (auto part = summaries.begin() + 1; part != summaries.end(); ++part) {
    CheckSame(summaries.front(), *part);
    const Shards more = ShardsOf(*part);
    if (more.count != shards.count) {
      Refuse(part->name, fmt::format("is of {} shards, {} is of {}", more.count,
                                     summaries.front().name, shards.count));
    }
    for (const std::uint64_t index : more.there) {
      if (shards.there.insert(index).second) continue;
      Refuse(part->name, fmt::format("shard {}/{} is there already", index, more.count));
    }
    AddCounts(sum, *part);
    hash += HashOf(*part);
  }
  sum["failures"] = Kept(sum["failures"]);
  sum["trace_hash"] = hash.Hex();
  sum["shard"] = ShardText(shards);
  sum["not_reached"] = NotReached(StatisticsOf(sum), sum["seeds"].get<std::uint64_t>());
  return sum;
}

}  // namespace

Result<Json> MergeSummaries(const std::vector<NamedSummary>& summaries) {
  try {
    return Merged(summaries);
  } catch (const Refused& refused) {
    return Error{refused.reason};
  }
}

}  // namespace rollover
