#include "properties/stored_session.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/protocol/paging.h"
#include "properties/simpler.h"
#include "sim/scenario_json.h"

namespace rollover {
namespace {

const TurnId kTurn = "t00000001";

std::vector<NewMessage> MessagesOf(std::span<const std::uint64_t> message_bytes, Sequence next) {
  std::vector<NewMessage> messages;
  for (const std::uint64_t bytes : message_bytes) {
    const Role role = static_cast<Role>(next % 3);
    const std::uint64_t header = MessageHeaderBytes(next, kTurn, role) + 2;
    const auto letter = static_cast<char>('a' + next % 26);
    const std::string letters(bytes > header ? bytes - header : 0, letter);
    messages.push_back({role, Content('"' + letters + '"')});
    ++next;
  }
  return messages;
}

std::uint64_t DrawBytes(const Options& options, Random& random) {
  if (random.Chance({1, 4})) {  // around the largest message that is not oversized
    return options.message_chunk_max_bytes - kChunkWrapperBytes - 2 + random.Below(5);
  }
  if (random.Chance({1, 3})) {  // so large that two, three or four of them fill a chunk exactly
    const std::uint64_t count = random.Between(2, 4);
    return (options.message_chunk_max_bytes - kChunkWrapperBytes - (count - 1)) / count;
  }
  return random.Skewed(64, random.Chance({1, 3}) ? 2200 : 400);
}

std::vector<std::uint64_t> DrawBatch(const Options& options, std::uint64_t most, Random& random) {
  std::vector<std::uint64_t> batch(random.Skewed(1, most));
  for (std::uint64_t& bytes : batch) bytes = DrawBytes(options, random);
  return batch;
}

StorageCase Draw(Random& random, int size) {
  StorageCase storage{.options = DrawOptions({}, random)};
  for (std::uint64_t i = random.Below(static_cast<std::uint64_t>(size) / 2 + 2); i > 0; --i) {
    StorageStep step;
    if (random.Chance({1, 5})) {
      step.keep = random.Skewed(0, 12);
    } else {
      step.message_bytes = DrawBatch(storage.options, 5, random);
    }
    storage.steps.push_back(std::move(step));
  }
  storage.batch = DrawBatch(storage.options, 24, random);
  storage.other_batch = DrawBatch(storage.options, 24, random);
  for (std::uint64_t i = random.Between(1, 6); i > 0; --i) {
    storage.limits.push_back(static_cast<std::int64_t>(random.Skewed(1, 200)));
  }
  return storage;
}

// Half a list, and a list without one; the bytes stay, they are what cuts the runs.
template <typename T, typename Take>
void Shorter(const std::vector<T>& list, std::size_t least, Take take) {
  if (list.size() <= least) return;
  if (list.size() / 2 > least)
    take(std::vector<T>(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(list.size() / 2)));
  for (std::size_t i = 0; i < list.size(); ++i) {
    std::vector<T> fewer = list;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    take(std::move(fewer));
  }
}

std::vector<StorageCase> SimplerCase(const StorageCase& storage) {
  std::vector<StorageCase> simpler;
  const auto with = [&](auto member) {
    return [&simpler, &storage, member](auto list) {
      simpler.push_back(storage);
      simpler.back().*member = std::move(list);
    };
  };
  Shorter(storage.steps, 0, with(&StorageCase::steps));
  Shorter(storage.batch, 1, with(&StorageCase::batch));
  Shorter(storage.other_batch, 1, with(&StorageCase::other_batch));
  Shorter(storage.limits, 1, with(&StorageCase::limits));
  for (std::size_t i = 0; i < storage.steps.size(); ++i) {
    Shorter(storage.steps[i].message_bytes, 1, [&](auto list) {
      simpler.push_back(storage);
      simpler.back().steps[i].message_bytes = std::move(list);
    });
  }
  for (const Options& options : Simpler(storage.options)) {
    simpler.push_back(storage);
    simpler.back().options = options;
  }
  return simpler;
}

}  // namespace

std::string ToText(const StorageCase& storage) {
  nlohmann::ordered_json json{{"options", ToJson(storage.options)},
                              {"steps", nlohmann::ordered_json::array()}};
  for (const StorageStep& step : storage.steps) {
    if (step.message_bytes.empty()) {
      json["steps"].push_back({{"keep", step.keep}});
    } else {
      json["steps"].push_back({{"message_bytes", step.message_bytes}});
    }
  }
  json["batch"] = storage.batch;
  json["other_batch"] = storage.other_batch;
  json["limits"] = storage.limits;
  return json.dump(2) + "\n";
}

rc::Gen<StorageCase> StorageCases() { return Drawn<StorageCase>(Draw, SimplerCase); }

StoredSession::StoredSession(const StorageCase& storage) : options_(storage.options) {
  for (const StorageStep& step : storage.steps) {
    if (!step.message_bytes.empty()) {
      Store(step.message_bytes);
    } else if (options_.compaction) {
      const Sequence last = next() - 1;
      summary_ = std::max(summary_, last - std::min(last, step.keep));
      Apply(RetainOnly(View()));
    }
  }
}

StorageView StoredSession::View() const {
  return {.options = options_,
          .window = state_.Map(Name::kMessages),
          .index = state_.Get<Index>(Name::kIndex),
          .next_sequence = next(),
          .summary_last_sequence = summary_};
}

StorageChange StoredSession::Change(std::span<const std::uint64_t> message_bytes) const {
  return StoreMessages(View(), kTurn, MessagesOf(message_bytes, next()));
}

void StoredSession::Store(std::span<const std::uint64_t> message_bytes) {
  const StorageChange change = Change(message_bytes);
  for (const NewMessage& message : MessagesOf(message_bytes, next())) {
    ledger_.push_back(MakeValue(Message{next(), kTurn, message.role, message.content}));
  }
  Apply(change);
}

void StoredSession::Drain() {
  // Each of them moves or deletes something, or is the last.
  for (StorageChange change = Change({}); !change.writes.empty(); change = Change({})) {
    Apply(change);
  }
}

void StoredSession::Apply(const StorageChange& change) {
  for (const Write& write : change.writes) state_.Apply(write);
}

Sequence StoredSession::oldest_kept() const {
  const Index* index = state_.Get<Index>(Name::kIndex);
  return index == nullptr ? 1 : index->oldest_kept;
}

std::vector<ValueRef> StoredSession::Kept() const {
  std::vector<ValueRef> kept;
  for (const auto& chunk : state_.Map(Name::kChunks)) {
    const auto& messages = chunk.value->as<Chunk>()->messages;
    kept.insert(kept.end(), messages.begin(), messages.end());
  }
  for (const auto& message : state_.Map(Name::kMessages)) kept.push_back(message.value);
  std::sort(kept.begin(), kept.end(), [](const ValueRef& a, const ValueRef& b) {
    return a->message().sequence < b->message().sequence;
  });
  return kept;
}

std::string StoredSession::Wrong() const {
  const std::vector<ValueRef> kept = Kept();
  const Sequence oldest = oldest_kept();
  if (kept.size() != next() - oldest) {
    return fmt::format("{} messages are kept, not {}..{}", kept.size(), oldest, next() - 1);
  }
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (!(*kept[i] == *ledger_[oldest - 1 + i])) {
      return fmt::format("message {} is not what was stored", oldest + i);
    }
  }
  return {};
}

}  // namespace rollover
