#include "fuzz/tampering.h"

#include <array>
#include <utility>

namespace rollover {
namespace {

// One or two more or less.
std::uint64_t Moved(std::uint64_t number, std::uint8_t how) {
  return number + std::array<std::uint64_t, 4>{1, ~0ULL, 2, ~1ULL}[how % 4];
}

template <typename List>
typename List::value_type* Pick(List& from, std::uint8_t which) {
  return from.empty() ? nullptr : &from[which % from.size()];
}

Message Changed(Message message, std::uint8_t how) {
  switch (how % 4) {
    case 0:
      message.content = Content("\"tampered\"");
      break;
    case 1:
      message.turn_id += 'x';
      break;
    case 2:
      message.role = message.role == Role::kUser ? Role::kTool : Role::kUser;
      break;
    default:
      message.sequence = Moved(message.sequence, how / 4);
  }
  return message;
}

Chunk Changed(Chunk chunk, std::uint8_t how) {
  switch (how % 4) {
    case 0:
      if (chunk.messages.size() > 1) chunk.messages.pop_back();
      break;
    case 1:
      if (chunk.messages.size() > 1) chunk.messages.erase(chunk.messages.begin());
      break;
    case 2:
      chunk.messages.push_back(chunk.messages.back());
      break;
    default:
      ValueRef& message = chunk.messages[how / 16 % chunk.messages.size()];
      message = MakeValue(Changed(message->message(), how / 4));
  }
  return chunk;
}

Index Changed(Index index, std::uint8_t how) {
  ChunkRange* range = Pick(index.chunks, how / 32);
  switch (how % 8) {
    case 0:
      index.window_start = Moved(index.window_start, how / 8);
      break;
    case 1:
      index.oldest_kept = Moved(index.oldest_kept, how / 8);
      break;
    case 2:
    case 3:
      if (range) range->first = Moved(range->first, how / 8);
      break;
    case 4:
    case 5:
      if (range) range->last = Moved(range->last, how / 8);
      break;
    case 6:
      if (range) index.chunks.erase(index.chunks.begin() + (range - index.chunks.data()));
      break;
    default:
      if (range) index.chunks.push_back(*range);
  }
  return index;
}

TurnReply Changed(TurnReply reply, std::uint8_t how) {
  if (how % 2 == 0) return {reply.turn_id, Moved(reply.sequence, how / 2)};
  return {reply.turn_id + 'x', reply.sequence};
}

Summary Changed(Summary summary, std::uint8_t how) {
  if (how % 2 == 0) return {Moved(summary.last_sequence, how / 2), summary.text};
  return {summary.last_sequence, summary.text + 'x'};
}

Session Changed(Session session, std::uint8_t how) {
  switch (how % 3) {
    case 0:
      return {Moved(session.next_sequence, how / 3), session.turn_id};
    case 1:
      return {session.next_sequence, session.turn_id.value_or("") + 'x'};
    default:
      return {session.next_sequence, std::nullopt};
  }
}

ValueRef ChangedValue(const Value& value, std::uint8_t how) {
  return std::visit([&](const auto& body) { return MakeValue(Changed(body, how)); }, value.body());
}

bool Change(Write& write, std::uint8_t how) {
  switch (how % 4) {
    case 0:
      if (!IsMap(write.name)) return false;
      write.key = Moved(write.key, how / 4);
      return true;
    case 1:
      if (!write.value) return false;
      write.value = nullptr;
      return true;
    default: {
      if (!write.value) return false;
      const ValueRef old = std::exchange(write.value, ChangedValue(*write.value, how / 4));
      return !(*old == *write.value);
    }
  }
}

// Something that no handler had reason to write: a value that is there, again or no more.
bool Add(StepResult& result, const LoadedState& loaded, std::uint8_t which, std::uint8_t how) {
  std::vector<Write> there;
  for (std::size_t n = 0; n < kNameCount; ++n) {
    const Name name = static_cast<Name>(n);
    if (!loaded.Names(name)) continue;
    for (const auto& instance : loaded.state().Map(name)) {
      there.push_back({name, instance.key, instance.value});
    }
  }
  Write* write = Pick(there, which);
  if (!write) return false;
  for (const Write& own : result.writes) {
    if (own.name == write->name && own.key == write->key) return false;
  }
  if (how % 3 == 1) write->value = nullptr;
  if (how % 3 == 2) write->key = Moved(write->key, how / 3);
  result.writes.push_back(*write);
  return true;
}

// "All chunks" may be as good as a list of them, or as none: it is left as it is.
bool Change(LoadList& loads, std::uint8_t which, std::uint8_t how) {
  Load* load = Pick(loads, which);
  if (load && load->name == Name::kChunks && load->all) return false;
  switch (how % 4) {
    case 0:
      if (load) loads.erase(loads.begin() + (load - loads.data()));
      return load != nullptr;
    case 1:
      if (load) loads.push_back(*load);
      return load != nullptr;
    case 2:
      if (!load || !IsMap(load->name) || load->all) return false;
      load->key = Moved(load->key, how / 4);
      return true;
    default:
      loads.push_back({Name::kChunks, false, how});
      return true;
  }
}

bool Change(std::optional<Movement>& next, std::uint8_t which, std::uint8_t how) {
  if (how % 4 == 0 || !next) {
    if (next) {
      next.reset();
    } else {
      next = Movement{.step = static_cast<StepKind>(which % kStepKindCount)};
    }
    return true;
  }
  if (how % 4 == 1) {
    const StepKind other = static_cast<StepKind>(which % kStepKindCount);
    return std::exchange(next->step, other) != other;
  }
  return Change(how % 4 == 2 ? next->loads : next->control_loads, which, how / 4);
}

bool Change(std::vector<Event>& events, std::uint8_t which, std::uint8_t how) {
  Event* event = Pick(events, which);
  if (!event || event->kind == EventKind::kWarning) {
    events.push_back({.kind = static_cast<EventKind>(how % 4), .turn_id = "t1"});
    return true;
  }
  switch (how % 5) {
    case 0:
      events.erase(events.begin() + (event - events.data()));
      return true;
    case 1:
      events.push_back(*event);
      return true;
    case 2:
      event->turn_id += 'x';
      return true;
    case 3:
      if (event->kind == EventKind::kTurnFailed) return false;
      event->replies = Moved(event->replies, how / 5);
      return true;
    default:
      return std::exchange(event->kind, static_cast<EventKind>(how / 5 % 4)) != event->kind;
  }
}

bool Change(std::optional<SequenceRuns>& seen, std::uint8_t which, std::uint8_t how) {
  if (!seen || how % 4 == 0) {
    seen = seen ? std::nullopt : std::optional(SequenceRuns());
    return true;
  }
  SequenceRuns other;
  for (std::size_t i = 0; i < seen->runs().size(); ++i) {
    ChunkRange run = seen->runs()[i];
    if (i == which % seen->runs().size()) {
      if (how % 4 == 1) run.last = Moved(run.last, how / 4);
      if (how % 4 == 2) run.first = Moved(run.first, how / 4);
      if (how % 4 == 3) continue;
    }
    if (run.first <= run.last) other.Append(run.first, run.last);
  }
  return !(std::exchange(*seen, other) == other);
}

bool Change(StepResult& result, const Tamper& tamper, const LoadedState& loaded) {
  Write* write = Pick(result.writes, tamper.which);
  switch (tamper.what % 8) {
    case 0:
      if (write) result.writes.erase(result.writes.begin() + (write - result.writes.data()));
      return write != nullptr;
    case 1:
    case 2:
      return write && Change(*write, tamper.how);
    case 3:
      return Add(result, loaded, tamper.which, tamper.how);
    case 4:
      return Change(result.next, tamper.which, tamper.how);
    case 5:
      return Change(result.events, tamper.which, tamper.how);
    case 6:
      return Change(result.model_input, tamper.which, tamper.how);
    default:
      return false;  // an error, which is no result
  }
}

bool Change(Page& page, const Tamper& tamper) {
  ValueRef* message = Pick(page.messages, tamper.which);
  switch (tamper.what % 4) {
    case 0:
      page.has_more = !page.has_more;
      return true;
    case 1:
      page.deleted_before_sequence =
          page.deleted_before_sequence ? std::nullopt : std::optional<Sequence>(tamper.how);
      return true;
    case 2:
      if (message) page.messages.erase(page.messages.begin() + (message - page.messages.data()));
      return message != nullptr;
    default:
      if (message) *message = MakeValue(Changed((*message)->message(), tamper.how));
      return message != nullptr;
  }
}

class TamperedCore : public Core {
 public:
  TamperedCore(std::unique_ptr<Core> inner, Tampered& tampered)
      : inner_(std::move(inner)), tampered_(tampered) {}

  StepOutcome Invoke(const Invocation& invocation) override {
    StepOutcome outcome = inner_->Invoke(invocation);
    auto* result = std::get_if<StepResult>(&outcome);
    if (!Due() || result == nullptr) return outcome;
    if (Fails()) {
      tampered_.changed = TamperedAnswer::kFailure;
      return StepFailure{"tampered", false};
    }
    if (Change(*result, tampered_.tamper, invocation.state)) {
      tampered_.changed = TamperedAnswer::kResult;
    }
    return outcome;
  }

  ReadOutcome Read(const ReadRequest& request) override {
    ReadOutcome outcome = inner_->Read(request);
    if (!Due()) return outcome;
    auto* page = std::get_if<Page>(&outcome);
    const bool other = page == nullptr || Fails();
    if (other || Change(*page, tampered_.tamper)) tampered_.changed = TamperedAnswer::kRead;
    if (page == nullptr) return Page{};
    return other ? ReadOutcome(ReadRefusal{"tampered"}) : outcome;
  }

 private:
  bool Due() {
    return tampered_.changed == TamperedAnswer::kNone &&
           tampered_.answers++ >= tampered_.tamper.answer;
  }
  // The answer becomes an error, rather than another answer.
  bool Fails() const { return tampered_.tamper.what % 8 == 7; }

  std::unique_ptr<Core> inner_;
  Tampered& tampered_;
};

}  // namespace

std::unique_ptr<Core> TamperWith(std::unique_ptr<Core> inner, Tampered& tampered) {
  return std::make_unique<TamperedCore>(std::move(inner), tampered);
}

}  // namespace rollover
