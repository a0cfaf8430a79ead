// A core sees what its loads name, and nothing else; what it reads beside is remembered.
#include <gtest/gtest.h>

#include "tests/model/builders.h"

namespace rollover {
namespace {

using test::Keys;

// Messages 5 and 6 in the window, chunks 1-2 and 3-4, an index, no summary.
FlowState SixStored() {
  FlowState state;
  test::PutChunk(state, 1, 2);
  test::PutChunk(state, 3, 4);
  test::PutMessages(state, 5, 6);
  state.Apply({Name::kIndex, 0, MakeValue(Index{{{1, 2}, {3, 4}}, 5, 1})});
  return state;
}

std::vector<Sequence> FirstOf(const std::vector<ValueRef>& chunks) {
  std::vector<Sequence> firsts;
  for (const ValueRef& value : chunks) firsts.push_back(value->as<Chunk>()->first());
  return firsts;
}

TEST(LoadedState, ALoadedAttributeIsRead) {
  const FlowState state = SixStored();
  const LoadList loads = {{.name = Name::kIndex}};
  const LoadedState loaded(state, loads);
  ASSERT_NE(loaded.Attribute<Index>(Name::kIndex), nullptr);
  EXPECT_EQ(loaded.Attribute<Index>(Name::kIndex)->window_start, 5u);
  EXPECT_EQ(loaded.unloaded_read(), "");
}

TEST(LoadedState, ALoadedAttributeWithoutAValueIsNullAndNoError) {
  const FlowState state = SixStored();
  const LoadList loads = {{.name = Name::kSummary}};
  const LoadedState loaded(state, loads);
  EXPECT_EQ(loaded.Attribute<Summary>(Name::kSummary), nullptr);
  EXPECT_EQ(loaded.unloaded_read(), "");
}

TEST(LoadedState, AnUnloadedAttributeIsNotSeenAndRemembered) {
  const FlowState state = SixStored();
  const LoadedState loaded(state, {});
  EXPECT_EQ(loaded.Attribute<Index>(Name::kIndex), nullptr);
  EXPECT_EQ(loaded.unloaded_read(), "AgentMessageIndex");
}

TEST(LoadedState, TheFirstUnloadedReadIsTheOneKept) {
  const FlowState state = SixStored();
  const LoadedState loaded(state, {});
  EXPECT_TRUE(loaded.WholeMap(Name::kMessages).empty());
  EXPECT_EQ(loaded.Attribute<Index>(Name::kIndex), nullptr);
  EXPECT_EQ(loaded.unloaded_read(), "AgentMessages (all)");
}

TEST(LoadedState, AWholeMapIsReadOnlyWhenItWasLoadedWhole) {
  const FlowState state = SixStored();
  const LoadList whole = {{.name = Name::kMessages, .all = true}};
  const LoadedState loaded(state, whole);
  EXPECT_EQ(Keys(loaded.WholeMap(Name::kMessages)), test::Range(5, 6));
  EXPECT_EQ(loaded.unloaded_read(), "");

  const LoadList one = {{.name = Name::kMessages, .key = 5}};
  const LoadedState partly(state, one);
  EXPECT_TRUE(partly.WholeMap(Name::kMessages).empty());
  EXPECT_EQ(partly.unloaded_read(), "AgentMessages (all)");
}

TEST(LoadedState, ChunksAreThoseWhoseKeysWereListed) {
  const FlowState state = SixStored();
  const LoadList second = {{.name = Name::kChunks, .key = 3}};
  EXPECT_EQ(FirstOf(LoadedState(state, second).Chunks()), (std::vector<Sequence>{3}));
  const LoadList all = {{.name = Name::kChunks, .all = true}};
  EXPECT_EQ(FirstOf(LoadedState(state, all).Chunks()), (std::vector<Sequence>{1, 3}));
  EXPECT_TRUE(LoadedState(state, {}).Chunks().empty());
}

TEST(LoadedState, AListedKeyThatIsGoneResolvesToNothing) {
  const FlowState state = SixStored();
  const LoadList loads = {{.name = Name::kChunks, .key = 2}, {.name = Name::kChunks, .key = 3}};
  const LoadedState loaded(state, loads);
  EXPECT_EQ(FirstOf(loaded.Chunks()), (std::vector<Sequence>{3}));
  EXPECT_EQ(loaded.unloaded_read(), "");
}

TEST(LoadedState, NamesSaysWhetherAnyLoadHasAName) {
  const FlowState state;
  const LoadList loads = {{.name = Name::kChunks, .key = 3}};
  EXPECT_TRUE(LoadedState(state, loads).Names(Name::kChunks));
  EXPECT_FALSE(LoadedState(state, loads).Names(Name::kIndex));
}

}  // namespace
}  // namespace rollover
