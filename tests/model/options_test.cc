#include "model/options.h"

#include <gtest/gtest.h>

namespace rollover {
namespace {

TEST(Options, DefaultsAreValid) {
  EXPECT_EQ(Invalid(Options{}), std::nullopt);
  EXPECT_EQ(Invalid(Limits{}), std::nullopt);
}

TEST(Options, EachErrorNamesOptionValueAndRange) {
  EXPECT_EQ(*Invalid(Options{.message_window_size = 0}),
            "message_window_size is 0; valid: 1 .. 1099511627776");
  EXPECT_EQ(*Invalid(Options{.message_window_size = 8, .message_chunk_size = 9}),
            "message_chunk_size is 9; valid: 1 .. 8 (message_window_size)");
  EXPECT_EQ(*Invalid(Options{.message_chunk_max_bytes = kChunkBytesFloor - 1}),
            "message_chunk_max_bytes is 1023; valid: 1024 .. 8388608");
}

TEST(Options, BothSidesOfEveryEdge) {
  EXPECT_FALSE(Invalid(Options{.message_window_size = 1, .message_chunk_size = 1}));
  EXPECT_FALSE(Invalid(Options{.message_chunk_max_bytes = kChunkBytesFloor}));
  EXPECT_FALSE(Invalid(Options{.message_chunk_max_bytes = kChunkBytesCeiling}));
  EXPECT_TRUE(Invalid(Options{.message_chunk_max_bytes = kChunkBytesCeiling + 1}));
  EXPECT_FALSE(Invalid(Options{.retained_message_limit = 0}));
  EXPECT_FALSE(Invalid(Options{.retained_message_limit = std::nullopt}));
  EXPECT_TRUE(Invalid(Options{.retained_message_limit = kSettingMax + 1}));
}

}  // namespace
}  // namespace rollover
