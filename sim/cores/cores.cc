#include "sim/cores/cores.h"

#include <fmt/format.h>

#include "sim/cores/bytes_core.h"
#include "sim/cores/planted_bugs.h"

namespace rollover {

CoreFactory BehindBytes(CoreFactory factory) {
  return [factory = std::move(factory)](CoreKind kind, const Options& options) {
    return MakeBytesCore(factory(kind, options));
  };
}

Result<CoreSpec> ParseCoreSpec(const std::string& text) {
  constexpr std::string_view bytes = "bytes:";
  constexpr std::string_view bug = "bug:";
  CoreSpec spec{.text = text};
  if (text.empty()) return spec;
  if (text.rfind(bytes, 0) == 0) {
    auto inner = ParseCoreSpec(text.substr(bytes.size()));
    if (!inner) return inner;
    if (inner.value().text.empty()) inner.value().text = "reference";
    inner.value().factory = BehindBytes(inner.value().factory);
    inner.value().text = text;
    return inner;
  }
  if (text.rfind(bug, 0) == 0) {
    const PlantedBug* planted = PlantedBugNamed(text.substr(bug.size()));
    if (planted == nullptr) {
      std::string names;
      for (const PlantedBug& known : PlantedBugs()) {
        names += fmt::format("{}{}", names.empty() ? "" : ", ", known.name);
      }
      return Error{
          fmt::format("unknown planted bug '{}'; valid: {}", text.substr(bug.size()), names)};
    }
    spec.factory = FactoryOf(*planted);
    return spec;
  }
  const auto kind = CoreKindNamed(text);
  if (!kind) {
    return Error{fmt::format(
        "unknown core '{}'; valid: reference, no-compaction, legacy, bug:NAME, bytes:CORE", text)};
  }
  spec.start = *kind;
  return spec;
}

}  // namespace rollover
