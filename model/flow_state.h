// Flow state: the live values of one session, as the engine keeps them.
//
// An Attribute is one value under a name; an AttributeMap holds one value per (name, key). Nothing
// here knows what the values mean; sizes are sums of encoded values, keys do not count.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "model/check.h"
#include "model/codec.h"
#include "model/values.h"

namespace rollover {

enum class Name : std::uint8_t {
  kMessages,
  kChunks,
  kIndex,
  kTurnReply,
  kSummary,
  kSession,
};
inline constexpr std::size_t kNameCount = 6;

std::string_view NameText(Name name);  // "AgentMessages", ...
bool IsMap(Name name);
ValueKind KindOf(Name name);

// Key of a map instance: plain decimal wherever it is text. Attributes have key 0.
using Key = std::uint64_t;

// Instances of one AttributeMap, ascending by key. Contiguous, cheap at both ends: keys arrive in
// rising order and leave from the front.
class InstanceMap {
 public:
  struct Instance {
    Key key = 0;
    ValueRef value;
  };
  using Iterator = const Instance*;

  Iterator begin() const { return instances_.data() + front_; }
  Iterator end() const { return instances_.data() + instances_.size(); }
  std::size_t size() const { return instances_.size() - front_; }
  bool empty() const { return size() == 0; }
  const Instance& front() const { return *begin(); }
  const Instance& back() const { return *(end() - 1); }
  const Instance& operator[](std::size_t i) const { return begin()[i]; }

  Iterator LowerBound(Key key) const;
  ValueRef Find(Key key) const;  // null when there is none

  // Returns what was there before, null when nothing was.
  ValueRef Put(Key key, ValueRef value);
  ValueRef Erase(Key key);

 private:
  void DropErasedFront();

  std::vector<Instance> instances_;
  std::size_t front_ = 0;  // instances before it are gone
};

// One change of a commit: a value to put, or a delete (no value).
struct Write {
  Name name = Name::kSession;
  Key key = 0;
  ValueRef value;

  bool deletes() const { return !value; }
};

class FlowState {
 public:
  const InstanceMap& Map(Name name) const { return instances_[static_cast<std::size_t>(name)]; }
  // An attribute's value, null when it has none.
  template <typename T>
  const T* Get(Name name) const {
    CHECK(!IsMap(name));
    const auto& map = Map(name);
    return map.empty() ? nullptr : map.front().value->as<T>();
  }

  // Returns the superseded value, null when there was none.
  ValueRef Apply(const Write& write);

  std::uint64_t live_bytes() const;
  std::uint64_t live_bytes(Name name) const { return bytes_[static_cast<std::size_t>(name)]; }
  // Messages and chunks: what the session's conversation itself takes.
  std::uint64_t stored_message_bytes() const {
    return live_bytes(Name::kMessages) + live_bytes(Name::kChunks);
  }

  friend bool operator==(const FlowState& a, const FlowState& b);

 private:
  std::array<InstanceMap, kNameCount> instances_;
  std::array<std::uint64_t, kNameCount> bytes_{};
};

}  // namespace rollover
