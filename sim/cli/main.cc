#include <cstdio>
#include <cstdlib>
#include "sim/world.h"
#include "sim/generator.h"
#include "sim/scenario_json.h"
using namespace rollover;
int main(int argc, char** argv) {
  uint64_t first = argc > 1 ? strtoull(argv[1], 0, 0) : 1, n = argc > 2 ? strtoull(argv[2], 0, 0) : 2000;
  Statistics all; TraceHash h; int bad = 0;
  for (uint64_t s = first; s < first + n; ++s) {
    Scenario sc = GenerateScenario(s);
    if (auto inv = Invalid(sc)) { printf("seed %lu invalid %s\n", s, inv->c_str()); continue; }
    if (getenv("DUMP")) { puts(WriteScenario({sc, {}}).c_str()); }
    WorldConfig c; if (getenv("TRACE")) c.trace = [](const TraceEvent& e) { printf("%5lu t%lu %s#%lu %s: %s\n", e.number, e.turn, std::string(StepName(e.step)).c_str(), e.attempt, std::string(TraceKindName(e.kind)).c_str(), e.text.c_str()); };
    auto v = RunScenario(sc, c);
    all += v.statistics; h += v.hash;
    if (!v.held()) { if (++bad <= 12) { printf("seed %lu turn %lu %s attempt %lu commit %lu\n", s, v.where.turn, std::string(StepName(v.where.step)).c_str(), v.where.attempt, v.where.commit);
    for (auto& x : v.violations) std::printf("   %s: %s\n", std::string(RuleName(x.rule)).c_str(), x.what.c_str()); } }
  }
  printf("%s bad %d turns %lu commits %lu attempts %lu reads %lu\n", h.Hex().c_str(), bad, all.turns, all.commits, all.attempts, all.reads);
  if (getenv("STATS")) {
    for (auto& s : Situations()) printf("%-32s %lu\n", std::string(s.name).c_str(), all.situations[(size_t)s.situation]);
    for (auto& r : Rules()) printf("%-32s %lu\n", std::string(r.name).c_str(), all.evaluations[(size_t)r.rule]);
    for (size_t f = 0; f < kFaultKindCount; ++f) { printf("%-20s", std::string(FaultName((FaultKind)f)).c_str()); for (auto x : all.faults_at[f]) printf(" %7lu", x); puts(""); }
  }
}
