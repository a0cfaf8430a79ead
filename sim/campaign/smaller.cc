// Fewer operations, faults, rounds and tools: smaller in number. Simpler ones: simpler.cc.
#include "sim/campaign/smaller.h"

#include <algorithm>

#include "sim/scenario_parts.h"

namespace rollover {
namespace {

std::size_t Index(StepKind step) { return static_cast<std::size_t>(step); }

// How often each Step runs in a turn that nothing strikes.
using Occurrences = std::array<std::uint64_t, kStepKindCount>;

void CountRound(const Round& round, Occurrences& counts) {
  ++counts[Index(StepKind::kRunModel)];
  if (round.compact) {
    ++counts[Index(StepKind::kCompactContext)];
  } else if (!round.tools.empty()) {
    ++counts[Index(StepKind::kResumeTurn)];
  }
}

bool Completes(const Round& round) { return !round.compact && round.tools.empty(); }

void DropIdle(Turn& turn) {
  const auto last = std::find_if(turn.rounds.begin(), turn.rounds.end(), Completes);
  if (last != turn.rounds.end()) turn.rounds.erase(last + 1, turn.rounds.end());
}

// Turns by number, 1 .. n, as they are after an edit; 0: gone.
using Renumbering = std::vector<std::uint64_t>;

void MoveFaults(const Renumbering& turns, Scenario& scenario) {
  std::erase_if(scenario.faults, [&](Fault& fault) {
    if (fault.turn >= turns.size() || turns[fault.turn] == 0) return true;
    fault.turn = turns[fault.turn];
    return false;
  });
}

template <typename Gone>
void RemoveOperations(Scenario& scenario, Gone gone) {
  Renumbering turns(1, 0);
  std::uint64_t left = 0;
  std::vector<Operation> operations;
  for (std::size_t i = 0; i < scenario.operations.size(); ++i) {
    const bool is_turn = std::holds_alternative<Turn>(scenario.operations[i]);
    const bool goes = gone(i, scenario.operations[i]);
    if (is_turn) turns.push_back(goes ? 0 : ++left);
    if (!goes) operations.push_back(std::move(scenario.operations[i]));
  }
  scenario.operations = std::move(operations);
  MoveFaults(turns, scenario);
}

template <typename Kind>
void RemoveAll(Scenario& scenario) {
  RemoveOperations(scenario, [](std::size_t, const Operation& operation) {
    return std::holds_alternative<Kind>(operation);
  });
}

// The operations from one place up to another.
void RemoveRange(Scenario& scenario, std::size_t from, std::size_t end) {
  RemoveOperations(scenario, [=](std::size_t i, const Operation&) { return i >= from && i < end; });
}

// Starts the scenario with what was in force at the `until`-th operation.
void AdoptSettings(Scenario& scenario, std::size_t until) {
  const Settings settings = SettingsAfter(scenario, until);
  scenario.core = settings.core;
  scenario.options = settings.options;
}

// Small options of different proportions; compaction stays as it is.
constexpr std::array<Options, 5> kTiny = {{
    {1, 1, kChunkBytesFloor, 1, true},
    {2, 1, kChunkBytesFloor, 2, true},
    {2, 2, kChunkBytesFloor, 2, true},
    {4, 2, kChunkBytesFloor, 5, true},
    {6, 3, kChunkBytesFloor, 8, true},
}};

void MakeTiny(Scenario& scenario, const Options& tiny) {
  ForEachOptions(scenario, [&tiny](Options& options) {
    const bool compaction = options.compaction;
    options = tiny;
    options.compaction = compaction;
  });
}

// Joins `next` to a turn; `counts` are those of the joint turn. Returns how many Steps stand before
// those of `next`.
Occurrences Join(Turn& turn, Turn next, Occurrences& counts) {
  DropIdle(turn);
  if (turn.rounds.empty() || !Completes(turn.rounds.back())) {
    turn.rounds.emplace_back();
    ++counts[Index(StepKind::kRunModel)];
  }
  turn.rounds.back().tools.push_back(std::move(next.user));
  ++counts[Index(StepKind::kResumeTurn)];
  const Occurrences before = counts;
  DropIdle(next);
  for (Round& round : next.rounds) {
    CountRound(round, counts);
    turn.rounds.push_back(std::move(round));
  }
  return before;
}

void Fold(Scenario& scenario, std::size_t from, std::size_t size) {
  const std::size_t end = std::min(from + size, scenario.operations.size());
  std::vector<Operation> operations;
  std::vector<Fault> faults;
  Turn* joint = nullptr;
  Occurrences counts{};
  std::uint64_t old_turn = 0;
  std::uint64_t turn = 0;
  operations.reserve(scenario.operations.size());
  for (std::size_t i = 0; i < scenario.operations.size(); ++i) {
    auto* next = std::get_if<Turn>(&scenario.operations[i]);
    const bool inside = i >= from && i < end;
    if (next == nullptr) {
      if (!inside) operations.push_back(std::move(scenario.operations[i]));
      continue;
    }
    ++old_turn;
    Occurrences before{};
    const bool joins = inside && joint != nullptr;
    if (joins) {
      before = Join(*joint, std::move(*next), counts);
    } else {
      ++turn;
      operations.push_back(std::move(scenario.operations[i]));
      if (inside) {
        joint = &std::get<Turn>(operations.back());
        DropIdle(*joint);
        for (const Round& round : joint->rounds) CountRound(round, counts);
      }
    }
    for (Fault fault : scenario.faults) {
      if (fault.turn != old_turn) continue;
      fault.turn = turn;
      if (joins && fault.step == StepKind::kStartTurn) {
        fault.step = StepKind::kResumeTurn;
        fault.occurrence = before[Index(StepKind::kResumeTurn)];
      } else {
        fault.occurrence += before[Index(fault.step)];
      }
      if (CanHit(fault.kind, fault.step)) faults.push_back(std::move(fault));
    }
  }
  scenario.operations = std::move(operations);
  scenario.faults = std::move(faults);
}

// Takes one round out of a turn; faults on later Steps of its kinds move along.
void RemoveRound(Scenario& scenario, std::uint64_t number, Turn& turn, std::size_t at) {
  Occurrences before{};
  for (std::size_t r = 0; r < at; ++r) CountRound(turn.rounds[r], before);
  Occurrences own{};
  CountRound(turn.rounds[at], own);
  for (Fault& fault : scenario.faults) {
    const std::size_t step = Index(fault.step);
    if (fault.turn == number && own[step] > 0 && fault.occurrence > before[step] + 1) {
      --fault.occurrence;
    }
  }
  turn.rounds.erase(turn.rounds.begin() + static_cast<std::ptrdiff_t>(at));
}

// A round or tool result by its place in the whole scenario, the last first.
void RemoveRounds(Scenario& scenario, std::size_t from, std::size_t end) {
  std::uint64_t number = CountTurns(scenario);
  std::size_t place = CountRounds(scenario);
  for (std::size_t i = scenario.operations.size(); i-- > 0;) {
    auto* turn = std::get_if<Turn>(&scenario.operations[i]);
    if (turn == nullptr) continue;
    for (std::size_t r = turn->rounds.size(); r-- > 0;) {
      --place;
      if (place >= from && place < end) RemoveRound(scenario, number, *turn, r);
    }
    --number;
  }
}

void RemoveTools(Scenario& scenario, std::size_t from, std::size_t end) {
  std::size_t place = 0;
  ForEachTurn(scenario, [&](Turn& turn) {
    for (Round& round : turn.rounds) {
      std::vector<ContentSpec> kept;
      for (ContentSpec& tool : round.tools) {
        if (place < from || place >= end) kept.push_back(std::move(tool));
        ++place;
      }
      round.tools = std::move(kept);
    }
  });
}

// One edit for each block of `size` of `count` things.
template <typename Remove>
Edits Blocks(std::size_t count, std::size_t size, Remove remove) {
  Edits edits;
  for (std::size_t from = 0; from < count; from += size) {
    edits.push_back([from, end = std::min(from + size, count), remove](Scenario& scenario) {
      remove(scenario, from, end);
    });
  }
  return edits;
}

}  // namespace

Settings SettingsAfter(const Scenario& scenario, std::size_t operations) {
  Settings settings{.core = scenario.core, .options = scenario.options};
  // A core-swap that is not to 0.1.0 is to what ran last that was not it, whatever it names.
  CoreKind modern = CoreKind::kReference;
  const auto adopt = [&](CoreKind core) {
    settings.core = core;
    if (core != CoreKind::kLegacy) modern = core;
  };
  adopt(scenario.core);
  std::uint64_t turn = 0;
  for (std::size_t i = 0; i < operations; ++i) {
    if (const auto* restart = std::get_if<Restart>(&scenario.operations[i])) {
      if (restart->options) settings.options = *restart->options;
      if (restart->core) adopt(*restart->core);
    } else if (std::holds_alternative<Turn>(scenario.operations[i])) {
      ++turn;
      for (const Fault& fault : scenario.faults) {
        if (fault.turn != turn) continue;
        const bool compaction = settings.options.compaction;
        if (fault.kind == FaultKind::kOptionsChange) settings.options = fault.options;
        settings.options.compaction = compaction;
        if (fault.kind != FaultKind::kCoreSwap || fault.this_attempt_only) continue;
        adopt(fault.core == CoreKind::kLegacy ? CoreKind::kLegacy : modern);
      }
    }
  }
  return settings;
}

Edit WithoutOperation(std::size_t i) {
  return [i](Scenario& scenario) { RemoveRange(scenario, i, i + 1); };
}

Edit OperationLater(std::size_t i) {
  return [i](Scenario& scenario) {
    const auto is_turn = [](const Operation& each) { return std::holds_alternative<Turn>(each); };
    const auto at = scenario.operations.begin() + static_cast<std::ptrdiff_t>(i);
    const bool both = is_turn(*at) && is_turn(*(at + 1));
    std::iter_swap(at, at + 1);
    if (!both) return;
    const auto turn =
        static_cast<std::uint64_t>(std::count_if(scenario.operations.begin(), at + 1, is_turn));
    for (Fault& fault : scenario.faults) {
      if (fault.turn == turn) {
        ++fault.turn;
      } else if (fault.turn == turn + 1) {
        --fault.turn;
      }
    }
  };
}

std::uint64_t CountRounds(const Scenario& scenario) {
  std::uint64_t rounds = 0;
  for (const Operation& operation : scenario.operations) {
    if (const auto* turn = std::get_if<Turn>(&operation)) rounds += turn->rounds.size();
  }
  return rounds;
}

std::uint64_t CountTools(const Scenario& scenario) {
  std::uint64_t tools = 0;
  for (const Operation& operation : scenario.operations) {
    const auto* turn = std::get_if<Turn>(&operation);
    if (turn == nullptr) continue;
    for (const Round& round : turn->rounds) tools += round.tools.size();
  }
  return tools;
}

void DropIdleRounds(Scenario& scenario) { ForEachTurn(scenario, DropIdle); }

Edits Tails(const Scenario& scenario) {
  Edits edits;
  const std::size_t all = scenario.operations.size();
  const auto keep_last = [all](Scenario& smaller, std::size_t count) {
    AdoptSettings(smaller, all - count);
    RemoveRange(smaller, 0, all - count);
  };
  for (std::size_t count = 1; count < all && count <= 64; count *= 2) {
    edits.push_back([=](Scenario& smaller) { keep_last(smaller, count); });
    for (const Options& tiny : kTiny) {
      edits.push_back([=](Scenario& smaller) {
        keep_last(smaller, count);
        MakeTiny(smaller, tiny);
      });
    }
  }
  return edits;
}

Edits WholeKinds(const Scenario& scenario) {
  Edits edits;
  for (const Options& tiny : kTiny) {
    edits.push_back([&tiny](Scenario& smaller) { MakeTiny(smaller, tiny); });
    edits.push_back([&tiny](Scenario& smaller) {
      ForEachOptions(smaller, [&tiny](Options& options) {
        options.message_window_size = tiny.message_window_size;
        options.message_chunk_size = tiny.message_chunk_size;
      });
    });
  }
  edits.push_back([](Scenario& smaller) { smaller.faults.clear(); });
  for (std::size_t k = 0; k < kFaultKindCount; ++k) {
    const auto kind = static_cast<FaultKind>(k);
    const auto is_kind = [kind](const Fault& fault) { return fault.kind == kind; };
    if (std::none_of(scenario.faults.begin(), scenario.faults.end(), is_kind)) continue;
    edits.push_back([=](Scenario& smaller) { std::erase_if(smaller.faults, is_kind); });
    edits.push_back([=](Scenario& smaller) {
      std::erase_if(smaller.faults, [=](const Fault& fault) { return !is_kind(fault); });
    });
  }
  edits.push_back(RemoveAll<Read>);
  edits.push_back(RemoveAll<Restart>);
  edits.push_back(RemoveAll<ChangeLimits>);
  edits.push_back(
      [](Scenario& smaller) { ForEachTurn(smaller, [](Turn& turn) { turn.rounds.clear(); }); });
  edits.push_back([](Scenario& smaller) {
    ForEachTurn(smaller, [](Turn& turn) {
      std::erase_if(turn.rounds, [](const Round& round) { return !round.compact; });
    });
  });
  edits.push_back([](Scenario& smaller) {
    ForEachTurn(smaller, [](Turn& turn) {
      for (Round& round : turn.rounds) round.tools.clear();
    });
  });
  edits.push_back([](Scenario& smaller) {
    ForEachTurn(smaller, [](Turn& turn) {
      std::erase_if(turn.rounds, [](const Round& round) { return round.compact; });
    });
  });
  edits.push_back([](Scenario& smaller) {
    ForEachContent(smaller, [](ContentSpec& spec) { spec = ContentSpec{}; });
  });
  return edits;
}

Edits OperationBlocks(const Scenario& scenario, std::size_t size) {
  Edits edits;
  const std::size_t all = scenario.operations.size();
  for (std::size_t from = 0; from < all; from += size) {
    const auto remove = [=](Scenario& smaller) { RemoveRange(smaller, from, from + size); };
    if (from == 0 && size < all) {
      edits.push_back([=](Scenario& smaller) {
        AdoptSettings(smaller, size);
        remove(smaller);
      });
    }
    edits.push_back(remove);
  }
  return edits;
}

Edits OperationPairs(const Scenario& scenario) {
  Edits edits;
  const std::size_t all = scenario.operations.size();
  for (std::size_t a = 0; a < all; ++a) {
    for (std::size_t b = a + 2; b < all; ++b) {
      edits.push_back([a, b](Scenario& smaller) {
        RemoveRange(smaller, b, b + 1);
        RemoveRange(smaller, a, a + 1);
      });
    }
  }
  return edits;
}

Edits Folds(const Scenario& scenario, std::size_t size) {
  Edits edits;
  const std::size_t step = size > 4 ? size : 1;
  for (std::size_t from = 0; from + 1 < scenario.operations.size(); from += step) {
    edits.push_back([from, size](Scenario& smaller) { Fold(smaller, from, size); });
  }
  return edits;
}

Edits FaultBlocks(const Scenario& scenario, std::size_t size) {
  return Blocks(scenario.faults.size(), size,
                [](Scenario& smaller, std::size_t from, std::size_t end) {
                  const auto begin = smaller.faults.begin();
                  smaller.faults.erase(begin + static_cast<std::ptrdiff_t>(from),
                                       begin + static_cast<std::ptrdiff_t>(end));
                });
}

Edits RoundBlocks(const Scenario& scenario, std::size_t size) {
  return Blocks(CountRounds(scenario), size, RemoveRounds);
}

Edits ToolBlocks(const Scenario& scenario, std::size_t size) {
  return Blocks(CountTools(scenario), size, RemoveTools);
}

}  // namespace rollover
