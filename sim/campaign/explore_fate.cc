#include "sim/campaign/explore_fate.h"

#include <algorithm>

namespace rollover {

Fault FaultOf(const Strike& strike) {
  return {.kind = strike.kind,
          .turn = strike.turn,
          .step = strike.step,
          .occurrence = strike.occurrence,
          .attempt = strike.attempt,
          .at = strike.at,
          .entries = strike.entries,
          .late = strike.late,
          .commits = strike.commits,
          .control = strike.control,
          .retryable = strike.retryable,
          .bytes = strike.bytes};
}

StateDigest Fate::DigestWith(const StateDigest& session, std::uint64_t history) const {
  boost::container::small_vector<std::uint64_t, 16> words = {
      session.low, session.high,
      std::uint64_t{faults_left} | std::uint64_t{attempt} << 8 | std::uint64_t{late_before} << 16 |
          std::uint64_t{late_after} << 24,
      process ? process->digest : 0, faults_left > 0 ? history : 0};
  for (const HandOutCount& count : counts) {
    words.push_back(std::uint64_t{count.turn} | static_cast<std::uint64_t>(count.step) << 8 |
                    std::uint64_t{count.occurrence} << 16 | std::uint64_t{count.count} << 24);
  }
  return DigestOfWords(words);
}

Fate Fate::Spent(const Strike& strike) const {
  Fate fate = *this;
  --fate.faults_left;
  fate.struck.at(fate.struck_count++) = strike;
  const auto end = fate.struck.begin() + fate.struck_count;
  const bool rolled_back = std::any_of(fate.struck.begin(), end, [](const Strike& past) {
    return past.kind == FaultKind::kEngineCrash;
  });
  // Nothing will come back any more.
  if (fate.faults_left == 0 && !rolled_back) fate.counts.clear();
  return fate;
}

void Fate::Forget(std::uint8_t turn, StepKind step, std::uint8_t occurrence) {
  const auto is_it = [&](const HandOutCount& count) {
    return count.turn == turn && count.step == step && count.occurrence == occurrence;
  };
  const auto known = std::find_if(counts.begin(), counts.end(), is_it);
  if (known != counts.end()) counts.erase(known);
}

std::uint8_t Fate::CountOf(std::uint8_t turn, StepKind step, std::uint8_t occurrence) const {
  for (const HandOutCount& count : counts) {
    if (count.turn == turn && count.step == step && count.occurrence == occurrence) {
      return count.count;
    }
  }
  return 0;
}

}  // namespace rollover
