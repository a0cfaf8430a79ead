#include "sim/campaign/soak_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/campaign/chart.h"
#include "sim/campaign/numbers.h"
#include "sim/campaign/page.h"

namespace rollover {
namespace {

constexpr std::array<std::string_view, kNameCount> kShortNames = {
    "window", "chunks", "index", "reply sequence", "summary", "session"};
constexpr std::array<int, kNameCount> kColours = {0, 1, 2, 3, 4, 5};

constexpr ChartSize kWide{.width = 940, .height = 330, .left_min = 60};
constexpr ChartSize kNarrow{.width = 336, .height = 250, .left_min = 56};
constexpr ChartSize kWideLow{.width = 940, .height = 150, .left_min = 60};
constexpr ChartSize kNarrowLow{.width = 336, .height = 150, .left_min = 56};
constexpr ChartSize kHalf{.width = 372, .height = 180};

const SoakBucket& BucketAt(const SoakSamples& samples, std::size_t i) { return samples.buckets[i]; }

// The buckets in which a turn ended, as curves.
class Curves {
 public:
  Curves(const SoakConfig& config, const SoakReport& report) : config_(config), report_(report) {
    const SoakSamples& samples = report.samples;
    for (std::size_t i = 0; i < samples.buckets.size(); ++i) {
      if (BucketAt(samples, i).turns == 0) continue;
      const auto from = static_cast<double>(i * samples.width);
      const double to = from + static_cast<double>(samples.width);
      spans_.push_back({from, std::min(to, static_cast<double>(report.turns))});
      buckets_.push_back(&BucketAt(samples, i));
    }
  }

  std::string Figures() const {
    return Figure(LiveBytes(), kWide, kNarrow) + "<div class=\"grid\">\n" +
           Figure(SmallValues(), kHalf) + Figure(Superseded(), kHalf) + Figure(Kept(), kHalf) +
           Figure(Window(), kHalf) + Figure(Chunks(), kHalf) + Figure(Commits(), kHalf) +
           "</div>\n" + Figure(IndexWrites(), kWideLow, kNarrowLow) + FaultRug();
  }

 private:
  Plot NewPlot(std::string title, std::string says, Unit unit) const {
    return {.title = std::move(title),
            .says = std::move(says),
            .unit = unit,
            .spans = spans_,
            .turns = static_cast<double>(report_.turns)};
  }

  // "the most of each 4 turns": what a step of a curve shows.
  std::string Each(std::string_view what) const {
    const std::uint64_t width = report_.samples.width;
    if (width == 1) return "after each turn";
    return fmt::format("{} of each {} turns", what, Grouped(width));
  }

  template <typename Get>
  std::vector<double> Values(Get get) const {
    std::vector<double> values;
    for (const SoakBucket* bucket : buckets_) values.push_back(static_cast<double>(get(*bucket)));
    return values;
  }

  Area AreaOf(std::size_t name) const {
    const std::uint64_t highest = report_.highest.live_bytes[name];
    return {.name = std::string(kShortNames[name]),
            .colour = kColours[name],
            .values = Values([&](const SoakBucket& bucket) { return bucket.live_bytes[name]; }),
            .more = BytesText(static_cast<double>(highest))};
  }

  Plot LiveBytes() const {
    Plot plot = NewPlot("Live bytes",
                        Each("the most") +
                            ", by name; the legend says how many at the highest "
                            "point, after turn " +
                            Grouped(report_.highest.turn),
                        Unit::kBytes);
    for (std::size_t name = 0; name < kNameCount; ++name) plot.areas.push_back(AreaOf(name));
    LimitLine bound{.name = "bound"};
    for (const SoakBucket* bucket : buckets_) {
      bound.values.push_back(bucket->bound ? std::optional<double>(*bucket->bound) : std::nullopt);
    }
    plot.limit = std::move(bound);
    return plot;
  }

  Plot SmallValues() const {
    Plot plot =
        NewPlot("The small values",
                "the thin edge on top of the chart above, at a scale of its own", Unit::kBytes);
    for (std::size_t name = 2; name < kNameCount; ++name) plot.areas.push_back(AreaOf(name));
    return plot;
  }

  template <typename Get>
  Plot BandPlot(std::string title, std::string says, Unit unit, int colour, Get get) const {
    Plot plot = NewPlot(std::move(title), std::move(says), unit);
    plot.band = Band{.colour = colour,
                     .low = Values([&](const SoakBucket& bucket) { return get(bucket).low; }),
                     .high = Values([&](const SoakBucket& bucket) { return get(bucket).high; })};
    return plot;
  }

  LimitLine Constant(std::string name, std::uint64_t value) const {
    return {
        .name = std::move(name),
        .values = std::vector<std::optional<double>>(spans_.size(), static_cast<double>(value))};
  }

  Plot Superseded() const {
    return BandPlot("Superseded bytes",
                    Each("least to most") + "; replaced, and still counted by the engine's history",
                    Unit::kBytes, 5, [](const SoakBucket& bucket) { return bucket.superseded; });
  }
  Plot Kept() const {
    Plot plot = BandPlot("Kept messages", Each("least to most"), Unit::kCount, 0,
                         [](const SoakBucket& bucket) { return bucket.kept; });
    const auto limit = config_.preset.options.retained_message_limit;
    if (limit) plot.limit = Constant("retained_message_limit", *limit);
    return plot;
  }
  Plot Window() const {
    Plot plot = BandPlot("Messages in the window", Each("least to most"), Unit::kCount, 0,
                         [](const SoakBucket& bucket) { return bucket.window; });
    plot.limit = Constant("message_window_size", config_.preset.options.message_window_size);
    return plot;
  }
  Plot Chunks() const {
    return BandPlot("Chunks", Each("least to most"), Unit::kCount, 1,
                    [](const SoakBucket& bucket) { return bucket.chunks; });
  }
  Plot Commits() const {
    Plot plot =
        NewPlot("Largest commit",
                report_.samples.width == 1 ? "of each turn; bytes of the values it wrote"
                                           : Each("the largest") + "; bytes of the values it wrote",
                Unit::kBytes);
    plot.areas.push_back({.colour = 0, .values = Values([](const SoakBucket& bucket) {
                                         return bucket.largest_commit;
                                       })});
    return plot;
  }
  Plot IndexWrites() const {
    const std::uint64_t width = report_.samples.width;
    Plot plot = NewPlot(
        "Index writes a turn",
        width == 1 ? "in each turn" : fmt::format("the mean of each {} turns", Grouped(width)),
        Unit::kCount);
    Area area{.colour = 2};
    for (const SoakBucket* bucket : buckets_) {
      area.values.push_back(static_cast<double>(bucket->index_writes) /
                            static_cast<double>(bucket->turns));
    }
    plot.areas.push_back(std::move(area));
    return plot;
  }

  std::string FaultRug() const {
    Rug rug{.title = "Faults",
            .says = "a mark where one or more struck; how often in all, at the right",
            .spans = spans_,
            .turns = static_cast<double>(report_.turns)};
    for (std::size_t f = 0; f < kFaultKindCount; ++f) {
      RugRow row{.name = std::string(FaultName(static_cast<FaultKind>(f)))};
      for (const SoakBucket* bucket : buckets_) row.strikes.push_back(bucket->faults[f]);
      const bool struck = std::any_of(row.strikes.begin(), row.strikes.end(),
                                      [](std::uint64_t count) { return count > 0; });
      if (struck) rug.rows.push_back(std::move(row));
    }
    if (rug.rows.empty()) return "<p class=\"note\">No faults: this preset plans none.</p>\n";
    return Figure(rug, kWide, kNarrow);
  }

  const SoakConfig& config_;
  const SoakReport& report_;
  std::vector<TurnSpan> spans_;
  std::vector<const SoakBucket*> buckets_;
};

std::string Turns(std::uint64_t turns) {
  return Grouped(turns) + (turns == 1 ? " turn" : " turns");
}

// What the second half of the turns saw.
struct SecondHalf {
  SampleRange live{};
  std::uint64_t bound = 0;  // the highest
  bool bound_always = true;
};

SecondHalf SecondHalfOf(const SoakReport& report) {
  SecondHalf half;
  const SoakSamples& samples = report.samples;
  for (std::size_t i = 0; i < samples.buckets.size(); ++i) {
    const SoakBucket& bucket = samples.buckets[i];
    const bool late = 2 * i * samples.width >= report.turns || i + 1 == samples.buckets.size();
    if (bucket.turns == 0 || !late) continue;
    half.live.Add(bucket.live);
    half.bound = std::max(half.bound, bucket.bound.value_or(0));
    half.bound_always = half.bound_always && bucket.bound.has_value();
  }
  return half;
}

std::string StateSentence(const SoakReport& report) {
  const SecondHalf half = SecondHalfOf(report);
  const auto low = BytesText(static_cast<double>(half.live.low));
  const auto high = BytesText(static_cast<double>(half.live.high));
  if (report.growth && !report.growth->flat()) {
    return fmt::format("the state grows: {} bytes over the second half",
                       GroupedSigned(report.growth->bytes));
  }
  if (report.checkpoints.empty()) return fmt::format("the state stays below {}", high);
  const SoakCheckpoint& end = report.checkpoints.back();
  const auto live = static_cast<double>(end.live_state_bytes);
  if (end.bound && !half.bound_always) {
    return fmt::format(
        "the state ends at {}, bound {}; from the middle on it was between {} and {}",
        BytesText(live), BytesText(static_cast<double>(*end.bound)), low, high);
  }
  if (end.bound) {
    return fmt::format("from the middle on the state stays between {} and {}, bound {}", low, high,
                       BytesText(static_cast<double>(half.bound)));
  }
  return fmt::format("nothing bounds the state, which ends at {}, {} a turn", BytesText(live),
                     BytesText(live / static_cast<double>(end.turn)));
}

std::string Headline(const SoakConfig& config, const SoakReport& report) {
  if (!report.failures.empty()) {
    const FoundFailure& failure = report.failures.front();
    return fmt::format("{} of {}, then {} broke: {}", Turns(report.turns),
                       Grouped(config.preset.turns), RuleName(failure.rule), failure.what);
  }
  if (report.turns == 0) return "Stopped before the first turn ended.";
  if (report.interrupted) {
    return fmt::format("Stopped after {} of {}; all rules held so far; {}.", Turns(report.turns),
                       Grouped(config.preset.turns), StateSentence(report));
  }
  return fmt::format("{}, all rules held; {}.", Turns(report.turns), StateSentence(report));
}

// The line of best fit, and what it means.
std::string Lead(const SoakReport& report) {
  if (report.growth) {
    const SoakGrowth& growth = *report.growth;
    return fmt::format("Second half: {} bytes along the line of best fit; one chunk is {}: {}.",
                       GroupedSigned(growth.bytes), Grouped(growth.chunk_bytes),
                       growth.flat() ? "flat" : "it grows");
  }
  if (report.index_full_at_turn) {
    return fmt::format(
        "Going on like this, the index is larger than a value may be from turn {} on.",
        Grouped(*report.index_full_at_turn));
  }
  return {};
}

std::uint64_t Struck(const SoakReport& report) {
  const auto& faults = report.statistics.faults;
  return std::accumulate(faults.begin(), faults.end(), std::uint64_t{0});
}

std::string KeyFigures(const SoakReport& report) {
  const SoakCheckpoint& highest = report.highest;
  std::vector<Fact> facts = {
      {"turns", Grouped(report.turns)},
      {"commits", Grouped(report.statistics.commits)},
      {"most live bytes", Grouped(highest.live_state_bytes), "after turn " + Grouped(highest.turn)},
      {"bound there", highest.bound ? Grouped(*highest.bound) : "none applies"}};
  if (report.growth) {
    facts.push_back({"growth, second half", GroupedSigned(report.growth->bytes),
                     "bytes; a chunk is " + Grouped(report.growth->chunk_bytes)});
  }
  if (report.index_full_at_turn) {
    facts.push_back({"index full at turn", Grouped(*report.index_full_at_turn), "projected"});
  }
  facts.push_back({"stored in all", Grouped(report.stored_total_bytes), "bytes of messages"});
  facts.push_back({"faults that struck", Grouped(Struck(report))});
  facts.push_back({"time", fmt::format("{:.2f} s", report.seconds)});
  return Facts(facts);
}

std::vector<std::string> CheckpointCells(const SoakCheckpoint& checkpoint) {
  std::vector<std::string> cells = {Grouped(checkpoint.turn),
                                    Grouped(checkpoint.kept_messages),
                                    Grouped(checkpoint.window_messages),
                                    Grouped(checkpoint.chunks),
                                    Grouped(checkpoint.stored_message_bytes),
                                    Grouped(checkpoint.live_state_bytes),
                                    Grouped(checkpoint.superseded_bytes)};
  for (const std::uint64_t bytes : checkpoint.live_bytes) cells.push_back(Grouped(bytes));
  cells.push_back(checkpoint.bound ? Grouped(*checkpoint.bound) : "–");
  return cells;
}

std::string Checkpoints(const SoakReport& report) {
  std::vector<TableColumn> columns = {{"turn"},         {"kept"},       {"window"},    {"chunks"},
                                      {"stored bytes"}, {"live bytes"}, {"superseded"}};
  for (const std::string_view name : kShortNames) {
    columns.push_back({fmt::format("{} bytes", name)});
  }
  columns.push_back({"bound"});
  std::vector<std::vector<std::string>> rows;
  for (const SoakCheckpoint& checkpoint : report.checkpoints) {
    rows.push_back(CheckpointCells(checkpoint));
  }
  return Table("checkpoints", columns, rows) +
         "<p class=\"note\">The numbers of <code>--json</code>. Kept and window are messages; "
         "stored bytes are the window's and the chunks'; live bytes are all six names'.</p>\n";
}

std::string Command(const SoakConfig& config) {
  const SoakPreset& preset = config.preset;
  const SoakPreset* known = SoakPresetNamed(preset.name);
  std::string command = fmt::format("./rollover soak --preset {}", preset.name);
  if (known == nullptr || known->turns != preset.turns) {
    command += fmt::format(" --turns {}", preset.turns);
  }
  if (known == nullptr || known->every != preset.every) {
    command += fmt::format(" --every {}", preset.every);
  }
  command += fmt::format(" --seed {}", config.seed);
  if (!config.core.text.empty()) command += " --core " + ShellWord(config.core.text);
  return command + " --html soak.html";
}

std::string Settings(const SoakConfig& config) {
  const SoakPreset& preset = config.preset;
  const Options& options = preset.options;
  const auto limit = options.retained_message_limit;
  std::vector<Fact> facts = {
      {"message_window_size", Grouped(options.message_window_size), "messages"},
      {"message_chunk_size", Grouped(options.message_chunk_size), "messages"},
      {"message_chunk_max_bytes", Grouped(options.message_chunk_max_bytes), "bytes"},
      {"retained_message_limit", limit ? Grouped(*limit) : "none", limit ? "messages" : ""},
      {"compaction", options.compaction ? "on" : "off"},
      {"core",
       config.core.text.empty() ? std::string(CoreKindName(preset.core)) : config.core.text}};
  if (preset.upgraded_after) {
    facts.push_back({"upgraded", "after turn " + Grouped(*preset.upgraded_after)});
  }
  if (!preset.faults.empty()) {
    facts.push_back({"faults", fmt::format("{} in {} attempts", preset.fault_odds.numerator,
                                           preset.fault_odds.denominator)});
  }
  facts.push_back({"seed", fmt::to_string(config.seed)});
  return Facts(facts);
}

}  // namespace

std::string SoakPage(const SoakConfig& config, const SoakReport& report) {
  const bool broken = !Held(report);
  const PageVerdict verdict = VerdictOf(broken, report.interrupted);
  HtmlPage page{
      .title = fmt::format("rollover soak {}: {}", config.preset.name, config.preset.says),
      .tone = verdict.tone,
      .badge = std::string(verdict.badge),
      .headline = Headline(config, report),
      .lead = Lead(report)};
  page.body += KeyFigures(report);
  std::string failures;
  for (const FoundFailure& failure : report.failures) failures += FailureBlock(failure);
  if (!failures.empty()) page.body += Section("failures", "What broke", failures);
  page.body += Section("charts", "Over its turns", Curves(config, report).Figures());
  page.body += Section("checkpoints-section", "Checkpoints", Checkpoints(report));
  page.body += Section("options", "Options", Settings(config));
  page.body += Section("again", "Run it again", CommandLine(Command(config)));
  page.body += "<p class=\"note\">A KB is 1,000 bytes.</p>\n";
  return Html(page);
}

}  // namespace rollover
