// SPDX-License-Identifier: MIT
#include "sim/launch/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace paws {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <typename T>
Comparison compared(ElementType type, const std::vector<T>& actual, const Values& expected,
                    const Tolerance& tolerance = {}) {
  return compare("c", type, std::as_bytes(std::span(actual)), expected, tolerance);
}

bool passes(float actual, double expected, const Tolerance& tolerance) {
  return compared<float>(ElementType::f32, {actual}, std::vector<double>{expected}, tolerance)
             .mismatches == 0;
}

TEST(Compare, IsExactWithoutTolerance) {
  EXPECT_TRUE(passes(0.1F, 0.1, {}));  // the expected value is rounded to f32 first
  EXPECT_FALSE(passes(std::nextafter(0.1F, 1.0F), 0.1, {}));
  EXPECT_TRUE(passes(-0.0F, 0.0, {}));
}

TEST(Compare, TakesAnyBound) {
  EXPECT_TRUE(passes(1.5F, 1.0, {0.5, {}, {}}));
  EXPECT_FALSE(passes(1.5F, 1.0, {0.49, {}, {}}));
  EXPECT_TRUE(passes(110.0F, 100.0, {{}, 0.1, {}}));
  EXPECT_FALSE(passes(112.0F, 100.0, {{}, 0.1, {}}));
  EXPECT_TRUE(passes(-110.0F, -100.0, {{}, 0.1, {}}));
  EXPECT_TRUE(passes(112.0F, 100.0, {12.0, 0.1, {}}));
}

TEST(Compare, CountsUlps) {
  const float next = std::nextafter(1.0F, 2.0F);
  EXPECT_TRUE(passes(next, 1.0, {{}, {}, 1}));
  EXPECT_FALSE(passes(std::nextafter(next, 2.0F), 1.0, {{}, {}, 1}));
  // Across zero: the smallest numbers of either sign are two apart.
  const float tiny = std::numeric_limits<float>::denorm_min();
  EXPECT_TRUE(passes(tiny, -static_cast<double>(tiny), {{}, {}, 2}));
  EXPECT_FALSE(passes(tiny, -static_cast<double>(tiny), {{}, {}, 1}));
  // Opposite ends of the f64 range overflow nothing.
  const double largest = std::numeric_limits<double>::max();
  EXPECT_EQ(
      compared<double>(ElementType::f64, {largest}, std::vector<double>{-largest}, {{}, {}, 1000})
          .mismatches,
      1U);
}

TEST(Compare, KnowsSixteenBitFloatingPoint) {
  const auto half = [](std::uint16_t actual, double expected, const Tolerance& tolerance) {
    return compared<std::uint16_t>(ElementType::f16, {actual}, std::vector<double>{expected},
                                   tolerance)
               .mismatches == 0;
  };
  EXPECT_TRUE(half(0x2e66, 0.1, {}));  // the expected value is rounded to f16 first
  EXPECT_FALSE(half(0x2e67, 0.1, {}));
  EXPECT_TRUE(half(0x2e67, 0.1, {{}, {}, 1}));
  EXPECT_FALSE(half(0x2e68, 0.1, {{}, {}, 1}));
  EXPECT_TRUE(half(0x3c01, 1.0, {1e-3, {}, {}}));
  EXPECT_FALSE(half(0x3c01, 1.0, {9e-4, {}, {}}));
  EXPECT_TRUE(half(0x7e01, std::nan(""), {}));
  EXPECT_FALSE(half(0x7c00, 65504, {1e9, 1, 1}));
  EXPECT_TRUE(half(0x7c00, kInfinity, {}));
  const Comparison wrong = compared<std::uint16_t>(ElementType::bf16, {0x3f81, 0x7fc0},
                                                   std::vector<double>{1, 2}, {{}, {}, 0});
  EXPECT_EQ(wrong.first.at(0), "c[0]: expected 1, got 1.01 (off by 0.0078125)");
  EXPECT_EQ(wrong.first.at(1), "c[1]: expected 2, got nan (off by nan)");
}

TEST(Compare, KnowsNanAndInfinity) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  const Tolerance wide{1e30, 1e30, 1000};
  EXPECT_TRUE(passes(nan, std::nan(""), {}));
  EXPECT_FALSE(passes(nan, 1.0, wide));
  EXPECT_FALSE(passes(1.0F, std::nan(""), wide));
  EXPECT_TRUE(passes(infinity, kInfinity, {}));
  EXPECT_FALSE(passes(-infinity, kInfinity, wide));
  EXPECT_FALSE(passes(std::numeric_limits<float>::max(), kInfinity, wide));
  EXPECT_FALSE(passes(infinity, 1.0, wide));
}

TEST(Compare, ComparesIntegersWithoutOverflow) {
  constexpr auto kLow = std::numeric_limits<std::int64_t>::min();
  constexpr auto kHigh = std::numeric_limits<std::int64_t>::max();
  const auto mismatches = [](std::int64_t actual, std::int64_t expected, double bound) {
    return compared<std::int64_t>(ElementType::s64, {actual}, std::vector<std::int64_t>{expected},
                                  {bound, {}, {}})
        .mismatches;
  };
  EXPECT_EQ(mismatches(kHigh, kLow, 1e9), 1U);
  EXPECT_EQ(mismatches(10, 12, 2), 0U);
  EXPECT_EQ(mismatches(10, 13, 2), 1U);
  const auto large =
      compared<std::uint64_t>(ElementType::u64, {std::numeric_limits<std::uint64_t>::max()},
                              std::vector<std::int64_t>{kHigh}, {1e9, {}, {}});
  EXPECT_EQ(large.first.at(0),
            "c[0]: expected 9223372036854775807, got 18446744073709551615 (off by "
            "9223372036854775808)");
}

TEST(Compare, SeesEveryBitOfU64) {
  for (const std::uint64_t right : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{1} << 63}) {
    const Values expected = std::vector<std::int64_t>{static_cast<std::int64_t>(right)};
    EXPECT_EQ(compared<std::uint64_t>(ElementType::u64, {right}, expected).mismatches, 0U);
    for (unsigned bit = 0; bit < 64; ++bit) {
      const std::uint64_t wrong = right ^ (std::uint64_t{1} << bit);
      EXPECT_EQ(compared<std::uint64_t>(ElementType::u64, {wrong}, expected).mismatches, 1U) << bit;
    }
  }
}

TEST(Compare, ReportsTheFirstMismatchesAndCountsAll) {
  std::vector<float> actual(100, 1.5F);
  std::vector<double> expected(100, 1.5);
  for (const std::size_t i : {3U, 10U, 20U, 30U, 40U, 50U, 60U}) expected[i] = 2;
  const Comparison result = compared(ElementType::f32, actual, expected);
  EXPECT_EQ(result.compared, 100U);
  EXPECT_EQ(result.mismatches, 7U);
  ASSERT_EQ(result.first.size(), kShownMismatches);
  EXPECT_EQ(result.first[0], "c[3]: expected 2, got 1.5 (off by 0.5)");
  EXPECT_EQ(result.first[4], "c[40]: expected 2, got 1.5 (off by 0.5)");
}

}  // namespace
}  // namespace paws
