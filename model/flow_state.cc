#include "model/flow_state.h"

#include <algorithm>

#include "model/check.h"

namespace rollover {

std::string_view NameText(Name name) {
  constexpr std::array<std::string_view, kNameCount> texts = {
      "AgentMessages",     "AgentMessageChunks", "AgentMessageIndex",
      "TurnReplySequence", "ContextSummary",     "AgentSession"};
  return texts.at(static_cast<std::size_t>(name));
}

bool IsMap(Name name) { return name == Name::kMessages || name == Name::kChunks; }

ValueKind KindOf(Name name) {
  constexpr std::array<ValueKind, kNameCount> kinds = {ValueKind::kMessage, ValueKind::kChunk,
                                                       ValueKind::kIndex,   ValueKind::kTurnReply,
                                                       ValueKind::kSummary, ValueKind::kSession};
  return kinds.at(static_cast<std::size_t>(name));
}

InstanceMap::Iterator InstanceMap::LowerBound(Key key) const {
  if (empty() || key <= front().key) return begin();
  if (key > back().key) return end();
  // Keys are mostly dense: look where the key would be, else search.
  const Key offset = key - front().key;
  if (offset < size() && begin()[offset].key == key) return begin() + offset;
  return std::lower_bound(begin(), end(), key,
                          [](const Instance& instance, Key k) { return instance.key < k; });
}

ValueRef InstanceMap::Find(Key key) const {
  const auto at = LowerBound(key);
  return at != end() && at->key == key ? at->value : nullptr;
}

ValueRef InstanceMap::Put(Key key, ValueRef value) {
  if (empty() || key > back().key) {
    instances_.push_back({key, std::move(value)});
    return nullptr;
  }
  const auto at = static_cast<std::size_t>(LowerBound(key) - instances_.data());
  if (instances_[at].key == key) {
    std::swap(instances_[at].value, value);
    return value;
  }
  instances_.insert(instances_.begin() + static_cast<std::ptrdiff_t>(at), {key, std::move(value)});
  return nullptr;
}

ValueRef InstanceMap::Erase(Key key) {
  const auto found = LowerBound(key);
  if (found == end() || found->key != key) return nullptr;
  const auto at = static_cast<std::size_t>(found - instances_.data());
  ValueRef old = std::move(instances_[at].value);
  if (at == front_) {
    ++front_;
    DropErasedFront();
  } else {
    instances_.erase(instances_.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return old;
}

void InstanceMap::DropErasedFront() {
  // Moving the rest costs its size, and happens once per as many erasures.
  if (front_ < size()) return;
  instances_.erase(instances_.begin(), instances_.begin() + static_cast<std::ptrdiff_t>(front_));
  front_ = 0;
}

ValueRef FlowState::Apply(const Write& write) {
  const auto name = static_cast<std::size_t>(write.name);
  ValueRef old = write.deletes() ? instances_[name].Erase(write.key)
                                 : instances_[name].Put(write.key, write.value);
  if (old) bytes_[name] -= old->encoded_bytes();
  if (write.value) bytes_[name] += write.value->encoded_bytes();
  return old;
}

std::uint64_t FlowState::live_bytes() const {
  std::uint64_t total = 0;
  for (const std::uint64_t bytes : bytes_) total += bytes;
  return total;
}

bool operator==(const FlowState& a, const FlowState& b) {
  const auto same = [](const InstanceMap::Instance& x, const InstanceMap::Instance& y) {
    return x.key == y.key && (x.value == y.value || *x.value == *y.value);
  };
  for (std::size_t i = 0; i < kNameCount; ++i) {
    const InstanceMap& x = a.instances_[i];
    const InstanceMap& y = b.instances_[i];
    if (!std::equal(x.begin(), x.end(), y.begin(), y.end(), same)) return false;
  }
  return true;
}

}  // namespace rollover
