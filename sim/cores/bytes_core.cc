#include "sim/cores/bytes_core.h"

#include <fmt/format.h>

#include "model/codec.h"

namespace rollover {
namespace {

Result<ValueRef> ThroughBytes(Name name, const ValueRef& value) {
  const std::string encoded = Encode(*value);
  if (encoded.size() != value->encoded_bytes()) {
    return Error{fmt::format("{} is {} bytes, said to be {}", NameText(name), encoded.size(),
                             value->encoded_bytes())};
  }
  return Decode(KindOf(name), encoded);
}

class BytesCore : public Core {
 public:
  explicit BytesCore(std::unique_ptr<Core> inner) : inner_(std::move(inner)) {}

  void Expect(Doom doom) override { inner_->Expect(doom); }

  StepOutcome Invoke(const Invocation& invocation) override {
    FlowState loaded;
    if (auto error = Load(invocation.state, loaded)) return StepFailure{*error, false};
    const LoadedState state(loaded, invocation.state.loads());
    StepOutcome outcome =
        inner_->Invoke({.input = invocation.input, .attempt = invocation.attempt, .state = state});
    invocation.state.NoteUnloadedRead(state.unloaded_read());
    auto* result = std::get_if<StepResult>(&outcome);
    if (result == nullptr) return outcome;
    for (Write& write : result->writes) {
      if (write.deletes()) continue;
      auto value = ThroughBytes(write.name, write.value);
      if (!value) return StepFailure{value.error().reason, false};
      write.value = std::move(value.value());
    }
    return outcome;
  }

  ReadOutcome Read(const ReadRequest& request) override {
    FlowState loaded;
    if (auto error = Load(request.state, loaded)) return ReadRefusal{*error};
    const LoadedState state(loaded, request.state.loads());
    ReadOutcome outcome = inner_->Read({.arguments = request.arguments, .state = state});
    request.state.NoteUnloadedRead(state.unloaded_read());
    auto* page = std::get_if<Page>(&outcome);
    if (page == nullptr) return outcome;
    for (ValueRef& message : page->messages) {
      auto value = ThroughBytes(Name::kMessages, message);
      if (!value) return ReadRefusal{value.error().reason};
      message = std::move(value.value());
    }
    return outcome;
  }

 private:
  // What was loaded, and nothing else, through bytes. A value that does not survive is the error.
  static std::optional<std::string> Load(const LoadedState& from, FlowState& to) {
    for (const rollover::Load& load : from.loads()) {
      const InstanceMap& map = from.state().Map(load.name);
      for (auto at = load.all ? map.begin() : map.LowerBound(load.key); at != map.end(); ++at) {
        if (!load.all && at->key != load.key) break;
        auto value = ThroughBytes(load.name, at->value);
        if (!value) return value.error().reason;
        to.Apply({load.name, at->key, std::move(value.value())});
      }
    }
    return std::nullopt;
  }

  std::unique_ptr<Core> inner_;
};

}  // namespace

std::unique_ptr<Core> MakeBytesCore(std::unique_ptr<Core> inner) {
  return std::make_unique<BytesCore>(std::move(inner));
}

}  // namespace rollover
