#include <cstdio>
#include "sim/world.h"
using namespace rollover;
int main() {
  Scenario s;
  for (int i = 0; i < 800; ++i) {
    Turn t{.user = {.base = SizeBase::kMessage, .amount = 1440}};
    t.rounds.push_back({.compact = true, .keep = 1, .summary = "s"});
    t.rounds.push_back({.reply = {.base = SizeBase::kMessage, .amount = 1440}});
    s.operations.push_back(t);
  }
  s.options.retained_message_limit = 100;
  auto v = RunScenario(s);
  std::printf("%s commits %lu stored %lu\n", v.hash.Hex().c_str(), v.statistics.commits, v.statistics.stored_bytes);
  for (auto& x : v.violations) std::printf("%s: %s\n", std::string(RuleName(x.rule)).c_str(), x.what.c_str());
}
