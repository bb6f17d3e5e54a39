// SPDX-License-Identifier: MIT
#include "sim/support/small_float.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace paws {
namespace {

template <typename T>
class SmallFloats : public testing::Test {
 public:
  /// All finite numbers from 0 up, each beside its bits: the definition that rounding is held to.
  static std::vector<double> ladder() {
    std::vector<double> values;
    for (unsigned bits = 0; bits < 0x8000; ++bits) {
      const double value = T{static_cast<std::uint16_t>(bits)}.widen();
      if (!std::isfinite(value)) break;
      values.push_back(value);
    }
    return values;
  }
};

using Formats = testing::Types<Float16, Bfloat16>;
TYPED_TEST_SUITE(SmallFloats, Formats);

TEST(SmallFloat, HasTheFormatsConstants) {
  EXPECT_EQ(Float16{0x3c00}.widen(), 1.0);
  EXPECT_EQ(Float16{0x0001}.widen(), 0x1p-24);
  EXPECT_EQ(Float16{0x0400}.widen(), 0x1p-14);
  EXPECT_EQ(Float16{0x7bff}.widen(), 65504.0);
  EXPECT_EQ(Bfloat16{0x3f80}.widen(), 1.0);
  EXPECT_EQ(Bfloat16{0x0001}.widen(), 0x1p-133);
  EXPECT_EQ(Bfloat16{0x0080}.widen(), 0x1p-126);
  EXPECT_EQ(Bfloat16{0x7f7f}.widen(), 0x1.fep127);
  EXPECT_TRUE(std::signbit(Float16{0x8000}.widen()));
}

TEST(SmallFloat, BfloatIsTheUpperHalfOfBinary32) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const auto wide = std::bit_cast<float>(bits << 16);
    const double value = Bfloat16{static_cast<std::uint16_t>(bits)}.widen();
    ASSERT_TRUE(std::isnan(wide) ? std::isnan(value) : value == static_cast<double>(wide)) << bits;
  }
}

TYPED_TEST(SmallFloats, ReadBackAllBits) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const TypeParam value{static_cast<std::uint16_t>(bits)};
    const double wide = value.widen();
    if (std::isnan(wide)) {
      ASSERT_TRUE(std::isnan(TypeParam::round(wide).widen()));
      ASSERT_EQ(TypeParam::round(wide).bits >> 15, bits >> 15) << "the sign of NaN";
      continue;
    }
    ASSERT_EQ(TypeParam::round(wide).bits, bits);
  }
}

TYPED_TEST(SmallFloats, RoundToNearestTiesToEven) {
  const std::vector<double> ladder = TestFixture::ladder();
  for (std::size_t i = 0; i + 1 < ladder.size(); ++i) {
    const double middle = (ladder[i] + ladder[i + 1]) / 2;  // exact
    const std::size_t even = i % 2 == 0 ? i : i + 1;
    ASSERT_EQ(TypeParam::round(middle).bits, even);
    ASSERT_EQ(TypeParam::round(std::nextafter(middle, 0)).bits, i);
    ASSERT_EQ(TypeParam::round(std::nextafter(middle, ladder[i + 1])).bits, i + 1);
    ASSERT_EQ(TypeParam::round(-middle).bits, even | 0x8000);
  }
}

TYPED_TEST(SmallFloats, OverflowToInfinity) {
  const std::vector<double> ladder = TestFixture::ladder();
  const double last = ladder.back();
  const double limit = last + (last - ladder[ladder.size() - 2]) / 2;
  const auto infinity = static_cast<std::uint16_t>(ladder.size());
  EXPECT_EQ(TypeParam::round(std::nextafter(limit, 0)).widen(), last);
  EXPECT_EQ(TypeParam::round(limit).bits, infinity);
  EXPECT_EQ(TypeParam::round(std::numeric_limits<double>::max()).bits, infinity);
  EXPECT_EQ(TypeParam::round(-std::numeric_limits<double>::infinity()).bits, infinity | 0x8000);
  EXPECT_EQ(TypeParam::round(std::numeric_limits<double>::denorm_min()).bits, 0);
  EXPECT_EQ(TypeParam::round(-std::numeric_limits<double>::min()).bits, 0x8000);
}

TYPED_TEST(SmallFloats, RoundRandomDoublesToANearestNumber) {
  const std::vector<double> ladder = TestFixture::ladder();
  std::mt19937_64 engine(5);
  for (int n = 0; n < 200000; ++n) {
    const double value = std::abs(std::bit_cast<double>(engine()));
    if (!(value <= ladder.back())) continue;
    const auto above = static_cast<std::size_t>(
        std::lower_bound(ladder.begin(), ladder.end(), value) - ladder.begin());
    const std::size_t got = TypeParam::round(value).bits;
    ASSERT_TRUE(got == above || got + 1 == above) << value;
    const double error = std::abs(ladder[got] - value);
    ASSERT_LE(error, std::abs(ladder[above] - value)) << value;
    const std::size_t below = above == 0 ? 0 : above - 1;
    ASSERT_LE(error, std::abs(ladder[below] - value)) << value;
  }
}

TYPED_TEST(SmallFloats, RoundIntegersOnce) {
  std::mt19937_64 engine(7);
  for (int n = 0; n < 100000; ++n) {
    const auto value = static_cast<std::int64_t>(engine()) >> (engine() % 63);
    // Up to 53 bits a double is the integer; beyond, rounding is monotonic between its neighbours.
    const auto wide = static_cast<double>(value);
    if (std::abs(wide) < 0x1p53) {
      ASSERT_EQ(TypeParam::round(value).bits, TypeParam::round(wide).bits) << value;
      continue;
    }
    const double low = TypeParam::round(std::nextafter(wide, 0)).widen();
    const double high = TypeParam::round(std::nextafter(wide, 2 * wide)).widen();
    const double got = std::abs(TypeParam::round(value).widen());
    ASSERT_LE(std::abs(low), got) << value;
    ASSERT_LE(got, std::abs(high)) << value;
  }
}

}  // namespace
}  // namespace paws
