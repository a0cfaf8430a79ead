// fuzz_scenario_file: the reader of scenario files, whose input anybody may have written. What it
// accepts is valid, and reads back the same when written again.
#include "fuzz/target.h"
#include "sim/scenario_json.h"

namespace rollover {

void Fuzz(std::span<const std::uint8_t> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const Result<ScenarioFile> file = ReadScenario(text);
  if (!file) {
    const std::string& reason = file.error().reason;
    if (reason.empty()) Fail("scenario-file", "a refusal without a reason");
    if (reason.find('\n') != std::string::npos) Fail("scenario-file", "a refusal of two lines");
    return;
  }
  const Scenario& scenario = file.value().scenario;
  if (const auto bad = Invalid(scenario)) Fail("scenario-file", *bad);
  const Result<ScenarioFile> again = ReadScenario(WriteScenario(file.value()));
  if (!again) Fail("scenario-file", "cannot read what was written: " + again.error().reason);
  if (!(again.value().scenario == scenario)) Fail("scenario-file", "written, it reads otherwise");
}

}  // namespace rollover
