// Simpler settings, faults, contents and reads: the same number of things, each nearer to the
// simplest of its kind. And what "simple" is worth, in numbers.
#include <algorithm>

#include "model/json_text.h"
#include "sim/campaign/smaller.h"
#include "sim/scenario_parts.h"

namespace rollover {
namespace {

std::uint64_t OptionsDistance(const Options& options) {
  return options.message_window_size + options.message_chunk_size +
         options.message_chunk_max_bytes / kChunkBytesFloor +
         options.retained_message_limit.value_or(0) + (options.compaction ? 0 : 1);
}

std::uint64_t LimitsDistance(const Limits& limits) {
  const Limits none;
  return (limits.max_value_bytes == none.max_value_bytes ? 0u : 1u) +
         (limits.max_result_bytes == none.max_result_bytes ? 0u : 1u) +
         (limits.max_flow_state_bytes == none.max_flow_state_bytes ? 0u : 1u) +
         (limits.history_commits == none.history_commits ? 0u : 1u) +
         (limits.durability == none.durability ? 0u : 1u);
}

std::uint64_t Distance(const ContentSpec& spec, std::uint64_t cap, std::uint64_t limit) {
  if (spec == ContentSpec{}) return 0;
  std::uint64_t distance = 1 + ContentBytesAtMost(spec, cap, limit);
  if (spec.kind != ContentSpec::Kind::kFill) return distance + 2;
  if (spec.fill != Fill::kAscii) ++distance;
  if (spec.base != SizeBase::kBytes) ++distance;
  return distance;
}

std::uint64_t Distance(const std::optional<Anchor>& anchor) {
  if (!anchor) return 0;
  const auto offset = static_cast<std::uint64_t>(anchor->offset);  // the lowest has no negative
  return 1 + static_cast<std::uint64_t>(anchor->place) + anchor->chunk +
         (anchor->offset < 0 ? 0 - offset : offset);
}

std::uint64_t Distance(const Read& read) {
  return (read.rpc == Rpc::kGetAgentSnapshot ? 0u : 1u) + Distance(read.after) +
         Distance(read.before) + (read.limit == kPageMessagesMax ? 0u : 1u);
}

// Kinds stand from the plainest to the strangest, so a lower one is a simpler story.
std::uint64_t Distance(const Fault& fault) {
  return static_cast<std::uint64_t>(fault.kind) + fault.occurrence + fault.attempt +
         static_cast<std::uint64_t>(fault.at) + static_cast<std::uint64_t>(fault.late) +
         fault.entries + fault.commits + (fault.retryable ? 1 : 0) +
         (fault.this_attempt_only ? 1 : 0) + static_cast<std::uint64_t>(fault.core) +
         fault.bytes / kKibibyte + Distance(fault.read);
}

std::uint64_t LargestCap(const Scenario& scenario) {
  std::uint64_t cap = 0;
  ForEachOptions(scenario, [&cap](const Options& options) {
    cap = std::max(cap, options.message_chunk_max_bytes);
  });
  return cap;
}

void AddTurn(const Turn& turn, std::uint64_t cap, std::uint64_t limit, ScenarioSize& size) {
  size.content_bytes += Distance(turn.user, cap, limit);
  for (const Round& round : turn.rounds) {
    size.rounds += 1 + round.tools.size();
    size.content_bytes += Distance(round.reply, cap, limit) + round.summary.size();
    for (const ContentSpec& tool : round.tools) size.content_bytes += Distance(tool, cap, limit);
    size.details += round.keep;
  }
}

// The numbers from `low` up to below `value`, the boldest first, the last one a step down.
std::vector<std::uint64_t> Below(std::uint64_t value, std::uint64_t low) {
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t down = value > low ? value - low : 0; down > 0; down /= 2) {
    numbers.push_back(value - down);
  }
  return numbers;
}

// The `place`-th option set of the scenario, in the order of ForEachOptions.
Options* OptionsAt(Scenario& scenario, std::size_t place) {
  Options* found = nullptr;
  ForEachOptions(scenario, [&](Options& options) {
    if (place-- == 0) found = &options;
  });
  return found;
}

template <typename Change>
void AddOptionsEdit(Edits& edits, std::size_t place, Change change) {
  edits.push_back([place, change](Scenario& smaller) { change(*OptionsAt(smaller, place)); });
}

void AddOptionsEdits(Edits& edits, std::size_t place, const Options& is) {
  for (const std::uint64_t size : Below(is.message_window_size, 1)) {
    AddOptionsEdit(edits, place, [size](Options& options) {
      options.message_window_size = size;
      options.message_chunk_size = std::min(options.message_chunk_size, size);
    });
  }
  for (const std::uint64_t size : Below(is.message_chunk_size, 1)) {
    AddOptionsEdit(edits, place, [size](Options& options) { options.message_chunk_size = size; });
  }
  for (const std::uint64_t cap : Below(is.message_chunk_max_bytes, kChunkBytesFloor)) {
    AddOptionsEdit(edits, place,
                   [cap](Options& options) { options.message_chunk_max_bytes = cap; });
  }
  if (is.retained_message_limit) {
    AddOptionsEdit(edits, place, [](Options& options) { options.retained_message_limit.reset(); });
    for (const std::uint64_t limit : Below(*is.retained_message_limit, 1)) {
      AddOptionsEdit(edits, place,
                     [limit](Options& options) { options.retained_message_limit = limit; });
    }
  }
  if (!is.compaction) {
    AddOptionsEdit(edits, place, [](Options& options) { options.compaction = true; });
  }
}

template <typename Kind>
Edit At(std::size_t place, const std::function<void(Kind&)>& change) {
  return [place, change](Scenario& smaller) { change(std::get<Kind>(smaller.operations[place])); };
}

// The `place`-th content of the scenario, in the order of ForEachContent.
ContentSpec* ContentAt(Scenario& scenario, std::size_t place) {
  ContentSpec* found = nullptr;
  ForEachContent(scenario, [&](ContentSpec& spec) {
    if (place-- == 0) found = &spec;
  });
  return found;
}

std::vector<ContentSpec> Simpler(const ContentSpec& spec) {
  std::vector<ContentSpec> specs = {ContentSpec{}};
  if (spec.kind != ContentSpec::Kind::kFill) {
    // An upper bound without sizes that these kinds refer to: exact for them.
    const auto bytes = static_cast<std::int64_t>(ContentBytesAtMost(spec, 0, 0));
    specs.push_back({.amount = bytes});
    ContentSpec half = spec;
    half.text.resize(half.text.size() / 2);
    if (spec.kind == ContentSpec::Kind::kText && half.text.size() < spec.text.size()) {
      while (!ValidUtf8(half.text)) half.text.pop_back();
      specs.push_back(std::move(half));
    }
    return specs;
  }
  const auto changed = [&specs, &spec](const std::function<void(ContentSpec&)>& change) {
    ContentSpec other = spec;
    change(other);
    specs.push_back(std::move(other));
  };
  if (spec.fill != Fill::kAscii) changed([](ContentSpec& other) { other.fill = Fill::kAscii; });
  changed([](ContentSpec& other) {
    other.base = SizeBase::kBytes;
    other.amount = 2;
  });
  if (spec.base == SizeBase::kCap || spec.base == SizeBase::kLimit) {
    changed([](ContentSpec& other) { other.amount = 0; });
    return specs;
  }
  for (const std::uint64_t bytes :
       Below(static_cast<std::uint64_t>(std::max<std::int64_t>(spec.amount, 0)), 2)) {
    changed([bytes](ContentSpec& other) { other.amount = static_cast<std::int64_t>(bytes); });
  }
  return specs;
}

void AddRoundEdits(Edits& edits, std::size_t place, const Turn& turn) {
  for (std::size_t r = 0; r < turn.rounds.size(); ++r) {
    const Round& round = turn.rounds[r];
    if (!round.summary.empty()) {
      edits.push_back(At<Turn>(place, [r](Turn& other) { other.rounds[r].summary.clear(); }));
    }
    for (const std::uint64_t keep : Below(round.keep, 0)) {
      edits.push_back(At<Turn>(place, [=](Turn& other) { other.rounds[r].keep = keep; }));
    }
  }
}

std::vector<Read> Simpler(const Read& read) {
  std::vector<Read> reads;
  const auto changed = [&reads, &read](const std::function<void(Read&)>& change) {
    Read other = read;
    change(other);
    reads.push_back(other);
  };
  changed([](Read& other) { other = Read{}; });
  changed([](Read& other) { other.limit = kPageMessagesMax; });
  for (std::optional<Anchor> Read::*anchor : {&Read::after, &Read::before}) {
    if (!(read.*anchor)) continue;
    changed([=](Read& other) { (other.*anchor).reset(); });
    changed([=](Read& other) { other.*anchor = Anchor{}; });
    changed([=](Read& other) { (other.*anchor)->chunk = 0; });
    changed([=](Read& other) { (other.*anchor)->offset = 0; });
    changed([=](Read& other) { (other.*anchor)->offset /= 2; });
    for (std::size_t p = 0; p < static_cast<std::size_t>((read.*anchor)->place); ++p) {
      changed([=](Read& other) { (other.*anchor)->place = static_cast<AnchorPlace>(p); });
    }
  }
  return reads;
}

void AddFaultEdits(Edits& edits, std::size_t place, const Fault& is) {
  const auto changed = [&edits, place](const std::function<void(Fault&)>& change) {
    edits.push_back([=](Scenario& smaller) { change(smaller.faults[place]); });
  };
  for (const FaultKind kind :
       {FaultKind::kKillBeforeLoad, FaultKind::kKillInHandler, FaultKind::kKillBeforeCommit,
        FaultKind::kKillMidCommit, FaultKind::kKillAfterCommit}) {
    if (kind >= is.kind) break;
    changed([kind](Fault& fault) {
      fault = Fault{.kind = kind,
                    .turn = fault.turn,
                    .step = fault.step,
                    .occurrence = fault.occurrence,
                    .attempt = fault.attempt};
    });
  }
  for (const std::uint64_t n : Below(is.attempt, 1)) changed([n](Fault& f) { f.attempt = n; });
  for (const std::uint64_t n : Below(is.occurrence, 1))
    changed([n](Fault& f) { f.occurrence = n; });
  for (const std::uint64_t n : Below(is.entries, 0)) changed([n](Fault& f) { f.entries = n; });
  for (const std::uint64_t n : Below(is.commits, 0)) changed([n](Fault& f) { f.commits = n; });
  for (const std::uint64_t n : Below(is.bytes, 1)) changed([n](Fault& f) { f.bytes = n; });
  changed([](Fault& fault) { fault.late = Late::kNever; });
  changed([](Fault& fault) { fault.retryable = false; });
  changed([](Fault& fault) { fault.this_attempt_only = false; });
  changed([](Fault& fault) { fault.core = CoreKind::kReference; });
  for (std::size_t p = 0; p < static_cast<std::size_t>(is.at); ++p) {
    changed([p](Fault& fault) { fault.at = static_cast<Point>(p); });
  }
  if (is.kind != FaultKind::kReadRace) return;
  for (const Read& read : Simpler(is.read)) changed([read](Fault& fault) { fault.read = read; });
}

}  // namespace

ScenarioSize SizeOf(const Scenario& scenario) {
  ScenarioSize size{.operations = scenario.operations.size(), .faults = scenario.faults.size()};
  const std::uint64_t cap = LargestCap(scenario);
  const std::uint64_t limit = scenario.limits.max_value_bytes;
  size.settings = OptionsDistance(scenario.options) + LimitsDistance(scenario.limits) +
                  static_cast<std::uint64_t>(scenario.core);
  for (const Operation& operation : scenario.operations) {
    if (const auto* turn = std::get_if<Turn>(&operation)) {
      AddTurn(*turn, cap, limit, size);
    } else if (const auto* read = std::get_if<Read>(&operation)) {
      size.details += Distance(*read);
    } else if (const auto* restart = std::get_if<Restart>(&operation)) {
      if (restart->options) size.settings += 1 + OptionsDistance(*restart->options);
      if (restart->core) size.settings += 1 + static_cast<std::uint64_t>(*restart->core);
    }
  }
  for (const Fault& fault : scenario.faults) {
    size.details += Distance(fault);
    if (fault.kind == FaultKind::kOptionsChange) size.settings += OptionsDistance(fault.options);
  }
  return size;
}

Edits SimplerSettings(const Scenario& scenario) {
  Edits edits;
  edits.push_back([](Scenario& smaller) { smaller.limits = Limits{}; });
  edits.push_back([](Scenario& smaller) { smaller.limits.durability = Durability::kSync; });
  edits.push_back(
      [](Scenario& smaller) { smaller.limits = Limits{.durability = smaller.limits.durability}; });
  for (std::size_t core = 0; core < static_cast<std::size_t>(scenario.core); ++core) {
    edits.push_back([core](Scenario& smaller) { smaller.core = static_cast<CoreKind>(core); });
  }
  for (std::size_t i = 0; i < scenario.operations.size(); ++i) {
    const auto* restart = std::get_if<Restart>(&scenario.operations[i]);
    if (restart == nullptr) continue;
    edits.push_back(At<Restart>(i, [](Restart& other) { other.options.reset(); }));
    edits.push_back(At<Restart>(i, [](Restart& other) { other.core.reset(); }));
    edits.push_back(At<Restart>(i, [](Restart& other) {
      if (other.core) other.core = CoreKind::kReference;
    }));
  }
  std::size_t place = 0;
  ForEachOptions(scenario,
                 [&](const Options& options) { AddOptionsEdits(edits, place++, options); });
  return edits;
}

Edits SimplerFaults(const Scenario& scenario) {
  Edits edits;
  for (std::size_t i = 0; i < scenario.faults.size(); ++i) {
    AddFaultEdits(edits, i, scenario.faults[i]);
  }
  return edits;
}

Edits SimplerContents(const Scenario& scenario) {
  Edits edits;
  std::size_t place = 0;
  ForEachContent(scenario, [&](const ContentSpec& is) {
    const std::size_t here = place++;
    if (is == ContentSpec{}) return;
    for (const ContentSpec& spec : Simpler(is)) {
      edits.push_back([=](Scenario& smaller) { *ContentAt(smaller, here) = spec; });
    }
  });
  for (std::size_t i = 0; i < scenario.operations.size(); ++i) {
    if (const auto* turn = std::get_if<Turn>(&scenario.operations[i])) {
      AddRoundEdits(edits, i, *turn);
    }
  }
  return edits;
}

Edits SimplerReads(const Scenario& scenario) {
  Edits edits;
  for (std::size_t i = 0; i < scenario.operations.size(); ++i) {
    const auto* is = std::get_if<Read>(&scenario.operations[i]);
    if (is == nullptr) continue;
    for (const Read& read : Simpler(*is)) {
      edits.push_back(At<Read>(i, [read](Read& other) { other = read; }));
    }
  }
  return edits;
}

Edits DefaultSettings(const Scenario&) {
  Edits edits;
  const auto changed = [&edits](void (*change)(Options&, const Options&)) {
    edits.push_back([change](Scenario& smaller) { change(smaller.options, Options{}); });
  };
  changed([](Options& options, const Options& other) { options = other; });
  changed([](Options& options, const Options& other) {
    options.message_window_size = other.message_window_size;
    options.message_chunk_size = other.message_chunk_size;
  });
  changed([](Options& options, const Options& other) {
    options.message_chunk_max_bytes = other.message_chunk_max_bytes;
  });
  changed([](Options& options, const Options& other) {
    options.retained_message_limit = other.retained_message_limit;
  });
  return edits;
}

}  // namespace rollover
