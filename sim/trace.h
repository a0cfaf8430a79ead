// Trace: a 128-bit running hash over every event and every state change of a run, and, on request,
// the events in words.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

#include "model/check.h"
#include "model/step.h"

namespace rollover {

// Of one run; of many runs, the sum of theirs (mod 2^128), so that they combine in any order.
struct TraceHash {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  TraceHash& operator+=(const TraceHash& other);
  friend bool operator==(const TraceHash&, const TraceHash&) = default;
  std::string Hex() const;  // 32 lower-case digits
};

// What an event is about. The numbers are hashed: add at the end only.
enum class TraceKind : std::uint8_t {
  kTurnAccepted,
  kHandOut,
  kInvoked,
  kFailed,
  kCommitted,
  kWrite,
  kEvent,
  kMovement,
  kRefused,
  kFenced,
  kFault,
  kRead,
  kRestart,
  kLimits,
  kRollBack,
  kQuiet,
  kEnd,
};
std::string_view TraceKindName(TraceKind kind);

struct TraceEvent {
  std::uint64_t number = 0;  // 1, 2, ...: the simulation's only clock
  TraceKind kind = TraceKind::kEnd;
  std::uint64_t turn = 0;
  StepKind step = StepKind::kStartTurn;
  std::uint64_t occurrence = 0;  // of the Step in its turn
  std::uint64_t attempt = 0;     // of the hand-out
  std::uint64_t commit = 0;
  std::string text;
};
using TraceSink = std::function<void(const TraceEvent&)>;

class Trace {
 public:
  explicit Trace(TraceSink sink = nullptr);

  // `words` go into the hash; `text` makes the words for a reader, and is called only if there is
  // one.
  template <typename Text>
  void Add(TraceKind kind, std::initializer_list<std::uint64_t> words, Text text) {
    Hash(kind, words);
    if (sink_) Tell(kind, text());
  }

  // Where the run is, for the events that follow.
  void At(std::uint64_t turn, StepKind step, std::uint64_t occurrence, std::uint64_t attempt) {
    here_.turn = turn;
    here_.step = step;
    here_.occurrence = occurrence;
    here_.attempt = attempt;
  }
  void AtCommit(std::uint64_t commit) { here_.commit = commit; }

  const TraceEvent& here() const { return here_; }
  std::uint64_t events() const { return here_.number; }
  TraceHash hash();  // of all events so far

 private:
  // Words wait, because hashing many at once is much cheaper than a few at a time.
  void Hash(TraceKind kind, std::initializer_list<std::uint64_t> words) {
    ++here_.number;
    CHECK(words.size() < waiting_->size());
    if (waiting_->size() - waiting_count_ <= words.size()) Flush();
    std::uint64_t* at = waiting_->data() + waiting_count_;
    *at++ = static_cast<std::uint64_t>(kind) | words.size() << 8;
    for (const std::uint64_t word : words) *at++ = word;
    waiting_count_ += words.size() + 1;
  }
  void Flush();
  void Tell(TraceKind kind, std::string text);

  struct State;
  struct Free {
    void operator()(State* state) const;
  };
  std::unique_ptr<State, Free> state_;
  std::unique_ptr<std::array<std::uint64_t, 1024>> waiting_;
  std::size_t waiting_count_ = 0;
  TraceEvent here_;
  TraceSink sink_;
};

}  // namespace rollover
