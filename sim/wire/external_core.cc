#include "sim/wire/external_core.h"

#include <fmt/format.h>

#include <optional>

#include "sim/wire/misbehaved.h"

namespace rollover {
namespace {

constexpr std::string_view kSessionName = "s1";

// A core can know that there is something to delete from what it loaded, or from the index.
bool Knows(const LoadedState& state, const Write& write) {
  for (const Load& load : state.loads()) {
    if (load.name == Name::kIndex && write.name == Name::kChunks) {
      const Index* index = state.Attribute<Index>(Name::kIndex);
      for (const ChunkRange& chunk : index == nullptr ? std::vector<ChunkRange>{} : index->chunks) {
        if (chunk.first == write.key) return true;
      }
    }
    if (load.name != write.name || (!load.all && load.key != write.key)) continue;
    if (state.state().Map(write.name).Find(write.key)) return true;
  }
  return false;
}

std::optional<Error> UnknownDelete(const std::vector<Write>& writes, const LoadedState& state) {
  for (const Write& write : writes) {
    if (!write.deletes() || Knows(state, write)) continue;
    return Error{fmt::format("deletes {}[{}], which was not loaded and is not in the index",
                             NameText(write.name), write.key)};
  }
  return std::nullopt;
}

// What every Worker does, whoever holds its dialogue.
class Speaker {
 public:
  Speaker(std::string session, const Options& options)
      : session_(std::move(session)), options_(options) {}

  const std::string& Invocation(std::uint64_t id, const rollover::Invocation& invocation) {
    id_ = id;
    what_ =
        fmt::format("{} attempt {} (id {})", StepName(invocation.step()), invocation.attempt, id);
    request_.clear();
    AppendInvoke(id, session_, invocation, request_);
    return request_;
  }

  StepOutcome Invoke(Dialogue& dialogue, const rollover::Invocation& invocation) {
    Open(dialogue);
    Invocation(dialogue.NextId(), invocation);
    const std::string_view line = dialogue.Ask(request_, what_);
    auto outcome = DecodeResult(line, id_);
    if (!outcome) throw Failure(dialogue, outcome.error(), line);
    if (const auto* result = std::get_if<StepResult>(&outcome.value())) {
      const auto error = UnknownDelete(result->writes, invocation.state);
      if (error) throw Failure(dialogue, *error, line);
    }
    return std::move(outcome.value());
  }

  ReadOutcome Read(Dialogue& dialogue, const ReadRequest& request) {
    Open(dialogue);
    id_ = dialogue.NextId();
    what_ = fmt::format("{} (id {})",
                        request.arguments.rpc == Rpc::kGetAgentSnapshot ? "get_agent_snapshot"
                                                                        : "list_agent_messages",
                        id_);
    request_.clear();
    AppendRead(id_, session_, request, request_);
    const std::string_view line = dialogue.Ask(request_, what_);
    auto outcome = DecodePage(line, id_);
    if (!outcome) throw Failure(dialogue, outcome.error(), line);
    return std::move(outcome.value());
  }

  void Open(Dialogue& dialogue) {
    if (opened_) return;
    request_.clear();
    AppendOpen(session_, options_, request_);
    const std::string_view line = dialogue.Ask(request_, "open");
    const auto opened = DecodeOpened(line);
    if (!opened) throw dialogue.Misbehaviour("the answer to open", opened.error().reason, line);
    if (opened.value() != session_) {
      throw dialogue.Misbehaviour("the answer to open", "is of another session", line);
    }
    opened_ = true;
  }

 private:
  CoreMisbehaved Failure(Dialogue& dialogue, const Error& error, std::string_view line) const {
    return dialogue.Misbehaviour("the answer to " + what_, error.reason, line);
  }

  std::string session_;
  Options options_;
  bool opened_ = false;
  std::uint64_t id_ = 0;
  std::string what_;
  std::string request_;
};

class OwnCore : public Core {
 public:
  OwnCore(std::shared_ptr<const ExternalConfig> config, const Options& options)
      : config_(std::move(config)),
        dialogue_(config_->dialogue),
        speaker_(std::string(kSessionName), options) {}

  ~OwnCore() override {
    if (stalled_) dialogue_.process()->Continue();
  }

  void Expect(Doom doom) override {
    if (doom != Doom::kStalled) {
      doom_ = doom;
    } else if (dialogue_.process() != nullptr) {
      dialogue_.process()->Stop();
      stalled_ = true;
    }
  }

  StepOutcome Invoke(const Invocation& invocation) override {
    if (!doom_) return speaker_.Invoke(dialogue_, invocation);
    speaker_.Open(dialogue_);
    const std::uint64_t id = dialogue_.NextId();
    const std::string& request = speaker_.Invocation(id, invocation);
    if (*doom_ == Doom::kKilledInHandler) {
      dialogue_.AskAndKill(request);
      return StepResult{};
    }
    // A Step that fails was never going to commit: the caller goes by that, if it came.
    const std::string line = dialogue_.AskAndKillMidReply(request);
    auto outcome = DecodeResult(line, id);
    if (!outcome) return StepResult{};
    return std::move(outcome.value());
  }

  ReadOutcome Read(const ReadRequest& request) override {
    return speaker_.Read(dialogue_, request);
  }

 private:
  std::shared_ptr<const ExternalConfig> config_;
  OwnDialogue dialogue_;
  Speaker speaker_;
  std::optional<Doom> doom_;
  bool stalled_ = false;
};

class SharingCore : public Core {
 public:
  SharingCore(Dialogue& dialogue, std::string session, const Options& options)
      : dialogue_(dialogue), speaker_(std::move(session), options) {}

  StepOutcome Invoke(const Invocation& invocation) override {
    return speaker_.Invoke(dialogue_, invocation);
  }
  ReadOutcome Read(const ReadRequest& request) override {
    return speaker_.Read(dialogue_, request);
  }

 private:
  Dialogue& dialogue_;
  Speaker speaker_;
};

}  // namespace

HelloReply Probe(DialogueConfig& config) {
  const DialogueConfig quiet{.child = config.child};
  OwnDialogue dialogue(quiet);
  const HelloReply hello = dialogue.Greet();
  DialogueConfig direct{.child = config.child};
  direct.child.program = dialogue.process()->Became();
  try {
    OwnDialogue again(direct);
    if (again.Greet() == hello) config.child.program = direct.child.program;
  } catch (const CoreUnavailable&) {
    // A program that hides what it is (its name, its arguments) goes on being started by the shell.
  }
  return hello;
}

CoreKind StandsFor(const ExternalConfig& config) {
  return config.compaction ? CoreKind::kReference : CoreKind::kNoCompaction;
}

CoreFactory ExternalFactory(std::shared_ptr<const ExternalConfig> config) {
  return
      [config = std::move(config)](CoreKind kind, const Options& options) -> std::unique_ptr<Core> {
        const bool without = kind == CoreKind::kNoCompaction;
        if (!without && kind != StandsFor(*config)) return MakeModelCore(kind, options);
        Options given = options;
        if (without) given.compaction = false;
        return std::make_unique<OwnCore>(config, given);
      };
}

std::unique_ptr<Core> MakeCoreOver(Dialogue& dialogue, const std::string& session,
                                   const Options& options) {
  return std::make_unique<SharingCore>(dialogue, session, options);
}

}  // namespace rollover
