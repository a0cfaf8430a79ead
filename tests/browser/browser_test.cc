// The pages in a real browser, at the widths of a desk and of telephones: what is drawn is whole,
// nothing lies on anything else, nothing is asked of a network, and the numbers are the JSON's.
//
// A page has no script, so a host page holds it in frames, one a width, and measures them. What the
// host finds it writes into its own document, which the browser prints.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/campaign/numbers.h"
#include "sim/campaign/soak_presets.h"
#include "tests/cli/program.h"

namespace rollover {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kMeasure = R"js(
function box(element) {
  const b = element.getBoundingClientRect();
  return {l: b.left, t: b.top, r: b.right, b: b.bottom};
}
function measure(frame) {
  const page = frame.contentDocument;
  const root = page.documentElement;
  const found = {width: frame.contentWindow.innerWidth, overflow: root.scrollWidth - root.clientWidth,
                 drawings: 0, texts: 0, smallest: 1000, overlaps: [], clipped: [], unfinite: [],
                 resources: frame.contentWindow.performance.getEntriesByType('resource').length,
                 headline: page.querySelector('h1').innerText, rows: []};
  for (const svg of page.querySelectorAll('svg')) {
    const frame_box = box(svg);
    if (frame_box.r - frame_box.l === 0) continue;
    ++found.drawings;
    const texts = [...svg.querySelectorAll('text')].map(text => ({box: box(text), says: text.textContent}));
    found.texts += texts.length;
    texts.forEach((text, i) => {
      const b = text.box;
      found.smallest = Math.min(found.smallest, b.b - b.t);
      if (![b.l, b.t, b.r, b.b].every(Number.isFinite)) found.unfinite.push(text.says);
      if (b.l < frame_box.l - 1 || b.r > frame_box.r + 1 || b.t < frame_box.t - 1 ||
          b.b > frame_box.b + 1) found.clipped.push(text.says);
      for (const other of texts.slice(0, i)) {
        const o = other.box;
        const across = Math.min(b.r, o.r) - Math.max(b.l, o.l);
        const down = Math.min(b.b, o.b) - Math.max(b.t, o.t);
        if (across > 0.5 && down > 1.5) found.overlaps.push(other.says + ' <> ' + text.says);
      }
    });
  }
  for (const row of page.querySelectorAll('#checkpoints tbody tr')) {
    found.rows.push([...row.cells].map(cell => cell.innerText));
  }
  return found;
}
window.onload = () => {
  const all = [...document.querySelectorAll('iframe')].map(measure);
  document.body.textContent = JSON.stringify(all);
};
)js";

void ReplaceAll(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at)) {
    text.replace(at, what.size(), with);
    at += with.size();
  }
}

// What a page looks like at one width.
struct Look {
  int width = 0;
  Json found;
};

class Browser : public Program {
 protected:
  Ended Rollover(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), ROLLOVER_PROGRAM);
    return Run(arguments);
  }

  std::vector<Look> Open(const std::string& page) {
    constexpr int widths[] = {1280, 820, 390, 360};
    std::string attribute = page;
    ReplaceAll(attribute, "&", "&amp;");
    ReplaceAll(attribute, "\"", "&quot;");
    std::string host = "<!DOCTYPE html><html><body>";
    for (const int width : widths) {
      host += "<iframe style=\"width:" + std::to_string(width) +
              "px;height:900px;border:0\" srcdoc=\"" + attribute + "\"></iframe>\n";
    }
    host += "<script>" + std::string(kMeasure) + "</script></body></html>";
    const std::string path = File("host.html", host);
    // Every name leads to a closed port: a page that asks for something does not get it unseen.
    const Ended ended = Run({BROWSER_PROGRAM, "--headless", "--no-sandbox", "--disable-gpu",
                             "--enable-logging=stderr", "--user-data-dir=" + beside("profile"),
                             "--host-resolver-rules=MAP * 127.0.0.1:9", "--window-size=1400,1000",
                             "--dump-dom", "file://" + path});
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_EQ(ended.err.find("CONSOLE"), std::string::npos) << ended.err;
    const std::size_t begin = ended.out.find("<body>[");
    const std::size_t end = ended.out.rfind("</body>");
    if (begin == std::string::npos || end == std::string::npos) {
      ADD_FAILURE() << ended.out.substr(0, 400);
      return {};
    }
    std::string measured = ended.out.substr(begin + 6, end - begin - 6);
    ReplaceAll(measured, "&lt;", "<");
    ReplaceAll(measured, "&gt;", ">");
    ReplaceAll(measured, "&amp;", "&");
    const Json all = Json::parse(measured, nullptr, /*allow_exceptions=*/false);
    EXPECT_EQ(all.size(), std::size(widths)) << measured.substr(0, 400);
    std::vector<Look> looks;
    for (std::size_t i = 0; i < all.size(); ++i) looks.push_back({widths[i], all[i]});
    return looks;
  }

  void ExpectWellDrawn(const std::vector<Look>& looks, int drawings_min) {
    EXPECT_FALSE(looks.empty());
    for (const Look& look : looks) {
      SCOPED_TRACE(look.width);
      const Json& found = look.found;
      EXPECT_EQ(found["width"], look.width);
      EXPECT_LE(found["overflow"], 0);
      EXPECT_GE(found["drawings"], drawings_min);
      EXPECT_EQ(found["overlaps"], Json::array());
      EXPECT_EQ(found["clipped"], Json::array());
      EXPECT_EQ(found["unfinite"], Json::array());
      EXPECT_EQ(found["resources"], 0);
      EXPECT_NE(found["headline"], "");
      // A line of text as high as this has letters of 9 pixels or more.
      if (found["texts"] > 0) {
        EXPECT_GE(found["smallest"], 10);
      }
    }
  }
};

// The measure itself: a page with everything wrong.
TEST_F(Browser, WhatIsDrawnBadlyIsSeen) {
  const auto looks = Open(
      "<!DOCTYPE html><html><body><h1>bad</h1><div style='width:2000px'>wide</div>"
      "<svg width='200' height='40' viewBox='0 0 200 40'><text x='10' y='20'>one</text>"
      "<text x='14' y='22'>two</text><text x='190' y='20'>over the edge</text></svg>"
      "<img src='data:image/gif;base64,R0lGODlhAQABAAAAACw='></body></html>");
  ASSERT_FALSE(looks.empty());
  for (const Look& look : looks) {
    EXPECT_GT(look.found["overflow"], 0);
    EXPECT_EQ(look.found["overlaps"], Json::array({"one <> two"}));
    EXPECT_EQ(look.found["clipped"], Json::array({"over the edge"}));
  }
}

TEST_F(Browser, SoakPagesOfEveryPresetAreWholeAndSayWhatTheJsonSays) {
  for (const SoakPreset& preset : SoakPresets()) {
    SCOPED_TRACE(preset.name);
    const Ended soak =
        Rollover({"soak", "--preset", std::string(preset.name), "--json", "--html", "soak.html"});
    ASSERT_EQ(soak.code, 0) << soak.err;
    const auto looks = Open(test::TextOf(here() / "soak.html"));
    ExpectWellDrawn(looks, 8);
    const auto json = nlohmann::ordered_json::parse(soak.out);
    for (const Look& look : looks) {
      ASSERT_EQ(look.found["rows"].size(), json["checkpoints"].size());
      for (std::size_t i = 0; i < json["checkpoints"].size(); ++i) {
        const auto& checkpoint = json["checkpoints"][i];
        const Json& row = look.found["rows"][i];
        EXPECT_EQ(row[0], Grouped(checkpoint["turn"].get<std::uint64_t>()));
        EXPECT_EQ(row[1], Grouped(checkpoint["kept_messages"].get<std::uint64_t>()));
        EXPECT_EQ(row[5], Grouped(checkpoint["live_state_bytes"].get<std::uint64_t>()));
        EXPECT_EQ(row[6], Grouped(checkpoint["superseded_bytes"].get<std::uint64_t>()));
      }
    }
  }
}

TEST_F(Browser, ShortAndFailedSoaksAreDrawnToo) {
  const std::vector<std::vector<std::string>> calls = {
      {"--turns", "1"},
      {"--turns", "37", "--every", "5"},
      {"--turns", "100000", "--every", "20000"},
      {"--core", "bug:rollover-one-late", "--no-shrink"}};
  for (const auto& more : calls) {
    SCOPED_TRACE(more[1]);
    std::vector<std::string> call = {"soak", "--preset", "source-800-faults", "--html", "s.html"};
    call.insert(call.end(), more.begin(), more.end());
    const Ended soak = Rollover(call);
    EXPECT_LE(soak.code, 1) << soak.err;
    ExpectWellDrawn(Open(test::TextOf(here() / "s.html")), 8);
  }
}

TEST_F(Browser, RunPagesFit) {
  EXPECT_EQ(Rollover({"run", "--seeds", "200", "--html", "run.html"}).code, 0);
  ExpectWellDrawn(Open(test::TextOf(here() / "run.html")), 0);
}

TEST_F(Browser, TimelinesOfEveryFailureOfABugAreDrawn) {
  const Ended run = Rollover({"run", "--seeds", "60", "--core", "bug:retention-by-first", "--json",
                              "--no-shrink", "--html", "run.html"});
  ASSERT_EQ(run.code, 1) << run.err;
  ExpectWellDrawn(Open(test::TextOf(here() / "run.html")), 0);
  const Json failures = Json::parse(run.out)["failures"];
  ASSERT_FALSE(failures.empty());
  for (std::size_t i = 0; i < std::min<std::size_t>(4, failures.size()); ++i) {
    const std::string file = failures[i]["scenario"];
    SCOPED_TRACE(file);
    const Ended timeline = Rollover({"replay", file, "--trace", "html"});
    EXPECT_EQ(timeline.code, 1);
    ExpectWellDrawn(Open(timeline.out), 2);
  }
}

TEST_F(Browser, TimelinesOfWhatStaysFixedAreDrawn) {
  std::size_t opened = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(ROLLOVER_SOURCE_DIR "/corpus/regressions")) {
    if (entry.path().extension() != ".json" || ++opened > 6) continue;
    SCOPED_TRACE(entry.path());
    const Ended timeline =
        Rollover({"replay", entry.path().string(), "--core", "reference", "--trace", "html"});
    ExpectWellDrawn(Open(timeline.out), 1);
  }
  EXPECT_GT(opened, 0u);
}

}  // namespace
}  // namespace rollover
