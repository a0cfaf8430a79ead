// exactly-once: message 1 is stored 2 times
// Found by seed 0x2a.
#include <gtest/gtest.h>

#include "sim/cores/cores.h"
#include "sim/scenario_json.h"
#include "sim/world.h"

namespace rollover {

TEST(Regression, ExactlyOnce_01234567) {
  const auto file = ReadScenario(R"json({
 "version": 1,
 "core": "reference",
 "options": {
  "message_window_size": 1,
  "message_chunk_size": 1,
  "message_chunk_max_bytes": 1048576,
  "retained_message_limit": 1000,
  "compaction": true
 },
 "limits": {
  "max_value_bytes": 9437184,
  "max_result_bytes": 67108864,
  "max_flow_state_bytes": 4294967296,
  "history_commits": 32,
  "durability": "sync"
 },
 "operations": [
  {
   "op": "turn",
   "user": {
    "text": ")json\" 会"
   }
  }
 ],
 "faults": []
}
)json");
  ASSERT_TRUE(file) << file.error().reason;
  const auto core = ParseCoreSpec("reference");
  ASSERT_TRUE(core) << core.error().reason;
  const Verdict verdict = RunScenario(file.value().scenario, {.factory = core.value().factory});
  for (const Violation& violation : verdict.violations) {
    ADD_FAILURE() << RuleName(violation.rule) << ": " << violation.what;
  }
  EXPECT_GT(verdict.statistics.evaluations[static_cast<std::size_t>(Rule::kExactlyOnce)], 0u);
}

}  // namespace rollover
