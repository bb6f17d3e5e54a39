// SPDX-License-Identifier: MIT
// Figures of cores and launches are added up: no field may be forgotten.

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "sim/stats/core_statistics.h"
#include "sim/stats/queue_statistics.h"

namespace paws {
namespace {

template <class Figures>
class Sums : public testing::Test {
 protected:
  static_assert(std::is_trivially_copyable_v<Figures> &&
                sizeof(Figures) % sizeof(std::uint64_t) == 0);
  using Words = std::array<std::uint64_t, sizeof(Figures) / sizeof(std::uint64_t)>;

  static Figures all(std::uint64_t word) {
    Words words;
    words.fill(word);
    return std::bit_cast<Figures>(words);
  }
  static Words words_of(const Figures& figures) { return std::bit_cast<Words>(figures); }
};

using All = testing::Types<PartCounts, LaunchCounts, BlockTailCounts, DynctaCounts, FormationCounts,
                           BarrelCounts, CoreStatistics, QueueStatistics>;
TYPED_TEST_SUITE(Sums, All);

TYPED_TEST(Sums, HaveEveryField) {
  constexpr std::uint64_t kOwn = 5, kAdded = 1;
  TypeParam sum{};
  sum += this->all(kAdded);
  const auto words = this->words_of(sum);
  for (std::size_t i = 0; i < words.size(); i++)
    ASSERT_EQ(words[i], kAdded) << "the field at byte " << i * sizeof(words[i])
                                << " has no term in operator+=";
  // What is no sum is the largest of all.
  sum = this->all(kOwn);
  sum += this->all(kAdded);
  for (const std::uint64_t word : this->words_of(sum)) {
    ASSERT_TRUE(word == kOwn + kAdded || word == kOwn) << word;
  }
}

}  // namespace
}  // namespace paws
