// Parameters: what RC_PARAMS asks of a run of the properties.
//
//   RC_PARAMS="max_success=10000 seed=7"      that many cases of each property, from another seed
//   RC_PARAMS="reproduce=..."                 the one case that a failure printed, and no other
//
// RapidCheck's own reader skips what it does not know, so that a typing error would pass for a
// long run. Ours takes seed, max_success, max_size, max_discard_ratio, noshrink and reproduce, and
// refuses everything else. The seed is 0 unless it is given: a run of CTest is the same every time.
#pragma once

#include <rapidcheck/detail/Results.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/result.h"

namespace rollover {

struct Parameters {
  std::uint64_t seed = 0;
  std::optional<int> cases{};  // none: each property's own number
  int size_max = 100;
  int discards_max = 10;  // for every case that counts
  bool shrinks = true;
  std::string reproduces{};  // a property, Suite.Name; empty: none
  std::optional<rc::detail::Reproduce> reproduce{};
};

// The error is one line, and names the word that is wrong.
Result<Parameters> ReadParameters(std::string_view text);

// The word that makes a run repeat this case of this property.
std::string ReproduceWord(const std::string& property, const rc::detail::Reproduce& reproduce);

}  // namespace rollover
