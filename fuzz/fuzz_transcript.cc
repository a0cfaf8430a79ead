// fuzz_transcript: the reader of conversations, whose input anybody may have written; and what it
// accepts, as a session under faults.
#include "fuzz/target.h"
#include "sim/generator.h"
#include "sim/transcript.h"

namespace rollover {
namespace {

constexpr std::size_t kConversationsRun = 2;  // of one file
constexpr std::size_t kTurnsRunMax = 40;

}  // namespace

void Fuzz(std::span<const std::uint8_t> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto read = ReadTranscripts(text);
  if (!read) {
    const std::string& reason = read.error().reason;
    if (reason.empty()) Fail("transcript", "a refusal without a reason");
    if (reason.find('\n') != std::string::npos) Fail("transcript", "a refusal of two lines");
    return;
  }
  std::size_t run = 0;
  for (const Conversation& conversation : read.value()) {
    const Scenario scenario = ScenarioFrom(conversation);
    if (const auto bad = Invalid(scenario)) Fail("transcript", *bad);
    if (conversation.turns.size() > kTurnsRunMax || ++run > kConversationsRun) continue;
    const Scenario around =
        GenerateAround(bytes.size(), scenario.operations, SteerFaults(conversation));
    ExpectHeld(around, RunScenario(around));
  }
}

}  // namespace rollover
