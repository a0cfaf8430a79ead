#include "properties/simpler.h"

#include <algorithm>

namespace rollover {
namespace {

// Without one of the elements, for each of them; the last goes first.
template <typename T, typename Take>
void WithoutEach(const std::vector<T>& elements, Take take) {
  for (std::size_t i = elements.size(); i > 0; --i) {
    std::vector<T> fewer = elements;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i - 1));
    take(std::move(fewer));
  }
}

std::vector<Round> Simpler(const Round& round) {
  std::vector<Round> simpler;
  WithoutEach(round.tools, [&](std::vector<ContentSpec> tools) {
    simpler.push_back(round);
    simpler.back().tools = std::move(tools);
  });
  for (const ContentSpec& reply : Simpler(round.reply)) {
    simpler.push_back(round);
    simpler.back().reply = reply;
  }
  for (std::size_t i = 0; i < round.tools.size(); ++i) {
    for (const ContentSpec& tool : Simpler(round.tools[i])) {
      simpler.push_back(round);
      simpler.back().tools[i] = tool;
    }
  }
  if (round.keep > 0) {
    simpler.push_back(round);
    simpler.back().keep /= 2;
  }
  if (!round.summary.empty()) {
    simpler.push_back(round);
    simpler.back().summary.clear();
  }
  return simpler;
}

std::vector<Turn> Simpler(const Turn& turn) {
  std::vector<Turn> simpler;
  WithoutEach(turn.rounds, [&](std::vector<Round> rounds) {
    simpler.push_back({turn.user, std::move(rounds)});
  });
  for (const ContentSpec& user : Simpler(turn.user)) simpler.push_back({user, turn.rounds});
  for (std::size_t i = 0; i < turn.rounds.size(); ++i) {
    for (Round& round : Simpler(turn.rounds[i])) {
      simpler.push_back(turn);
      simpler.back().rounds[i] = std::move(round);
    }
  }
  return simpler;
}

std::vector<Restart> Simpler(const Restart& restart) {
  std::vector<Restart> simpler;
  if (restart.core) simpler.push_back({restart.options, std::nullopt});
  if (!restart.options) return simpler;
  simpler.push_back({std::nullopt, restart.core});
  for (const Options& options : Simpler(*restart.options)) {
    simpler.push_back({options, restart.core});
  }
  return simpler;
}

}  // namespace

std::vector<Options> Simpler(const Options& options) {
  std::vector<Options> simpler;
  const auto with = [&](auto change) {
    Options other = options;
    change(other);
    other.message_chunk_size = std::min(other.message_chunk_size, other.message_window_size);
    if (!(other == options)) simpler.push_back(other);
  };
  with([](Options& o) { o.message_chunk_max_bytes = kChunkBytesFloor; });
  with([](Options& o) { o.retained_message_limit.reset(); });
  with([](Options& o) { o.compaction = true; });
  with([](Options& o) { o.message_window_size = (o.message_window_size + 1) / 2; });
  with([](Options& o) { o.message_window_size -= o.message_window_size > 1 ? 1 : 0; });
  with([](Options& o) { o.message_chunk_size = (o.message_chunk_size + 1) / 2; });
  with([](Options& o) { o.message_chunk_size -= o.message_chunk_size > 1 ? 1 : 0; });
  if (options.retained_message_limit > 0) with([](Options& o) { *o.retained_message_limit /= 2; });
  return simpler;
}

std::vector<ContentSpec> Simpler(const ContentSpec& spec) {
  if (spec == ContentSpec{}) return {};
  std::vector<ContentSpec> simpler = {ContentSpec{}};
  if (spec.kind != ContentSpec::Kind::kFill) return simpler;
  const auto with = [&](Fill fill, std::int64_t amount) {
    ContentSpec other = spec;
    other.fill = fill;
    other.amount = amount;
    if (!(other == spec)) simpler.push_back(other);
  };
  with(Fill::kAscii, spec.amount);
  const bool relative = spec.base == SizeBase::kCap || spec.base == SizeBase::kLimit;
  if (relative || spec.amount > 32) with(spec.fill, spec.amount / 2);
  if (!relative && spec.amount > 32) with(spec.fill, spec.amount - 1);
  return simpler;
}

std::vector<Happening> Simpler(const Happening& happening) {
  std::vector<Happening> simpler;
  if (happening.faults.size() > 1) simpler.push_back({happening.operation, {}});
  WithoutEach(happening.faults, [&](std::vector<Fault> faults) {
    simpler.push_back({happening.operation, std::move(faults)});
  });
  if (const auto* turn = std::get_if<Turn>(&happening.operation)) {
    if (!(*turn == Turn{})) simpler.push_back({Turn{}, happening.faults});
    for (Turn& other : Simpler(*turn)) simpler.push_back({std::move(other), happening.faults});
  } else if (const auto* restart = std::get_if<Restart>(&happening.operation)) {
    for (const Restart& other : Simpler(*restart)) simpler.push_back({other, {}});
  } else if (const auto* read = std::get_if<Read>(&happening.operation)) {
    if (!(*read == Read{})) simpler.push_back({Read{}, {}});
  }
  return simpler;
}

}  // namespace rollover
