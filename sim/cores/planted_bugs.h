// Planted bugs: cores that are wrong on purpose, so that every rule can show that it convicts.
//
// Each is a decorator over a core of the model that makes one realistic mistake: it changes what
// the core is handed (options, input, loaded values) or what it answers (writes, events, movement,
// model input, pages), or keeps process memory that it should not keep. Elsewhere it is as good as
// the model, whose code knows nothing of it. The families: bugs/families.h.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "model/rules/rule.h"
#include "sim/world.h"

namespace rollover {

struct PlantedBug {
  std::string_view name;
  std::string_view story;   // one sentence
  Rule expected;            // the rule that convicts it first
  std::string_view source;  // the class of real mishap that it stands for
  std::unique_ptr<Core> (*make)(const Options& options);
  CoreKind stands_for = CoreKind::kReference;  // the other kinds stay the model's own
  std::string_view slow_because{};             // why it takes many turns; empty: it does not
  std::string_view family{};                   // set by the catalogue: "commits", "upgrade", ...
};

// By family; a family's bugs stand together.
std::span<const PlantedBug> PlantedBugs();
const PlantedBug* PlantedBugNamed(std::string_view name);  // null: none has this name
CoreFactory FactoryOf(const PlantedBug& bug);

// Whether a run of one scenario can show it, and a few hundred of them do: not a bug that only the
// comparison of two runs shows, and none that is slow.
bool IsCommon(const PlantedBug& bug);

}  // namespace rollover
