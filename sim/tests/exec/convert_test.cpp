// SPDX-License-Identifier: MIT
// cvt, cvta and isspacep.
#include <cmath>

#include "sim/tests/exec/ptx_harness.h"

namespace paws::exec {
namespace {

constexpr std::uint64_t kNan = 0x7fc00000;
constexpr std::uint64_t kInf = 0x7f800000;

TEST(Cvt, IntegersTruncateAndExtend) {
  expect_results("cvt.u8.u32 %d32, %a32;", {{{0x1ff}, 0xff}});
  expect_results("cvt.s8.u32 %d32, %a32;", {{{0x80}, 0xffffff80}});
  expect_results("cvt.s64.s32 %d64, %a32;", {{{0x80000000}, 0xffffffff80000000}});
  expect_results("cvt.u64.u32 %d64, %a32;", {{{0x80000000}, 0x80000000}});
  expect_results("cvt.u16.u32 %d16, %a32;", {{{0x12345678}, 0x5678}});
  expect_results("cvt.s32.s16 %d32, %a16;", {{{0x8000}, 0xffff8000}});
}

TEST(Cvt, IntegersSaturate) {
  expect_results("cvt.sat.u8.s32 %d32, %a32;", {{{0xffffffff}, 0}, {{300}, 255}, {{17}, 17}});
  expect_results("cvt.sat.s8.s32 %d32, %a32;", {{{0xffffff00}, 0xffffff80}, {{200}, 127}});
  expect_results("cvt.sat.u32.s64 %d32, %a64;", {{{~0ull}, 0}, {{0x1ffffffff}, 0xffffffff}});
  expect_results("cvt.sat.s32.u32 %d32, %a32;", {{{0xffffffff}, 0x7fffffff}});
  expect_results("cvt.sat.s32.s64 %d32, %a64;", {{{0x8000000000000000}, 0x80000000}});
}

TEST(Cvt, FloatToIntegerRoundsAndSaturates) {
  const std::vector<float> values{2.5f, -2.5f, 3.5f, 2.4f, -2.6f};
  const auto row = [&](const std::string& mode, std::vector<std::int32_t> expected) {
    std::vector<Case> cases;
    for (std::size_t i = 0; i < values.size(); ++i) {
      cases.push_back({{bits(values[i])}, static_cast<std::uint32_t>(expected[i])});
    }
    expect_results("cvt." + mode + ".s32.f32 %d32, %a32;", cases);
  };
  row("rni", {2, -2, 4, 2, -3});
  row("rzi", {2, -2, 3, 2, -2});
  row("rmi", {2, -3, 3, 2, -3});
  row("rpi", {3, -2, 4, 3, -2});
  expect_results(
      "cvt.rzi.s32.f32 %d32, %a32;",
      {{{bits(3e9f)}, 0x7fffffff}, {{bits(-3e9f)}, 0x80000000}, {{kNan}, 0}, {{kInf}, 0x7fffffff}});
  expect_results("cvt.rzi.u32.f32 %d32, %a32;",
                 {{{bits(-1.0f)}, 0}, {{bits(5e9f)}, 0xffffffff}, {{bits(4e9f)}, 4000000000}});
  expect_results("cvt.rzi.u8.f32 %d32, %a32;", {{{bits(300.0f)}, 255}, {{bits(-5.0f)}, 0}});
  expect_results("cvt.rzi.s64.f32 %d64, %a32;", {{{bits(1e30f)}, 0x7fffffffffffffff},
                                                 {{bits(-1e30f)}, 0x8000000000000000},
                                                 {{kNan}, 0x8000000000000000}});
  expect_results("cvt.rzi.u64.f64 %d64, %a64;",
                 {{{bits(1e30)}, ~0ull}, {{bits(0x1p63)}, 0x8000000000000000}, {{bits(-1.0)}, 0}});
  expect_results(
      "cvt.rni.s32.f64 %d32, %a64;",
      {{{bits(2147483647.4)}, 0x7fffffff}, {{bits(-0.5)}, 0}, {{bits(std::nan(""))}, 0x80000000}});
  expect_results("cvt.rzi.ftz.s32.f32 %d32, %a32;", {{{1}, 0}});
  expect_results("cvt.rpi.s32.f32 %d32, %a32;", {{{1}, 1}});
  expect_results("cvt.rpi.ftz.s32.f32 %d32, %a32;", {{{1}, 0}});
}

TEST(Cvt, IntegerToFloat) {
  expect_results("cvt.rn.f32.s32 %d32, %a32;",
                 {{{0xffffffff}, bits(-1.0f)}, {{16777217}, bits(16777216.0f)}});
  expect_results("cvt.rp.f32.s32 %d32, %a32;", {{{16777217}, bits(16777218.0f)}});
  expect_results("cvt.rn.f32.u32 %d32, %a32;", {{{0xffffffff}, bits(4294967296.0f)}});
  expect_results("cvt.rz.f32.u32 %d32, %a32;", {{{0xffffffff}, 0x4f7fffff}});
  expect_results("cvt.rm.f32.u32 %d32, %a32;", {{{0}, 0}, {{3}, bits(3.0f)}});
  expect_results("cvt.rm.f64.u64 %d64, %a64;", {{{0}, 0}, {{~0ull}, bits(0x1.fffffffffffffp63)}});
  expect_results("cvt.rn.f32.u64 %d32, %a64;",
                 {{{~0ull}, bits(0x1p64f)}, {{0x8000008000000001}, 0x5f000001}});
  expect_results("cvt.rn.f64.s64 %d64, %a64;", {{{~0ull}, bits(-1.0)}});
  expect_results("cvt.rn.f32.u8 %d32, %a32;", {{{0x1ff}, bits(255.0f)}});
  expect_results("cvt.rn.f16.s32 %d16, %a32;",
                 {{{2049}, 0x6800}, {{100000}, 0x7c00}, {{0xffffffff}, 0xbc00}});
}

TEST(Cvt, BetweenFloats) {
  expect_results("cvt.f64.f32 %d64, %a32;", {{{bits(1.5f)}, bits(1.5)}, {{1}, bits(0x1p-149)}});
  expect_results(
      "cvt.rn.f32.f64 %d32, %a64;",
      {{{bits(1.0 + 0x1p-30)}, bits(1.0f)}, {{bits(1e300)}, kInf}, {{bits(0x1p-149)}, 1}});
  expect_results("cvt.rp.f32.f64 %d32, %a64;", {{{bits(1.0 + 0x1p-30)}, 0x3f800001}});
  expect_results("cvt.rz.f32.f64 %d32, %a64;", {{{bits(1e300)}, 0x7f7fffff}});
  expect_results("cvt.rn.f16.f32 %d16, %a32;", {{{bits(1.0f)}, 0x3c00},
                                                {{bits(65504.0f)}, 0x7bff},
                                                {{bits(65520.0f)}, 0x7c00},
                                                {{bits(65519.0f)}, 0x7bff},
                                                {{bits(0x1p-24f)}, 1},
                                                {{bits(0x1p-25f)}, 0},
                                                {{bits(0x1.8p-25f)}, 1},
                                                {{bits(-0x1p-14f)}, 0x8400},
                                                {{bits(0x1.ff8p-15f)}, 0x03ff},
                                                {{bits(0x1.ffcp-15f)}, 0x0400},
                                                {{kNan}, 0x7fff},
                                                {{kInf}, 0x7c00}});
  expect_results("cvt.rz.f16.f32 %d16, %a32;", {{{bits(1e9f)}, 0x7bff}, {{bits(1.0009f)}, 0x3c00}});
  expect_results("cvt.rp.f16.f32 %d16, %a32;", {{{bits(1e-20f)}, 1}, {{bits(-1e-20f)}, 0x8000}});
  expect_results("cvt.f32.f16 %d32, %a16;", {{{0x3c00}, bits(1.0f)},
                                             {{0x0001}, bits(0x1p-24f)},
                                             {{0x83ff}, bits(-0x1.ff8p-15f)},
                                             {{0x7c00}, kInf},
                                             {{0x7e00}, 0x7fffffff}});
  expect_results("cvt.rni.f32.f32 %d32, %a32;",
                 {{{bits(2.5f)}, bits(2.0f)}, {{bits(-0.4f)}, 0x80000000}});
  expect_results("cvt.rmi.f32.f32 %d32, %a32;", {{{bits(-0.4f)}, bits(-1.0f)}});
  expect_results("cvt.rpi.f64.f64 %d64, %a64;", {{{bits(0.1)}, bits(1.0)}});
  expect_results("cvt.sat.f32.f32 %d32, %a32;",
                 {{{bits(1.5f)}, bits(1.0f)}, {{kNan}, 0}, {{bits(-1.0f)}, 0}});
}

TEST(Cvt, EveryHalfSurvivesTheRoundTrip) {
  std::vector<Inputs> in;
  for (std::uint64_t h = 0; h < 0x10000; h += 61) in.push_back({h});
  for (std::size_t first = 0; first < in.size(); first += 512) {
    const std::vector<Inputs> part(in.begin() + long(first),
                                   in.begin() + long(std::min(in.size(), first + 512)));
    const auto out = run_body("cvt.f32.f16 %r0, %a16; cvt.rn.f16.f32 %d16, %r0;", part);
    for (std::size_t i = 0; i < part.size(); ++i) {
      const bool is_nan = (part[i].a & 0x7fff) > 0x7c00;
      EXPECT_EQ(out[i], is_nan ? 0x7fff : part[i].a);
    }
  }
}

TEST(Cvta, WindowsAndBack) {
  expect_results("cvta.shared.u64 %d64, %a64;", {{{0x10}, ir::kSharedWindow + 0x10}});
  expect_results("cvta.local.u64 %d64, %a64;", {{{0x10}, ir::kLocalWindow + 0x10}});
  expect_results("cvta.to.shared.u64 %d64, %a64;", {{{ir::kSharedWindow + 0x10}, 0x10}});
  expect_results("cvta.to.global.u64 %d64, %a64;", {{{ir::kGlobalBase + 4}, ir::kGlobalBase + 4}});
  expect_results("isspacep.shared %dp, %a64;",
                 {{{ir::kSharedWindow}, 1}, {{ir::kGlobalBase}, 0}, {{ir::kLocalWindow}, 0}});
  expect_results("isspacep.global %dp, %a64;",
                 {{{ir::kGlobalBase}, 1}, {{ir::kSharedWindow + 5}, 0}, {{ir::kParamWindow}, 0}});
}

}  // namespace
}  // namespace paws::exec
