// Dialogue: a process that is asked and answers, one line each.
//
// It is started and greeted (hello) at the first word. Not here: what requests and answers mean
// (wire_message.h), and several sessions at once (interleaved.h).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sim/wire/child_process.h"
#include "sim/wire/misbehaved.h"
#include "sim/wire/wire_message.h"

namespace rollover {

// Hears what is said to every process, and what it says; from several threads.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual std::uint64_t NewProcess() = 0;  // its number, 1 and up
  // No answer: the process was killed, ended or was silent.
  virtual void Hear(std::uint64_t process, std::string_view request,
                    std::optional<std::string_view> answer) = 0;
};

struct DialogueConfig {
  ChildConfig child{};
  std::shared_ptr<Listener> listener{};  // none: nobody listens
};

// What asks; its methods throw CoreMisbehaved.
class Dialogue {
 public:
  virtual ~Dialogue() = default;

  // The answer's line, until the next call. `what` names the request in errors.
  virtual std::string_view Ask(std::string_view request, std::string_view what) = 0;
  virtual std::uint64_t NextId() = 0;
  // What to throw when the answer is none: "WHAT: REASON", the line if there is one, and the log.
  // The process is dead then.
  virtual CoreMisbehaved Misbehaviour(std::string_view what, std::string_view reason,
                                      std::string_view line) = 0;
};

// A process of one's own.
class OwnDialogue final : public Dialogue {
 public:
  // Starts nothing yet.
  explicit OwnDialogue(const DialogueConfig& config) : config_(config) {}

  std::string_view Ask(std::string_view request, std::string_view what) override;
  std::uint64_t NextId() override { return ++id_; }
  CoreMisbehaved Misbehaviour(std::string_view what, std::string_view reason,
                              std::string_view line) override;

  // The two halves of Ask, for several requests at once. Answers come in the order of the requests.
  void Queue(std::string_view request) { process_->Send(request); }
  std::string_view AwaitAnswer(std::string_view what) { return Await(what); }

  // Starts and greets the process unless that is done. Throws CoreUnavailable.
  const HelloReply& Greet();
  // Asks, and kills the process once it can have the request; or once its answer begins. In the
  // second case, the answer if it still came whole, else empty.
  void AskAndKill(std::string_view request);
  std::string AskAndKillMidReply(std::string_view request);
  // For a process that is stopped and goes on.
  ChildProcess* process() { return process_.get(); }

 private:
  std::string_view Await(std::string_view what);
  std::string_view Exchange(std::string_view request, std::string_view what);
  void Tell(std::string_view request, std::optional<std::string_view> answer);

  const DialogueConfig& config_;
  std::unique_ptr<ChildProcess> process_;
  HelloReply hello_;
  bool greeted_ = false;
  std::uint64_t id_ = 0;
  std::uint64_t number_ = 0;  // the listener's, of the process
};

// What went wrong in a wait for an answer, in words.
std::string Describe(ChildProcess::Got got, const ChildProcess& process, const ChildConfig& config);

}  // namespace rollover
