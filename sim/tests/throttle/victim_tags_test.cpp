// SPDX-License-Identifier: MIT
#include "sim/throttle/victim_tags.h"

#include <gtest/gtest.h>

namespace paws::throttle {
namespace {

constexpr std::uint64_t line(std::uint64_t number) { return number * memory::kLineBytes; }

TEST(VictimTags, ALineIsFoundOnce) {
  VictimTags tags;
  EXPECT_FALSE(tags.take(line(0))) << "an empty array holds no line, not even the first";
  tags.insert(line(0));
  tags.insert(line(3));
  EXPECT_TRUE(tags.take(line(3)));
  EXPECT_FALSE(tags.take(line(3)));
  EXPECT_TRUE(tags.take(line(0)));
}

TEST(VictimTags, TheOldestOfASetIsReplaced) {
  VictimTags tags;
  for (std::uint64_t i = 0; i < 9; ++i) tags.insert(line(2 * i));
  tags.insert(line(1));
  EXPECT_FALSE(tags.take(line(0))) << "nine lines in eight ways";
  for (std::uint64_t i = 1; i < 9; ++i) EXPECT_TRUE(tags.take(line(2 * i))) << i;
  EXPECT_TRUE(tags.take(line(1))) << "odd lines have a set of their own";
}

TEST(VictimTags, AreCleared) {
  VictimTags tags;
  tags.insert(line(5));
  tags.clear();
  EXPECT_FALSE(tags.take(line(5)));
}

}  // namespace
}  // namespace paws::throttle
