// fuzz_storage: storing and retaining as pure functions, without engine or core, against a flat
// list of what was stored.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "fuzz/input.h"
#include "fuzz/target.h"
#include "model/protocol/storage.h"

namespace rollover {
namespace {

struct StoredSession {
  Options options;
  FlowState state;
  std::vector<Content> ledger;  // by sequence - 1
  Sequence summary = 0;
};

// `stored`: messages that the commit adds; each may have become a chunk at once.
void Apply(StoredSession& session, const StorageChange& change, std::uint64_t stored) {
  std::uint64_t chunks = 0;
  bool chunk_changes = false;
  for (const Write& write : change.writes) {
    const bool chunk = write.name == Name::kChunks;
    chunk_changes = chunk_changes || chunk;
    chunks += chunk && !write.deletes() ? 1 : 0;
    const bool known = static_cast<bool>(session.state.Map(write.name).Find(write.key));
    if (write.deletes() && !known) Fail("storage", "deletes what is not there");
    if (!write.deletes() && known && IsMap(write.name)) Fail("storage", "writes a key twice");
    session.state.Apply(write);
  }
  if (chunk_changes != change.new_index.has_value()) Fail("storage", "index and chunks disagree");
  const std::uint64_t chunks_max = stored == 0 ? 0 : kCommitChunksMax + stored;
  if (chunks > chunks_max) Fail("storage", fmt::format("{} chunks, {} stored", chunks, stored));
}

// Everything that is kept, by sequence, from both places.
std::vector<const Message*> Kept(const StoredSession& session) {
  std::vector<const Message*> kept;
  for (const auto& instance : session.state.Map(Name::kChunks)) {
    for (const ValueRef& message : instance.value->as<Chunk>()->messages) {
      kept.push_back(&message->message());
    }
  }
  for (const auto& instance : session.state.Map(Name::kMessages)) {
    kept.push_back(&instance.value->message());
  }
  std::sort(kept.begin(), kept.end(),
            [](const Message* a, const Message* b) { return a->sequence < b->sequence; });
  return kept;
}

void Compare(const StoredSession& session) {
  Sequence expected = session.ledger.size() + 1;
  const auto kept = Kept(session);
  for (auto message = kept.rbegin(); message != kept.rend(); ++message) {
    if ((*message)->sequence != --expected) {
      Fail("storage", fmt::format("message {} where {} belongs", (*message)->sequence, expected));
    }
    if (!((*message)->content == session.ledger[expected - 1])) Fail("storage", "another content");
  }
  const Index* index = session.state.Get<Index>(Name::kIndex);
  const Sequence oldest = index == nullptr ? 1 : index->oldest_kept;
  if (expected != oldest) Fail("storage", fmt::format("kept from {}, not {}", expected, oldest));
  if (oldest > 1 && oldest - 1 > session.summary) Fail("storage", "deletes before the summary");
}

StorageView ViewOf(const StoredSession& session) {
  return {.options = session.options,
          .window = session.state.Map(Name::kMessages),
          .index = session.state.Get<Index>(Name::kIndex),
          .next_sequence = session.ledger.size() + 1,
          .summary_last_sequence = session.summary};
}

void Store(StoredSession& session, Input& input) {
  std::vector<NewMessage> messages;
  for (std::uint64_t i = input.Below(5) + 1; i > 0; --i) {
    const std::uint64_t letters = input.Below(input.Byte() < 128 ? 64 : 2200);
    messages.push_back({static_cast<Role>(i % 3),
                        Content("\"" + std::string(letters, static_cast<char>('a' + i)) + "\"")});
  }
  const StorageChange change = StoreMessages(ViewOf(session), "t1", messages);
  for (const NewMessage& message : messages) session.ledger.push_back(message.content);
  Apply(session, change, messages.size());
}

}  // namespace

void Fuzz(std::span<const std::uint8_t> bytes) {
  Input input(bytes);
  StoredSession session;
  session.options.message_window_size = input.Below(12) + 1;
  session.options.message_chunk_size = input.Below(session.options.message_window_size) + 1;
  session.options.message_chunk_max_bytes = kChunkBytesFloor + input.Below(1024);
  session.options.retained_message_limit = input.Below(24);
  for (int commits = 0; !input.empty() && commits < 400; ++commits) {
    const std::uint8_t what = input.Byte();
    if (what < 200 || session.ledger.empty()) {
      Store(session, input);
    } else {
      const std::uint64_t kept_out = std::min(input.Below(8), session.ledger.size());
      session.summary = std::max(session.summary, session.ledger.size() - kept_out);
      Apply(session, RetainOnly(ViewOf(session)), 0);
    }
    Compare(session);
  }
}

}  // namespace rollover
