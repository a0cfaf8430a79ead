// Summary: what `run --json` printed, read back; the summaries of shards put together.
//
// Merging is a sum over disjoint sets of seeds, so any order and any grouping gives the same:
// counts and the trace hash add up; failures are ordered by seed and cut to as many a rule as a run
// keeps, the smallest seeds; `seconds` is the slowest part's. What the whole did not reach is
// judged anew. Summaries of another build, other options or the same shard twice are refused.
// Not here: runs that have no seeds of their own (--every-crash-point, --from-rare).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/result.h"

namespace rollover {

struct NamedSummary {
  std::string name{};  // its file's, which begins each error
  nlohmann::ordered_json json{};
};

// At least one summary. `shard` of the result is "1/1" if all shards are there, else the list of
// those that are, as in "1,3/4".
Result<nlohmann::ordered_json> MergeSummaries(const std::vector<NamedSummary>& summaries);

}  // namespace rollover
