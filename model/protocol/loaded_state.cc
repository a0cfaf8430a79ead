#include "model/protocol/core.h"

namespace rollover {

bool LoadedState::Names(Name name) const {
  for (const Load& load : loads_) {
    if (load.name == name) return true;
  }
  return false;
}

bool LoadedState::Loaded(Name name) const {
  if (Names(name)) return true;
  if (unloaded_read_.empty()) unloaded_read_ = std::string(NameText(name));
  return false;
}

const InstanceMap& LoadedState::WholeMap(Name name) const {
  static const InstanceMap nothing;
  for (const Load& load : loads_) {
    if (load.name == name && load.all) return state_->Map(name);
  }
  if (unloaded_read_.empty()) unloaded_read_ = std::string(NameText(name)) + " (all)";
  return nothing;
}

std::vector<ValueRef> LoadedState::Chunks() const {
  std::vector<ValueRef> chunks;
  const InstanceMap& map = state_->Map(Name::kChunks);
  for (const Load& load : loads_) {
    if (load.name != Name::kChunks) continue;
    if (load.all) {
      chunks.clear();
      for (const auto& instance : map) chunks.push_back(instance.value);
      return chunks;
    }
    // A key without a value resolves to nothing.
    if (ValueRef chunk = map.Find(load.key)) chunks.push_back(std::move(chunk));
  }
  return chunks;
}

}  // namespace rollover
