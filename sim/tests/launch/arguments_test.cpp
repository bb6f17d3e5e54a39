// SPDX-License-Identifier: MIT
#include "sim/launch/arguments.h"

#include <gtest/gtest.h>

#include <cstring>

#include "sim/tests/launch/support.h"

namespace paws {
namespace {

const Location kHere{"here.toml", 7};

Scalar number(std::int64_t value) { return {Expression(value, kHere), kHere}; }

Datum make(Datum::Kind kind, std::vector<Scalar> numbers) {
  Datum out;
  out.kind = kind;
  out.number = std::move(numbers);
  out.where = kHere;
  return out;
}
Datum plain(std::int64_t value) { return make(Datum::Kind::plain, {number(value)}); }
Datum plain(double value) { return make(Datum::Kind::plain, {Scalar{value, kHere}}); }
Datum typed(ElementType type, std::int64_t value) {
  Datum out = make(Datum::Kind::typed, {number(value)});
  out.type = type;
  return out;
}
Datum raw(std::uint64_t bits) {
  Datum out = make(Datum::Kind::plain, {});
  out.bits = bits;
  return out;
}
Datum raw(ElementType type, std::uint64_t bits) {
  Datum out = make(Datum::Kind::typed, {});
  out.type = type;
  out.bits = bits;
  return out;
}
Datum address(std::int64_t offset) {
  Datum out = make(Datum::Kind::address, {number(offset)});
  out.buffer = "a";
  return out;
}
Datum structure(std::vector<Datum> members) {
  Datum out = make(Datum::Kind::structure, {});
  out.members = std::move(members);
  return out;
}

struct Parameter {
  ir::Type type;
  std::uint32_t bytes, align;
};

/// Checks and packs as a launch of kernel "k" does. Buffer "a" is 64 bytes at 0x1000.
std::vector<std::byte> packed(const std::vector<Parameter>& parameters,
                              std::vector<Datum> arguments) {
  ir::Kernel kernel;
  kernel.name = "k";
  for (const Parameter& each : parameters)
    test::add_param(kernel, each.type, each.bytes, each.align);
  const LaunchStep launch{
      "k", {}, {}, Expression(0, kHere), Expression(0, kHere), std::move(arguments), {}};
  check_arguments(launch, kHere, kernel);
  return pack_arguments(launch, kernel, {{"n", 3}},
                        [](const std::string&) { return BufferAddress{0x1000, 64}; });
}

std::string error(const Parameter& parameter, const Datum& argument) {
  return test::error_of([&] { packed({parameter}, {argument}); });
}

template <typename T>
T at(const std::vector<std::byte>& block, std::size_t offset) {
  T value;
  EXPECT_LE(offset + sizeof(T), block.size());
  std::memcpy(&value, block.data() + offset, sizeof(T));
  return value;
}

constexpr Parameter kU32{ir::Type::u32, 4, 4};
constexpr Parameter kU64{ir::Type::u64, 8, 8};
constexpr Parameter kF32{ir::Type::f32, 4, 4};
constexpr Parameter kF64{ir::Type::f64, 8, 8};
constexpr Parameter kB32{ir::Type::b32, 4, 4};
constexpr Parameter kF16{ir::Type::f16, 2, 2};
constexpr Parameter kB16{ir::Type::b16, 2, 2};
constexpr Parameter kU8{ir::Type::u8, 1, 1};

TEST(Arguments, PlainNumbersTakeTheParametersType) {
  const auto block =
      packed({kU32, kF32, kU64, kF64, kU8, kB32},
             {plain(std::int64_t{-2}), plain(1.5), plain(std::int64_t{-3}), plain(std::int64_t{4}),
              plain(std::int64_t{255}), plain(std::int64_t{4294967295})});
  EXPECT_EQ(at<std::int32_t>(block, 0), -2);
  EXPECT_EQ(at<float>(block, 4), 1.5F);
  EXPECT_EQ(at<std::int64_t>(block, 8), -3);
  EXPECT_EQ(at<double>(block, 16), 4.0);
  EXPECT_EQ(at<std::uint8_t>(block, 24), 255);
  EXPECT_EQ(at<std::uint32_t>(block, 28), 4294967295U);
}

TEST(Arguments, ExpressionsAndBuffers) {
  const auto block = packed(
      {kU64, kU64, kU32}, {address(0), address(12),
                           make(Datum::Kind::plain, {Scalar{Expression("2 * n", kHere), kHere}})});
  EXPECT_EQ(at<std::uint64_t>(block, 0), 0x1000U);
  EXPECT_EQ(at<std::uint64_t>(block, 8), 0x100cU);
  EXPECT_EQ(at<std::uint32_t>(block, 16), 6U);
}

TEST(Arguments, StructuresAreLaidOutAsInC) {
  const Datum value = structure({typed(ElementType::u8, 1), typed(ElementType::u16, 2), address(4),
                                 typed(ElementType::f32, 3)});
  const auto block = packed({kU8, {ir::Type::b8, 24, 8}}, {plain(std::int64_t{9}), value});
  EXPECT_EQ(at<std::uint8_t>(block, 8), 1);
  EXPECT_EQ(at<std::uint16_t>(block, 10), 2);
  EXPECT_EQ(at<std::uint64_t>(block, 16), 0x1004U);
  EXPECT_EQ(at<float>(block, 24), 3.0F);
  EXPECT_EQ(block.size(), 32U);

  const Datum padded =
      structure({typed(ElementType::u8, 1), make(Datum::Kind::padding, {number(7)}),
                 structure({typed(ElementType::u32, 5), typed(ElementType::u8, 6)})});
  const auto second = packed({{ir::Type::b8, 16, 4}}, {padded});
  EXPECT_EQ(at<std::uint32_t>(second, 8), 5U);
  EXPECT_EQ(at<std::uint8_t>(second, 12), 6);
}

TEST(Arguments, MismatchesNameBothSides) {
  EXPECT_EQ(test::error_of([] { packed({kU64, kU32}, {address(0)}); }),
            "here.toml:7: kernel \"k\" takes 2 arguments, \"args\" has 1");
  EXPECT_EQ(error(kU32, address(0)),
            "here.toml:7: kernel \"k\": argument 1, buffer \"a\", does not match parameter "
            "\"k_param_0\" (.u32, 4 bytes): an address has 8 bytes");
  EXPECT_EQ(error(kF64, address(0)),
            "here.toml:7: kernel \"k\": argument 1, buffer \"a\", does not match parameter "
            "\"k_param_0\" (.f64, 8 bytes): an address does not go there");
  EXPECT_EQ(error(kU64, typed(ElementType::u32, 1)),
            "here.toml:7: kernel \"k\": argument 1, u32, does not match parameter \"k_param_0\" "
            "(.u64, 8 bytes): u32 has 4 bytes");
  EXPECT_EQ(error(kF32, typed(ElementType::u32, 1)),
            "here.toml:7: kernel \"k\": argument 1, u32, does not match parameter \"k_param_0\" "
            "(.f32, 4 bytes): one is an integer, the other is floating-point");
  EXPECT_EQ(error(kU32, plain(1.5)),
            "here.toml:7: kernel \"k\": argument 1, floating-point number, does not match "
            "parameter \"k_param_0\" (.u32, 4 bytes): the parameter takes an integer");
  EXPECT_EQ(error(kB32, plain(1.5)),
            "here.toml:7: kernel \"k\": argument 1, floating-point number, does not match "
            "parameter \"k_param_0\" (.b32, 4 bytes): give the type, as in { f32 = 1.5 }");
  EXPECT_EQ(error({ir::Type::b8, 16, 4}, plain(std::int64_t{1})),
            "here.toml:7: kernel \"k\": argument 1, integer, does not match parameter "
            "\"k_param_0\" (.b8, 16 bytes): give { struct = [...] }");
  EXPECT_EQ(error({ir::Type::b8, 16, 4}, structure({typed(ElementType::u32, 1)})),
            "here.toml:7: kernel \"k\": argument 1, struct of 4 bytes, does not match parameter "
            "\"k_param_0\" (.b8, 16 bytes)");
}

TEST(Arguments, ValuesMustFit) {
  EXPECT_EQ(error(kU32, plain(std::int64_t{4294967296})),
            "here.toml:7: 4294967296 does not fit parameter \"k_param_0\" (.u32, 4 bytes)");
  EXPECT_EQ(error(kU32, plain(std::int64_t{-2147483649})),
            "here.toml:7: -2147483649 does not fit parameter \"k_param_0\" (.u32, 4 bytes)");
  EXPECT_EQ(error(kU32, typed(ElementType::u32, -1)), "here.toml:7: -1 does not fit u32");
  EXPECT_EQ(error(kF32, plain(1e300)),
            "here.toml:7: parameter \"k_param_0\" (.f32, 4 bytes): 1e+300 does not fit f32");
  EXPECT_EQ(error(kU64, address(65)),
            "here.toml:7: \"offset\" in bytes into buffer \"a\" is 65, allowed are 0 to 64");
  EXPECT_EQ(at<std::uint64_t>(packed({kU64}, {address(64)}), 0), 0x1040U);  // the end
}

TEST(Arguments, RawBitsGoAsTheyAre) {
  const auto block = packed(
      {kF32, kF64, kF16, kU64, kU8},
      {raw(0x7fc00001), raw(0x7ff0000000000001), raw(0x7e01), raw(0xffffffffffffffff), raw(0xff)});
  EXPECT_EQ(at<std::uint32_t>(block, 0), 0x7fc00001U);
  EXPECT_EQ(at<std::uint64_t>(block, 8), 0x7ff0000000000001U);
  EXPECT_EQ(at<std::uint16_t>(block, 16), 0x7e01U);
  EXPECT_EQ(at<std::uint64_t>(block, 24), 0xffffffffffffffffU);
  EXPECT_EQ(at<std::uint8_t>(block, 32), 0xffU);

  const Datum value = structure({raw(ElementType::u16, 0xbeef), raw(ElementType::f32, 0xff800001)});
  const auto second = packed({{ir::Type::b8, 8, 4}}, {value});
  EXPECT_EQ(at<std::uint16_t>(second, 0), 0xbeefU);
  EXPECT_EQ(at<std::uint32_t>(second, 4), 0xff800001U);

  EXPECT_EQ(error(kF32, raw(0x100000000)),
            "here.toml:7: 0x100000000 does not fit parameter \"k_param_0\" (.f32, 4 bytes)");
  EXPECT_EQ(error(kF32, raw(ElementType::f32, 0x100000000)),
            "here.toml:7: 0x100000000 does not fit the 32 bits of f32");
  EXPECT_EQ(error({ir::Type::b8, 16, 4}, raw(1)),
            "here.toml:7: kernel \"k\": argument 1, bits, does not match parameter "
            "\"k_param_0\" (.b8, 16 bytes): give { struct = [...] }");
}

TEST(Arguments, SixteenBitFloatingPoint) {
  const auto block = packed({kF16, kB16, {ir::Type::b8, 2, 2}},
                            {plain(1.5), typed(ElementType::bf16, -2), typed(ElementType::f16, 1)});
  EXPECT_EQ(at<std::uint16_t>(block, 0), 0x3e00U);
  EXPECT_EQ(at<std::uint16_t>(block, 2), 0xc000U);
  EXPECT_EQ(at<std::uint16_t>(block, 4), 0x3c00U);
  EXPECT_EQ(error(kF16, plain(65520.0)),
            "here.toml:7: parameter \"k_param_0\" (.f16, 2 bytes): 65520 does not fit f16");
  EXPECT_EQ(error(kF16, typed(ElementType::bf16, 1)),
            "here.toml:7: kernel \"k\": argument 1, bf16, does not match parameter "
            "\"k_param_0\" (.f16, 2 bytes): the formats differ");
}

}  // namespace
}  // namespace paws
