// Reads: between any two events, and racing a commit.
#include <fmt/format.h>

#include "model/digest.h"
#include "sim/world.h"

namespace rollover {
namespace {

std::string Words(const ReadArguments& arguments) {
  if (arguments.rpc == Rpc::kGetAgentSnapshot) return "get_agent_snapshot: ";
  std::string words = "list_agent_messages";
  if (arguments.after_sequence) words += fmt::format(" after {}", *arguments.after_sequence);
  if (arguments.before_sequence) words += fmt::format(" before {}", *arguments.before_sequence);
  return words + fmt::format(" limit {}: ", arguments.limit);
}

}  // namespace

void World::Perform(const Read& read) {
  const ReadArguments arguments = Resolve(read);
  const Profile profile = ProfileOf(core_kind_);
  const LoadList loads = ReadLoads(profile);
  const LoadedState state(engine_.state(), loads);
  const ReadOutcome outcome = worker_->Read({.arguments = arguments, .state = state});
  ++statistics_.reads;
  TraceRead(arguments, outcome);
  if (!state.unloaded_read().empty()) {
    judge_.OnUnloadedRead(trace_.here().step, state.unloaded_read());
  }
  judge_.OnRead({.arguments = arguments, .outcome = outcome, .profile = profile});
  spotter_.OnRead(arguments, outcome, judge_, profile, statistics_);
}

// The RPC loads now, and answers when the attempt in flight is over.
void World::StartRace(const Read& read) {
  races_.push_back({.state = engine_.state(),
                    .ledger = judge_.ledger(),
                    .upgraded = judge_.upgraded(),
                    .commit = judge_.commits(),
                    .arguments = Resolve(read)});
}

void World::FinishRaces() {
  for (const RacingRead& race : races_) {
    const Profile profile = ProfileOf(core_kind_);
    const LoadList loads = ReadLoads(profile);
    const LoadedState state(race.state, loads);
    const ReadOutcome outcome = worker_->Read({.arguments = race.arguments, .state = state});
    ++statistics_.reads;
    if (judge_.commits() != race.commit) statistics_.Count(Situation::kReadRacesCommit);
    TraceRead(race.arguments, outcome);
    judge_.OnRead({.arguments = race.arguments, .outcome = outcome, .profile = profile},
                  race.ledger, race.upgraded);
  }
  races_.clear();
}

ReadArguments World::Resolve(const Read& read) const {
  ReadArguments arguments{.rpc = read.rpc, .limit = read.limit};
  if (read.rpc == Rpc::kGetAgentSnapshot) return arguments;
  if (read.after) arguments.after_sequence = Resolve(*read.after);
  if (read.before) arguments.before_sequence = Resolve(*read.before);
  return arguments;
}

std::int64_t World::Resolve(const Anchor& anchor) const {
  const InstanceMap& chunks = judge_.stored().chunks();
  const Sequence next = judge_.ledger().next();
  Sequence place = judge_.ledger().first();
  switch (anchor.place) {
    case AnchorPlace::kAbsolute:
      return anchor.offset;
    case AnchorPlace::kChunkFirst:
    case AnchorPlace::kChunkInside:
    case AnchorPlace::kChunkLast:
      if (!chunks.empty()) {
        const Chunk& chunk = *chunks[anchor.chunk % chunks.size()].value->as<Chunk>();
        place = anchor.place == AnchorPlace::kChunkFirst  ? chunk.first()
                : anchor.place == AnchorPlace::kChunkLast ? chunk.last()
                                                          : (chunk.first() + chunk.last()) / 2;
      }
      break;
    case AnchorPlace::kWindowStart:
      place = judge_.stored().WindowStart().value_or(next);
      break;
    case AnchorPlace::kOldestKept:
      break;
    case AnchorPlace::kNext:
      place = next;
      break;
  }
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(place) +
                                   static_cast<std::uint64_t>(anchor.offset));
}

void World::TraceRead(const ReadArguments& arguments, const ReadOutcome& outcome) {
  const auto number = [](const std::optional<std::int64_t>& anchor) {
    return anchor ? static_cast<std::uint64_t>(*anchor) : ~std::uint64_t{0};
  };
  std::uint64_t digest = 0;
  std::uint64_t count = 0;
  bool more = false;
  if (const auto* page = std::get_if<Page>(&outcome)) {
    for (const ValueRef& message : page->messages) digest = Digest({digest, message->digest()});
    digest = Digest({digest, page->deleted_before_sequence.value_or(0)});
    count = page->messages.size();
    more = page->has_more;
  }
  trace_.Add(TraceKind::kRead,
             {static_cast<std::uint64_t>(arguments.rpc), number(arguments.after_sequence),
              number(arguments.before_sequence), static_cast<std::uint64_t>(arguments.limit),
              outcome.index(), count, more, digest},
             [&] {
               const auto* refusal = std::get_if<ReadRefusal>(&outcome);
               return Words(arguments) +
                      (refusal != nullptr
                           ? "refused: " + refusal->error
                           : fmt::format("{} messages{}", count, more ? ", and more" : ""));
             });
}

}  // namespace rollover
