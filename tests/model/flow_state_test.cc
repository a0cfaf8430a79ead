#include "model/flow_state.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/model/builders.h"

namespace rollover {
namespace {

using test::Keys;
using test::MessageOfBytes;
using test::PutMessages;

using KeyList = std::vector<Sequence>;

InstanceMap MapOf(const KeyList& keys) {
  InstanceMap map;
  for (const Key key : keys) map.Put(key, MessageOfBytes(key, 100));
  return map;
}

TEST(Names, AreThoseOfThePersistedLayout) {
  EXPECT_EQ(NameText(Name::kMessages), "AgentMessages");
  EXPECT_EQ(NameText(Name::kChunks), "AgentMessageChunks");
  EXPECT_EQ(NameText(Name::kIndex), "AgentMessageIndex");
  EXPECT_EQ(NameText(Name::kTurnReply), "TurnReplySequence");
  EXPECT_EQ(NameText(Name::kSummary), "ContextSummary");
  EXPECT_EQ(NameText(Name::kSession), "AgentSession");
}

TEST(Names, OnlyMessagesAndChunksAreMaps) {
  for (const Name name : {Name::kIndex, Name::kTurnReply, Name::kSummary, Name::kSession}) {
    EXPECT_FALSE(IsMap(name)) << NameText(name);
  }
  EXPECT_TRUE(IsMap(Name::kMessages));
  EXPECT_TRUE(IsMap(Name::kChunks));
}

TEST(Names, EachHoldsOneKindOfValue) {
  EXPECT_EQ(KindOf(Name::kMessages), ValueKind::kMessage);
  EXPECT_EQ(KindOf(Name::kChunks), ValueKind::kChunk);
  EXPECT_EQ(KindOf(Name::kIndex), ValueKind::kIndex);
  EXPECT_EQ(KindOf(Name::kTurnReply), ValueKind::kTurnReply);
  EXPECT_EQ(KindOf(Name::kSummary), ValueKind::kSummary);
  EXPECT_EQ(KindOf(Name::kSession), ValueKind::kSession);
}

TEST(InstanceMap, IsAscendingWhateverTheOrderOfPuts) {
  EXPECT_EQ(Keys(MapOf({5, 1, 9, 3, 7})), (KeyList{1, 3, 5, 7, 9}));
  EXPECT_EQ(Keys(MapOf({3, 2, 1})), (KeyList{1, 2, 3}));
}

TEST(InstanceMap, PutReturnsWhatItSupersedes) {
  InstanceMap map;
  const ValueRef first = MessageOfBytes(4, 100);
  const ValueRef second = MessageOfBytes(4, 200);
  EXPECT_FALSE(map.Put(4, first));
  EXPECT_EQ(map.Put(4, second), first);
  EXPECT_EQ(map.size(), 1u);
  EXPECT_EQ(map.Find(4), second);
}

TEST(InstanceMap, EraseReturnsWhatWasThere) {
  InstanceMap map = MapOf({1, 2, 3, 4});
  const ValueRef third = map.Find(3);
  EXPECT_EQ(map.Erase(3), third);
  EXPECT_FALSE(map.Erase(3));
  EXPECT_FALSE(map.Erase(0));
  EXPECT_FALSE(map.Erase(5));
  EXPECT_EQ(Keys(map), (KeyList{1, 2, 4}));
}

TEST(InstanceMap, LowerBoundFindsTheNextKeyInGaps) {
  const InstanceMap map = MapOf({10, 11, 20, 21, 22, 40});
  const auto bound = [&map](Key key) {
    const auto at = map.LowerBound(key);
    return at == map.end() ? Key{0} : at->key;
  };
  EXPECT_EQ(bound(0), 10u);
  EXPECT_EQ(bound(10), 10u);
  EXPECT_EQ(bound(11), 11u);
  EXPECT_EQ(bound(12), 20u);
  EXPECT_EQ(bound(22), 22u);
  EXPECT_EQ(bound(23), 40u);
  EXPECT_EQ(bound(40), 40u);
  EXPECT_EQ(bound(41), 0u);
  EXPECT_EQ(InstanceMap().LowerBound(1), InstanceMap().end());
}

TEST(InstanceMap, AFreedFrontTakesNewKeys) {
  InstanceMap map = MapOf({1, 2, 3, 4, 5, 6, 7, 8});
  map.Erase(1);
  map.Erase(2);
  map.Put(2, MessageOfBytes(2, 100));
  map.Put(1, MessageOfBytes(1, 100));
  EXPECT_EQ(Keys(map), test::Range(1, 8));
}

TEST(InstanceMap, EmptiedItStartsAnew) {
  InstanceMap map = MapOf({1, 2});
  map.Erase(1);
  map.Erase(2);
  EXPECT_TRUE(map.empty());
  EXPECT_FALSE(map.Find(2));
  map.Put(1, MessageOfBytes(1, 100));
  EXPECT_EQ(Keys(map), (KeyList{1}));
}

TEST(InstanceMap, DoesWhatAPlainOrderedMapDoes) {
  InstanceMap map;
  std::map<Key, ValueRef> plain;
  std::uint64_t state = 1;
  for (int i = 0; i < 5000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const Key key = (state >> 33) % 40 + static_cast<Key>(i) / 100;
    if ((state >> 60) < 8) {
      const ValueRef value = MessageOfBytes(key, 100);
      const auto before = plain.find(key);
      EXPECT_EQ(map.Put(key, value), before == plain.end() ? nullptr : before->second);
      plain[key] = value;
    } else {
      const auto before = plain.find(key);
      EXPECT_EQ(map.Erase(key), before == plain.end() ? nullptr : before->second);
      plain.erase(key);
    }
    ASSERT_TRUE(std::equal(map.begin(), map.end(), plain.begin(), plain.end(),
                           [](const InstanceMap::Instance& a, const auto& b) {
                             return a.key == b.first && a.value == b.second;
                           }));
  }
}

TEST(FlowState, LiveBytesAreTheSumOfEncodings) {
  FlowState state;
  EXPECT_EQ(state.live_bytes(), 0u);
  PutMessages(state, 1, 3, 120);
  state.Apply({Name::kSummary, 0, MakeValue(Summary{1, "text"})});
  const std::uint64_t summary = Encode(*MakeValue(Summary{1, "text"})).size();
  EXPECT_EQ(state.live_bytes(Name::kMessages), 360u);
  EXPECT_EQ(state.live_bytes(), 360 + summary);
}

TEST(FlowState, ASupersededOrDeletedValueNoLongerCounts) {
  FlowState state;
  state.Apply({Name::kSummary, 0, MakeValue(Summary{1, "a long text"})});
  const ValueRef old = state.Apply({Name::kSummary, 0, MakeValue(Summary{2, ""})});
  ASSERT_TRUE(old);
  EXPECT_EQ(old->as<Summary>()->text, "a long text");
  EXPECT_EQ(state.live_bytes(), EncodedBytes(Summary{2, ""}));
  EXPECT_TRUE(state.Apply({Name::kSummary, 0, nullptr}));
  EXPECT_EQ(state.live_bytes(), 0u);
  EXPECT_EQ(state.Get<Summary>(Name::kSummary), nullptr);
}

TEST(FlowState, DeletingWhatIsNotThereChangesNothing) {
  FlowState state;
  PutMessages(state, 1, 1);
  EXPECT_FALSE(state.Apply({Name::kMessages, 2, nullptr}));
  EXPECT_EQ(state.live_bytes(), 100u);
}

TEST(FlowState, StoredMessageBytesAreMessagesAndChunks) {
  FlowState state;
  PutMessages(state, 3, 4, 100);
  test::PutChunk(state, 1, 2);
  state.Apply({Name::kSession, 0, MakeValue(Session{5, std::nullopt})});
  EXPECT_EQ(state.stored_message_bytes(), 200 + test::ChunkOf(1, 2)->encoded_bytes());
  EXPECT_GT(state.live_bytes(), state.stored_message_bytes());
}

TEST(FlowState, EqualByMeaningAndNotByHistory) {
  FlowState once;
  PutMessages(once, 1, 2);
  FlowState rewritten;
  PutMessages(rewritten, 1, 3, 300);
  PutMessages(rewritten, 1, 2);
  EXPECT_FALSE(once == rewritten);
  rewritten.Apply({Name::kMessages, 3, nullptr});
  EXPECT_TRUE(once == rewritten);
  rewritten.Apply({Name::kIndex, 0, MakeValue(Index{})});
  EXPECT_FALSE(once == rewritten);
}

TEST(FlowState, ACopyLivesItsOwnLife) {
  FlowState original;
  PutMessages(original, 1, 3);
  FlowState copy = original;
  copy.Apply({Name::kMessages, 1, nullptr});
  EXPECT_EQ(Keys(original.Map(Name::kMessages)), test::Range(1, 3));
  EXPECT_EQ(Keys(copy.Map(Name::kMessages)), test::Range(2, 3));
}

}  // namespace
}  // namespace rollover
