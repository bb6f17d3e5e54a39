// SPDX-License-Identifier: MIT
// Logic, shifts and bit fields against values worked out by hand from the PTX ISA.
#include "sim/support/error.h"
#include "sim/tests/exec/ptx_harness.h"

namespace paws::exec {
namespace {

constexpr std::uint64_t kOnes = 0xffffffff;
constexpr std::uint64_t kAll = ~std::uint64_t{0};

TEST(Logic, AllWidths) {
  expect_results("and.b32 %d32, %a32, %b32;", {{{0xff00ff00, 0x0ff00ff0}, 0x0f000f00}});
  expect_results("or.b64 %d64, %a64, %b64;", {{{0xf000000000000000, 1}, 0xf000000000000001}});
  expect_results("xor.b16 %d16, %a16, %b16;", {{{0xffff, 0x0ff0}, 0xf00f}});
  expect_results("not.b32 %d32, %a32;", {{{0}, kOnes}});
  expect_results("not.b16 %d16, %a16;", {{{1}, 0xfffe}});
  expect_results("cnot.b32 %d32, %a32;", {{{0}, 1}, {{7}, 0}});
  expect_results("and.pred %dp, %pa, %pb;", {{{1, 1}, 1}, {{1, 0}, 0}, {{0, 0}, 0}});
  expect_results("or.pred %dp, %pa, %pb;", {{{1, 0}, 1}, {{0, 0}, 0}});
  expect_results("xor.pred %dp, %pa, %pb;", {{{1, 1}, 0}, {{1, 0}, 1}});
  expect_results("not.pred %dp, %pa;", {{{1}, 0}, {{0}, 1}});
}

TEST(Lop3, EveryTruthTable) {
  for (unsigned lut = 0; lut < 256; ++lut) {
    std::uint32_t expected = 0;
    const std::uint32_t a = 0xf0f0f0f0;
    const std::uint32_t b = 0xcccccccc;
    const std::uint32_t c = 0xaaaaaaaa;
    for (unsigned i = 0; i < 32; ++i) {
      const unsigned minterm = (a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1);
      expected |= (lut >> minterm & 1) << i;
    }
    if (lut % 15 != 0 && lut != 0x96 && lut != 0xe8 && lut != 0x1b) continue;
    expect_results("lop3.b32 %d32, %a32, %b32, %c32, " + std::to_string(lut) + ";",
                   {{{a, b, c}, expected}});
  }
}

TEST(Lop3, CombinesWhetherTheResultIsNotZeroWithAPredicate) {
  // Bit 32 of c is the predicate; the low bits and those of a and b make 2 or 0.
  const std::string given = "shr.u64 %l0, %c64, 32; setp.ne.u64 %p0, %l0, 0; ";
  const std::uint64_t set = std::uint64_t{1} << 32;
  for (const std::string d : {"%r0", "_", "%a32"}) {
    expect_results(given + "lop3.and.b32 " + d + "|%dp, %a32, %b32, %c32, 0x80, %p0;",
                   {{{6, 3, 7 | set}, 1}, {{6, 3, 7}, 0}, {{4, 3, 7 | set}, 0}, {{4, 3, 7}, 0}});
    expect_results(given + "lop3.or.b32 " + d + "|%dp, %a32, %b32, %c32, 0x80, !%p0;",
                   {{{6, 3, 7 | set}, 1}, {{6, 3, 7}, 1}, {{4, 3, 7 | set}, 0}, {{4, 3, 7}, 1}});
  }
  expect_results(given + "lop3.or.b32 %d32|%p1, %a32, %b32, %c32, 0x80, %p0;",
                 {{{6, 3, 7 | set}, 2}, {{4, 3, 7}, 0}});
  // Lanes that the guard leaves out keep both.
  expect_results(given +
                     "mov.b32 %r0, 5; setp.eq.u32 %p1, %r0, %r0; "
                     "@!%p0 lop3.and.b32 %r0|%p1, %a32, %b32, %c32, 0x80, %p0; "
                     "selp.b32 %r1, 8, 0, %p1; add.u32 %d32, %r0, %r1;",
                 {{{6, 3, 7 | set}, 13}, {{6, 3, 7}, 2}});
  for (const char* wrong :
       {"lop3.and.b32 %r1|%p1, %r1, %r1, %r1, 1;", "lop3.b32 %r1|%p1, %r1, %r1, %r1, 1;",
        "lop3.b32 %r1, %r1, %r1, %r1, 1, %p1;", "lop3.xor.b32 %r1|%p1, %r1, %r1, %r1, 1, %p1;"}) {
    EXPECT_THROW(
        PtxRun(std::string(".entry k() { .reg .b32 %r<2>; .reg .pred %p<2>; ") + wrong + " ret; }"),
        InputError)
        << wrong;
  }
}

TEST(Shift, ClampsAtTheWidth) {
  expect_results(
      "shl.b32 %d32, %a32, %b32;",
      {{{1, 31}, 0x80000000}, {{1, 32}, 0}, {{1, 255}, 0}, {{1, kOnes}, 0}, {{3, 0}, 3}});
  expect_results("shr.u32 %d32, %a32, %b32;",
                 {{{kOnes, 31}, 1}, {{kOnes, 32}, 0}, {{kOnes, 0}, kOnes}});
  expect_results("shr.s32 %d32, %a32, %b32;",
                 {{{0x80000000, 31}, kOnes}, {{0x80000000, 40}, kOnes}, {{0x40000000, 99}, 0}});
  expect_results("shl.b64 %d64, %a64, %b32;", {{{1, 63}, 0x8000000000000000}, {{1, 64}, 0}});
  expect_results("shr.s64 %d64, %a64, %b32;", {{{kAll, 64}, kAll}, {{16, 4}, 1}});
  expect_results("shr.u64 %d64, %a64, %b32;", {{{kAll, 63}, 1}, {{kAll, 64}, 0}});
  expect_results("shl.b16 %d16, %a16, %b32;",
                 {{{1, 15}, 0x8000}, {{1, 16}, 0}, {{0xffff, 4}, 0xfff0}});
  expect_results("shr.s16 %d16, %a16, %b32;", {{{0x8000, 15}, 0xffff}, {{0x8000, 99}, 0xffff}});
  expect_results("shr.u16 %d16, %a16, %b32;", {{{0x8000, 15}, 1}, {{0x8000, 16}, 0}});
}

TEST(Shift, Funnel) {
  const std::uint64_t low = 0x89abcdef;
  const std::uint64_t high = 0x01234567;
  expect_results(
      "shf.l.wrap.b32 %d32, %a32, %b32, %c32;",
      {{{low, high, 8}, 0x23456789}, {{low, high, 32}, high}, {{low, high, 40}, 0x23456789}});
  expect_results("shf.l.clamp.b32 %d32, %a32, %b32, %c32;",
                 {{{low, high, 8}, 0x23456789}, {{low, high, 40}, low}});
  expect_results("shf.r.wrap.b32 %d32, %a32, %b32, %c32;",
                 {{{low, high, 8}, 0x6789abcd}, {{low, high, 32}, low}});
  expect_results("shf.r.clamp.b32 %d32, %a32, %b32, %c32;",
                 {{{low, high, 8}, 0x6789abcd}, {{low, high, 99}, high}});
}

TEST(BitField, Extract) {
  expect_results("bfe.u32 %d32, %a32, %b32, %c32;", {{{0x12345678, 8, 8}, 0x56},
                                                     {{0x12345678, 28, 8}, 0x1},
                                                     {{kOnes, 0, 32}, kOnes},
                                                     {{kOnes, 4, 255}, 0x0fffffff},
                                                     {{kOnes, 40, 8}, 0},
                                                     {{kOnes, 3, 0}, 0}});
  expect_results("bfe.s32 %d32, %a32, %b32, %c32;", {{{0x00008000, 8, 8}, 0xffffff80},
                                                     {{0x00007f00, 8, 8}, 0x7f},
                                                     {{0x80000000, 28, 8}, 0xfffffff8},
                                                     {{0x80000000, 40, 8}, kOnes},
                                                     {{0x40000000, 40, 8}, 0},
                                                     {{kOnes, 0, 0}, 0}});
  expect_results("bfe.u64 %d64, %a64, %b32, %c32;", {{{kAll, 60, 10}, 0xf}, {{kAll, 0, 64}, kAll}});
  expect_results("bfe.s64 %d64, %a64, %b32, %c32;", {{{0x80000000, 31, 1}, kAll}});
}

TEST(BitField, Insert) {
  const std::string bfi =
      "mov.u32 %r0, %c32; shr.u64 %l0, %c64, 32; cvt.u32.u64 %r1, %l0;\n"
      "bfi.b32 %d32, %a32, %b32, %r0, %r1;";
  const auto at = [](std::uint64_t start, std::uint64_t length) { return length << 32 | start; };
  expect_results(bfi, {{{0xab, 0x11111111, at(8, 8)}, 0x1111ab11},
                       {{0xff, 0, at(28, 8)}, 0xf0000000},
                       {{0xff, 0x12, at(32, 8)}, 0x12},
                       {{0xff, 0x12, at(4, 0)}, 0x12},
                       {{0xdeadbeef, 0x12, at(0, 32)}, 0xdeadbeef},
                       {{0xdeadbeef, 0x12, at(0, 200)}, 0xdeadbeef}});
  expect_results("bfi.b64 %d64, %a64, %b64, 32, 32;", {{{0xabcd, 0x1, 0}, 0xabcd00000001}});
}

TEST(BitCount, AllForms) {
  expect_results("popc.b32 %d32, %a32;", {{{kOnes}, 32}, {{0x80000001}, 2}});
  expect_results("popc.b64 %d32, %a64;", {{{kAll}, 64}});
  expect_results("clz.b32 %d32, %a32;", {{{0}, 32}, {{1}, 31}, {{kOnes}, 0}});
  expect_results("clz.b64 %d32, %a64;", {{{0}, 64}, {{1}, 63}});
  expect_results("brev.b32 %d32, %a32;", {{{1}, 0x80000000}, {{0x12345678}, 0x1e6a2c48}});
  expect_results("brev.b64 %d64, %a64;", {{{1}, 0x8000000000000000}});
  expect_results("bfind.u32 %d32, %a32;", {{{0}, kOnes}, {{1}, 0}, {{0x80000000}, 31}});
  expect_results("bfind.s32 %d32, %a32;",
                 {{{kOnes}, kOnes}, {{0xfffffffe}, 0}, {{0x80000000}, 30}});
  expect_results("bfind.shiftamt.u32 %d32, %a32;", {{{1}, 31}, {{0x80000000}, 0}, {{0}, kOnes}});
  expect_results("bfind.u64 %d32, %a64;", {{{0x100000000}, 32}});
  expect_results("bfind.s64 %d32, %a64;", {{{kAll}, kOnes}, {{0xfffffffeffffffff}, 32}});
}

TEST(Prmt, EveryMode) {
  const std::uint64_t a = 0x33221100;
  const std::uint64_t b = 0x77665544;
  expect_results("prmt.b32 %d32, %a32, %b32, %c32;", {{{a, b, 0x7531}, 0x77553311},
                                                      {{a, b, 0x0123}, 0x00112233},
                                                      {{0x80, 0, 0x0008}, 0x808080ff}});
  const auto mode = [&](const std::string& name, std::vector<std::uint64_t> expected) {
    std::vector<Case> cases;
    for (std::uint64_t c = 0; c < 4; ++c) cases.push_back({{a, b, c}, expected[c]});
    expect_results("prmt.b32." + name + " %d32, %a32, %b32, %c32;", cases);
  };
  mode("f4e", {0x33221100, 0x44332211, 0x55443322, 0x66554433});
  mode("b4e", {0x55667700, 0x66770011, 0x77001122, 0x00112233});
  mode("rc8", {0x00000000, 0x11111111, 0x22222222, 0x33333333});
  mode("ecl", {0x33221100, 0x33221111, 0x33222222, 0x33333333});
  mode("ecr", {0x00000000, 0x11111100, 0x22221100, 0x33221100});
  mode("rc16", {0x11001100, 0x33223322, 0x11001100, 0x33223322});
}

TEST(Fns, FindsTheNthSetBit) {
  const std::uint64_t mask = 0b1011'0100;
  expect_results("fns.b32 %d32, %a32, %b32, %c32;", {{{mask, 0, 1}, 2},
                                                     {{mask, 0, 2}, 4},
                                                     {{mask, 2, 1}, 2},
                                                     {{mask, 0, 5}, kOnes},
                                                     {{mask, 7, kOnes}, 7},
                                                     {{mask, 6, kOnes}, 5},
                                                     {{mask, 4, 0}, 4},
                                                     {{mask, 3, 0}, kOnes}});
}

TEST(Bmsk, ClampAndWrap) {
  expect_results(
      "bmsk.clamp.b32 %d32, %a32, %b32;",
      {{{4, 8}, 0xff0}, {{28, 8}, 0xf0000000}, {{0, 32}, kOnes}, {{32, 1}, 0}, {{3, 0}, 0}});
  expect_results("bmsk.wrap.b32 %d32, %a32, %b32;",
                 {{{36, 8}, 0xff0}, {{0, 32}, 0}, {{4, 33}, 0x10}});
}

TEST(Szext, ClampAndWrap) {
  expect_results("szext.clamp.s32 %d32, %a32, %b32;",
                 {{{0x80, 8}, 0xffffff80}, {{0x80, 40}, 0x80}, {{0xff, 0}, 0}});
  expect_results("szext.wrap.u32 %d32, %a32, %b32;",
                 {{{0x1ff, 8}, 0xff}, {{0x1ff, 32}, 0}, {{0x1ff, 33}, 1}});
}

}  // namespace
}  // namespace paws::exec
