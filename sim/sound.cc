#include "sim/sound.h"

#include <algorithm>

#include "sim/scenario_parts.h"

namespace rollover {
namespace {

// A message's fields around its content, generously: roles, a turn id, 20 digits.
constexpr std::uint64_t kHeaderBytesMax = 128;
// An index range, generously; the small values of a commit, generously.
constexpr std::uint64_t kRangeBytesMax = 64;
constexpr std::uint64_t kSmallValuesBytes = 4096;

bool EverLegacy(const Scenario& scenario) {
  const auto restarts = [](const Operation& operation) {
    const auto* restart = std::get_if<Restart>(&operation);
    return restart != nullptr && restart->core == CoreKind::kLegacy;
  };
  const auto swaps = [](const Fault& fault) {
    return fault.kind == FaultKind::kCoreSwap && fault.core == CoreKind::kLegacy;
  };
  return scenario.core == CoreKind::kLegacy ||
         std::any_of(scenario.operations.begin(), scenario.operations.end(), restarts) ||
         std::any_of(scenario.faults.begin(), scenario.faults.end(), swaps);
}

bool AtValueLimit(const Scenario& scenario) {
  bool found = false;
  ForEachContent(scenario, [&](const ContentSpec& spec) {
    found = found || (spec.kind == ContentSpec::Kind::kFill && spec.base == SizeBase::kLimit);
  });
  return found;
}

struct Extent {
  std::uint64_t cap = 0;             // largest message_chunk_max_bytes
  std::uint64_t alone = 0;           // largest message that may be stored, in a chunk of its own
  std::uint64_t messages = 0;        // in the whole session
  std::uint64_t stored_at_once = 1;  // by one commit
  std::uint64_t chunks_moved = 1;    // by one commit
  std::uint64_t moved_bytes = 0;     // of several of them
};

void Widen(const ContentSpec& spec, std::uint64_t value_limit_max, Extent& extent) {
  const std::uint64_t bytes =
      ContentBytesAtMost(spec, extent.cap, value_limit_max) + kHeaderBytesMax;
  extent.alone = std::max(extent.alone, bytes);
  ++extent.messages;
}

}  // namespace

SoundLimits SoundLimitsOf(const Scenario& scenario, std::uint64_t value_limit_max) {
  Extent extent;
  ForEachOptions(scenario, [&](const Options& options) {
    extent.cap = std::max(extent.cap, options.chunk_cap());
    extent.chunks_moved = std::max(extent.chunks_moved, options.commit_chunks_max);
    extent.moved_bytes = std::max(extent.moved_bytes, options.commit_moved_max_bytes);
  });
  ForEachContent(scenario, [&](const ContentSpec& spec) { Widen(spec, value_limit_max, extent); });
  ForEachTurn(scenario, [&](const Turn& turn) {
    for (const Round& round : turn.rounds) {
      extent.stored_at_once = std::max<std::uint64_t>(extent.stored_at_once, round.tools.size());
      extent.alone =
          std::max<std::uint64_t>(extent.alone, 6 * round.summary.size() + kHeaderBytesMax);
    }
  });
  const std::uint64_t quiet = 64;  // turns of the quiet phase, and default replies
  const std::uint64_t index = kSmallValuesBytes + kRangeBytesMax * (extent.messages + quiet);
  // With contents sized by the limit itself, what is over it is refused and never stored.
  const std::uint64_t alone = value_limit_max == 0
                                  ? extent.alone
                                  : std::min(value_limit_max, kContentBytesMax + kHeaderBytesMax);
  SoundLimits sound;
  sound.value_bytes = std::max({extent.cap, index, value_limit_max == 0 ? extent.alone : 0});
  const std::uint64_t largest = std::max(extent.cap, alone);
  sound.result_bytes = std::min(extent.moved_bytes, extent.chunks_moved * largest) + largest +
                       extent.stored_at_once * (std::max(extent.alone, alone) + kRangeBytesMax) +
                       index;
  return sound;
}

namespace {

// Calls with each setting of one of the two limits (kValueLimit, kResultLimit), in the order:
// first, between turns, by faults.
template <typename Visit>
void ForEachLimit(Scenario& scenario, FaultKind limit, Visit visit) {
  const bool value = limit == FaultKind::kValueLimit;
  visit(value ? scenario.limits.max_value_bytes : scenario.limits.max_result_bytes);
  for (Operation& operation : scenario.operations) {
    auto* change = std::get_if<ChangeLimits>(&operation);
    if (change != nullptr) visit(value ? change->max_value_bytes : change->max_result_bytes);
  }
  for (Fault& fault : scenario.faults) {
    if (fault.kind == limit) visit(fault.bytes);
  }
}

void RaiseLimits(Scenario& scenario, FaultKind limit, std::uint64_t least) {
  ForEachLimit(scenario, limit, [=](std::uint64_t& bytes) { bytes = std::max(bytes, least); });
}

// The limit never refuses what it has let in: with contents at the limit it only rises. Returns the
// highest. Of several faults of a turn, which one strikes first is not known here, so they are all
// as high as the highest.
std::uint64_t LetValueLimitsRise(Scenario& scenario) {
  std::uint64_t value = scenario.limits.max_value_bytes;
  std::uint64_t turn = 0;
  for (Operation& operation : scenario.operations) {
    if (auto* change = std::get_if<ChangeLimits>(&operation)) {
      value = change->max_value_bytes = std::max(value, change->max_value_bytes);
    }
    if (!std::holds_alternative<Turn>(operation)) continue;
    ++turn;
    const auto changes = [turn](const Fault& fault) {
      return fault.turn == turn && fault.kind == FaultKind::kValueLimit;
    };
    for (const Fault& fault : scenario.faults) {
      if (changes(fault)) value = std::max(value, fault.bytes);
    }
    for (Fault& fault : scenario.faults) {
      if (changes(fault)) fault.bytes = value;
    }
  }
  return value;
}

}  // namespace

Scenario MakeSound(Scenario scenario) {
  bool at_value_limit = AtValueLimit(scenario);
  if (at_value_limit && EverLegacy(scenario)) {
    // 0.1.0 stores a message bare, so one at the limit would never fit a chunk after the upgrade.
    ForEachContent(scenario, [](ContentSpec& spec) {
      if (spec.base == SizeBase::kLimit) spec.base = SizeBase::kCap;
    });
    at_value_limit = false;
  }
  RaiseLimits(scenario, FaultKind::kValueLimit,
              SoundLimitsOf(scenario, at_value_limit ? 1 : 0).value_bytes);
  const std::uint64_t value_max = at_value_limit ? LetValueLimitsRise(scenario) : 0;
  RaiseLimits(scenario, FaultKind::kResultLimit, SoundLimitsOf(scenario, value_max).result_bytes);
  Limits& limits = scenario.limits;
  limits.max_flow_state_bytes =
      std::max(limits.max_flow_state_bytes, Limits{}.max_flow_state_bytes);
  return scenario;
}

void LimitContents(Scenario& scenario, std::uint64_t bytes) {
  // Above every chunk cap, and every value limit, of the scenario.
  const std::uint64_t cap_max = SoundLimitsOf(scenario, 1).value_bytes;
  std::uint64_t limit_max = 0;
  ForEachLimit(scenario, FaultKind::kValueLimit,
               [&](std::uint64_t set) { limit_max = std::max(limit_max, set); });
  std::uint64_t left = bytes;
  ForEachContent(scenario, [&](ContentSpec& spec) {
    const std::uint64_t most = ContentBytesAtMost(spec, cap_max, limit_max);
    if (most <= left) {
      left -= most;
    } else {
      spec = ContentSpec{.fill = spec.fill};
    }
  });
}

}  // namespace rollover
