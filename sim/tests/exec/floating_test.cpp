// SPDX-License-Identifier: MIT
// Floating-point semantics: edge values by hand, approximate functions within the ISA's bounds.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <initializer_list>

#include "sim/exec/testing/kernel_builder.h"
#include "sim/tests/exec/ptx_harness.h"

namespace paws::exec {
namespace {

constexpr std::uint64_t kNan = 0x7fffffff;  // canonical f32 NaN
constexpr std::uint64_t kSomeNan = 0xffc12345;
constexpr std::uint64_t kInf = 0x7f800000;
constexpr std::uint64_t kMinusInf = 0xff800000;
constexpr std::uint64_t kMinusZero = 0x80000000;
constexpr std::uint64_t kSubnormal = 0x00000001;
constexpr std::uint64_t kMinusSubnormal = 0x80000001;
constexpr std::uint64_t kMinNormal = 0x00800000;
constexpr std::uint64_t kOne = 0x3f800000;

TEST(F32, NanIsCanonical) {
  expect_results("add.f32 %d32, %a32, %b32;",
                 {{{kSomeNan, kOne}, kNan}, {{kOne, kSomeNan}, kNan}, {{kInf, kMinusInf}, kNan}});
  expect_results("mul.f32 %d32, %a32, %b32;", {{{0, kInf}, kNan}});
  expect_results("fma.rn.f32 %d32, %a32, %b32, %c32;", {{{0, kInf, kOne}, kNan}});
  expect_results("sqrt.rn.f32 %d32, %a32;", {{{bits(-1.0f)}, kNan}, {{kMinusZero}, kMinusZero}});
  expect_results("mov.f32 %d32, %a32;", {{{kSomeNan}, kSomeNan}});
  expect_results("neg.f32 %d32, %a32;", {{{0}, kMinusZero}, {{kInf}, kMinusInf}});
  expect_results("abs.f32 %d32, %a32;", {{{kMinusZero}, 0}, {{kMinusInf}, kInf}});
}

TEST(F32, FlushesSubnormals) {
  expect_results("add.f32 %d32, %a32, %b32;", {{{kSubnormal, kSubnormal}, 2}});
  expect_results("add.ftz.f32 %d32, %a32, %b32;",
                 {{{kSubnormal, kSubnormal}, 0}, {{kMinusSubnormal, kMinusSubnormal}, kMinusZero}});
  // A result that becomes subnormal is flushed too, keeping its sign.
  expect_results("mul.ftz.f32 %d32, %a32, %b32;",
                 {{{kMinNormal, bits(0.5f)}, 0}, {{kMinNormal, bits(-0.5f)}, kMinusZero}});
  expect_results("mul.f32 %d32, %a32, %b32;", {{{kMinNormal, bits(0.5f)}, 0x00400000}});
  expect_results("neg.ftz.f32 %d32, %a32;", {{{kSubnormal}, kMinusZero}});
  expect_results("abs.ftz.f32 %d32, %a32;", {{{kMinusSubnormal}, 0}});
  expect_results("setp.eq.ftz.f32 %dp, %a32, %b32;", {{{kSubnormal, 0}, 1}});
  expect_results("setp.eq.f32 %dp, %a32, %b32;", {{{kSubnormal, 0}, 0}, {{kMinusZero, 0}, 1}});
}

TEST(F32, Saturates) {
  expect_results("add.sat.f32 %d32, %a32, %b32;", {{{kOne, kOne}, kOne},
                                                   {{bits(-3.0f), kOne}, 0},
                                                   {{kSomeNan, kOne}, 0},
                                                   {{kMinusZero, kMinusZero}, 0},
                                                   {{bits(0.25f), bits(0.5f)}, bits(0.75f)}});
  expect_results("fma.rn.sat.f32 %d32, %a32, %b32, %c32;",
                 {{{bits(2.0f), bits(2.0f), kOne}, kOne}});
}

TEST(F32, MinMaxPreferNumbersAndOrderZeros) {
  expect_results("min.f32 %d32, %a32, %b32;", {{{kSomeNan, kOne}, kOne},
                                               {{kOne, kSomeNan}, kOne},
                                               {{kSomeNan, kSomeNan}, kNan},
                                               {{0, kMinusZero}, kMinusZero},
                                               {{kMinusZero, 0}, kMinusZero},
                                               {{kMinusInf, kOne}, kMinusInf}});
  expect_results(
      "max.f32 %d32, %a32, %b32;",
      {{{kSomeNan, kOne}, kOne}, {{kMinusZero, 0}, 0}, {{0, kMinusZero}, 0}, {{kInf, kOne}, kInf}});
  expect_results("max.f64 %d64, %a64, %b64;", {{{bits(-0.0), bits(0.0)}, bits(0.0)}});
}

TEST(F32, RoundingModes) {
  const std::uint64_t tiny = bits(0x1p-30f);
  expect_results("add.rn.f32 %d32, %a32, %b32;", {{{kOne, tiny}, kOne}});
  expect_results("add.rp.f32 %d32, %a32, %b32;", {{{kOne, tiny}, kOne + 1}});
  expect_results("add.rm.f32 %d32, %a32, %b32;",
                 {{{kOne, tiny}, kOne}, {{kOne, bits(-1.0f)}, kMinusZero}});
  expect_results("sub.rz.f32 %d32, %a32, %b32;", {{{kOne, tiny}, kOne - 1}});
  expect_results("mul.rp.f32 %d32, %a32, %b32;", {{{kOne + 1, kOne + 1}, kOne + 3}});
  expect_results("mul.rz.f32 %d32, %a32, %b32;", {{{kOne + 1, kOne + 1}, kOne + 2}});
  expect_results("fma.rp.f32 %d32, %a32, %b32, %c32;", {{{kOne, kOne, tiny}, kOne + 1}});
  expect_results("div.rm.f32 %d32, %a32, %b32;", {{{kOne, bits(3.0f)}, 0x3eaaaaaa}});
  expect_results("div.rp.f32 %d32, %a32, %b32;", {{{kOne, bits(3.0f)}, 0x3eaaaaab}});
  expect_results("sqrt.rz.f32 %d32, %a32;", {{{bits(2.0f)}, 0x3fb504f3}});
  expect_results("sqrt.rp.f32 %d32, %a32;", {{{bits(2.0f)}, 0x3fb504f4}});
  expect_results("rcp.rm.f32 %d32, %a32;", {{{bits(3.0f)}, 0x3eaaaaaa}});
  // The mode does not outlive its instruction.
  expect_results("add.rp.f32 %r0, %a32, %b32; add.rn.f32 %d32, %a32, %b32;",
                 {{{kOne, tiny}, kOne}});
  expect_results("add.rm.f64 %d64, %a64, %b64;",
                 {{{bits(1.0), bits(-0x1p-80)}, bits(1.0 - 0x1p-53)}});
}

TEST(F32, FusedMultiplyAddRoundsOnce) {
  const float x = 1.0f + 0x1p-12f;
  expect_results("fma.rn.f32 %d32, %a32, %b32, %c32;",
                 {{{bits(x), bits(x), bits(-1.0f - 0x1p-11f)}, bits(0x1p-24f)}});
  expect_results(
      "fma.rn.f64 %d64, %a64, %b64, %c64;",
      {{{bits(1.0 + 0x1p-30), bits(1.0 + 0x1p-30), bits(-1.0 - 0x1p-29)}, bits(0x1p-60)}});
}

TEST(F32, DivisionApproximateAndExact) {
  expect_results("div.rn.f32 %d32, %a32, %b32;",
                 {{{kOne, 0}, kInf}, {{kOne, kMinusZero}, kMinusInf}, {{0, 0}, kNan}});
  expect_results("div.approx.f32 %d32, %a32, %b32;", {{{kOne, bits(4.0f)}, bits(0.25f)},
                                                      {{kOne, bits(0x1.8p126f)}, 0},
                                                      {{kInf, bits(0x1.8p126f)}, kNan}});
  expect_results("div.full.f32 %d32, %a32, %b32;",
                 {{{bits(0x1p127f), bits(0x1.8p126f)}, 0x3faaaaab}});
}

TEST(F32, CopysignAndTestp) {
  expect_results("copysign.f32 %d32, %a32, %b32;",
                 {{{kMinusZero, kOne}, bits(-1.0f)}, {{kOne, bits(-2.0f)}, bits(2.0f)}});
  const auto testp = [](const std::string& property, std::vector<std::uint64_t> expected) {
    const std::vector<std::uint64_t> values{kOne, kInf, kSomeNan, kSubnormal, 0};
    std::vector<Case> cases;
    for (std::size_t i = 0; i < values.size(); ++i) cases.push_back({{values[i]}, expected[i]});
    expect_results("testp." + property + ".f32 %dp, %a32;", cases);
  };
  testp("finite", {1, 0, 0, 1, 1});
  testp("infinite", {0, 1, 0, 0, 0});
  testp("number", {1, 1, 0, 1, 1});
  testp("notanumber", {0, 0, 1, 0, 0});
  testp("normal", {1, 0, 0, 0, 0});
  testp("subnormal", {0, 0, 0, 1, 0});
}

/// Largest error of a one-operand instruction over the samples: relative to the result, or
/// absolute.
double largest_error(const std::string& instruction, const std::vector<float>& samples,
                     const std::function<double(double)>& exact, bool relative) {
  std::vector<Inputs> in;
  in.reserve(samples.size());
  for (float x : samples) in.push_back({bits(x)});
  double largest = 0;
  for (std::size_t first = 0; first < in.size(); first += 512) {
    const std::vector<Inputs> part(in.begin() + long(first),
                                   in.begin() + long(std::min(in.size(), first + 512)));
    const auto results = run_body(instruction, part);
    for (std::size_t i = 0; i < part.size(); ++i) {
      const double truth = exact(as_float(part[i].a));
      const double error = std::abs(as_float(results[i]) - truth);
      largest = std::max(largest, relative ? error / std::abs(truth) : error);
    }
  }
  return largest;
}

std::vector<float> between(float low, float high, int count = 1500) {
  std::vector<float> samples;
  samples.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    samples.push_back(low + (high - low) * static_cast<float>(i) / static_cast<float>(count - 1));
  }
  return samples;
}

TEST(Approximate, WithinHalfAnUlpOrSo) {
  const double half_ulp = 0x1.01p-24;
  EXPECT_LT(largest_error(
                "ex2.approx.f32 %d32, %a32;", between(-120, 120),
                [](double x) { return std::exp2(x); }, true),
            half_ulp);
  EXPECT_LT(largest_error(
                "lg2.approx.f32 %d32, %a32;", between(0.001f, 0.99f),
                [](double x) { return std::log2(x); }, true),
            half_ulp);
  EXPECT_LT(largest_error(
                "lg2.approx.f32 %d32, %a32;", between(1.001f, 1e30f),
                [](double x) { return std::log2(x); }, true),
            half_ulp);
  EXPECT_LT(largest_error(
                "sin.approx.f32 %d32, %a32;", between(-400, 400),
                [](double x) { return std::sin(x); }, false),
            half_ulp);
  EXPECT_LT(largest_error(
                "cos.approx.f32 %d32, %a32;", between(-400, 400),
                [](double x) { return std::cos(x); }, false),
            half_ulp);
  EXPECT_LT(largest_error(
                "sin.approx.f32 %d32, %a32;", between(1e6f, 1e8f),
                [](double x) { return std::sin(x); }, false),
            1e-6);
  EXPECT_LT(largest_error(
                "tanh.approx.f32 %d32, %a32;", between(-12, 12, 1000),
                [](double x) { return std::tanh(x); }, true),
            half_ulp);
  EXPECT_LT(largest_error(
                "rsqrt.approx.f32 %d32, %a32;", between(1e-3f, 1e6f),
                [](double x) { return 1 / std::sqrt(x); }, true),
            half_ulp);
  EXPECT_LT(largest_error(
                "rcp.approx.ftz.f32 %d32, %a32;", between(1e-3f, 1e6f),
                [](double x) { return 1 / x; }, true),
            half_ulp);
  EXPECT_LT(largest_error(
                "sqrt.approx.f32 %d32, %a32;", between(1e-3f, 1e6f),
                [](double x) { return std::sqrt(x); }, true),
            half_ulp);
}

TEST(Approximate, SpecialValues) {
  expect_results("ex2.approx.f32 %d32, %a32;", {{{kMinusInf}, 0},
                                                {{kInf}, kInf},
                                                {{kSomeNan}, kNan},
                                                {{0}, kOne},
                                                {{kMinusZero}, kOne},
                                                {{bits(-149.0f)}, 1},
                                                {{bits(10.0f)}, bits(1024.0f)},
                                                {{bits(128.0f)}, kInf}});
  expect_results("ex2.approx.ftz.f32 %d32, %a32;", {{{bits(-149.0f)}, 0}});
  expect_results("lg2.approx.f32 %d32, %a32;", {{{0}, kMinusInf},
                                                {{kMinusZero}, kMinusInf},
                                                {{kInf}, kInf},
                                                {{bits(-1.0f)}, kNan},
                                                {{kOne}, 0},
                                                {{kSubnormal}, bits(-149.0f)},
                                                {{bits(8.0f)}, bits(3.0f)}});
  expect_results("sin.approx.f32 %d32, %a32;",
                 {{{kInf}, kNan}, {{0}, 0}, {{kMinusZero}, kMinusZero}, {{kSomeNan}, kNan}});
  expect_results("cos.approx.f32 %d32, %a32;", {{{kMinusInf}, kNan}, {{0}, kOne}});
  expect_results("rsqrt.approx.f32 %d32, %a32;",
                 {{{0}, kInf}, {{kMinusZero}, kMinusInf}, {{kInf}, 0}, {{bits(4.0f)}, bits(0.5f)}});
  expect_results("rcp.approx.f32 %d32, %a32;", {{{0}, kInf}, {{kMinusInf}, kMinusZero}});
  expect_results(
      "tanh.approx.f32 %d32, %a32;",
      {{{kInf}, kOne}, {{kMinusInf}, bits(-1.0f)}, {{kMinusZero}, kMinusZero}, {{kSomeNan}, kNan}});
}

TEST(F64, Arithmetic) {
  expect_results("add.f64 %d64, %a64, %b64;", {{{bits(0.1), bits(0.2)}, bits(0.1 + 0.2)}});
  expect_results("div.rn.f64 %d64, %a64, %b64;", {{{bits(1.0), bits(3.0)}, bits(1.0 / 3.0)}});
  expect_results("sqrt.rn.f64 %d64, %a64;", {{{bits(2.0)}, bits(std::sqrt(2.0))}});
  expect_results("neg.f64 %d64, %a64;", {{{bits(1.5)}, bits(-1.5)}});
  expect_results("add.f64 %d64, %a64, %b64;",
                 {{{bits(INFINITY + 0.0), bits(-INFINITY + 0.0)}, 0x7ff8000000000000}});
}

// PTX ISA 9.7.3: both take the operand's high word alone and give a high word alone; the table of
// the ISA for what is no number.
TEST(F64, ApproximateReciprocalsAreOfTheHighWord) {
  constexpr std::uint64_t kDoubleInf = 0x7ff0000000000000;
  constexpr std::uint64_t kDoubleNan = 0x7fffffff00000000;
  constexpr std::uint64_t kSign = 0x8000000000000000;
  const std::vector<Case> both{{{0}, kDoubleInf},
                               {{kSign}, kSign | kDoubleInf},
                               {{1}, kDoubleInf},  // a subnormal of which the low word is all
                               {{kSign | 1}, kSign | kDoubleInf},
                               {{0x000fffffffffffff}, kDoubleInf},
                               {{0x800fffffffffffff}, kSign | kDoubleInf},
                               {{kDoubleInf}, 0},
                               {{0x7ff00000ffffffff}, 0},  // infinity to who sees the high word
                               {{0x7ff0000100000000}, kDoubleNan},
                               {{0xfff8000000000000}, kDoubleNan},
                               {{0x7fffffffffffffff}, kDoubleNan},
                               {{0x3ff0000000000001}, bits(1.0)},
                               {{0x3ff00000ffffffff}, bits(1.0)}};
  expect_results("rcp.approx.ftz.f64 %d64, %a64;", both);
  expect_results("rsqrt.approx.ftz.f64 %d64, %a64;", both);
  expect_results("rcp.approx.ftz.f64 %d64, %a64;",
                 {{{kSign | kDoubleInf}, kSign},
                  {{bits(3.0)}, 0x3fd5555500000000},   // 0x3fd5555555555555
                  {{bits(-7.0)}, 0xbfc2492500000000},  // 0xbfc2492492492492, to nearest
                  {{0x4008000012345678}, 0x3fd5555500000000},
                  {{0x0010000000000000}, bits(0x1p1022)},
                  {{bits(0x1p1022)}, bits(0x1p-1022)},
                  {{bits(0x1p1023)}, 0},  // a subnormal result
                  {{bits(-0x1p1023)}, kSign}});
  expect_results("rsqrt.approx.ftz.f64 %d64, %a64;",
                 {{{kSign | kDoubleInf}, kDoubleNan},
                  {{bits(-1.0)}, kDoubleNan},
                  {{bits(4.0)}, bits(0.5)},
                  {{bits(2.0)}, 0x3fe6a09e00000000},  // 0x3fe6a09e667f3bcc
                  {{0x0010000000000000}, bits(0x1p511)}});
  // The one without .ftz is of the whole operand.
  expect_results("rsqrt.approx.f64 %d64, %a64;",
                 {{{4}, bits(0x1p536)}, {{bits(2.0)}, 0x3fe6a09e667f3bcc}});
}

/// One half-precision operation on immediates, built by hand: the front-end does not offer them.
std::uint32_t half_operation(ir::Op op, ir::Type type,
                             std::initializer_list<std::uint32_t> values) {
  testing::KernelBuilder b;
  const ir::RegId out = b.load_param(ir::Type::u64, b.new_param(ir::Type::u64));
  const ir::RegId result = b.new_reg(type);
  ir::Instruction& in = b.emit(op, type, {result});
  in.round = ir::Round::rn;
  unsigned n = 0;
  for (std::uint32_t value : values) in.src[n++] = testing::imm(value);
  b.store(ir::Space::global, ir::Type::b32, testing::reg(out), testing::reg(result));
  b.exit();
  const ir::Kernel kernel = b.build();
  DeviceMemory memory;
  const std::uint64_t address = memory.allocate("out", 4);
  KernelLaunch launch;
  launch.kernel = &kernel;
  launch.params.resize(8);
  std::memcpy(launch.params.data(), &address, 8);
  FunctionalRunner().run(launch, memory);
  std::uint32_t value = 0;
  std::memcpy(&value, memory.at(address, 4), 4);
  return value;
}

TEST(F16, RoundsToNearestEven) {
  using ir::Op;
  const auto f16 = [](Op op, std::initializer_list<std::uint32_t> values) {
    return half_operation(op, ir::Type::f16, values) & 0xffff;
  };
  constexpr std::uint32_t kHalfOne = 0x3c00;
  constexpr std::uint32_t kUlp = 0x1400;      // 2^-10
  constexpr std::uint32_t kHalfUlp = 0x1000;  // 2^-11
  EXPECT_EQ(f16(Op::add, {kHalfOne, kUlp}), kHalfOne + 1);
  EXPECT_EQ(f16(Op::add, {kHalfOne, kHalfUlp}), kHalfOne);
  EXPECT_EQ(f16(Op::add, {kHalfOne + 1, kHalfUlp}), kHalfOne + 2);
  EXPECT_EQ(f16(Op::add, {0x7bff, 0x7bff}), 0x7c00u);
  EXPECT_EQ(f16(Op::sub, {0x7c00, 0x7c00}), 0x7fffu);
  EXPECT_EQ(f16(Op::mul, {0x4000, 0x4200}), 0x4600u);
  EXPECT_EQ(f16(Op::mul, {0x0001, 0x3800}), 0u);
  EXPECT_EQ(f16(Op::fma, {0x4000, 0x4200, 0x3c00}), 0x4700u);
  EXPECT_EQ(f16(Op::neg, {kHalfOne}), 0xbc00u);
  EXPECT_EQ(f16(Op::abs, {0xfc00}), 0x7c00u);
  EXPECT_EQ(f16(Op::min, {0x7e00, kHalfOne}), kHalfOne);
  EXPECT_EQ(half_operation(Op::add, ir::Type::f16x2, {0x3c004000, 0x3c003c00}), 0x40004200u);
  EXPECT_EQ(half_operation(Op::fma, ir::Type::f16x2, {0x40004000, 0x42003c00, 0x3c003c00}),
            0x47004200u);
}

}  // namespace
}  // namespace paws::exec
