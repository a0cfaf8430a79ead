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

// What one process has decoded: each value once, for as long as the engine holds that very value.
class Decoded {
 public:
  // Brings what the loads name up to date. A value that does not survive its bytes is the error.
  std::optional<std::string> Load(const LoadedState& from) {
    for (const rollover::Load& load : from.loads()) {
      const InstanceMap& map = from.state().Map(load.name);
      if (load.all) {
        if (auto error = LoadMap(load.name, map)) return error;
      } else if (auto error = LoadInstance(load.name, load.key, map.Find(load.key))) {
        return error;
      }
    }
    return std::nullopt;
  }

  const FlowState& values() const { return values_; }

 private:
  std::optional<std::string> LoadMap(Name name, const InstanceMap& map) {
    // Those that are gone, and those that are new: mostly none, and one.
    std::vector<InstanceMap::Instance> changed;
    auto known = originals_.Map(name).begin();
    const auto known_end = originals_.Map(name).end();
    for (const auto& instance : map) {
      for (; known != known_end && known->key < instance.key; ++known) {
        changed.push_back({known->key, nullptr});
      }
      const bool same = known != known_end && known->key == instance.key;
      if (!same || known->value != instance.value) changed.push_back(instance);
      if (same) ++known;
    }
    for (; known != known_end; ++known) changed.push_back({known->key, nullptr});
    for (auto& [key, original] : changed) {
      if (auto error = LoadInstance(name, key, std::move(original))) return error;
    }
    return std::nullopt;
  }

  std::optional<std::string> LoadInstance(Name name, Key key, ValueRef original) {
    if (originals_.Map(name).Find(key) == original) return std::nullopt;
    ValueRef value;
    if (original) {
      auto through = ThroughBytes(name, original);
      if (!through) return through.error().reason;
      value = std::move(through.value());
    }
    values_.Apply({name, key, std::move(value)});
    originals_.Apply({name, key, std::move(original)});
    return std::nullopt;
  }

  FlowState originals_;  // as the engine holds them
  FlowState values_;     // as this process decoded them
};

class BytesCore : public Core {
 public:
  explicit BytesCore(std::unique_ptr<Core> inner) : inner_(std::move(inner)) {}

  void Expect(Doom doom) override { inner_->Expect(doom); }

  StepOutcome Invoke(const Invocation& invocation) override {
    if (auto error = decoded_.Load(invocation.state)) return StepFailure{*error, false};
    const LoadedState state(decoded_.values(), invocation.state.loads());
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
    if (auto error = decoded_.Load(request.state)) return ReadRefusal{*error};
    const LoadedState state(decoded_.values(), request.state.loads());
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
  std::unique_ptr<Core> inner_;
  Decoded decoded_;
};

}  // namespace

std::unique_ptr<Core> MakeBytesCore(std::unique_ptr<Core> inner) {
  return std::make_unique<BytesCore>(std::move(inner));
}

}  // namespace rollover
