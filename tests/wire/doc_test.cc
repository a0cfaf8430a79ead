// docs/wire.md: every example in it is asked of the sample core, which gives the answer shown.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "sim/wire/dialogue.h"
#include "sim/wire/recording.h"
#include "tests/scratch.h"

namespace rollover {
namespace {

const std::string kAsked = "→ ";
const std::string kAnswered = "← ";

// The exchanges shown, in order. A line that begins with two spaces goes on with the one above.
std::vector<Exchange> Examples() {
  std::istringstream text(test::TextOf(ROLLOVER_SOURCE_DIR "/docs/wire.md"));
  std::vector<Exchange> examples;
  std::string* open = nullptr;
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with(kAsked)) {
      open = &examples.emplace_back().request;
      *open = line.substr(kAsked.size());
    } else if (line.starts_with(kAnswered)) {
      open = &examples.back().answer.emplace(line.substr(kAnswered.size()));
    } else if (open != nullptr && line.starts_with("  ")) {
      *open += line.substr(2);
    } else {
      open = nullptr;
    }
  }
  return examples;
}

TEST(WireDoc, EveryExampleIsWhatTheSampleAnswers) {
  std::vector<Exchange> heard;
  const DialogueConfig config{.child = {.program = {.command = "python3 " ROLLOVER_SOURCE_DIR
                                                               "/tests/cores/python/core.py"},
                                        .timeout = std::chrono::seconds(60),
                                        .line_bytes_max = kWireLineBytesMax},
                              .listener = std::make_shared<Recorder>([&](Exchange exchange) {
                                heard.push_back(std::move(exchange));
                              })};
  OwnDialogue dialogue(config);
  dialogue.Greet();
  const std::vector<Exchange> examples = Examples();
  for (std::size_t i = 1; i < examples.size(); ++i) dialogue.Ask(examples[i].request, "an example");
  ASSERT_EQ(heard.size(), examples.size());
  for (std::size_t i = 0; i < examples.size(); ++i) {
    EXPECT_EQ(heard[i].request, examples[i].request);
    EXPECT_EQ(heard[i].answer, examples[i].answer) << examples[i].request;
  }
}

TEST(WireDoc, EveryStepEveryRpcAndARefusalAreShown) {
  std::set<std::string> shown;
  for (const Exchange& example : Examples()) {
    const auto request = nlohmann::json::parse(example.request, nullptr, false);
    ASSERT_TRUE(request.is_object()) << example.request;
    ASSERT_TRUE(example.answer) << example.request;
    if (request.contains("step")) {
      const auto answer = DecodeResult(*example.answer, request.at("id"));
      EXPECT_TRUE(answer) << answer.error().reason;
      shown.insert(request.at("step"));
    } else if (request.contains("rpc")) {
      const auto answer = DecodePage(*example.answer, request.at("id"));
      EXPECT_TRUE(answer) << answer.error().reason;
      shown.insert(request.at("rpc"));
      if (answer && std::holds_alternative<ReadRefusal>(answer.value())) shown.insert("failure");
    } else {
      shown.insert(request.at("type"));
    }
  }
  std::set<std::string> all{"hello", "open", "get_agent_snapshot", "list_agent_messages",
                            "failure"};
  for (std::size_t s = 0; s < kStepKindCount; ++s) {
    all.emplace(StepName(static_cast<StepKind>(s)));
  }
  EXPECT_EQ(shown, all);
}

}  // namespace
}  // namespace rollover
