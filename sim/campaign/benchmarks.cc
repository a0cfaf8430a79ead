#include "sim/campaign/benchmarks.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <ostream>

#include "model/digest.h"
#include "model/protocol/paging.h"
#include "model/protocol/storage.h"
#include "sim/campaign/runner.h"
#include "sim/campaign/soak.h"
#include "sim/engine.h"
#include "sim/generator.h"

namespace rollover {
namespace {

using benchmark::State;

constexpr std::uint64_t kMessageBytes = 1440;  // the message of source-800
constexpr std::uint64_t kTurnMessages = 2;     // and its turn
constexpr std::uint64_t kTurnEvents = 64;      // what a turn of it hashes into the trace, about

Content GuardContent() { return Content('"' + std::string(kMessageBytes - 2, 'x') + '"'); }

ValueRef GuardMessage(Sequence sequence) {
  return MakeValue(Message{sequence, "t00000001", Role::kUser, GuardContent()});
}

InstanceMap WindowOf(Sequence first, std::uint64_t messages) {
  InstanceMap window;
  for (Sequence s = first; s < first + messages; ++s) window.Put(s, GuardMessage(s));
  return window;
}

// Chunks of 10 messages, sequence 1 on.
InstanceMap ChunksOf(std::uint64_t chunks) {
  InstanceMap map;
  for (std::uint64_t i = 0; i < chunks; ++i) {
    Chunk chunk;
    for (Sequence s = i * 10 + 1; s <= i * 10 + 10; ++s) {
      chunk.messages.push_back(GuardMessage(s));
    }
    map.Put(i * 10 + 1, MakeValue(std::move(chunk)));
  }
  return map;
}

// One message stored in a window that holds `messages`.
void Store(State& state, std::uint64_t messages) {
  const Options options;
  const InstanceMap window = WindowOf(1, messages);
  const std::vector<NewMessage> one = {{Role::kUser, GuardContent()}};
  for (auto _ : state) {
    benchmark::DoNotOptimize(StoreMessages(
        {.options = options, .window = window, .next_sequence = messages + 1}, "t1", one));
  }
}

// A compaction after which one of eleven chunks goes.
void Retain(State& state) {
  const Options options{.retained_message_limit = 100};
  const InstanceMap window = WindowOf(111, 4);
  Index index;
  index.window_start = 111;
  for (Sequence s = 1; s <= 110; s += 10) index.chunks.push_back({s, s + 9});
  for (auto _ : state) {
    benchmark::DoNotOptimize(RetainOnly({.options = options,
                                         .window = window,
                                         .index = &index,
                                         .next_sequence = 115,
                                         .summary_last_sequence = 110}));
  }
}

// 50 messages from the middle of twenty chunks.
void Page(State& state) {
  const InstanceMap window = WindowOf(201, 40);
  const InstanceMap chunks = ChunksOf(20);
  const ReadArguments arguments{.rpc = Rpc::kListAgentMessages, .after_sequence = 95, .limit = 50};
  for (auto _ : state) {
    std::vector<ValueRef> loaded;
    for (const auto& instance : chunks) loaded.push_back(instance.value);
    benchmark::DoNotOptimize(ReadPage(arguments, KeptLog(std::move(loaded), window)));
  }
}

// A message and the session, received, applied; the message before it deleted.
void CommitToEngine(State& state) {
  Engine engine{Limits{}};
  const ValueRef message = GuardMessage(1);
  const ValueRef session = MakeValue(Session{2, "t1"});
  Token token = 0;
  for (auto _ : state) {
    engine.Queue({.step = StepKind::kRunModel});
    engine.HandOut(++token);
    engine.Receive({Name::kMessages, token, message});
    if (token > 1) engine.Receive({Name::kMessages, token - 1, nullptr});
    engine.Receive({Name::kSession, 0, session});
    CHECK(engine.Finish(token) == CommitAnswer::kApplied);
  }
}

struct Work {
  std::uint64_t turns = 0;
  std::uint64_t commits = 0;
  std::uint64_t bytes = 0;  // of messages

  void Add(const Statistics& statistics) {
    turns += statistics.turns;
    commits += statistics.commits;
    bytes += statistics.stored_bytes;
  }
};

void Count(State& state, const Work& work) {
  const auto rate = [](std::uint64_t done) {
    return benchmark::Counter(static_cast<double>(done), benchmark::Counter::kIsRate);
  };
  state.counters["turns"] = rate(work.turns);
  state.counters["commits"] = rate(work.commits);
  state.counters["bytes"] = rate(work.bytes);
}

struct Turns {
  const char* name;
  const char* preset = "source-800";
  const char* core = "reference";
  std::uint64_t turns = 10'000;
  bool checks = true;
};

void Soak(State& state, const Turns& bench) {
  SoakConfig config{.preset = *SoakPresetNamed(bench.preset)};
  config.preset.turns = bench.turns;
  config.preset.every = bench.turns;
  config.core = ParseCoreSpec(bench.core).value();
  config.checks = bench.checks;
  const std::atomic<bool> interrupted{false};
  Work work;
  for (auto _ : state) {
    const SoakReport report = RunSoak(config, interrupted);
    CHECK(Held(report));
    work.Add(report.statistics);
  }
  Count(state, work);
}

void Jobs(State& state, std::uint64_t jobs) {
  RunConfig config;
  config.seeds = 2000;
  config.jobs = jobs;
  config.scenario_of = [](std::uint64_t seed) { return GenerateScenario(seed); };
  const std::atomic<bool> interrupted{false};
  Work work;
  for (auto _ : state) {
    const RunSummary summary = RunSeeds(config, interrupted, nullptr);
    CHECK(summary.failures_total == 0);
    work.Add(summary.statistics);
  }
  Count(state, work);
}

// What a turn of source-800 cannot go below: its payload once copied, once hashed.
void CopyPayload(State& state) {
  const std::string from(kMessageBytes, 'x');
  std::string to(kMessageBytes, 'y');
  Work work;
  for (auto _ : state) {
    for (std::uint64_t i = 0; i < kTurnMessages; ++i) {
      std::memcpy(to.data(), from.data(), from.size());
      benchmark::DoNotOptimize(to.data());
      benchmark::ClobberMemory();
    }
    ++work.turns;
    work.bytes += kTurnMessages * kMessageBytes;
  }
  Count(state, work);
}

void HashPayload(State& state) {
  const std::string payload(kMessageBytes, 'x');
  Work work;
  for (auto _ : state) {
    for (std::uint64_t i = 0; i < kTurnMessages; ++i) benchmark::DoNotOptimize(Digest(payload));
    ++work.turns;
    work.bytes += kTurnMessages * kMessageBytes;
  }
  Count(state, work);
}

// As many events as a turn has, and nothing in them.
void EmptyEvents(State& state) {
  Work work;
  for (auto _ : state) {
    for (std::uint64_t event = 0; event < kTurnEvents; ++event) benchmark::DoNotOptimize(event);
    ++work.turns;
  }
  Count(state, work);
}

void Register(const BenchConfig& config) {
  std::vector<benchmark::internal::Benchmark*> all;
  const auto add = [&all](const std::string& name, auto function) {
    all.push_back(benchmark::RegisterBenchmark(name.c_str(), function));
    return all.back();
  };
  add("limit/copy", CopyPayload);
  add("limit/hash", HashPayload);
  add("limit/events", EmptyEvents);
  add("store", [](State& state) { Store(state, Options{}.message_window_size / 2); });
  add("roll-over", [](State& state) { Store(state, Options{}.message_window_size); });
  add("retain", Retain);
  add("page", Page);
  add("engine-commit", CommitToEngine);
  static const std::vector<Turns> turns = {
      {.name = "turns/no-rules", .checks = false},
      {.name = "turns/rules"},
      {.name = "turns/faults", .preset = "source-800-faults"},
      {.name = "turns/mixed", .preset = "nightly-2000", .turns = 2000},
      {.name = "turns/bytes", .core = "bytes:reference", .turns = 2000},
      {.name = "length/100", .turns = 100},
      {.name = "length/1000", .turns = 1000},
      {.name = "length/10000", .turns = 10'000},
      {.name = "length/100000", .turns = 100'000},
  };
  for (const Turns& bench : turns) {
    add(bench.name, [&bench](State& state) { Soak(state, bench); });
  }
  for (const std::uint64_t jobs : {1u, 2u}) {
    add(fmt::format("jobs/{}", jobs), [jobs](State& state) { Jobs(state, jobs); })->UseRealTime();
  }
  for (auto* bench : all) {
    bench->MinTime(config.seconds)->Repetitions(static_cast<int>(config.repetitions));
  }
}

// Keeps the fastest repetition of each.
class Fastest : public benchmark::BenchmarkReporter {
 public:
  // What matched nothing is the caller's to say.
  Fastest() { SetErrorStream(&silent_); }

  bool ReportContext(const Context&) override { return true; }

  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      const std::string name = run.run_name.function_name;
      const bool elapsed = name.rfind("jobs/", 0) == 0;
      const double time = elapsed ? run.GetAdjustedRealTime() : run.GetAdjustedCPUTime();
      const auto rate = [&run](const char* counter) {
        const auto at = run.counters.find(counter);
        return at == run.counters.end() ? 0 : static_cast<double>(at->second);
      };
      BenchResult result{name, time, rate("turns"), rate("commits"), rate("bytes")};
      if (results_.empty() || results_.back().name != name) {
        results_.push_back(result);
      } else if (time < results_.back().nanoseconds) {
        results_.back() = result;
      }
    }
  }

  std::vector<BenchResult> Take() { return std::move(results_); }

 private:
  std::ostream silent_{nullptr};
  std::vector<BenchResult> results_;
};

}  // namespace

std::vector<BenchResult> RunBenchmarks(const BenchConfig& config) {
  Register(config);
  Fastest fastest;
  benchmark::RunSpecifiedBenchmarks(&fastest, config.filter);
  return fastest.Take();
}

BenchRatios RatiosOf(const std::vector<BenchResult>& results) {
  // The time of a turn, or of an operation without turns.
  const auto seconds = [&](const std::string& name) {
    const auto at = std::find_if(results.begin(), results.end(),
                                 [&](const BenchResult& result) { return result.name == name; });
    if (at == results.end()) return 0.0;
    return at->turns_per_second > 0 ? 1 / at->turns_per_second : at->nanoseconds / 1e9;
  };
  const auto ratio = [](double a, double b) { return a > 0 && b > 0 ? a / b : 0; };
  const double copied = seconds("limit/copy");
  const double hashed = seconds("limit/hash");
  return {.rules = ratio(seconds("turns/rules"), seconds("turns/no-rules")),
          .faults = ratio(seconds("turns/faults"), seconds("turns/rules")),
          .bytes = ratio(seconds("turns/bytes"), seconds("turns/rules")),
          .length = ratio(seconds("length/100000"), seconds("length/1000")),
          .two_jobs = ratio(seconds("jobs/1"), seconds("jobs/2")),
          .floor = copied > 0 && hashed > 0 ? ratio(seconds("turns/faults"), copied + hashed) : 0};
}

}  // namespace rollover
