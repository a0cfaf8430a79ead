// bounded-loads: where a turn goes next, and which keys that Step may load.
#include <fmt/format.h>

#include <algorithm>

#include "model/rules/commit_view.h"

namespace rollover {
namespace {

// A load list in canonical form, so that order does not matter and repetition does.
struct LoadSet {
  std::vector<Name> attributes;  // ascending
  std::vector<Name> whole_maps;  // ascending
  std::vector<Key> chunks;       // ascending
  bool odd = false;              // something repeated, or a key where none belongs

  friend bool operator==(const LoadSet&, const LoadSet&) = default;
};

LoadSet Canonical(const std::vector<Load>& loads) {
  LoadSet set;
  for (const Load& load : loads) {
    if (!IsMap(load.name)) {
      set.attributes.push_back(load.name);
      set.odd = set.odd || load.all || load.key != 0;
    } else if (load.all) {
      set.whole_maps.push_back(load.name);
    } else {
      set.chunks.push_back(load.key);
      set.odd = set.odd || load.name != Name::kChunks;
    }
  }
  const auto sort = [&set](auto& list) {
    std::sort(list.begin(), list.end());
    set.odd = set.odd || std::adjacent_find(list.begin(), list.end()) != list.end();
  };
  sort(set.attributes);
  sort(set.whole_maps);
  sort(set.chunks);
  return set;
}

// "All chunks" and a list of every kept chunk name the same values: nothing commits in between.
void NameEveryChunkAsAll(const InstanceMap& stored, LoadSet& set) {
  const auto& maps = set.whole_maps;
  if (std::find(maps.begin(), maps.end(), Name::kChunks) != maps.end()) return;
  if (set.chunks.size() != stored.size()) return;
  const bool every = std::equal(set.chunks.begin(), set.chunks.end(), stored.begin(),
                                [](Key key, const auto& instance) { return key == instance.key; });
  if (!every) return;
  set.chunks.clear();
  set.whole_maps.push_back(Name::kChunks);
  std::sort(set.whole_maps.begin(), set.whole_maps.end());
}

LoadSet SessionAndWindow() {
  return {{Name::kIndex, Name::kSummary, Name::kSession}, {Name::kMessages}, {}, false};
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
  set.attributes = {Name::kIndex, Name::kTurnReply, Name::kSummary, Name::kSession};
  if (!view.commit.compaction()) {
    set.whole_maps.insert(set.whole_maps.end(), Name::kChunks);
    std::sort(set.whole_maps.begin(), set.whole_maps.end());
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

LoadSet DueLoads(const CommitView& view, StepKind next) {
  if (next == StepKind::kResumeTurn) return SessionAndWindow();
  if (next != StepKind::kCompactContext) return RunModelSet(view);
  LoadSet set = SessionAndWindow();
  const auto* model = std::get_if<RunModel>(&view.commit.input);
  AddChunks(view, view.summary_after.last_sequence, model->compact_through, set);
  return set;
}

std::string Describe(const LoadSet& set) {
  std::string text;
  for (const Name name : set.attributes) text += fmt::format("{} ", NameText(name));
  for (const Name name : set.whole_maps) text += fmt::format("{}(all) ", NameText(name));
  for (const Key key : set.chunks) text += fmt::format("chunk {} ", key);
  if (!text.empty()) text.pop_back();
  return set.odd ? text + " (with repetitions or stray keys)" : text;
}

void CompareLoads(const CommitView& view, const char* which, const std::vector<Load>& listed,
                  const LoadSet& due, Findings& findings) {
  const LoadSet is = Canonical(listed);
  if (is == due) return;
  LoadSet is_by_all = is;
  LoadSet due_by_all = due;
  NameEveryChunkAsAll(view.stored.chunks(), is_by_all);
  NameEveryChunkAsAll(view.stored.chunks(), due_by_all);
  if (is_by_all == due_by_all) return;
  findings.Broken(Rule::kBoundedLoads, fmt::format("{} of {} are {}; due are {}", which,
                                                   StepName(view.commit.result.next->step),
                                                   Describe(is), Describe(due)));
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
    const LoadSet three{{Name::kSummary, Name::kSession}, {Name::kMessages}, {}, false};
    CompareLoads(view, "loads", next->loads, three, findings);
    CompareLoads(view, "control loads", next->control_loads, three, findings);
    return;
  }
  CompareLoads(view, "loads", next->loads, DueLoads(view, *due), findings);
  CompareLoads(view, "control loads", next->control_loads, RunModelSet(view), findings);
}

}  // namespace rollover
