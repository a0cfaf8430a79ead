// The boundary under test: a core, what it is handed, what it may read.
//
// A core is the implementation of a session's handlers. It is a pure function of its input and its
// loaded values, but for what a process may remember and lose: a Core object stands for one Worker
// process, and is thrown away whenever that process dies.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "model/flow_state.h"
#include "model/options.h"
#include "model/step.h"

namespace rollover {

// What an invocation exposes of the Flow state: the loaded keys and nothing else. Valid during the
// call only. Reading a value that was not loaded is an error of the core: it sees nothing, and the
// first such read is kept for the rules.
class LoadedState {
 public:
  LoadedState(const FlowState& state, std::span<const Load> loads)
      : state_(&state), loads_(loads) {}

  bool Names(Name name) const;  // whether any load has this name

  // An attribute's value, null when it has none.
  template <typename T>
  const T* Attribute(Name name) const {
    return Loaded(name) ? state_->Get<T>(name) : nullptr;
  }

  // Every instance of a map that was loaded whole.
  const InstanceMap& WholeMap(Name name) const;

  // The loaded instances of AgentMessageChunks, ascending.
  std::vector<ValueRef> Chunks() const;

  std::span<const Load> loads() const { return loads_; }
  const FlowState& state() const { return *state_; }
  // Empty, or what was read without having been loaded.
  const std::string& unloaded_read() const { return unloaded_read_; }
  // For a core that hands a copy of what it loaded to another.
  void NoteUnloadedRead(const std::string& what) const {
    if (unloaded_read_.empty()) unloaded_read_ = what;
  }

 private:
  bool Loaded(Name name) const;

  const FlowState* state_;
  std::span<const Load> loads_;
  mutable std::string unloaded_read_;
};

struct Invocation {
  const StepInput& input;
  std::uint32_t attempt = 1;
  const LoadedState& state;

  StepKind step() const { return KindOf(input); }
};

struct ReadRequest {
  ReadArguments arguments;
  const LoadedState& state;
};

// What a core is, as far as the engine and the rules must know.
struct Profile {
  bool legacy = false;     // 0.1.0: no chunks, no index, no reply sequence
  bool compaction = true;  // false: the Go core's profile

  friend bool operator==(const Profile&, const Profile&) = default;
};

// What is about to happen to the process behind a core. The caller throws away what a doomed call
// returns.
enum class Doom : std::uint8_t {
  kKilledInHandler,  // by the next call: it dies while it computes
  kKilledMidReply,   // by the next call: it dies while its answer is on the way
  kStalled,          // now: it stands still, is taken for dead, and goes on when it is let go
};

class Core {
 public:
  virtual ~Core() = default;
  // For cores that are processes; a core inside the program has nothing that could be killed.
  virtual void Expect(Doom) {}
  virtual StepOutcome Invoke(const Invocation& invocation) = 0;
  virtual ReadOutcome Read(const ReadRequest& request) = 0;
};

// Static loads: of the Steps that no movement of this core lists, and of the RPCs.
LoadList StartTurnLoads(const Profile& profile);
LoadList RecordTurnFailureLoads(const Profile& profile);
LoadList ReadLoads(const Profile& profile);

// The cores of this model. `options` must be valid (options.h).
std::unique_ptr<Core> MakeReferenceCore(const Options& options);
std::unique_ptr<Core> MakeNoCompactionCore(const Options& options);
std::unique_ptr<Core> MakeLegacyCore(const Options& options);

}  // namespace rollover
