// SPDX-License-Identifier: MIT
// Integer arithmetic against values worked out by hand from the PTX ISA.
#include "sim/tests/exec/ptx_harness.h"

namespace paws::exec {
namespace {

constexpr std::uint64_t kMin32 = 0x80000000;
constexpr std::uint64_t kMax32 = 0x7fffffff;
constexpr std::uint64_t kMinus1 = 0xffffffff;
constexpr std::uint64_t kMin64 = 0x8000000000000000;
constexpr std::uint64_t kMax64 = 0x7fffffffffffffff;
constexpr std::uint64_t kAll = ~std::uint64_t{0};

TEST(Add, WrapsAround) {
  expect_results("add.s32 %d32, %a32, %b32;", {{{kMax32, 1}, kMin32}, {{kMinus1, 1}, 0}});
  expect_results("add.u16 %d16, %a16, %b16;", {{{0xffff, 2}, 1}});
  expect_results("add.u64 %d64, %a64, %b64;", {{{kAll, 1}, 0}, {{kMinus1, 1}, 0x100000000}});
  expect_results("sub.u32 %d32, %a32, %b32;", {{{0, 1}, kMinus1}, {{kMin32, 1}, kMax32}});
  expect_results("sub.s64 %d64, %a64, %b64;", {{{0, 1}, kAll}});
}

TEST(Add, Saturates) {
  expect_results("add.sat.s32 %d32, %a32, %b32;",
                 {{{kMax32, 1}, kMax32}, {{kMin32, kMinus1}, kMin32}, {{5, kMinus1}, 4}});
  expect_results("sub.sat.s32 %d32, %a32, %b32;",
                 {{{kMin32, 1}, kMin32}, {{kMax32, kMinus1}, kMax32}, {{3, 5}, 0xfffffffe}});
}

TEST(Add, CarriesThroughAChain) {
  const std::string chain =
      "mov.b64 {%r0, %r1}, %a64; mov.b64 {%r2, %r3}, %b64;\n"
      "add.cc.u32 %r4, %r0, %r2; addc.u32 %r5, %r1, %r3; mov.b64 %d64, {%r4, %r5};";
  expect_results(chain, {{{0xffffffff, 1}, 0x100000000}, {{kAll, 1}, 0}, {{7, 8}, 15}});
  const std::string borrow =
      "mov.b64 {%r0, %r1}, %a64; mov.b64 {%r2, %r3}, %b64;\n"
      "sub.cc.u32 %r4, %r0, %r2; subc.u32 %r5, %r1, %r3; mov.b64 %d64, {%r4, %r5};";
  expect_results(borrow, {{{0x100000000, 1}, 0xffffffff}, {{0, 1}, kAll}, {{9, 8}, 1}});
  // As in nvcc's division of 128-bit integers: 1 if nothing was borrowed.
  expect_results("sub.cc.u32 %r0, %a32, %b32; addc.u32 %d32, %c32, 0;",
                 {{{5, 5, 7}, 8}, {{5, 6, 7}, 7}, {{6, 5, 7}, 8}});
  expect_results("add.cc.u64 %l0, %a64, %b64; addc.u64 %d64, %c64, 0;",
                 {{{kAll, 1, 5}, 6}, {{1, 1, 5}, 5}});
  expect_results("mad.lo.cc.u32 %r0, %a32, %b32, %c32; addc.u32 %d32, 0, 0;",
                 {{{3, 5, 0xfffffff1}, 1}, {{3, 5, 0xfffffff0}, 0}});
  expect_results("add.cc.u32 %r0, %a32, %b32; madc.hi.u32 %d32, %c32, %c32, 10;",
                 {{{kMinus1, 1, 0x10000}, 12}, {{1, 1, 0x10000}, 11}});
}

TEST(Mul, Parts) {
  expect_results("mul.lo.s32 %d32, %a32, %b32;", {{{0x10000, 0x10001}, 0x10000}});
  expect_results("mul.hi.s32 %d32, %a32, %b32;",
                 {{{kMinus1, 2}, kMinus1}, {{kMin32, kMin32}, 0x40000000}});
  expect_results("mul.hi.u32 %d32, %a32, %b32;",
                 {{{kMinus1, 2}, 1}, {{kMinus1, kMinus1}, 0xfffffffe}});
  expect_results("mul.hi.u64 %d64, %a64, %b64;", {{{kAll, kAll}, 0xfffffffffffffffe}});
  expect_results("mul.hi.s64 %d64, %a64, %b64;", {{{kAll, 2}, kAll}, {{kMin64, 2}, kAll}});
  expect_results("mul.wide.s32 %d64, %a32, %b32;",
                 {{{kMinus1, 2}, kAll - 1}, {{kMin32, kMin32}, 0x4000000000000000}});
  expect_results("mul.wide.u32 %d64, %a32, %b32;", {{{kMinus1, kMinus1}, 0xfffffffe00000001}});
  expect_results("mul.wide.u16 %d32, %a16, %b16;", {{{0xffff, 0xffff}, 0xfffe0001}});
  expect_results("mul.wide.s16 %d32, %a16, %b16;",
                 {{{0xffff, 0xffff}, 1}, {{0x8000, 1}, 0xffff8000}});
  expect_results("mul.lo.u16 %d16, %a16, %b16;", {{{0xffff, 0xffff}, 1}});
  expect_results("mul.hi.u16 %d16, %a16, %b16;", {{{0xffff, 0xffff}, 0xfffe}});
  expect_results("mul.hi.s16 %d16, %a16, %b16;", {{{0x8000, 0x8000}, 0x4000}});
}

TEST(Mad, Parts) {
  expect_results("mad.lo.u32 %d32, %a32, %b32, %c32;", {{{3, 5, kMinus1}, 14}});
  expect_results("mad.hi.u32 %d32, %a32, %b32, %c32;", {{{kMinus1, 2, 5}, 6}});
  expect_results("mad.hi.sat.s32 %d32, %a32, %b32, %c32;",
                 {{{kMin32, kMin32, 0x40000000}, kMax32}, {{kMin32, 2, kMin32}, kMin32}});
  expect_results("mad.wide.s32 %d64, %a32, %b32, %c64;", {{{kMinus1, 4, 4}, 0}});
  expect_results("mad.wide.u16 %d32, %a16, %b16, %c32;", {{{0xffff, 0xffff, 1}, 0xfffe0002}});
}

TEST(Mul24, UsesTheLow24Bits) {
  expect_results("mul24.lo.u32 %d32, %a32, %b32;",
                 {{{0xff000003, 0x5}, 15}, {{0xffffff, 0xffffff}, 0xfe000001}});
  expect_results("mul24.hi.u32 %d32, %a32, %b32;", {{{0xffffff, 0xffffff}, 0xfffffe00}});
  expect_results("mul24.lo.s32 %d32, %a32, %b32;", {{{0xffffff, 2}, 0xfffffffe}});
  expect_results("mul24.hi.s32 %d32, %a32, %b32;", {{{0xffffff, 2}, 0xffffffff}});
  expect_results("mad24.lo.u32 %d32, %a32, %b32, %c32;", {{{0xff000003, 5, 6}, 21}});
  expect_results("mad24.hi.sat.s32 %d32, %a32, %b32, %c32;",
                 {{{0x7fffff, 0x7fffff, kMax32}, kMax32}});
}

TEST(Div, EdgesAsOnHardware) {
  expect_results("div.s32 %d32, %a32, %b32;", {{{kMin32, kMinus1}, kMin32},
                                               {{7, 0xfffffffe}, 0xfffffffd},
                                               {{0xfffffff9, 2}, 0xfffffffd},
                                               {{5, 0}, kMinus1}});
  expect_results(
      "rem.s32 %d32, %a32, %b32;",
      {{{kMin32, kMinus1}, 0}, {{0xfffffff9, 2}, kMinus1}, {{7, 0xfffffffe}, 1}, {{5, 0}, 5}});
  expect_results("div.u32 %d32, %a32, %b32;", {{{kMinus1, 2}, kMax32}, {{5, 0}, kMinus1}});
  expect_results("rem.u32 %d32, %a32, %b32;", {{{kMinus1, 10}, 5}, {{5, 0}, 5}});
  expect_results("div.s64 %d64, %a64, %b64;", {{{kMin64, kAll}, kMin64}, {{9, 0}, kAll}});
  expect_results("rem.u64 %d64, %a64, %b64;", {{{kAll, 10}, 5}, {{9, 0}, 9}});
  expect_results("div.s16 %d16, %a16, %b16;", {{{0x8000, 0xffff}, 0x8000}, {{0xfff9, 2}, 0xfffd}});
  expect_results("div.u16 %d16, %a16, %b16;", {{{0xffff, 0}, 0xffff}, {{0xffff, 3}, 0x5555}});
}

TEST(SignAndOrder, Integers) {
  expect_results("neg.s32 %d32, %a32;", {{{1}, kMinus1}, {{kMin32}, kMin32}});
  expect_results("abs.s32 %d32, %a32;", {{{kMinus1}, 1}, {{kMin32}, kMin32}, {{3}, 3}});
  expect_results("abs.s64 %d64, %a64;", {{{kAll}, 1}, {{kMin64}, kMin64}});
  expect_results("abs.s16 %d16, %a16;", {{{0xffff}, 1}, {{0x8000}, 0x8000}});
  expect_results("min.s32 %d32, %a32, %b32;",
                 {{{kMinus1, 1}, kMinus1}, {{kMin32, kMax32}, kMin32}});
  expect_results("min.u32 %d32, %a32, %b32;", {{{kMinus1, 1}, 1}});
  expect_results("max.s32 %d32, %a32, %b32;", {{{kMinus1, 1}, 1}});
  expect_results("max.u64 %d64, %a64, %b64;", {{{kAll, 1}, kAll}, {{kMax64, kMin64}, kMin64}});
  expect_results("max.s16 %d16, %a16, %b16;", {{{0x8000, 0x7fff}, 0x7fff}});
  expect_results("sad.s32 %d32, %a32, %b32, %c32;",
                 {{{kMinus1, 2, 10}, 13}, {{2, kMinus1, 10}, 13}});
  expect_results("sad.u32 %d32, %a32, %b32, %c32;", {{{kMinus1, 2, 10}, 7}, {{2, 5, 0}, 3}});
}

TEST(DotProduct, FourAndTwoWays) {
  expect_results("dp4a.u32.u32 %d32, %a32, %b32, %c32;",
                 {{{0x01020304, 0x05060708, 100}, 100 + 5 + 12 + 21 + 32},
                  {{kMinus1, kMinus1, 0}, 4ull * 255 * 255}});
  expect_results("dp4a.s32.s32 %d32, %a32, %b32, %c32;", {{{kMinus1, kMinus1, 0}, 4}});
  expect_results("dp4a.s32.u32 %d32, %a32, %b32, %c32;",
                 {{{kMinus1, 0x01010101, 0}, 0xfffffffc}, {{0xff, 0xff, 0}, 0xffffff01}});
  expect_results("dp2a.lo.u32.u32 %d32, %a32, %b32, %c32;",
                 {{{0x00020003, 0x09080504, 1}, 1 + 3 * 4 + 2 * 5}});
  expect_results("dp2a.hi.u32.u32 %d32, %a32, %b32, %c32;",
                 {{{0x00020003, 0x09080504, 1}, 1 + 3 * 8 + 2 * 9}});
  expect_results("dp2a.lo.s32.s32 %d32, %a32, %b32, %c32;", {{{0xffff0001, 0x00000102, 0}, 1}});
}

TEST(ScalarVideo, MinimumAndMaximumOfDifferentSigns) {
  expect_results("vmin.s32.s32.s32 %d32, %a32, %b32;",
                 {{{kMinus1, 1}, kMinus1}, {{kMin32, kMax32}, kMin32}});
  expect_results("vmin.u32.u32.u32 %d32, %a32, %b32;",
                 {{{kMinus1, 1}, 1}, {{kMin32, kMax32}, kMax32}});
  // The second type is that of a, the third that of b.
  expect_results("vmin.s32.s32.u32 %d32, %a32, %b32;",
                 {{{kMinus1, 1}, kMinus1}, {{1, kMinus1}, 1}});
  expect_results("vmin.s32.u32.s32 %d32, %a32, %b32;",
                 {{{kMinus1, 1}, 1}, {{1, kMinus1}, kMinus1}});
  expect_results("vmax.s32.s32.s32 %d32, %a32, %b32;",
                 {{{kMinus1, 1}, 1}, {{kMin32, kMax32}, kMax32}});
  expect_results("vmax.u32.s32.u32 %d32, %a32, %b32;",
                 {{{kMinus1, 1}, 1}, {{1, kMinus1}, kMinus1}});
  expect_results("vmax.u32.u32.s32 %d32, %a32, %b32;",
                 {{{kMinus1, 1}, kMinus1}, {{1, kMinus1}, 1}});
}

TEST(Packed, BytesAndHalves) {
  // Sums and differences wrap without .sat. The elements carry nothing into each other.
  expect_results("vadd4.u32.u32.u32 %d32, %a32, %b32, %c32;",
                 {{{0x01ff80f0, 0x01018011, 9}, 0x02000001}});
  expect_results("vadd4.u32.u32.u32.sat %d32, %a32, %b32, %c32;",
                 {{{0x01ff80f0, 0x01018011, 9}, 0x02ffffff}});
  expect_results("vadd4.s32.s32.s32.sat %d32, %a32, %b32, %c32;",
                 {{{0x7f80ff01, 0x0180ff01, 9}, 0x7f80fe02}});
  expect_results("vsub2.u32.u32.u32 %d32, %a32, %b32, %c32;",
                 {{{0x00010005, 0x00020003, 9}, 0xffff0002}});
  expect_results("vsub2.u32.u32.u32.sat %d32, %a32, %b32, %c32;",
                 {{{0x00010005, 0x00020003, 9}, 0x00000002}});
  expect_results("vsub2.s32.s32.s32.sat %d32, %a32, %b32, %c32;",
                 {{{0x80007fff, 0x0001ffff, 9}, 0x80007fff}});
  expect_results("vmin4.s32.s32.s32 %d32, %a32, %b32, %c32;",
                 {{{0x80017f05, 0x0102ff05, 9}, 0x8001ff05}});
  expect_results("vmax4.u32.u32.u32 %d32, %a32, %b32, %c32;",
                 {{{0x80017f05, 0x0102ff05, 9}, 0x8002ff05}});
  expect_results("vmax2.s32.s32.s32 %d32, %a32, %b32, %c32;",
                 {{{0x8000ffff, 0xffff0000, 9}, 0xffff0000}});
  expect_results("vabsdiff4.u32.u32.u32 %d32, %a32, %b32, %c32;",
                 {{{0xff000305, 0x00ff0502, 9}, 0xffff0203}});
  expect_results("vabsdiff2.s32.s32.s32 %d32, %a32, %b32, %c32;",
                 {{{0xffff0003, 0x0001fffe, 9}, 0x00020005}});
  // Averages are rounded, halves away from 0.
  expect_results("vavrg4.u32.u32.u32 %d32, %a32, %b32, %c32;",
                 {{{0xff020100, 0xff030200, 9}, 0xff030200}});
  expect_results("vavrg4.s32.s32.s32 %d32, %a32, %b32, %c32;",
                 {{{0xff01fffe, 0xfe020100, 9}, 0xfe0200ff}});
  // a and b may have different signs.
  expect_results("vadd2.s32.u32.s32.sat %d32, %a32, %b32, %c32;",
                 {{{0xffff0001, 0xffffffff, 9}, 0x7fff0000}});
}

TEST(Packed, SumsComparisonsAndRegistersThatAreOperandsToo) {
  expect_results("vabsdiff4.u32.u32.u32.add %d32, %a32, %b32, %c32;",
                 {{{0xff000305, 0x00ff0502, 1000}, 1000 + 255 + 255 + 2 + 3}});
  expect_results("vabsdiff4.s32.s32.s32.add %d32, %a32, %b32, 0;",
                 {{{0x80000001, 0x7f0000ff, 9}, 255 + 2}});
  expect_results("vset4.u32.u32.gt %d32, %a32, %b32, %c32;",
                 {{{0x80017f05, 0x7f02ff05, 9}, 0x01000000}});
  expect_results("vset4.s32.s32.le %d32, %a32, %b32, %c32;",
                 {{{0x80017f05, 0x7f02ff05, 9}, 0x01010001}});
  expect_results("vset2.u32.u32.ne.add %d32, %a32, %b32, %c32;",
                 {{{0x00010002, 0x00020003, 9}, 11}});
  expect_results("mov.u32 %d32, %a32; vadd4.u32.u32.u32 %d32, %d32, %d32, %d32;",
                 {{{0x01020304}, 0x02040608}});
}

TEST(Mov, WideImmediateAndOperandsWiderThanTheType) {
  expect_results("mov.u64 %d64, 0x123456789abcdef0;", {{{}, 0x123456789abcdef0}});
  expect_results("cvt.u64.u32 %l0, %a32; cvt.u32.u64 %d32, %l0;", {{{0x1ffffffff}, 0xffffffff}});
  expect_results("cvt.s32.s8 %d32, %a32;", {{{0x80}, 0xffffff80}, {{0x17f}, 0x7f}});
  // A 64-bit register as source and destination of a narrower conversion.
  expect_results("cvt.u32.u16 %d64, %a64;", {{{0xabcd1234}, 0x1234}});
  expect_results("cvt.s32.s16 %d64, %a64;", {{{0x8000}, 0xffffffffffff8000}});
}

}  // namespace
}  // namespace paws::exec
