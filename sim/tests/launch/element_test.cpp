// SPDX-License-Identifier: MIT
#include "sim/launch/element.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace paws {
namespace {

std::string stored(ElementType type, const Number& number) {
  std::array<std::byte, 8> bytes{};
  const std::string cause = store(type, number, bytes.data());
  return cause.empty() ? format_element(type, bytes.data(), 0) : cause;
}

TEST(Element, TypesHaveTheirNamesAndSizes) {
  for (const std::string& name : element_type_names()) {
    const auto type = element_type(name);
    ASSERT_TRUE(type) << name;
    EXPECT_EQ(to_string(*type), name);
    EXPECT_EQ(size_of(*type) * 8, std::stoul(name.substr(name.find_first_of("0123456789"))));
    EXPECT_EQ(is_float(*type), name.find('f') != std::string::npos);
  }
  EXPECT_FALSE(element_type("f8"));
}

TEST(Element, StoresWhatFits) {
  EXPECT_EQ(stored(ElementType::u8, 255), "255");
  EXPECT_EQ(stored(ElementType::s8, -128), "-128");
  EXPECT_EQ(stored(ElementType::u16, 65535), "65535");
  EXPECT_EQ(stored(ElementType::s16, -32768), "-32768");
  EXPECT_EQ(stored(ElementType::u32, 4294967295), "4294967295");
  EXPECT_EQ(stored(ElementType::s32, -2147483648), "-2147483648");
  EXPECT_EQ(stored(ElementType::u64, std::numeric_limits<std::int64_t>::max()),
            "9223372036854775807");
  EXPECT_EQ(stored(ElementType::s64, std::numeric_limits<std::int64_t>::min()),
            "-9223372036854775808");
  EXPECT_EQ(stored(ElementType::f32, 0.1), "0.1");
  EXPECT_EQ(stored(ElementType::f64, 0.1), "0.1");
  EXPECT_EQ(stored(ElementType::f32, 3), "3");
  EXPECT_EQ(stored(ElementType::f32, std::numeric_limits<double>::infinity()), "inf");
  // The least digits of the largest number are above it, and still mean it.
  EXPECT_EQ(stored(ElementType::f32, 3.4028235e38), "3.4028235e+38");
}

TEST(Element, SaysWhyItDoesNotStore) {
  EXPECT_EQ(stored(ElementType::u8, 256), "256 does not fit u8");
  EXPECT_EQ(stored(ElementType::u8, -1), "-1 does not fit u8");
  EXPECT_EQ(stored(ElementType::s8, 128), "128 does not fit s8");
  EXPECT_EQ(stored(ElementType::u32, -1), "-1 does not fit u32");
  EXPECT_EQ(stored(ElementType::s32, 2147483648), "2147483648 does not fit s32");
  EXPECT_EQ(stored(ElementType::u64, -1), "-1 does not fit u64");
  EXPECT_EQ(stored(ElementType::s32, 1.5), "1.5 is not an integer, as s32 needs");
  EXPECT_EQ(stored(ElementType::f32, 1e300), "1e+300 does not fit f32");
}

TEST(Element, StoresManyUpToTheFirstThatDoesNotFit) {
  const std::vector<double> values{0.1, -2, 1e300, 4};
  std::array<float, 8> to{};
  to.fill(7);
  auto* bytes = reinterpret_cast<std::byte*>(to.data());
  EXPECT_EQ(store_reals(ElementType::f32, values, bytes, 2 * sizeof(float)), 2U);
  EXPECT_EQ(to, (std::array<float, 8>{0.1F, 7, -2, 7, 7, 7, 7, 7}));
  std::array<double, 4> wide{};
  EXPECT_EQ(store_reals(ElementType::f64, values, reinterpret_cast<std::byte*>(wide.data()),
                        sizeof(double)),
            4U);
  EXPECT_TRUE(std::ranges::equal(wide, values));
}

TEST(Element, StoresManyIntegersUpToTheFirstThatDoesNotFit) {
  const std::vector<std::int64_t> values{-128, 127, 128, 5};
  std::array<std::int8_t, 8> to{};
  to.fill(7);
  EXPECT_EQ(store_integers(ElementType::s8, values, reinterpret_cast<std::byte*>(to.data()), 2),
            2U);
  EXPECT_EQ(to, (std::array<std::int8_t, 8>{-128, 7, 127, 7, 7, 7, 7, 7}));
  std::array<float, 4> reals{};
  EXPECT_EQ(store_integers(ElementType::f32, values, reinterpret_cast<std::byte*>(reals.data()),
                           sizeof(float)),
            4U);
  EXPECT_EQ(reals, (std::array<float, 4>{-128, 127, 128, 5}));
}

TEST(Element, AnIntegerIsRoundedOnceToF32) {
  // Halfway between two floats but for its last bit, which a detour over double would lose.
  const std::int64_t value = (std::int64_t{1} << 60) + (std::int64_t{1} << 36) + 1;
  std::array<std::byte, 4> bytes{};
  ASSERT_EQ(store(ElementType::f32, value, bytes.data()), "");
  float out = 0;
  std::memcpy(&out, bytes.data(), sizeof(out));
  EXPECT_EQ(out, std::nextafter(std::ldexp(1.0F, 60), std::ldexp(1.0F, 61)));
}

std::uint16_t half_bits(ElementType type, const Number& number) {
  std::uint16_t bits = 0;
  EXPECT_EQ(store(type, number, reinterpret_cast<std::byte*>(&bits)), "");
  return bits;
}

TEST(Element, StoresSixteenBitFloatingPoint) {
  EXPECT_EQ(half_bits(ElementType::f16, 0.1), 0x2e66);
  EXPECT_EQ(half_bits(ElementType::bf16, 0.1), 0x3dcd);
  EXPECT_EQ(half_bits(ElementType::f16, 65504), 0x7bff);
  EXPECT_EQ(half_bits(ElementType::f16, -std::numeric_limits<double>::infinity()), 0xfc00);
  EXPECT_EQ(half_bits(ElementType::bf16, std::nan("")), 0x7fc0);
  // Halfway between two bfloat16 but for its last bit, which a double does not hold.
  const std::int64_t value = (std::int64_t{1} << 60) + (std::int64_t{1} << 52) + 1;
  EXPECT_EQ(half_bits(ElementType::bf16, value), 0x5d81);
  EXPECT_EQ(half_bits(ElementType::bf16, -value), 0xdd81);
  EXPECT_EQ(half_bits(ElementType::bf16, value - 1), 0x5d80);
  EXPECT_EQ(half_bits(ElementType::f16, 65519), 0x7bff);
  EXPECT_EQ(stored(ElementType::f16, 65520), "65520 does not fit f16");
  EXPECT_EQ(stored(ElementType::f16, -65520.0), "-65520 does not fit f16");
  EXPECT_EQ(stored(ElementType::bf16, 3.4e38), "3.4e+38 does not fit bf16");
}

TEST(Element, ShowsTheLeastDigitsThatReadBack) {
  EXPECT_EQ(stored(ElementType::f16, 0.1), "0.1");
  EXPECT_EQ(stored(ElementType::bf16, 0.1), "0.1");
  EXPECT_EQ(stored(ElementType::f16, 65504), "65504");
  EXPECT_EQ(stored(ElementType::bf16, 1e30), "1e+30");
  EXPECT_EQ(stored(ElementType::f16, 1.0 / 3), "0.3333");
  EXPECT_EQ(stored(ElementType::f16, -0.0), "-0");
  for (const ElementType type : {ElementType::f16, ElementType::bf16}) {
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
      const auto word = static_cast<std::uint16_t>(bits);
      const std::string text = format_element(type, reinterpret_cast<const std::byte*>(&word), 0);
      const double value = std::stod(text);
      ASSERT_TRUE(std::isnan(value) || half_bits(type, value) == word) << text;
    }
  }
}

TEST(Element, StoresRawBits) {
  std::uint64_t word = 0;
  auto* bytes = reinterpret_cast<std::byte*>(&word);
  EXPECT_EQ(store_bits(ElementType::f32, 0x7fc00001, bytes), "");
  EXPECT_EQ(word, 0x7fc00001U);
  EXPECT_EQ(store_bits(ElementType::f64, 0xfff0000000000001, bytes), "");
  EXPECT_EQ(word, 0xfff0000000000001U);
  EXPECT_EQ(store_bits(ElementType::bf16, 0x10000, bytes),
            "0x10000 does not fit the 16 bits of bf16");
}

TEST(Element, CountsRepresentableNumbers) {
  EXPECT_EQ(ulps_apart(ElementType::f16, 1, 1 + 0x1p-10), 1U);
  EXPECT_EQ(ulps_apart(ElementType::bf16, 1, 1 + 0x1p-7), 1U);
  EXPECT_EQ(ulps_apart(ElementType::f16, 0x1p-24, -0x1p-24), 2U);
  EXPECT_EQ(ulps_apart(ElementType::f16, -65504, 65504), 2U * 0x7bff);
  EXPECT_EQ(round_to(ElementType::f16, 65520), std::numeric_limits<double>::infinity());
  EXPECT_EQ(round_to(ElementType::f32, 0.1), static_cast<double>(0.1F));
}

TEST(Element, ReadsWholeArrays) {
  const std::array<std::uint64_t, 2> large{1, std::numeric_limits<std::uint64_t>::max()};
  EXPECT_EQ(read_values(ElementType::u64, reinterpret_cast<const std::byte*>(large.data()), 2),
            Values(std::vector<std::int64_t>{1, -1}));
  const std::array<float, 2> real{0.5F, -2.0F};
  EXPECT_EQ(read_values(ElementType::f32, reinterpret_cast<const std::byte*>(real.data()), 2),
            Values(std::vector<double>{0.5, -2.0}));
}

}  // namespace
}  // namespace paws
