// ExploredSession: the durable half of an explored state, as a value that can be copied.
//
// Engine, judge and the progress of turns: what World (world.h) keeps between two commits, without
// the Workers and without what struck. A World cannot be copied; this can, so that a search goes on
// from here in every direction without running the session again. What the two do must agree:
// explore_test.cc runs each explored path in a World, too.
#pragma once

#include <array>
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/rules/judge.h"
#include "sim/campaign/digest_set.h"
#include "sim/engine.h"
#include "sim/scenario.h"
#include "sim/world.h"

namespace rollover {

// What every session of one search has in common; outlives them.
struct ExploreScope {
  CoreKind core = CoreKind::kReference;
  Options options{};
  Limits limits{};
  std::vector<Turn> menu{};            // an idle session may take any of these next
  bool upgrades = false;               // an idle 0.1.0 session may be upgraded
  std::uint64_t value_limit = 0;       // what max_value_bytes may be lowered to; 0: it is not
  std::uint64_t commits_lost_max = 0;  // by one crash of the engine; 0 if durability is sync
  std::uint64_t turns_max = 4;
  std::uint64_t faults_max = 1;
};

class ExploredSession {
 public:
  explicit ExploredSession(const ExploreScope& scope);

  // The turn that runs.
  struct Current {
    std::uint8_t turn = 0;  // 1, 2, ...
    TurnPlace place{};
    std::array<std::uint8_t, kStepKindCount> occurrences{};
    ControlKind control = ControlKind::kCancel;
    std::uint8_t steered_to = 0;
    std::string failure{};
  };

  Engine& engine() { return engine_; }
  const Engine& engine() const { return engine_; }
  Judge& judge() { return judge_; }
  const Judge& judge() const { return judge_; }
  const Current& current() const { return *current_; }
  CoreKind core() const { return core_; }
  const ExploreScope& scope() const { return *scope_; }

  bool idle() const { return !engine_.has_queued(); }
  std::uint64_t turns() const { return turns_.size(); }
  StepKind step() const { return engine_.queued().step; }
  std::uint8_t occurrence() const {
    return current_->occurrences[static_cast<std::size_t>(step())];
  }

  // A user message of the menu arrives; an idle session starts with it at once.
  void Accept(std::size_t choice);
  // The 0.1.0 Worker is stopped, and a 0.2.0 Worker started.
  void Upgrade();
  // A small message outside the menu: of the quiet phase.
  void AcceptQuiet();

  LoadList Loads() const;
  StepInput Input();  // of the queued Step
  Profile profile() const { return ProfileOf(core_); }

  // The queued Step's result, which the engine applied: judges it, and moves on.
  void Committed(const StepInput& input, std::uint32_t attempt, const StepResult& result,
                 std::span<const Load> loads);
  // The Step is abandoned for a control. A steer brings a message of the menu along.
  void Cancel();
  void Steer(std::size_t choice);
  // The turn goes its failure route.
  void FailTurn(std::string reason);
  void LowerValueLimit(std::uint64_t bytes);

  // The session as a crash of the engine leaves it, so many commits ago; none if that is further
  // than durability may lose. With no commit lost, the same session.
  std::optional<ExploredSession> RolledBack(std::uint64_t commits) const;

  // What decides everything that can follow; not how it came about, nor what can be lost.
  StateDigest Digest() const;
  // Of the sessions that a crash of the engine may bring back.
  std::uint64_t history_digest() const { return history_digest_; }
  // Of the values that pages are made of.
  StateDigest StorageDigest() const;

  // The operations so far.
  std::vector<Operation> Operations() const;

 private:
  struct Accepted {
    std::uint8_t choice = 0;
    std::optional<Content> user{};  // does not change when its turn has to start again
  };
  struct Checkpoint;

  const Turn& TurnAt(std::uint8_t number) const;
  const TurnId& IdOf(std::uint8_t number) const;
  void Hear(std::uint8_t number);
  void StartPending();
  void Queue(Movement movement);
  InputFrame Frame(std::uint8_t number) const;
  const Content& UserContent(std::uint8_t number);
  void TakeCheckpoint();

  const ExploreScope* scope_;
  CoreKind core_;
  Engine engine_;
  Judge judge_;
  std::vector<Accepted> turns_;
  boost::container::small_vector<std::uint8_t, 8> pending_;  // accepted, not started
  std::optional<Current> current_;
  std::uint8_t upgraded_after_ = 0xFF;  // turns
  std::shared_ptr<const Checkpoint> checkpoint_;
  std::uint64_t history_digest_ = 0;
};

}  // namespace rollover
