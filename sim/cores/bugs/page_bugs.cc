// What readers see.
#include <algorithm>
#include <limits>

#include "sim/cores/bugs/decorators.h"
#include "sim/cores/bugs/families.h"

namespace rollover {
namespace {

ReadArguments IncludeTheAnchor(ReadArguments arguments) {
  auto& before = arguments.before_sequence;
  if (before && *before >= 0 && *before < std::numeric_limits<std::int64_t>::max()) ++*before;
  return arguments;
}

// As unsigned numbers do: -1 is more than any limit.
ReadArguments ClampFromAbove(ReadArguments arguments) {
  const auto limit = static_cast<std::uint64_t>(arguments.limit);
  arguments.limit =
      static_cast<std::int64_t>(std::min(limit, static_cast<std::uint64_t>(kPageMessagesMax)));
  return arguments;
}

}  // namespace

std::span<const PlantedBug> PageBugs() {
  static constexpr PlantedBug bugs[] = {
      {"page-before-inclusive", "A page before an anchor ends with the anchor itself.",
       Rule::kPageExact, "paging: mastra-ai/mastra#19550", WithArguments<IncludeTheAnchor>},
      {"page-limit-unclamped",
       "A limit is only clamped from above, so -1 and 201 are answered with a page.",
       Rule::kPageExact, "paging: NousResearch/hermes-agent#74316", WithArguments<ClampFromAbove>},
  };
  return bugs;
}

}  // namespace rollover
