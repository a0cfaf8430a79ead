#include "sim/cores/planted_bugs.h"

#include <utility>
#include <vector>

#include "sim/cores/bugs/families.h"

namespace rollover {

std::span<const PlantedBug> PlantedBugs() {
  static const std::vector<PlantedBug> bugs = [] {
    const std::pair<std::string_view, std::span<const PlantedBug>> families[] = {
        {"leftovers and off-by-ones", LeftoverBugs()},
        {"sizes", SizeBugs()},
        {"shape", ShapeBugs()},
        {"commits", CommitBugs()},
        {"retention and summary", RetentionBugs()},
        {"retry and process state", MemoryBugs()},
        {"upgrade", UpgradeBugs()},
        {"turns", TurnBugs()},
    };
    std::vector<PlantedBug> all;
    for (const auto& [name, family] : families) {
      for (PlantedBug bug : family) {
        bug.family = name;
        all.push_back(bug);
      }
    }
    return all;
  }();
  return bugs;
}

const PlantedBug* PlantedBugNamed(std::string_view name) {
  for (const PlantedBug& bug : PlantedBugs()) {
    if (bug.name == name) return &bug;
  }
  return nullptr;
}

CoreFactory FactoryOf(const PlantedBug& bug) {
  return [make = bug.make, stands_for = bug.stands_for](CoreKind kind, const Options& options) {
    return kind == stands_for ? make(options) : MakeModelCore(kind, options);
  };
}

bool IsCommon(const PlantedBug& bug) {
  return bug.expected != Rule::kDeterministic && bug.slow_because.empty();
}

}  // namespace rollover
