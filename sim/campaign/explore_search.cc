#include "sim/campaign/explore_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "model/digest.h"
#include "sim/campaign/explore_reads.h"

namespace rollover {
namespace {

// Any two that rise: a Step's hand-outs that were given up, and the one that holds it.
constexpr Token kStale = 1;
constexpr Token kHeld = 2;

constexpr std::uint64_t kInterruptEvery = 4096;  // states

// One hand-out of a Step, up to its commit.
struct Attempt {
  LoadList loads;
  StepInput input;
  StepOutcome outcome;
  std::shared_ptr<const ProcessPast> past;  // of the process, this call included
  bool counts = false;                      // its crash points are counted

  const StepResult* result() const { return std::get_if<StepResult>(&outcome); }
};

// Fates that leave the Step for somewhere else, by where.
struct Leaving {
  Fates failed;
  Fates cancelled;
  Fates limited;
  std::vector<Fates> steered;      // by choice
  std::vector<Fates> rolled_back;  // by commits lost, less one
  std::string failure;
};

class Searcher {
 public:
  Searcher(const SearchConfig& config, const std::atomic<bool>& interrupted)
      : config_(config),
        interrupted_(interrupted),
        seen_(config.memory_max / 4 * 3),
        read_(config.memory_max / 8),
        counted_(config.memory_max / 8) {
    if (scope().commits_lost_max == 0) return;
    for (std::uint8_t lost = 0; lost <= scope().commits_lost_max; ++lost) crashes_.push_back(lost);
  }

  SearchResult Run() {
    Fates fates(1);
    fates.front().faults_left = static_cast<std::uint8_t>(scope().faults_max);
    ExploredSession session(scope());
    Enter(session, std::move(fates));
    return std::move(result_);
  }

 private:
  // Copies go into sessions that were used before, whose memory they take over: most of the cost of
  // a copy is the allocator's.
  struct Return {
    std::vector<std::unique_ptr<ExploredSession>>* used = nullptr;
    void operator()(ExploredSession* session) const { used->emplace_back(session); }
  };
  using Held = std::unique_ptr<ExploredSession, Return>;
  Held Copy(const ExploredSession& session) {
    if (used_.empty()) return Held(new ExploredSession(session), Return{&used_});
    Held copy(used_.back().release(), Return{&used_});
    used_.pop_back();
    *copy = session;
    return copy;
  }

  const ExploreScope& scope() const { return config_.scope; }

  void Stop(std::string why) {
    if (!stopped_) result_.stopped_by = std::move(why);
    stopped_ = true;
  }

  // Whether the state was not seen before; a state that there is no room for stops the search.
  bool IsNew(const ExploredSession& session, const StateDigest& digest, const Fate& fate) {
    if (stopped_) return false;
    if (result_.states % kInterruptEvery == 0) {
      if (interrupted_) Stop("Ctrl-C");
      if (config_.time_is_up && config_.time_is_up()) Stop("--for");
    }
    const auto answer = seen_.Insert(fate.DigestWith(digest, session.history_digest()));
    if (answer == DigestSet::Answer::kKnown) return false;
    if (answer == DigestSet::Answer::kFull) Stop("--max-memory");
    if (result_.states >= config_.states_max) Stop("--max-states");
    if (!stopped_) ++result_.states;
    return !stopped_;
  }

  // These take the session over: what it is afterwards is of no use to the caller.
  void Enter(ExploredSession& session, Fates fates) {
    const StateDigest digest = session.Digest();
    std::erase_if(fates, [&](const Fate& fate) { return !IsNew(session, digest, fate); });
    if (stopped_ || fates.empty()) return;
    result_.depth = std::max(result_.depth, ++depth_);
    Read(session, fates.front());
    if (stopped_) return;
    if (session.idle()) {
      EnterIdle(session, std::move(fates));
    } else {
      EnterStep(session, digest, std::move(fates));
    }
    --depth_;
  }

  // A Step was queued: counts hand-outs from its first, or from where a roll-back found it.
  void EnterQueued(ExploredSession& session, Fates fates) {
    result_.transitions += fates.size();
    for (Fate& fate : fates) {
      fate.attempt = 1;
      if (session.idle()) {
        if (fate.faults_left == 0) fate.counts.clear();
        continue;
      }
      if (fate.counts.empty()) continue;
      const auto& current = session.current();
      const auto known = fate.CountOf(current.turn, session.step(), session.occurrence());
      fate.attempt = static_cast<std::uint8_t>(known + 1);
      if (fate.faults_left == 0) fate.Forget(current.turn, session.step(), session.occurrence());
    }
    Enter(session, std::move(fates));
  }

  void EnterIdle(ExploredSession& session, Fates fates) {
    if (scope().upgrades && session.core() == CoreKind::kLegacy) {
      const Held upgraded = Copy(session);
      upgraded->Upgrade();
      Fates restarted = fates;
      for (Fate& fate : restarted) fate.process = nullptr;
      EnterQueued(*upgraded, std::move(restarted));
    }
    if (session.turns() >= scope().turns_max) return Leaf(session, fates);
    for (std::size_t choice = 0; choice < scope().menu.size() && !stopped_; ++choice) {
      const bool last = choice + 1 == scope().menu.size();
      const Held copy = last ? Held() : Copy(session);
      ExploredSession& next = last ? session : *copy;
      next.Accept(choice);
      EnterQueued(next, fates);
    }
  }

  // A core function serves all fates at once; of others, those alike in what the core can tell.
  std::size_t GroupFrom(Fates& fates, std::size_t begin) const {
    if (config_.core_is_a_function) return fates.size();
    const auto first = fates.begin() + static_cast<std::ptrdiff_t>(begin);
    const std::uint8_t attempt = first->attempt;
    const auto process = first->process;
    const auto other = [&](const Fate& fate) {
      return fate.attempt != attempt || fate.process != process;
    };
    Fates others;
    std::copy_if(first, fates.end(), std::back_inserter(others), other);
    const auto end = std::remove_if(first, fates.end(), other);
    std::move(others.begin(), others.end(), end);
    return static_cast<std::size_t>(end - fates.begin());
  }

  void EnterStep(ExploredSession& session, const StateDigest& digest, Fates fates) {
    for (std::size_t begin = 0; begin < fates.size() && !stopped_;) {
      std::size_t end = GroupFrom(fates, begin);
      const Fate first = fates[begin];
      Attempt attempt = Invoke(session, digest, first);
      if (Broken(session, first)) return;
      BreakOff(session, attempt, first);
      attempt.counts = Counts(digest, first, attempt);
      Leaving leaving;
      // A core function answers a fate that is handed out once more as it did before.
      for (std::size_t i = begin; i < (config_.core_is_a_function ? fates.size() : end); ++i) {
        if (fates[i].faults_left == 0) continue;
        StrikeStaying(session, digest, attempt, i, fates);
        StrikeLeaving(session, attempt, fates[i], leaving);
      }
      if (config_.core_is_a_function) end = fates.size();
      Leave(session, std::move(leaving));
      if (stopped_) return;
      if (begin == 0 && end == fates.size()) return Answer(session, attempt, fates);
      const Fates group(fates.begin() + static_cast<std::ptrdiff_t>(begin),
                        fates.begin() + static_cast<std::ptrdiff_t>(end));
      if (end == fates.size()) return Answer(session, attempt, group);
      const Held copy = Copy(session);
      Answer(*copy, attempt, group);
      begin = end;
    }
  }

  // Its crash points, once a durable state that no fault precedes: before the loads, in the
  // handler, before the commit, after each number of entries, after the commit.
  bool Counts(const StateDigest& digest, const Fate& fate, const Attempt& attempt) {
    if (fate.faults_left != scope().faults_max) return false;
    if (counted_.Insert(digest) != DigestSet::Answer::kNew) return false;
    const StepResult* result = attempt.result();
    result_.crash_points += result != nullptr ? result->writes.size() + 5 : 2;
    return true;
  }

  Core& CoreFor(const ExploredSession& session, const ProcessPast* past) {
    auto& core = cores_.at(static_cast<std::size_t>(session.core()));
    if (core && config_.core_is_a_function) return *core;
    core = config_.factory(session.core(), scope().options);
    std::vector<const ProcessPast*> calls;
    for (; past != nullptr; past = past->before.get()) calls.push_back(past);
    for (auto call = calls.rbegin(); call != calls.rend(); ++call) {
      const LoadedState state((*call)->state, (*call)->loads);
      core->Invoke({.input = (*call)->input, .attempt = (*call)->attempt, .state = state});
    }
    return *core;
  }

  Attempt Invoke(ExploredSession& session, const StateDigest& digest, const Fate& fate) {
    Attempt attempt{.loads = session.Loads(), .input = session.Input(), .outcome = {}, .past = {}};
    session.judge().OnHandOut(TurnOf(attempt.input));
    const LoadedState state(session.engine().state(), attempt.loads);
    Core& core = CoreFor(session, fate.process.get());
    attempt.outcome =
        core.Invoke({.input = attempt.input, .attempt = fate.attempt, .state = state});
    if (!state.unloaded_read().empty()) {
      session.judge().OnUnloadedRead(KindOf(attempt.input), state.unloaded_read());
    }
    if (!config_.core_is_a_function) {
      const std::uint64_t before = fate.process ? fate.process->digest : 0;
      attempt.past = std::make_shared<ProcessPast>(
          ProcessPast{fate.process, attempt.input, fate.attempt, session.engine().state(),
                      attempt.loads, Digest({before, digest.low, digest.high, fate.attempt})});
    }
    return attempt;
  }

  // The result arrives up to each of its entries, and no further.
  void BreakOff(ExploredSession& session, const Attempt& attempt, const Fate& fate) {
    const StepResult* result = attempt.result();
    if (result == nullptr || fate.faults_left == 0) return;
    for (std::size_t entries = 0; entries <= result->writes.size(); ++entries) {
      for (std::size_t i = 0; i < entries; ++i) session.engine().Receive(result->writes[i]);
      session.engine().Disconnect();
    }
  }

  Strike StrikeAt(const ExploredSession& session, const Fate& fate, FaultKind kind) const {
    return {.kind = kind,
            .step = session.step(),
            .turn = session.current().turn,
            .occurrence = session.occurrence(),
            .attempt = fate.attempt};
  }

  // What hands the same Step out again: the i-th fate's future joins the others here.
  void StrikeStaying(const ExploredSession& session, const StateDigest& digest,
                     const Attempt& attempt, std::size_t i, Fates& fates) {
    const Fate fate = fates[i];
    const auto stay = [&](const Strike& strike, std::shared_ptr<const ProcessPast> process) {
      ++result_.transitions;
      Fate next = fate.Spent(strike);
      ++next.attempt;
      if (strike.late == Late::kBefore) ++next.late_before;
      if (strike.late == Late::kAfter) ++next.late_after;
      next.process = std::move(process);
      if (IsNew(session, digest, next)) fates.push_back(std::move(next));
    };
    const auto kill = [&](const Strike& strike) {
      if (attempt.counts && fate.faults_left == scope().faults_max) ++result_.crash_points_struck;
      stay(strike, nullptr);
    };
    kill(StrikeAt(session, fate, FaultKind::kKillBeforeLoad));
    kill(StrikeAt(session, fate, FaultKind::kKillInHandler));
    Strike crash = StrikeAt(session, fate, FaultKind::kEngineCrash);
    if (crashes_.empty()) {
      stay(crash, fate.process);
      crash.at = Point::kInHandler;
      stay(crash, attempt.past);
    }
    for (const FaultKind kind : {FaultKind::kModelError, FaultKind::kToolError}) {
      Strike error = StrikeAt(session, fate, kind);
      error.retryable = true;
      if (CanHit(kind, session.step())) stay(error, attempt.past);
    }
    const StepResult* result = attempt.result();
    if (result == nullptr) return;
    crash.at = Point::kBeforeCommit;
    if (crashes_.empty()) stay(crash, attempt.past);
    kill(StrikeAt(session, fate, FaultKind::kKillBeforeCommit));
    Strike cut = StrikeAt(session, fate, FaultKind::kKillMidCommit);
    for (std::size_t entries = 0; entries <= result->writes.size(); ++entries) {
      cut.entries = static_cast<std::uint8_t>(entries);
      kill(cut);
    }
    Strike stall = StrikeAt(session, fate, FaultKind::kStall);
    for (const Late late : {Late::kNever, Late::kBefore, Late::kAfter}) {
      stall.late = late;
      stay(stall, nullptr);
    }
  }

  // What takes the Step away.
  void StrikeLeaving(const ExploredSession& session, const Attempt& attempt, const Fate& fate,
                     Leaving& leaving) {
    for (const FaultKind kind : {FaultKind::kModelError, FaultKind::kToolError}) {
      if (!CanHit(kind, session.step())) continue;
      leaving.failure = kind == FaultKind::kModelError ? "the model failed" : "a tool failed";
      leaving.failed.push_back(Left(session, fate, StrikeAt(session, fate, kind), attempt.past));
    }
    if (session.engine().limits().max_value_bytes > scope().value_limit &&
        scope().value_limit > 0) {
      Strike limit = StrikeAt(session, fate, FaultKind::kValueLimit);
      limit.bytes = static_cast<std::uint16_t>(scope().value_limit);
      leaving.limited.push_back(fate.Spent(limit));
    }
    leaving.rolled_back.resize(crashes_.size());
    for (const std::uint8_t lost : crashes_) {
      Strike crash = StrikeAt(session, fate, FaultKind::kEngineCrash);
      crash.commits = lost;
      leaving.rolled_back[lost].push_back(Left(session, fate, crash, fate.process));
      crash.at = Point::kInHandler;
      leaving.rolled_back[lost].push_back(Left(session, fate, crash, attempt.past));
      crash.at = Point::kBeforeCommit;
      if (attempt.result() == nullptr) continue;
      leaving.rolled_back[lost].push_back(Left(session, fate, crash, attempt.past));
    }
    if (CanHit(FaultKind::kControl, session.step())) {
      StrikeControls(session, attempt, fate, leaving);
    }
  }

  void StrikeControls(const ExploredSession& session, const Attempt& attempt, const Fate& fate,
                      Leaving& leaving) {
    if (session.turns() < scope().turns_max) leaving.steered.resize(scope().menu.size());
    const auto control = [&](Point point, Late late) {
      Strike strike = StrikeAt(session, fate, FaultKind::kControl);
      strike.at = point;
      strike.late = late;
      const auto& process = point == Point::kHandedOut ? fate.process : attempt.past;
      Fate next = Left(session, fate, strike, process);
      if (late == Late::kBefore) ++next.late_before;
      if (late == Late::kAfter) ++next.late_after;
      leaving.cancelled.push_back(next);
      next.struck.at(next.struck_count - 1U).control = ControlKind::kSteer;
      for (Fates& steered : leaving.steered) steered.push_back(next);
    };
    control(Point::kHandedOut, Late::kNever);
    if (attempt.result() == nullptr) return;
    for (const Point point : {Point::kInHandler, Point::kBeforeCommit}) {
      for (const Late late : {Late::kNever, Late::kBefore, Late::kAfter}) control(point, late);
    }
  }

  // The fate after this hand-out of the Step was its last, for all that is known.
  Fate Left(const ExploredSession& session, const Fate& fate, const Strike& strike,
            const std::shared_ptr<const ProcessPast>& process) const {
    Fate next = fate;
    Remember(session.current().turn, session.step(), session.occurrence(), fate.attempt, next);
    next.process = process;
    return next.Spent(strike);
  }

  // A roll-back may bring the Step back; it is then handed out for the (n+1)-th time.
  void Remember(std::uint8_t turn, StepKind step, std::uint8_t occurrence, std::uint8_t attempt,
                Fate& fate) const {
    if (crashes_.empty() || fate.faults_left == 0) return;
    fate.Forget(turn, step, occurrence);
    fate.counts.push_back({turn, step, occurrence, attempt});
    // A commit may be of the failure route of a Step that has none.
    const std::size_t kept = 2 * crashes_.size() + scope().faults_max;
    if (fate.counts.size() > kept) fate.counts.erase(fate.counts.begin());
  }

  void Leave(const ExploredSession& session, Leaving leaving) {
    const auto go = [&](Fates& fates, const std::function<void(ExploredSession&)>& change) {
      if (fates.empty() || stopped_) return;
      const Held next = Copy(session);
      change(*next);
      EnterQueued(*next, std::move(fates));
    };
    if (!leaving.limited.empty()) {
      const Held next = Copy(session);
      next->LowerValueLimit(scope().value_limit);
      result_.transitions += leaving.limited.size();
      Enter(*next, std::move(leaving.limited));
    }
    go(leaving.failed, [&](ExploredSession& next) { next.FailTurn(leaving.failure); });
    go(leaving.cancelled, [](ExploredSession& next) { next.Cancel(); });
    for (std::size_t choice = 0; choice < leaving.steered.size(); ++choice) {
      go(leaving.steered[choice], [&](ExploredSession& next) { next.Steer(choice); });
    }
    RollBack(session, std::move(leaving.rolled_back));
  }

  void RollBack(const ExploredSession& session, std::vector<Fates> rolled_back) {
    for (std::size_t lost = 0; lost < rolled_back.size() && !stopped_; ++lost) {
      if (rolled_back[lost].empty()) continue;
      auto back = session.RolledBack(lost);
      if (back) EnterQueued(*back, std::move(rolled_back[lost]));
    }
  }

  // What the core answered when nothing struck.
  void Answer(ExploredSession& session, const Attempt& attempt, const Fates& group) {
    const StepResult* result = attempt.result();
    if (result != nullptr) return Commit(session, attempt, *result, group);
    const auto& failure = std::get<StepFailure>(attempt.outcome);
    session.judge().OnFailure({.input = attempt.input,
                               .failure = failure,
                               .injected = false,
                               .loads = attempt.loads,
                               .profile = session.profile()});
    if (Broken(session, Simplest(group))) return;
    Fates next = group;
    for (Fate& fate : next) {
      fate.process = attempt.past;
      if (failure.retryable) continue;
      Remember(session.current().turn, session.step(), session.occurrence(), fate.attempt, fate);
    }
    if (failure.retryable) {
      for (Fate& fate : next) ++fate.attempt;
      result_.transitions += next.size();
      return Enter(session, std::move(next));
    }
    session.FailTurn(failure.error);
    EnterQueued(session, std::move(next));
  }

  static void CheckFenced(ExploredSession& session, const StepResult& result) {
    for (const Write& write : result.writes) session.engine().Receive(write);
    CHECK(session.engine().Finish(kStale) == CommitAnswer::kFenced);
  }

  void Commit(ExploredSession& session, const Attempt& attempt, const StepResult& result,
              const Fates& group) {
    const auto any = [&](std::uint8_t Fate::*late) {
      return std::any_of(group.begin(), group.end(),
                         [&](const Fate& fate) { return fate.*late > 0; });
    };
    Engine& engine = session.engine();
    engine.HandOut(kHeld);
    if (any(&Fate::late_before)) CheckFenced(session, result);
    for (const Write& write : result.writes) engine.Receive(write);
    if (engine.Finish(kHeld) == CommitAnswer::kRefused) {
      return Refused(session, attempt, group);
    }
    const Strike step = StrikeAt(session, group.front(), FaultKind::kKillAfterCommit);
    session.Committed(attempt.input, group.front().attempt, result, attempt.loads);
    ++result_.commits;
    if (Broken(session, Simplest(group))) return;
    if (any(&Fate::late_after)) CheckFenced(session, result);
    Fates next;
    next.reserve(2 * group.size());
    std::vector<Fates> rolled_back(crashes_.size());
    for (const Fate& fate : group) {
      Fate after = fate;
      after.late_before = 0;
      after.late_after = 0;
      after.process = attempt.past;
      Remember(step.turn, step.step, step.occurrence, fate.attempt, after);
      next.push_back(after);
      if (fate.faults_left > 0) StrikeAfter(session, step, after, attempt, next, rolled_back);
    }
    RollBack(session, std::move(rolled_back));
    if (!stopped_) EnterQueued(session, std::move(next));
  }

  // The commit is applied, and not acknowledged; sent twice; lost with the engine.
  void StrikeAfter(ExploredSession& session, Strike strike, const Fate& fate,
                   const Attempt& attempt, Fates& next, std::vector<Fates>& rolled_back) {
    strike.attempt = fate.attempt;
    if (attempt.counts && fate.faults_left == scope().faults_max) ++result_.crash_points_struck;
    next.push_back(fate.Spent(strike));
    next.back().process = nullptr;
    strike.kind = FaultKind::kDuplicateCommit;
    CheckFenced(session, *attempt.result());
    next.push_back(fate.Spent(strike));
    strike.kind = FaultKind::kEngineCrash;
    strike.at = Point::kAfterCommit;
    if (crashes_.empty()) next.push_back(fate.Spent(strike));
    for (const std::uint8_t lost : crashes_) {
      strike.commits = lost;
      rolled_back[lost].push_back(fate.Spent(strike));
    }
  }

  void Refused(ExploredSession& session, const Attempt& attempt, const Fates& group) {
    session.judge().OnRefusal({.cause = session.engine().refusal(),
                               .input = attempt.input,
                               .profile = session.profile(),
                               .limits = session.engine().limits()});
    if (Broken(session, Simplest(group))) return;
    Fates next = group;
    for (Fate& fate : next) {
      fate.late_before = 0;
      fate.process = attempt.past;
      Remember(session.current().turn, session.step(), session.occurrence(), fate.attempt, fate);
    }
    session.FailTurn("the engine refused the result");
    EnterQueued(session, std::move(next));
  }

  void Read(ExploredSession& session, const Fate& fate) {
    if (read_.Insert(session.StorageDigest()) != DigestSet::Answer::kNew) return;
    Core& core = CoreFor(session, fate.process.get());
    for (const rollover::Read& read : ReadsOf(session.judge())) {
      ++result_.reads;
      AnswerRead(session, core, read);
      if (!session.judge().has_violations()) continue;
      Scenario scenario = ScenarioOf(session, fate);
      if (session.idle()) {
        scenario.operations.push_back(read);
      } else {
        Fault race = FaultOf(StrikeAt(session, fate, FaultKind::kReadRace));
        race.read = read;
        scenario.faults.push_back(race);
        result_.scenarios.push_back(scenario);
        // Where the commit that it races breaks a rule, too, that would be told first.
        scenario.faults.push_back(FaultOf(StrikeAt(session, fate, FaultKind::kKillBeforeLoad)));
      }
      result_.scenarios.push_back(std::move(scenario));
      return Convict(session);
    }
  }

  void Leaf(ExploredSession& session, const Fates& fates) {
    if (config_.on_leaf) config_.on_leaf(ScenarioOf(session, fates.front()), session);
    const std::size_t processes = config_.core_is_a_function ? 1 : fates.size();
    for (std::size_t i = 0; i < processes && !stopped_; ++i) {
      ++result_.quiet_phases;
      const Held copy = i + 1 < processes ? Copy(session) : Held();
      ExploredSession& quiet = copy ? *copy : session;
      RunQuietPhase(quiet, CoreFor(session, fates[i].process.get()));
      if (Broken(quiet, fates[i])) return;
    }
  }

  static const Fate& Simplest(const Fates& fates) {
    return *std::min_element(fates.begin(), fates.end(), [](const Fate& a, const Fate& b) {
      return a.struck_count < b.struck_count;
    });
  }

  Scenario ScenarioOf(const ExploredSession& session, const Fate& fate) const {
    Scenario scenario{.core = scope().core,
                      .options = scope().options,
                      .limits = scope().limits,
                      .operations = session.Operations()};
    for (std::size_t i = 0; i < fate.struck_count; ++i) {
      scenario.faults.push_back(FaultOf(fate.struck.at(i)));
    }
    return scenario;
  }

  bool Broken(ExploredSession& session, const Fate& fate) {
    if (!session.judge().has_violations()) return false;
    result_.scenarios.push_back(ScenarioOf(session, fate));
    Convict(session);
    return true;
  }

  void Convict(ExploredSession& session) {
    result_.violation = session.judge().TakeViolations().front();
    Stop("a broken rule");
  }

  const SearchConfig& config_;
  const std::atomic<bool>& interrupted_;
  SearchResult result_;
  DigestSet seen_;
  DigestSet read_;                              // what was read from
  DigestSet counted_;                           // whose crash points were counted
  std::array<std::unique_ptr<Core>, 3> cores_;  // by kind
  std::vector<std::unique_ptr<ExploredSession>> used_;
  std::vector<std::uint8_t> crashes_;  // commits that a crash may lose; none if durability is sync
  std::uint64_t depth_ = 0;
  bool stopped_ = false;
};

}  // namespace

SearchResult Search(const SearchConfig& config, const std::atomic<bool>& interrupted) {
  return Searcher(config, interrupted).Run();
}

}  // namespace rollover
