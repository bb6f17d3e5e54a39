// SPDX-License-Identifier: MIT
#include "sim/memory/nearly_sorted.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <random>

namespace paws::memory {
namespace {

/// `number` is the order of coming.
struct Item {
  unsigned rank = 0;
  unsigned number = 0;
  bool operator<(const Item& other) const { return rank < other.rank; }
};

TEST(NearlySorted, TheLeastLeavesFirstAndOfOneRankTheFirst) {
  NearlySorted<Item> queue;
  EXPECT_TRUE(queue.empty());
  for (const Item& item : {Item{4, 0}, Item{2, 1}, Item{4, 2}, Item{2, 3}, Item{9, 4}}) {
    queue.push(item);
  }
  for (const unsigned number : {1U, 3U, 0U, 2U, 4U}) {
    ASSERT_FALSE(queue.empty());
    EXPECT_EQ(queue.front().number, number);
    queue.pop();
  }
  EXPECT_TRUE(queue.empty());
}

TEST(NearlySorted, OneThatComesLaterCanGoBeforeAllThatWait) {
  NearlySorted<Item> queue;
  for (unsigned i = 0; i < 5; ++i) queue.push({10 - i, i});
  EXPECT_EQ(queue.front().rank, 6U);
  queue.pop();
  queue.push({1, 9});
  EXPECT_EQ(queue.front().number, 9U);
}

/// Against a list that is searched; long enough that places are taken back many times.
TEST(NearlySorted, RandomItemsLeaveAsFromAList) {
  const char* given = std::getenv("PAWS_SEED");
  const std::uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 0) : 20141213;
  std::cout << "PAWS_SEED=" << seed << '\n';
  std::mt19937_64 random(seed);
  NearlySorted<Item> queue;
  std::deque<Item> list;
  unsigned number = 0;
  for (unsigned now = 0; now < 20'000; ++now) {
    for (std::uint64_t left = random() % 4; left > 0; --left) {
      const Item item{now + static_cast<unsigned>(random() % 40), number++};
      queue.push(item);
      list.push_back(item);
    }
    for (std::uint64_t left = random() % 4; left > 0 && !list.empty(); --left) {
      auto least = list.begin();
      for (auto at = list.begin(); at != list.end(); ++at) {
        if (*at < *least) least = at;
      }
      ASSERT_EQ(queue.front().number, least->number);
      list.erase(least);
      queue.pop();
    }
    ASSERT_EQ(queue.empty(), list.empty());
  }
}

}  // namespace
}  // namespace paws::memory
