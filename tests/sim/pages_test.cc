// The HTML pages as text: complete in one file, safe with hostile text, numbers the JSON's.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/campaign/chart.h"
#include "sim/campaign/numbers.h"
#include "sim/campaign/page.h"
#include "sim/campaign/replay.h"
#include "sim/campaign/report.h"
#include "sim/campaign/run_page.h"
#include "sim/campaign/soak_page.h"
#include "sim/campaign/timeline_page.h"
#include "sim/campaign/traced_state.h"
#include "sim/campaign/traced_write.h"
#include "sim/generator.h"

namespace rollover {
namespace {

constexpr std::string_view kHostile = "<script>alert('x')</script>&\"\x01\xff";

std::size_t Count(const std::string& text, std::string_view what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
    ++count;
  }
  return count;
}

// Each time `open`, the text up to `close`.
std::vector<std::string> Between(const std::string& text, const std::string& open,
                                 const std::string& close) {
  std::vector<std::string> found;
  for (std::size_t at = text.find(open); at != std::string::npos; at = text.find(open, at)) {
    at += open.size();
    const std::size_t end = text.find(close, at);
    if (end == std::string::npos) break;
    found.push_back(text.substr(at, end - at));
  }
  return found;
}

void ExpectSelfContained(const std::string& page) {
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  EXPECT_TRUE(page.ends_with("</html>\n"));
  for (const std::string_view fetches :
       {"http:", "https:", "//", "<script", "src=", "@import", "url(", "<iframe", "<object"}) {
    EXPECT_EQ(Count(page, fetches), 0u) << fetches;
  }
  for (const std::string& target : Between(page, "href=\"", "\"")) {
    EXPECT_TRUE(target == "data:," || target.starts_with('#')) << target;
  }
  for (const std::string_view unfinite : {"nan", "inf"}) {
    for (const std::string_view quote : {"\"", "M", "H", "V", " "}) {
      const std::string number = std::string(quote) + std::string(unfinite);
      for (const std::string& text : Between(page, "<text", "</text>")) {
        EXPECT_EQ(text.find(number), std::string::npos) << text;
      }
      for (const std::string& path : Between(page, "<path d=\"", "\"")) {
        EXPECT_EQ(path.find(number), std::string::npos) << path.substr(0, 200);
      }
    }
  }
  EXPECT_EQ(Count(page, "<svg"), Count(page, "</svg>"));
  EXPECT_EQ(Count(page, "<div"), Count(page, "</div>"));
}

SoakConfig Sampled(std::string_view preset) {
  return {.preset = *SoakPresetNamed(preset), .sample = true};
}

SoakReport Soak(const SoakConfig& config) {
  const std::atomic<bool> never{false};
  return RunSoak(config, never);
}

std::vector<std::string> CheckpointRow(const nlohmann::ordered_json& checkpoint) {
  std::vector<std::string> row;
  for (const char* field : {"turn", "kept_messages", "window_messages", "chunks",
                            "stored_message_bytes", "live_state_bytes", "superseded_bytes"}) {
    row.push_back(Grouped(checkpoint[field].get<std::uint64_t>()));
  }
  for (const auto& bytes : checkpoint["live_bytes"]) {
    row.push_back(Grouped(bytes.get<std::uint64_t>()));
  }
  const auto& bound = checkpoint["bound"];
  row.push_back(bound.is_null() ? "–" : Grouped(bound.get<std::uint64_t>()));
  return row;
}

TEST(Pages, OfEverySoakPresetAreCompleteAndSayWhatTheJsonSays) {
  for (const SoakPreset& preset : SoakPresets()) {
    SCOPED_TRACE(preset.name);
    const SoakConfig config = Sampled(preset.name);
    const SoakReport report = Soak(config);
    const std::string page = SoakPage(config, report);
    ExpectSelfContained(page);
    const auto tables = Between(page, "<table id=\"checkpoints\">", "</table>");
    ASSERT_EQ(tables.size(), 1u);
    const auto rows = Between(tables[0].substr(tables[0].find("<tbody>")), "<tr>", "</tr>");
    const auto json = SoakJson(config, report);
    ASSERT_EQ(rows.size(), json["checkpoints"].size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(Between(rows[i], "<td>", "</td>"), CheckpointRow(json["checkpoints"][i]));
    }
    EXPECT_NE(page.find("./rollover soak --preset " + std::string(preset.name)), std::string::npos);
    EXPECT_NE(page.find(">HELD<"), std::string::npos);
  }
}

TEST(Pages, AFailedSoakTellsTheRuleAndTheReplayLine) {
  SoakConfig config = Sampled("source-800");
  config.core = ParseCoreSpec("bug:rollover-one-late").value();
  SoakReport report = Soak(config);
  ASSERT_EQ(report.failures.size(), 1u);
  report.failures[0].saved = "out/it's.json";
  report.failures[0].what = kHostile;
  const std::string page = SoakPage(config, report);
  ExpectSelfContained(page);
  EXPECT_NE(page.find(">FAILED<"), std::string::npos);
  EXPECT_NE(page.find("./rollover replay &#39;out/it&#39;\\&#39;&#39;s.json&#39; --trace text"),
            std::string::npos);
  EXPECT_NE(page.find("--core bug:rollover-one-late"), std::string::npos);
}

TEST(Pages, ASoakThatWasStoppedAtOnceHasAPage) {
  const SoakConfig config = Sampled("source-800");
  const SoakReport nothing{.interrupted = true};
  const std::string page = SoakPage(config, nothing);
  ExpectSelfContained(page);
  EXPECT_NE(page.find("no turn ended"), std::string::npos);
}

TEST(Pages, OfARunShowEveryRuleFaultAndSituation) {
  RunConfig config{.seeds = 40, .jobs = 1};
  config.core = ParseCoreSpec("bug:retention-by-first").value();
  config.scenario_of = [](std::uint64_t seed) { return GenerateScenario(seed, {}); };
  config.failures_shrunk_max = 0;
  const std::atomic<bool> never{false};
  const RunSummary summary = RunSeeds(config, never, nullptr);
  ASSERT_GT(summary.failures_total, 0u);
  const RunHeader header{.core = std::string(kHostile), .preset = "a file.json"};
  const std::string page = RunPage(header, summary, {std::string(kHostile)});
  ExpectSelfContained(page);
  for (const std::string_view table : {"rules", "faults", "heat", "situations"}) {
    EXPECT_EQ(Count(page, fmt::format("id=\"{}\"", table)), 1u) << table;
  }
  const auto rules = Between(page, "<table id=\"rules\">", "</table>").at(0);
  EXPECT_EQ(Count(rules, "<tr>"), kRuleCount + 1);
  const auto situations = Between(page, "<table id=\"situations\">", "</table>").at(0);
  EXPECT_EQ(Count(situations, "<tr>"), kSituationCount + 1);
  EXPECT_NE(page.find(summary.hash.Hex()), std::string::npos);
  EXPECT_NE(page.find("--seed 1 --seeds 40"), std::string::npos);
  EXPECT_NE(page.find("--preset &#39;a file.json&#39;"), std::string::npos);
  EXPECT_EQ(Count(page, "class=\"failure\""), summary.failures.size());
}

// Turns of a summary that would run if a page let it.
ScenarioFile HostileScenario(std::size_t turns) {
  Round compaction{.compact = true, .keep = 1, .summary = "<script>alert(1)</script>"};
  Turn turn{.rounds = {compaction, Round{}}};
  ScenarioFile file;
  file.scenario.options.message_window_size = 4;
  file.scenario.options.message_chunk_size = 2;
  file.scenario.options.retained_message_limit = 4;
  file.scenario.operations.assign(turns, turn);
  return file;
}

std::string TimelineOf(const ScenarioFile& file, const std::string& core) {
  const ReplayConfig config{.trace = TraceFormat::kHtml, .path = "a <b>.json"};
  return ReplayScenario(file, ParseCoreSpec(core).value(), config).trace;
}

TEST(Pages, ATimelineShowsEachCommitAndEscapesWhatSessionsHold) {
  const std::string page = TimelineOf(HostileScenario(6), "");
  ExpectSelfContained(page);
  EXPECT_NE(page.find("&lt;script&gt;alert(1)"), std::string::npos);
  EXPECT_NE(page.find("./rollover replay &#39;a &lt;b&gt;.json&#39;"), std::string::npos);
  EXPECT_GE(Count(page, "Window and chunks before and after"), 6u);
  EXPECT_EQ(Count(page, "id=\"broken\""), 0u);
  EXPECT_EQ(page.find("are not drawn"), std::string::npos);
}

TEST(Pages, ALongTimelineSaysWhatItLeavesOut) {
  const std::string page = TimelineOf(HostileScenario(60), "");
  EXPECT_NE(page.find("are not drawn"), std::string::npos);
  ExpectSelfContained(page);
}

TEST(Pages, ABrokenRuleStandsAtItsEvent) {
  const std::string page = TimelineOf(HostileScenario(30), "bug:rollover-one-late");
  ExpectSelfContained(page);
  EXPECT_EQ(Count(page, "id=\"broken\""), 1u);
  EXPECT_NE(page.find("The rule: rollover takes full runs"), std::string::npos);
  EXPECT_NE(page.find(">REPRODUCED<"), std::string::npos);
  EXPECT_GT(page.find("id=\"broken\""), page.rfind("<span class=\"no\">"));
}

TEST(Pages, EscapeLeavesNothingToABrowser) {
  EXPECT_EQ(Escape("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&#39;");
  EXPECT_EQ(Escape("\xc3\xa4\n"), "\xc3\xa4\n");
  EXPECT_EQ(Escape("\x01\xff\xc3"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(Pages, ShellWordsAreQuotedOnlyWhereTheyMustBe) {
  EXPECT_EQ(ShellWord("out/a-1.json"), "out/a-1.json");
  EXPECT_EQ(ShellWord(""), "''");
  EXPECT_EQ(ShellWord("a b"), "'a b'");
  EXPECT_EQ(ShellWord("it's"), "'it'\\''s'");
}

TEST(Numbers, AreShortAndRound) {
  EXPECT_EQ(BytesText(0), "0 B");
  EXPECT_EQ(BytesText(999), "999 B");
  EXPECT_EQ(BytesText(1000), "1 KB");
  EXPECT_EQ(BytesText(1'234'567), "1.23 MB");
  EXPECT_EQ(BytesText(12'345), "12.3 KB");
  EXPECT_EQ(BytesText(999'600), "1 MB");
  EXPECT_EQ(Grouped(1'234'567), "1,234,567");
  EXPECT_EQ(Grouped(123), "123");
  EXPECT_EQ(GroupedSigned(-1'520), "-1,520");
  EXPECT_EQ(GroupedSigned(0), "+0");
  EXPECT_EQ(CountText(2000), "2,000");
  EXPECT_EQ(CountText(0.25), "0.25");
}

TEST(Charts, TicksAreRoundAndReachTheTop) {
  EXPECT_EQ(Ticks(2000, 4), (std::vector<double>{0, 500, 1000, 1500, 2000}));
  EXPECT_EQ(Ticks(1, 4), (std::vector<double>{0, 1}));
  EXPECT_EQ(Ticks(0.5, 5).back(), 0.5);
  for (const double high : {3.0, 17.0, 99.0, 101.0, 4096.0, 1e9}) {
    const auto ticks = Ticks(high, 5);
    EXPECT_LE(ticks.size(), 6u) << high;
    EXPECT_GE(ticks.back(), high * (1 - 1e-9));
  }
}

TEST(SoakSamples, MergeInConstantMemoryAndLoseNothing) {
  SoakConfig config = Sampled("source-800-faults");
  const SoakReport report = Soak(config);
  const SoakSamples& samples = report.samples;
  EXPECT_EQ(samples.width, 2u);
  EXPECT_EQ(samples.buckets.size(), 400u);
  std::uint64_t turns = 0;
  std::uint64_t most = 0;
  std::array<std::uint64_t, kFaultKindCount> faults{};
  for (const SoakBucket& bucket : samples.buckets) {
    turns += bucket.turns;
    most = std::max(most, bucket.live.high);
    std::uint64_t stacked = 0;
    for (const std::uint64_t bytes : bucket.live_bytes) stacked += bytes;
    EXPECT_EQ(stacked, bucket.live.high);
    EXPECT_LE(bucket.live.low, bucket.live.high);
    for (std::size_t f = 0; f < kFaultKindCount; ++f) faults[f] += bucket.faults[f];
  }
  EXPECT_EQ(turns, 800u);
  EXPECT_EQ(most, report.highest.live_state_bytes);
  EXPECT_EQ(faults, report.statistics.faults);
}

TEST(SoakSamples, AreTakenOnlyOnRequestAndChangeNothing) {
  SoakConfig config = Sampled("source-800");
  const SoakReport sampled = Soak(config);
  config.sample = false;
  const SoakReport plain = Soak(config);
  EXPECT_TRUE(plain.samples.buckets.empty());
  auto with = SoakJson(config, sampled);
  auto without = SoakJson(config, plain);
  with.erase("seconds");
  without.erase("seconds");
  EXPECT_EQ(with, without);
}

TEST(TracedWrite, ReadsWhatATraceSays) {
  const auto put = ReadTracedWrite("AgentMessageChunks[7] = 300 bytes, messages 7..9");
  ASSERT_TRUE(put);
  EXPECT_EQ(put->name, Name::kChunks);
  EXPECT_EQ(put->key, 7u);
  EXPECT_EQ(put->bytes, 300u);
  EXPECT_EQ(put->chunk, (ChunkRange{7, 9}));
  const auto deleted = ReadTracedWrite("AgentMessages[12] deleted");
  ASSERT_TRUE(deleted && deleted->deletes);
  EXPECT_EQ(deleted->key, 12u);
  EXPECT_EQ(ReadTracedWrite("AgentSession = 46 bytes {}")->bytes, 46u);
  for (const char* wrong : {"", "AgentMessages", "AgentMessages[", "AgentMessages[x] deleted",
                            "Nothing[1] deleted", "AgentMessages[1] = bytes"}) {
    EXPECT_FALSE(ReadTracedWrite(wrong)) << wrong;
  }
}

// The window and the chunks that a trace tells are those that the world ends with.
TEST(TraceFollower, EndsWhereTheEngineEndsThroughRollBacks) {
  std::uint64_t roll_backs = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    TraceFollower follower;
    TracedState engine;
    WorldConfig config;
    config.trace = [&](const TraceEvent& event) {
      follower.OnEvent(event);
      roll_backs += event.kind == TraceKind::kRollBack;
    };
    config.on_turn_end = [&](const World& world) {
      engine = {};
      for (const auto& message : world.engine().state().Map(Name::kMessages)) {
        engine.window.push_back(message.key);
      }
      for (const auto& chunk : world.engine().state().Map(Name::kChunks)) {
        const auto* value = chunk.value->as<Chunk>();
        engine.chunks[chunk.key] = {value->first(), value->last()};
      }
      ASSERT_EQ(follower.state(), engine) << "seed " << seed;
    };
    RunScenario(GenerateScenario(seed, {}), config);
  }
  EXPECT_GT(roll_backs, 0u);
}

TEST(Replay, APerfettoTraceHasWhatTheFormatAsksFor) {
  const ReplayConfig config{.trace = TraceFormat::kPerfetto};
  const auto trace = nlohmann::json::parse(
      ReplayScenario(HostileScenario(3), CoreSpec{}, config).trace, nullptr, false);
  ASSERT_TRUE(trace.is_object());
  std::vector<int> named;
  std::uint64_t before = 0;
  for (const auto& event : trace["traceEvents"]) {
    for (const char* field : {"name", "ph", "ts", "pid", "tid"}) {
      EXPECT_TRUE(event.contains(field)) << event;
    }
    if (event["name"] == "thread_name") named.push_back(event["tid"]);
    if (event["ph"] != "X") continue;
    EXPECT_GT(event["dur"], 0);
    EXPECT_GT(event["ts"].get<std::uint64_t>(), before);
    before = event["ts"];
    EXPECT_NE(std::find(named.begin(), named.end(), event["tid"]), named.end()) << event;
  }
  EXPECT_EQ(named.size(), kStepKindCount);
  EXPECT_GT(before, 0u);
}

}  // namespace
}  // namespace rollover
