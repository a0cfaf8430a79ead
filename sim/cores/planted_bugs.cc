#include "sim/cores/planted_bugs.h"

#include <vector>

#include "sim/cores/bugs/families.h"

namespace rollover {

std::span<const PlantedBug> PlantedBugs() {
  static const std::vector<PlantedBug> bugs = [] {
    std::vector<PlantedBug> all;
    for (const auto family :
         {RolloverBugs(), IndexBugs(), RetentionBugs(), TurnBugs(), MemoryBugs(), PageBugs()}) {
      all.insert(all.end(), family.begin(), family.end());
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

}  // namespace rollover
