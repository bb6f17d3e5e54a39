// SPDX-License-Identifier: MIT
#include "sim/launch/element.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

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
    EXPECT_EQ(size_of(*type) * 8, std::stoul(name.substr(1)));
    EXPECT_EQ(is_float(*type), name[0] == 'f');
  }
  EXPECT_FALSE(element_type("f16"));
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

TEST(Element, AnIntegerIsRoundedOnceToF32) {
  // Halfway between two floats but for its last bit, which a detour over double would lose.
  const std::int64_t value = (std::int64_t{1} << 60) + (std::int64_t{1} << 36) + 1;
  std::array<std::byte, 4> bytes{};
  ASSERT_EQ(store(ElementType::f32, value, bytes.data()), "");
  float out = 0;
  std::memcpy(&out, bytes.data(), sizeof(out));
  EXPECT_EQ(out, std::nextafter(std::ldexp(1.0F, 60), std::ldexp(1.0F, 61)));
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
