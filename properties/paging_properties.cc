// Paging: any walk, in either direction and with any limits, is the kept log.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "model/protocol/core.h"
#include "properties/rules_hold.h"
#include "properties/stored_session.h"

namespace rollover {
namespace {

TEST(Paging, RulesHold) {
  ExpectRulesHold({.faults = {FaultKind::kReadRace, FaultKind::kKillAfterCommit},
                   .compaction_odds = {1, 4},
                   .read_odds = {1, 2}},
                  {Rule::kPageExact});
}

class Reader {
 public:
  explicit Reader(const StoredSession& session)
      : session_(session), core_(MakeReferenceCore(session.options())) {}

  ReadOutcome Read(const ReadArguments& arguments) {
    const LoadedState state(session_.state(), loads_);
    return core_->Read({arguments, state});
  }

 private:
  const StoredSession& session_;
  std::unique_ptr<Core> core_;
  LoadList loads_ = ReadLoads({});
};

// All pages of a walk, put together; what is wrong with one of them, else empty.
struct Walked {
  std::vector<ValueRef> messages{};
  std::string wrong{};
};

Walked Walk(const StoredSession& session, const std::vector<std::int64_t>& limits, bool forward) {
  Reader reader(session);
  Walked walked;
  ReadArguments arguments{.rpc = Rpc::kListAgentMessages};
  if (!forward) arguments.before_sequence = static_cast<std::int64_t>(session.next());
  const Sequence oldest = session.oldest_kept();
  for (std::size_t i = 0; i < session.next(); ++i) {
    arguments.limit = limits[i % limits.size()];
    const ReadOutcome outcome = reader.Read(arguments);
    const auto* page = std::get_if<Page>(&outcome);
    if (page == nullptr) return {{}, "refused"};
    const auto size = static_cast<std::int64_t>(page->messages.size());
    if (page->has_more && size == 0) return {{}, "an empty page, and more"};
    if (size > arguments.limit) return {{}, "a page over its limit"};
    if (page->has_more && size < arguments.limit) return {{}, "a short page, and more"};
    if (page->deleted_before_sequence.value_or(1) != oldest) return {{}, "deleted_before_sequence"};
    auto& all = walked.messages;
    all.insert(forward ? all.end() : all.begin(), page->messages.begin(), page->messages.end());
    if (!page->has_more) return walked;
    const Sequence edge =
        (forward ? page->messages.back() : page->messages.front())->message().sequence;
    (forward ? arguments.after_sequence : arguments.before_sequence) =
        static_cast<std::int64_t>(edge);
  }
  return {{}, "more pages than messages"};
}

TEST(Paging, AnyWalkMeetsTheLedger) {
  ForAll<StorageCase>(
      StorageCases(),
      [](const StorageCase& storage) {
        StoredSession session(storage);
        session.Store(storage.batch);
        if (!session.Wrong().empty()) return Broken("kept", session.Wrong());
        for (const bool forward : {true, false}) {
          const Walked walked = Walk(session, storage.limits, forward);
          const std::string direction = forward ? "forward" : "backward";
          if (!walked.wrong.empty()) return Broken(direction, walked.wrong);
          const std::string difference = FirstDifference(walked.messages, session.Kept());
          if (!difference.empty()) return Broken(direction, difference);
        }
        return Held();
      },
      5000);
}

// Every anchor, deleted and future ones too, against a slice of the ledger.
TEST(Paging, AnyAnchorIsASliceOfTheLedger) {
  ForAll<StorageCase>(
      StorageCases(),
      [](const StorageCase& storage) {
        const StoredSession session(storage);
        const std::vector<ValueRef> kept = session.Kept();
        Reader reader(session);
        const std::int64_t limit = storage.limits.front();
        for (Sequence anchor = 0; anchor <= session.next() + 1; ++anchor) {
          const auto at = static_cast<std::int64_t>(anchor);
          std::vector<ValueRef> after;
          std::vector<ValueRef> before;
          for (const ValueRef& message : kept) {
            if (message->message().sequence > anchor) after.push_back(message);
            if (message->message().sequence < anchor) before.push_back(message);
          }
          const std::size_t most = static_cast<std::size_t>(limit);
          if (after.size() > most) after.resize(most);
          if (before.size() > most) before.erase(before.begin(), before.end() - limit);
          const auto forward =
              reader.Read({.rpc = Rpc::kListAgentMessages, .after_sequence = at, .limit = limit});
          const auto backward =
              reader.Read({.rpc = Rpc::kListAgentMessages, .before_sequence = at, .limit = limit});
          std::string difference = FirstDifference(std::get<Page>(forward).messages, after);
          if (difference.empty()) {
            difference = FirstDifference(std::get<Page>(backward).messages, before);
          }
          if (!difference.empty())
            return Broken("slice", fmt::format("{}: {}", anchor, difference));
        }
        return Held();
      },
      5000);
}

}  // namespace
}  // namespace rollover
