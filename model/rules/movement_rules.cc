// bounded-loads: where a turn goes next, and which keys that Step may load.
#include <fmt/format.h>

#include <algorithm>

#include "model/rules/commit_view.h"

namespace rollover {
namespace {

// Which names are loaded, a bit each.
using NameSet = unsigned;
constexpr NameSet Bit(Name name) { return 1u << static_cast<unsigned>(name); }

// A load list in canonical form, so that order does not matter and repetition does.
struct LoadSet {
  NameSet attributes = 0;
  NameSet whole_maps = 0;
  boost::container::small_vector<Key, 8> chunks{};  // ascending
  bool odd = false;  // something repeated, or a key where none belongs

  friend bool operator==(const LoadSet&, const LoadSet&) = default;
};

LoadSet Canonical(const LoadList& loads) {
  LoadSet set;
  const auto add = [&set](NameSet& to, Name name) {
    set.odd = set.odd || (to & Bit(name)) != 0;
    to |= Bit(name);
  };
  for (const Load& load : loads) {
    if (!IsMap(load.name)) {
      add(set.attributes, load.name);
      set.odd = set.odd || load.all || load.key != 0;
    } else if (load.all) {
      add(set.whole_maps, load.name);
    } else {
      set.chunks.push_back(load.key);
      set.odd = set.odd || load.name != Name::kChunks;
    }
  }
  auto& chunks = set.chunks;
  std::sort(chunks.begin(), chunks.end());
  set.odd = set.odd || std::adjacent_find(chunks.begin(), chunks.end()) != chunks.end();
  return set;
}

// "All chunks" and a list of every kept chunk name the same values: nothing commits in between.
void NameEveryChunkAsAll(const InstanceMap& stored, LoadSet& set) {
  if ((set.whole_maps & Bit(Name::kChunks)) != 0 || set.chunks.size() != stored.size()) return;
  const bool every = std::equal(set.chunks.begin(), set.chunks.end(), stored.begin(),
                                [](Key key, const auto& instance) { return key == instance.key; });
  if (!every) return;
  set.chunks.clear();
  set.whole_maps |= Bit(Name::kChunks);
}

constexpr NameSet kSessionValues = Bit(Name::kIndex) | Bit(Name::kSummary) | Bit(Name::kSession);

LoadSet SessionAndWindow() {
  return {.attributes = kSessionValues, .whole_maps = Bit(Name::kMessages)};
}

void AddChunks(const CommitView& view, Sequence after, Sequence until, LoadSet& set) {
  const InstanceMap& chunks = view.stored.chunks();
  for (auto at = chunks.end(); at != chunks.begin();) {
    --at;
    const Chunk& chunk = *at->value->as<Chunk>();
    if (chunk.last() <= after) break;
    if (chunk.first() <= until) set.chunks.insert(set.chunks.begin(), at->key);
  }
}

LoadSet RunModelSet(const CommitView& view) {
  LoadSet set = SessionAndWindow();
  set.attributes |= Bit(Name::kTurnReply);
  if (!view.commit.compaction()) {
    set.whole_maps |= Bit(Name::kChunks);
  } else {
    AddChunks(view, view.summary_after.last_sequence, ~Sequence{0}, set);
  }
  return set;
}

std::optional<StepKind> DueStep(const StepInput& input) {
  if (const auto* model = std::get_if<RunModel>(&input)) {
    if (!model->reply) return StepKind::kCompactContext;
    if (model->reply->tool_calls > 0) return StepKind::kResumeTurn;
    return std::nullopt;
  }
  if (const auto* control = std::get_if<ApplyTurnControl>(&input)) {
    return control->control == ControlKind::kSteer ? StepKind::kRunModel
                                                   : StepKind::kFinishTurnCancellation;
  }
  switch (KindOf(input)) {
    case StepKind::kStartTurn:
    case StepKind::kResumeTurn:
    case StepKind::kCompactContext:
      return StepKind::kRunModel;
    default:
      return std::nullopt;
  }
}

// Of the two Steps that are due less than RunModel.
LoadSet DueLoads(const CommitView& view, StepKind next) {
  LoadSet set = SessionAndWindow();
  if (next == StepKind::kResumeTurn) return set;
  const auto* model = std::get_if<RunModel>(&view.commit.input);
  AddChunks(view, view.summary_after.last_sequence, model->compact_through, set);
  return set;
}

std::string Describe(const LoadSet& set) {
  std::string text;
  const auto add = [&text](NameSet names, std::string_view how) {
    for (std::size_t i = 0; i < kNameCount; ++i) {
      const auto name = static_cast<Name>(i);
      if ((names & Bit(name)) != 0) text += fmt::format("{}{} ", NameText(name), how);
    }
  };
  add(set.attributes, "");
  add(set.whole_maps, "(all)");
  for (const Key key : set.chunks) text += fmt::format("chunk {} ", key);
  if (!text.empty()) text.pop_back();
  return set.odd ? text + " (with repetitions or stray keys)" : text;
}

// Says whether they are what is due.
bool CompareLoads(const CommitView& view, const char* which, const LoadList& listed,
                  const LoadSet& due, Findings& findings) {
  const LoadSet is = Canonical(listed);
  if (is == due) return true;
  LoadSet is_by_all = is;
  LoadSet due_by_all = due;
  NameEveryChunkAsAll(view.stored.chunks(), is_by_all);
  NameEveryChunkAsAll(view.stored.chunks(), due_by_all);
  if (is_by_all == due_by_all) return true;
  findings.Broken(Rule::kBoundedLoads, fmt::format("{} of {} are {}; due are {}", which,
                                                   StepName(view.commit.result.next->step),
                                                   Describe(is), Describe(due)));
  return false;
}

}  // namespace

void CheckMovement(const CommitView& view, Findings& findings) {
  findings.Evaluated(Rule::kBoundedLoads);
  const auto due = DueStep(view.commit.input);
  const auto& next = view.commit.result.next;
  if (due.has_value() != next.has_value() || (due && next->step != *due)) {
    findings.Broken(Rule::kBoundedLoads,
                    fmt::format("{} moves to {}; due is {}", StepName(view.commit.step()),
                                next ? StepName(next->step) : "the turn's end",
                                due ? StepName(*due) : "the turn's end"));
    return;
  }
  if (!next) return;
  if (view.legacy()) {
    const LoadSet three{.attributes = Bit(Name::kSummary) | Bit(Name::kSession),
                        .whole_maps = Bit(Name::kMessages)};
    CompareLoads(view, "loads", next->loads, three, findings);
    CompareLoads(view, "control loads", next->control_loads, three, findings);
    return;
  }
  // A control may come to any Step; it finds what RunModel would.
  const LoadSet run_model = RunModelSet(view);
  const bool by_run_model = *due != StepKind::kResumeTurn && *due != StepKind::kCompactContext;
  const LoadSet due_loads = by_run_model ? run_model : DueLoads(view, *due);
  const bool held = CompareLoads(view, "loads", next->loads, due_loads, findings);
  if (held && by_run_model && next->control_loads == next->loads) return;
  CompareLoads(view, "control loads", next->control_loads, run_model, findings);
}

}  // namespace rollover
