// Benchmarks: what a commit, a turn, a session costs, beside what no implementation could go below.
//
// Google Benchmark measures; each is repeated, and the fastest repetition counts, because whatever
// else the machine does can only slow one down. Ratios within one call can be trusted, absolute
// figures only on a quiet machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rollover {

struct BenchConfig {
  std::string filter = ".";  // regular expression over the names
  double seconds = 0.3;      // of each repetition, at least
  std::uint64_t repetitions = 3;
};

struct BenchResult {
  std::string name;               // "turns/faults"
  double nanoseconds = 0;         // for one operation: CPU time, but for jobs/N elapsed
  double turns_per_second = 0;    // 0 where there are no turns
  double commits_per_second = 0;  // 0 where there are no commits
  double bytes_per_second = 0;    // of messages; 0 where there are none
};

// In the order in which they ran; empty when the filter matches nothing. `filter` must be a valid
// regular expression. Call it once a process.
std::vector<BenchResult> RunBenchmarks(const BenchConfig& config);

// What the figures mean together; each is absent (0) when a benchmark that it needs did not run.
struct BenchRatios {
  double rules = 0;     // a turn with rules : without
  double faults = 0;    // with faults : without
  double bytes = 0;     // behind bytes : typed
  double length = 0;    // a turn of 100,000 : of 1,000
  double two_jobs = 0;  // turns a second of two jobs : of one
  double floor = 0;     // a turn with rules and faults : copying and hashing its payload
};
BenchRatios RatiosOf(const std::vector<BenchResult>& results);

}  // namespace rollover
