// SPDX-License-Identifier: MIT
#include "sim/support/divisor.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>

namespace paws {
namespace {

constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();

void check(std::uint64_t number, std::uint64_t divisor) {
  const Divisor by(divisor);
  ASSERT_EQ(by.quotient(number), number / divisor) << number << " / " << divisor;
  ASSERT_EQ(by.remainder(number), number % divisor) << number << " / " << divisor;
}

TEST(Divisor, AgreesWithTheProcessorAroundEveryMultiple) {
  for (std::uint64_t divisor = 1; divisor <= 300; ++divisor) {
    for (const std::uint64_t factor : {std::uint64_t{1}, std::uint64_t{7}, std::uint64_t{4096},
                                       std::uint64_t{1} << 31, std::uint64_t{1} << 40}) {
      const std::uint64_t multiple = divisor * factor;
      for (const std::uint64_t number : {multiple - 1, multiple, multiple + 1}) {
        check(number, divisor);
      }
    }
    check(0, divisor);
    check(kLargest, divisor);
    check(kLargest - 1, divisor);
  }
}

TEST(Divisor, AgreesWhereTheReciprocalIsNoLongerExact) {
  // The first multiple whose lower neighbour's quotient rounding could lift.
  for (const std::uint64_t divisor : {std::uint64_t{3}, std::uint64_t{7}, std::uint64_t{641},
                                      (std::uint64_t{1} << 33) + 1, kLargest / 2, kLargest}) {
    const std::uint64_t excess = (kLargest / divisor + 1) * divisor;  // over 2^64
    const std::uint64_t limit = kLargest / excess;
    for (const std::uint64_t near : {limit - 1, limit, limit / divisor * divisor - 1}) {
      check(near, divisor);
    }
    if (limit < kLargest) check(limit + 1, divisor);
    check(kLargest / divisor * divisor - 1, divisor);
  }
}

TEST(Divisor, AgreesForNumbersAndDivisorsOfEveryLength) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200'000; ++i) {
    const std::uint64_t divisor = random() >> random() % 64;
    if (divisor != 0) check(random() >> random() % 64, divisor);
  }
}

}  // namespace
}  // namespace paws
