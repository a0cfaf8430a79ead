// Bug hunt: is each planted bug found, by which rule, by which means, how soon?
//
// Two means so far: the swarm, seed after seed as `run` takes them, from several starts; and the
// corpus, whose scenarios are replayed with the bug as the core. The model's own cores run over the
// same seeds and the same corpus, and must break nothing.
//
// A run stops at the first event that breaks a rule, so what else would have been broken later is
// not known. What is known is whether the same event breaks other rules, too: where it does not,
// the rule convicts alone, and without it this event would have gone unseen.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/cores/planted_bugs.h"

namespace rollover {

// Between the first seeds of two starts.
inline constexpr std::uint64_t kSeedsBetweenStarts = 1'000'000;

struct HuntConfig {
  std::vector<const PlantedBug*> bugs{};
  std::uint64_t starts = 5;
  std::uint64_t turns_max = 1'000'000;  // of each start: then it is given up
  std::uint64_t jobs = 1;
  std::filesystem::path corpus{};  // empty: only the swarm hunts
  bool from_rare = false;          // each start once more, with futures of rare moments (rare.h)
};

struct Conviction {
  Rule rule = Rule::kExactlyOnce;
  std::string what{};
  std::vector<Rule> also{};  // the other rules that the same event breaks, each once
  std::string by{};          // "seed 0x2a", or the file's name
};

// One start of the swarm, or the corpus from its first file on.
struct Hunt {
  std::optional<Conviction> conviction{};
  std::uint64_t scenarios = 0;  // run, the last one included
  std::uint64_t turns = 0;      // started in them
  double seconds = 0;
};

struct HuntedBug {
  const PlantedBug* bug = nullptr;
  std::vector<Hunt> swarm{};  // one a start
  std::vector<Hunt> rare{};   // the same starts; none unless asked for
  Hunt corpus{};

  std::uint64_t starts_that_found() const;
  bool found() const { return starts_that_found() > 0 || corpus.conviction; }
  // Found, and no means named another rule.
  bool by_its_rule() const;
  // In every start, no rule but its own saw it.
  bool convicted_alone() const;
  // The middle start, ordered by turns; none where that start found nothing. Of an even number the
  // later of the two in the middle.
  std::optional<Hunt> median() const { return MedianOf(swarm); }
  static std::optional<Hunt> MedianOf(std::vector<Hunt> hunts);
};

struct HuntReport {
  std::vector<HuntedBug> bugs{};
  std::uint64_t corpus_scenarios = 0;
  std::uint64_t reference_scenarios = 0;  // seeds and corpus
  std::string reference_broke{};          // empty: nothing; else one line
  std::string environment_error{};        // a file of the corpus cannot be read
  double seconds = 0;
  bool interrupted = false;

  std::uint64_t found() const;
  bool all_well() const;  // each found, each by its rule, and the model clean
};

// `progress` hears how many of how many hunts are over; from any thread, one call at a time.
HuntReport HuntBugs(const HuntConfig& config, const std::atomic<bool>& interrupted,
                    const std::function<void(std::size_t, std::size_t)>& progress = {});

}  // namespace rollover
