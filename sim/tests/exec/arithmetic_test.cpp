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

TEST(ScalarVideo, SumsAndDifferencesWrapOrSaturate) {
  expect_results("vadd.u32.u32.u32 %d32, %a32, %b32;", {{{kMinus1, 2}, 1}});
  expect_results("vadd.u32.u32.u32.sat %d32, %a32, %b32;",
                 {{{kMinus1, 2}, kMinus1}, {{kMinus1, 0}, kMinus1}, {{1, 2}, 3}});
  expect_results("vadd.s32.s32.s32.sat %d32, %a32, %b32;",
                 {{{kMax32, 1}, kMax32}, {{kMin32, kMinus1}, kMin32}, {{kMin32, kMax32}, kMinus1}});
  // The result is saturated as its own type, whatever those of a and b are.
  expect_results("vadd.s32.u32.u32.sat %d32, %a32, %b32;", {{{kMinus1, 0}, kMax32}});
  expect_results("vadd.u32.s32.s32.sat %d32, %a32, %b32;",
                 {{{kMinus1, 0}, 0}, {{kMax32, 1}, kMin32}});
  expect_results("vadd.u32.u32.s32.sat %d32, %a32, %b32;",
                 {{{kMinus1, kMinus1}, 0xfffffffe}, {{0, kMinus1}, 0}});
  expect_results("vsub.u32.u32.u32 %d32, %a32, %b32;", {{{1, 2}, kMinus1}});
  expect_results("vsub.u32.u32.u32.sat %d32, %a32, %b32;",
                 {{{1, 2}, 0}, {{kMinus1, 1}, 0xfffffffe}});
  expect_results("vsub.s32.s32.s32.sat %d32, %a32, %b32;",
                 {{{kMin32, 1}, kMin32}, {{0, kMin32}, kMax32}});
  expect_results("vsub.s32.u32.s32.sat %d32, %a32, %b32;",
                 {{{kMinus1, kMin32}, kMax32}, {{0, kMin32}, kMax32}, {{0, kMax32}, 0x80000001}});
  expect_results("vabsdiff.u32.s32.s32 %d32, %a32, %b32;",
                 {{{kMin32, kMax32}, kMinus1}, {{3, 5}, 2}, {{5, 3}, 2}});
  expect_results("vabsdiff.s32.s32.s32.sat %d32, %a32, %b32;", {{{kMin32, kMax32}, kMax32}});
  expect_results("vabsdiff.u32.u32.s32.sat %d32, %a32, %b32;", {{{kMinus1, kMin32}, kMinus1}});
  expect_results("vabsdiff.u32.u32.s32 %d32, %a32, %b32;", {{{kMinus1, kMin32}, 0x7fffffff}});
  expect_results("vmin.u32.s32.u32.sat %d32, %a32, %b32;", {{{kMinus1, 1}, 0}});
  expect_results("vmax.s32.u32.s32.sat %d32, %a32, %b32;", {{{kMinus1, 1}, kMax32}});
}

TEST(ScalarVideo, SelectorsTakeBytesAndHalvesWithTheSignOfTheirType) {
  const auto selected = [](const char* type, const char* selector) {
    return std::string("vadd.s32.") + type + ".u32 %d32, %a32." + selector + ", %b32.b3;";
  };
  constexpr std::uint64_t kParts = 0x80ff7f01;
  const struct {
    const char* selector;
    std::uint64_t as_unsigned, as_signed;
  } parts[] = {{"b0", 0x01, 0x01},       {"b1", 0x7f, 0x7f},     {"b2", 0xff, 0xffffffff},
               {"b3", 0x80, 0xffffff80}, {"h0", 0x7f01, 0x7f01}, {"h1", 0x80ff, 0xffff80ff}};
  for (const auto& part : parts) {
    expect_results(selected("u32", part.selector), {{{kParts, 0xffffff}, part.as_unsigned}});
    expect_results(selected("s32", part.selector), {{{kParts, 0xffffff}, part.as_signed}});
  }
  expect_results("vsub.s32.s32.s32 %d32, %a32.h1, %b32.b2;", {{{0x7fff0000, 0x00800000}, 0x807f}});
  expect_results("vmin.s32.s32.u32 %d32, %a32.b3, 5;",
                 {{{0x80000000}, 0xffffff80}, {{0x7f000000}, 5}});
}

TEST(ScalarVideo, TheSecondOperationTakesCAsTheTypeOfTheResult) {
  expect_results("vmax.s32.s32.s32.add %d32, %a32, %b32, %c32;",
                 {{{kMinus1, 3, kMinus1}, 2}, {{kMinus1, kMinus1, kMin32}, kMax32}});
  // .sat is of the first operation: the sum with c wraps.
  expect_results("vadd.u32.u32.u32.sat.add %d32, %a32, %b32, %c32;",
                 {{{kMinus1, kMinus1, 2}, 1}, {{1, 2, 3}, 6}});
  expect_results("vabsdiff.u32.u32.u32.add %d32, %a32.b1, %b32.b2, 1000;",
                 {{{0xff00, 0x010000}, 1254}, {{0x0100, 0xff0000}, 1254}});
  expect_results("vadd.s32.s32.s32.min %d32, %a32, %b32, %c32;",
                 {{{1, 1, kMinus1}, kMinus1}, {{1, 1, 3}, 2}});
  expect_results("vadd.u32.u32.u32.min %d32, %a32, %b32, %c32;", {{{1, 1, kMinus1}, 2}});
  expect_results("vsub.s32.s32.s32.max %d32, %a32, %b32, %c32;", {{{1, 2, 5}, 5}});
  // It sees all bits of the first result.
  expect_results("vsub.u32.u32.u32.max %d32, %a32, %b32, %c32;", {{{1, 2, 5}, 5}});
  expect_results("vadd.u32.u32.u32.min %d32, %a32, %b32, %c32;", {{{kMinus1, 2, 5}, 5}});
  expect_results("vadd.s32.s32.s32.max %d32, %a32, %b32, %c32;", {{{kMax32, 1, 5}, kMin32}});
}

TEST(ScalarVideo, ASelectorOfTheResultReplacesAPartOfC) {
  const std::uint64_t c = 0x11223344;
  const auto merged = [](const std::string& selector) {
    return "vadd.u32.u32.u32 %d32." + selector + ", %a32, %b32, %c32;";
  };
  // What does not fit into the part is lost.
  expect_results(merged("b0"), {{{0x1aa, 0x5, c}, 0x112233af}});
  expect_results(merged("b1"), {{{0x1aa, 0x5, c}, 0x1122af44}});
  expect_results(merged("b2"), {{{0x1aa, 0x5, c}, 0x11af3344}});
  expect_results(merged("b3"), {{{0x1aa, 0x5, c}, 0xaf223344}});
  expect_results(merged("h0"), {{{0x5aaaa, 0x5, c}, 0x1122aaaf}});
  expect_results(merged("h1"), {{{0x5aaaa, 0x5, c}, 0xaaaf3344}});
  // .sat is to the range of the part.
  expect_results(
      "vadd.u32.u32.s32.sat %d32.b2, %a32, %b32, %c32;",
      {{{255, 1, c}, 0x11ff3344}, {{0, kMinus1, c}, 0x11003344}, {{254, 1, c}, 0x11ff3344}});
  expect_results("vsub.s32.s32.s32.sat %d32.b3, %a32, %b32, %c32;",
                 {{{100, 0xffffff9c, c}, 0x7f223344}, {{0xffffff9c, 100, c}, 0x80223344}});
  expect_results("vadd.s32.s32.s32.sat %d32.h0, %a32.h0, %b32.h1, %c32;",
                 {{{0x7fff, 0x00010000, c}, 0x11227fff}, {{0x8000, 0xffff0000, c}, 0x11228000}});
  expect_results("vmax.u32.u32.u32.sat %d32.h1, %a32, %b32, %c32;",
                 {{{0x12345, 7, c}, 0xffff3344}});
  // d may be a source, too; lanes that the guard leaves out keep it.
  expect_results("mov.u32 %d32, %c32; vadd.u32.u32.u32 %d32.b0, %d32.b3, %d32.b1, %d32;",
                 {{{0, 0, c}, 0x11223344}, {{0, 0, 0x10002055}, 0x10002030}});
  expect_results("mov.u32 %d32, 7; @%pa vmin.u32.u32.u32 %d32.b1, %b32, 9, %c32;",
                 {{{0, 1, c}, 7}, {{1, 1, c}, 0x11220144}});
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
