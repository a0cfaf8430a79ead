// What a bug hunt found, for people and for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/campaign/bug_hunt.h"

namespace rollover {

// A rule and the planted bugs that it is expected to convict; of these, those that it convicts
// alone.
struct RulePower {
  Rule rule = Rule::kExactlyOnce;
  std::vector<std::string_view> bugs{};
  std::vector<std::string_view> alone{};
};
std::vector<RulePower> PowerOfRules(const HuntReport& report);  // every rule, in their order

// A table and, last, one line that sums it up.
std::string HuntScreen(const HuntReport& report);
nlohmann::ordered_json HuntJson(const HuntConfig& config, const HuntReport& report);

}  // namespace rollover
