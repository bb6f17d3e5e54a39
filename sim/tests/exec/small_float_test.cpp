// SPDX-License-Identifier: MIT
// Arithmetic on f16, bf16 and their pairs: edge values by hand, and random ones against the host's
// double precision.
#include "sim/support/small_float.h"

#include <cmath>
#include <random>

#include "sim/tests/exec/ptx_harness.h"

namespace paws::exec {
namespace {

constexpr std::uint64_t kOne = 0x3f80;        // bf16
constexpr std::uint64_t kHalfOne = 0x3c00;    // f16
constexpr std::uint64_t kNan = 0x7fff;        // of both
constexpr std::uint64_t kSubnormal = 0x0001;  // of both

TEST(BrainFloat, FusedMultiplyAddRoundsOnce) {
  // 1.125 * 0.90625 = 261/256 lies in the middle of 130/128 and 131/128.
  const std::uint64_t a = 0x3f90;
  const std::uint64_t b = 0x3f68;
  const std::uint64_t tiny = 0x0d80;  // 2^-100
  expect_results("fma.rn.bf16 %d16, %a16, %b16, %c16;", {{{a, b, 0}, 0x3f82},
                                                         {{a, b, tiny}, 0x3f83},
                                                         {{a, b, tiny | 0x8000}, 0x3f82},
                                                         {{a | 0x8000, b, tiny | 0x8000}, 0xbf83},
                                                         {{kNan, b, tiny}, kNan},
                                                         {{0x7f80, b, 0xff80}, kNan}});
  expect_results("fma.rn.relu.bf16 %d16, %a16, %b16, %c16;",
                 {{{a, b, tiny}, 0x3f83}, {{a | 0x8000, b, 0}, 0}, {{kNan, b, 0}, kNan}});
}

TEST(BrainFloat, PairsHaveTwoResults) {
  expect_results("add.rn.bf16x2 %d32, %a32, %b32;", {{{0x3f804000, 0x3f803f80}, 0x40004040}});
  expect_results("mul.bf16x2 %d32, %a32, %b32;", {{{0x3f804000, 0xbf804000}, 0xbf804080}});
  expect_results("neg.bf16x2 %d32, %a32;", {{{0x3f80c000}, 0xbf804000}});
  expect_results("abs.bf16x2 %d32, %a32;", {{{0xbf80c000}, 0x3f804000}});
  expect_results("max.bf16x2 %d32, %a32, %b32;", {{{0x3f80c000, 0x40007fc0}, 0x4000c000}});
  expect_results("max.NaN.bf16x2 %d32, %a32, %b32;", {{{0x3f80c000, 0x40007fc0}, 0x40007fff}});
  expect_results("min.xorsign.abs.bf16x2 %d32, %a32, %b32;",
                 {{{0x40003f80, 0xbf80c000}, 0xbf80bf80}});
  expect_results(
      "setp.lt.bf16x2 %p0|%p1, %a32, %b32; selp.b32 %r0, 1, 0, %p0;"
      "selp.b32 %r1, 2, 0, %p1; or.b32 %d32, %r0, %r1;",
      {{{0x3f804000, 0x40003f80}, 2}, {{0x40003f80, 0x3f804000}, 1}});
  expect_results("set.ge.bf16x2.bf16x2 %d32, %a32, %b32;",
                 {{{0x3f804000, 0x3f804080}, 0x3f800000}});
}

TEST(Half, PairsAndFlags) {
  expect_results("fma.rn.f16x2 %d32, %a32, %b32, %c32;",
                 {{{0x40004000, 0x42003c00, 0x3c003c00}, 0x47004200}});
  expect_results("fma.rn.relu.f16x2 %d32, %a32, %b32, %c32;",
                 {{{0xc0004000, 0x42003c00, 0x3c003c00}, 0x00004200}});
  expect_results("add.sat.f16 %d16, %a16, %b16;",
                 {{{kHalfOne, kHalfOne}, kHalfOne}, {{0xc000, kHalfOne}, 0}, {{kNan, 0}, 0}});
  expect_results("mul.ftz.f16 %d16, %a16, %b16;", {{{kSubnormal, kHalfOne}, 0}});
  expect_results("mul.f16 %d16, %a16, %b16;", {{{kSubnormal, kHalfOne}, kSubnormal}});
  expect_results("set.eq.f16x2.f16x2 %d32, %a32, %b32;", {{{0x3c004000, 0x3c004200}, 0x3c000000}});
  expect_results("set.eq.u32.f16x2 %d32, %a32, %b32;", {{{0x3c004000, 0x3c004200}, 0xffff0000}});
  expect_results("setp.gtu.f16 %dp, %a16, %b16;", {{{kNan, 0}, 1}, {{0, kHalfOne}, 0}});
  expect_results("ex2.approx.f16 %d16, %a16;", {{{0x4200}, 0x4800}, {{0xbc00}, 0x3800}});
  expect_results("ex2.approx.ftz.bf16x2 %d32, %a32;", {{{0x40403f80}, 0x41004000}});
  expect_results("tanh.approx.f16x2 %d32, %a32;", {{{0x00007c00}, 0x00003c00}});
}

TEST(SmallConversions, RoundOnce) {
  expect_results("cvt.rn.bf16.f32 %d16, %a32;", {{{bits(1.0f)}, kOne},
                                                 {{0x3f808000}, 0x3f80},
                                                 {{0x3f818000}, 0x3f82},
                                                 {{0x3f808001}, 0x3f81},
                                                 {{0x7f7fffff}, 0x7f80},
                                                 {{0x00008001}, 0x0001},
                                                 {{0x7f800001}, kNan}});
  expect_results("cvt.rz.bf16.f32 %d16, %a32;", {{{0x3f80ffff}, 0x3f80}, {{0x7f7fffff}, 0x7f7f}});
  expect_results("cvt.rn.relu.bf16.f32 %d16, %a32;", {{{bits(-1.0f)}, 0}, {{bits(2.0f)}, 0x4000}});
  expect_results("cvt.rn.bf16x2.f32 %d32, %a32, %b32;", {{{bits(1.0f), bits(2.0f)}, 0x3f804000}});
  expect_results("cvt.f32.bf16 %d32, %a16;", {{{0xc000}, bits(-2.0f)}, {{1}, 0x00010000}});
  expect_results("cvt.rn.bf16.f16 %d16, %a16;", {{{0x3c01}, 0x3f80}, {{0x3c06}, 0x3f81}});
  // 2^62 + 2^54 is in the middle of two bf16 numbers, and one more is not.
  expect_results("cvt.rn.bf16.s64 %d16, %a64;", {{{0x4040'0000'0000'0000}, 0x5e80},
                                                 {{0x4040'0000'0000'0001}, 0x5e81},
                                                 {{0 - std::uint64_t{3}}, 0xc040}});
  expect_results("cvt.rni.s32.bf16 %d32, %a16;", {{{0x4020}, 2}, {{0xc060}, 0xfffffffc}});
  expect_results(
      "cvt.rna.tf32.f32 %d32, %a32;",
      {{{0x3f801000}, 0x3f802000}, {{0x3f800fff}, 0x3f800000}, {{0x7fc00000}, 0x7fffffff}});
  expect_results(
      "cvt.rn.tf32.f32 %d32, %a32;",
      {{{0x3f801000}, 0x3f800000}, {{0x3f803000}, 0x3f804000}, {{0x7f800000}, 0x7f800000}});
}

/// The operation on random bits, against the host's result in double precision rounded once.
template <class Format>
void expect_as_host(const std::string& body, double (*host)(double, double, double)) {
  static std::mt19937_64 random(20260719);
  std::vector<Inputs> in(1024);
  for (Inputs& one : in) one = {random() & 0xffff, random() & 0xffff, random() & 0xffff};
  const auto out = run_body(body, in);
  const auto widen = [](std::uint64_t x) { return Format{static_cast<std::uint16_t>(x)}.widen(); };
  for (std::size_t i = 0; i < in.size(); ++i) {
    const double exact = host(widen(in[i].a), widen(in[i].b), widen(in[i].c));
    const std::uint64_t expected = std::isnan(exact) ? kNan : Format::round(exact).bits;
    EXPECT_EQ(out[i], expected) << body << std::hex << in[i].a << " " << in[i].b << " " << in[i].c;
  }
}

TEST(SmallArithmetic, AsTheHost) {
  const auto sum = [](double a, double b, double) { return a + b; };
  const auto difference = [](double a, double b, double) { return a - b; };
  const auto product = [](double a, double b, double) { return a * b; };
  const auto fused = [](double a, double b, double c) { return std::fma(a, b, c); };
  expect_as_host<Float16>("add.f16 %d16, %a16, %b16;", sum);
  expect_as_host<Float16>("sub.f16 %d16, %a16, %b16;", difference);
  expect_as_host<Float16>("mul.f16 %d16, %a16, %b16;", product);
  expect_as_host<Float16>("fma.rn.f16 %d16, %a16, %b16, %c16;", fused);
  expect_as_host<Bfloat16>("add.bf16 %d16, %a16, %b16;", sum);
  expect_as_host<Bfloat16>("sub.bf16 %d16, %a16, %b16;", difference);
  expect_as_host<Bfloat16>("mul.bf16 %d16, %a16, %b16;", product);
}

TEST(SmallAtomics, AreRefused) {
  EXPECT_THROW(run_body("red.global.add.noftz.f16 [%a64], %b16; mov.u32 %d32, 0;", {{}}),
               std::exception);
}

}  // namespace
}  // namespace paws::exec
