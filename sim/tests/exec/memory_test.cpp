// SPDX-License-Identifier: MIT
// Loads, stores and atomics in every state space.
#include <array>
#include <cstring>

#include "sim/tests/exec/ptx_harness.h"

namespace paws::exec {
namespace {

constexpr LaunchShape kWarp{{1, 1, 1}, {32, 1, 1}, 0};

TEST(Memory, SubWordLoadsExtend) {
  expect_results("add.u64 %l0, %base, 0; ld.global.u8 %d32, [%l0];", {{{0x80}, 0x80}});
  expect_results("ld.global.s8 %d32, [%base];", {{{0x80}, 0xffffff80}});
  expect_results("ld.global.s16 %d32, [%base];", {{{0x8000}, 0xffff8000}});
  expect_results("ld.global.s32 %d64, [%base];", {{{0x80000000}, 0xffffffff80000000}});
  expect_results("ld.global.u32 %d64, [%base];", {{{0x80000000}, 0x80000000}});
  expect_results("ld.global.u8 %d64, [%base+1];", {{{0xabcd}, 0xab}});
  expect_results("ld.global.u16 %d16, [%base+2];", {{{0x12345678}, 0x1234}});
}

TEST(Memory, SubWordStoresTouchOnlyTheirBytes) {
  expect_results("st.global.u8 [%at+1], %b32; ld.global.u64 %d64, [%at];",
                 {{{0x1111111111111111, 0xabcdef}, 0x111111111111ef11}});
  expect_results("st.global.u16 [%at+2], %b64; ld.global.u64 %d64, [%at];",
                 {{{0, 0x123456789}, 0x67890000}});
}

TEST(Memory, Vectors) {
  expect_results("ld.global.v2.u32 {%r0, %d32}, [%at];", {{{0x500000001}, 5}});
  expect_results("ld.global.v2.u64 {%l0, %d64}, [%base];", {{{1, 77}, 77}});
  expect_results("st.global.v2.u64 [%base], {%c64, %a64}; ld.global.u64 %d64, [%base+8];",
                 {{{42, 2, 3}, 42}});
  expect_results("ld.global.v4.u16 {%h0, %h1, %h2, %d16}, [%at];",
                 {{{0x4444333322221111}, 0x4444}});
  expect_results("st.global.v4.u8 [%at], {%a32, %b32, %c32, %a32}; ld.global.u32 %d32, [%at];",
                 {{{0x11, 0x22, 0x33}, 0x11332211}});
}

/// Each thread writes its number to a strided, permuted place of one space and reads a neighbour's.
TEST(Memory, SharedAndGenericSharedAgree) {
  PtxRun ptx(R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %l<8>;
  .shared .align 4 .b8 buffer[4096];
  mov.u32 %r0, %tid.x;
  mul.lo.u32 %r1, %r0, 7;
  and.b32 %r1, %r1, 127;
  mov.u64 %l0, buffer;
  mad.wide.u32 %l1, %r1, 4, %l0;
  st.shared.u32 [%l1], %r0;
  bar.sync 0;
  xor.b32 %r2, %r0, 65;
  mul.lo.u32 %r2, %r2, 7;
  and.b32 %r2, %r2, 127;
  mad.wide.u32 %l2, %r2, 4, %l0;
  cvta.shared.u64 %l2, %l2;
  ld.u32 %r3, [%l2];
  ld.param.u64 %l3, [out];
  mad.wide.u32 %l3, %r0, 4, %l3;
  st.u32 [%l3], %r3;
  ret;
})");
  const auto out = ptx.buffer("out", 512);
  ptx.run({{1, 1, 1}, {128, 1, 1}, 0}, {out});
  for (std::uint32_t t = 0; t < 128; ++t) EXPECT_EQ(ptx.at<std::uint32_t>(out + 4ull * t), t ^ 65);
}

TEST(Memory, LocalIsEachThreadsOwn) {
  PtxRun ptx(R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %l<8>;
  .local .align 8 .b8 mine[16];
  mov.u32 %r0, %tid.x;
  mov.u64 %l0, mine;
  st.local.u32 [%l0+4], %r0;
  cvta.local.u64 %l1, %l0;
  ld.u32 %r1, [%l1+4];
  ld.param.u64 %l3, [out];
  mad.wide.u32 %l3, %r0, 4, %l3;
  st.global.u32 [%l3], %r1;
  ret;
})");
  const auto out = ptx.buffer("out", 256);
  ptx.run({{1, 1, 1}, {64, 1, 1}, 0}, {out});
  for (std::uint32_t t = 0; t < 64; ++t) EXPECT_EQ(ptx.at<std::uint32_t>(out + 4ull * t), t);
}

TEST(Memory, ConstantsAndModuleVariables) {
  PtxRun ptx(R"(
.const .align 4 .u32 table[4] = {10, 20, 30, 40};
.global .align 4 .u32 counter = 5;
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %l<8>;
  mov.u32 %r0, %tid.x;
  and.b32 %r1, %r0, 3;
  mov.u64 %l0, table;
  mad.wide.u32 %l0, %r1, 4, %l0;
  ld.const.u32 %r2, [%l0];
  ld.global.u32 %r3, [counter];
  add.u32 %r2, %r2, %r3;
  ld.param.u64 %l3, [out];
  mad.wide.u32 %l3, %r0, 4, %l3;
  st.global.u32 [%l3], %r2;
  ret;
})");
  const auto out = ptx.buffer("out", 128);
  ptx.run(kWarp, {out});
  for (std::uint32_t t = 0; t < 32; ++t) {
    EXPECT_EQ(ptx.at<std::uint32_t>(out + 4ull * t), 10ull * (t % 4 + 1) + 5);
  }
}

TEST(Memory, TheFirstSizeFollowsFromTheInitialValues) {
  PtxRun ptx(R"(
.global .align 4 .u32 flat[] = {1, 2, 3, 4, 5};
.global .align 4 .u32 rows[][2] = {{1, 2}, {3}, {5, 6}};
.global .align 8 .f64 wide[] = {0f3F800000, 2.5};
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %l<8>;
  ld.param.u64 %l0, [out];
  ld.global.u32 %r0, [flat+16];
  ld.global.u32 %r1, [rows+8];
  ld.global.u32 %r2, [rows+12];
  ld.global.u32 %r3, [rows+20];
  st.global.v4.u32 [%l0], {%r0, %r1, %r2, %r3};
  ld.global.u64 %l1, [wide];
  ld.global.u64 %l2, [wide+8];
  st.global.v2.u64 [%l0+16], {%l1, %l2};
  ret;
})");
  const auto out = ptx.buffer("out", 32);
  ptx.run({{1, 1, 1}, {1, 1, 1}, 0}, {out});
  EXPECT_EQ(ptx.at<std::uint32_t>(out), 5u);
  EXPECT_EQ(ptx.at<std::uint32_t>(out + 4), 3u);
  EXPECT_EQ(ptx.at<std::uint32_t>(out + 8), 0u);
  EXPECT_EQ(ptx.at<std::uint32_t>(out + 12), 6u);
  EXPECT_EQ(ptx.at<double>(out + 16), 1.0);
  EXPECT_EQ(ptx.at<double>(out + 24), 2.5);
}

TEST(Memory, LanesInSeveralAllocationsAndWindows) {
  PtxRun ptx(R"(
.visible .entry k(.param .u64 a, .param .u64 b, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %l<8>; .reg .pred %p<4>;
  .shared .align 4 .u32 cell;
  mov.u32 %r7, 33;
  st.shared.u32 [cell], %r7;
  mov.u32 %r0, %tid.x;
  ld.param.u64 %l0, [a];
  ld.param.u64 %l1, [b];
  mov.u64 %l2, cell;
  cvta.shared.u64 %l2, %l2;
  setp.lt.u32 %p0, %r0, 10;
  selp.b64 %l3, %l0, %l1, %p0;
  setp.gt.u32 %p1, %r0, 20;
  selp.b64 %l3, %l2, %l3, %p1;
  ld.u32 %r1, [%l3];
  ld.param.u64 %l4, [out];
  mad.wide.u32 %l4, %r0, 4, %l4;
  st.global.u32 [%l4], %r1;
  ret;
})");
  const auto a = ptx.buffer("a", 4);
  const auto b = ptx.buffer("b", 4);
  const auto out = ptx.buffer("out", 128);
  ptx.at<std::uint32_t>(a) = 11;
  ptx.at<std::uint32_t>(b) = 22;
  ptx.run(kWarp, {a, b, out});
  for (std::uint32_t t = 0; t < 32; ++t) {
    EXPECT_EQ(ptx.at<std::uint32_t>(out + 4ull * t), t < 10 ? 11u : t <= 20 ? 22u : 33u);
  }
}

TEST(Memory, ScatteredStoresToOnePlaceKeepTheLastLane) {
  PtxRun ptx(R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %l<8>;
  mov.u32 %r0, %laneid;
  ld.param.u64 %l0, [out];
  st.global.u32 [%l0], %r0;
  ret;
})");
  const auto out = ptx.buffer("out", 4);
  ptx.run(kWarp, {out});
  EXPECT_EQ(ptx.at<std::uint32_t>(out), 31u);
}

/// A warp's worth of one atomic on one cell; returns what it leaves, and the lanes' old values.
std::uint64_t after_atomic(const std::string& operation, const std::string& type,
                           std::uint64_t initial, const std::string& operands,
                           std::vector<std::uint64_t>* old = nullptr,
                           const std::string& space = "global") {
  const bool wide = type.find("64") != std::string::npos;
  const std::string r = wide ? "%l" : "%r";
  const std::string bits_type = wide ? "u64" : "u32";
  std::string text =
      ".visible .entry k(.param .u64 cell, .param .u64 out) {\n"
      ".reg .b32 %r<8>; .reg .b64 %l<12>;\n"
      ".shared .align 8 .b8 fast[8];\n"
      "mov.u32 %r0, %laneid; cvt.u64.u32 %l0, %r0;\n"
      "ld.param.u64 %l8, [cell]; ld.global." +
      bits_type + " " + r + "5, [%l8];\n";
  if (space == "shared") {
    text += "mov.u64 %l9, fast; st.shared." + bits_type + " [%l9], " + r + "5; bar.sync 0;\n";
  } else {
    text += "mov.u64 %l9, %l8;\n";
  }
  text +=
      "atom." + space + "." + operation + "." + type + " " + r + "1, [%l9], " + operands + ";\n";
  if (space == "shared") {
    text += "bar.sync 0; ld.shared." + bits_type + " " + r + "5, [%l9]; st.global." + bits_type +
            " [%l8], " + r + "5;\n";
  }
  text += "ld.param.u64 %l10, [out]; mad.wide.u32 %l10, %r0, 8, %l10;\n";
  text += (wide ? std::string() : std::string("cvt.u64.u32 %l1, %r1;\n")) +
          "st.global.u64 [%l10], %l1;\nret;\n}";
  PtxRun ptx(text);
  const auto cell = ptx.buffer("cell", 8);
  const auto out = ptx.buffer("out", 256);
  ptx.at<std::uint64_t>(cell) = initial;
  ptx.run(kWarp, {cell, out});
  if (old != nullptr) {
    old->clear();
    for (unsigned t = 0; t < 32; ++t) old->push_back(ptx.at<std::uint64_t>(out + 8ull * t));
  }
  return wide ? ptx.at<std::uint64_t>(cell) : ptx.at<std::uint32_t>(cell);
}

TEST(Atomic, EveryOperationInLaneOrder) {
  std::vector<std::uint64_t> old;
  EXPECT_EQ(after_atomic("add", "u32", 5, "%r0", &old), 5u + 496u);
  for (unsigned t = 0; t < 32; ++t) EXPECT_EQ(old[t], 5 + t * (t - 1) / 2) << t;
  EXPECT_EQ(after_atomic("exch", "b32", 99, "%r0", &old), 31u);
  EXPECT_EQ(old[0], 99u);
  EXPECT_EQ(old[31], 30u);
  EXPECT_EQ(after_atomic("cas", "b32", 3, "%r0, 7", &old), 7u * 1);
  EXPECT_EQ(old[3], 3u);
  EXPECT_EQ(old[4], 7u);
  EXPECT_EQ(old[7], 7u);
  EXPECT_EQ(after_atomic("min", "s32", 0xffffffff, "%r0"), 0xffffffffu);
  EXPECT_EQ(after_atomic("min", "u32", 0xffffffff, "%r0"), 0u);
  EXPECT_EQ(after_atomic("max", "s32", 0xffffffff, "%r0"), 31u);
  EXPECT_EQ(after_atomic("max", "u64", 7, "%l0"), 31u);
  EXPECT_EQ(after_atomic("and", "b32", 0xffffffff, "%r0"), 0u);
  EXPECT_EQ(after_atomic("or", "b32", 0x100, "%r0"), 0x11fu);
  EXPECT_EQ(after_atomic("xor", "b64", 0x100, "%l0"), 0x100u);
  EXPECT_EQ(after_atomic("inc", "u32", 0, "9"), 2u);  // 0..9 and around: 32 mod 10
  EXPECT_EQ(after_atomic("dec", "u32", 0, "9"), 8u);
  EXPECT_EQ(after_atomic("add", "u64", 1ull << 40, "%l0"), (1ull << 40) + 496);
  EXPECT_EQ(after_atomic("add", "u32", 5, "%r0", &old, "shared"), 501u);
}

TEST(Atomic, FloatsAndSubnormals) {
  EXPECT_EQ(after_atomic("add", "f32", bits(1.0f), "0f3F000000"), bits(17.0f));
  EXPECT_EQ(after_atomic("add", "f64", bits(1.0), "0d3FE0000000000000"), bits(17.0));
  // Global memory's adder flushes subnormals, shared memory's does not.
  EXPECT_EQ(after_atomic("add", "f32", 1, "0f00000001"), 0u);
  EXPECT_EQ(after_atomic("add", "f32", 1, "0f00000001", nullptr, "shared"), 33u);
}

/// What a warp leaves in two cells: in the first by atom, whose old values come back, in the second
/// by red. Both are in shared or in global memory.
struct SmallSums {
  std::array<std::uint32_t, 2> cells{};
  std::vector<std::uint32_t> old;
};
SmallSums after_small_additions(const std::string& type, std::uint32_t initial,
                                std::uint32_t addend, const std::string& space) {
  const bool pair = type.ends_with("x2");
  const std::string r = pair ? "%r2" : "%h0";
  PtxRun ptx(
      ".visible .entry k(.param .u64 cell, .param .u64 out, .param .u64 addend) {\n"
      ".reg .b16 %h<4>; .reg .b32 %r<8>; .reg .b64 %l<8>;\n"
      ".shared .align 16 .b8 fast[16];\n"
      "mov.u32 %r0, %laneid; ld.param.u64 %l0, [cell]; ld.param.u64 %l1, [out];\n"
      "ld.param.u32 %r2, [addend]; ld.param.u16 %h0, [addend];\n"
      "ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%l0];\n"
      "mov.u64 %l2, fast; st.shared.v4.u32 [%l2], {%r4, %r5, %r6, %r7}; bar.sync 0;\n"
      "mad.wide.u32 %l1, %r0, 4, %l1; mov.u32 %r1, 0; mov.u16 %h1, 0;\n"
      "atom." +
      space + ".add.noftz." + type + (pair ? " %r1" : " %h1") + ", [" +
      (space == "shared" ? "%l2" : "%l0") + "+4], " + r + ";\n" +
      (pair ? "" : "cvt.u32.u16 %r1, %h1;\n") + "red." + space + ".add.noftz." + type + " [" +
      (space == "shared" ? "%l2" : "%l0") + "+8], " + r +
      ";\n"
      "st.global.u32 [%l1], %r1; bar.sync 0;\n" +
      (space == "shared" ? "ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%l2];\n"
                           "st.global.v4.u32 [%l0], {%r4, %r5, %r6, %r7};\n"
                         : "") +
      "ret;\n}");
  const auto cell = ptx.buffer("cell", 16);
  const auto out = ptx.buffer("out", 128);
  ptx.at<std::uint32_t>(cell + 4) = ptx.at<std::uint32_t>(cell + 8) = initial;
  ptx.run(kWarp, {cell, out, addend});
  SmallSums sums;
  sums.cells = {ptx.at<std::uint32_t>(cell + 4), ptx.at<std::uint32_t>(cell + 8)};
  for (unsigned t = 0; t < 32; ++t) sums.old.push_back(ptx.at<std::uint32_t>(out + 4ull * t));
  return sums;
}

TEST(Atomic, NumbersOf16Bits) {
  struct Case {
    const char* type;
    std::uint32_t initial, addend, first, last;  ///< first: after one addition
  };
  // The halves behind a number of 16 bits stay as they are.
  for (const Case& c : {
           Case{"f16", 0xabcd3c00, 0x3c00, 0x4000, 0xabcd5020},   // 1 + 32 * 1 = 33
           Case{"f16", 0xabcd0001, 0x0001, 0x0002, 0xabcd0021},   // subnormal: nothing is flushed
           Case{"f16", 0xabcd6800, 0x3c00, 0x6800, 0xabcd6800},   // 2048 + 1: ties to even
           Case{"f16", 0xabcd6801, 0x3c00, 0x6802, 0xabcd6802},   // 2050 + 1 to 2052, then to even
           Case{"f16", 0xabcd7bff, 0x7bff, 0x7c00, 0xabcd7c00},   // overflow
           Case{"f16", 0xabcd7c00, 0xfc00, 0x7fff, 0xabcd7fff},   // infinity less infinity
           Case{"f16", 0xabcdfe12, 0x3c00, 0x7fff, 0xabcd7fff},   // NaN is the canonical one
           Case{"f16", 0xabcd8000, 0x8000, 0x8000, 0xabcd8000},   // -0
           Case{"bf16", 0xabcd3f80, 0x3f80, 0x4000, 0xabcd4204},  // 33
           Case{"bf16", 0xabcd0001, 0x0001, 0x0002, 0xabcd0021},
           Case{"bf16", 0xabcd4380, 0x3f80, 0x4380, 0xabcd4380},  // 256 + 1: ties to even
           Case{"bf16", 0xabcd4381, 0x3f80, 0x4382, 0xabcd4382},  // 258 + 1 to 260
           Case{"bf16", 0xabcd7f7f, 0x7f7f, 0x7f80, 0xabcd7f80},
           Case{"f16x2", 0x68003c00, 0x3c003c00, 0x68004000, 0x68005020},
           Case{"f16x2", 0xfe120001, 0x00010001, 0x7fff0002, 0x7fff0021},
           Case{"bf16x2", 0x43803f80, 0x3f803f80, 0x43804000, 0x43804204},
       }) {
    for (const char* space : {"global", "shared"}) {
      SCOPED_TRACE(std::string(c.type) + " " + space);
      const SmallSums sums = after_small_additions(c.type, c.initial, c.addend, space);
      const std::uint32_t kept = std::string(c.type).ends_with("x2") ? 0xffffffff : 0xffff;
      EXPECT_EQ(sums.cells[0], c.last);
      EXPECT_EQ(sums.cells[1], c.last);
      EXPECT_EQ(sums.old[0], c.initial & kept);
      EXPECT_EQ(sums.old[1], c.first);
    }
  }
}

TEST(Atomic, CompareAndSwapOf16Bits) {
  PtxRun ptx(R"(
.visible .entry k(.param .u64 cell) {
  .reg .b16 %h<4>; .reg .b32 %r<4>; .reg .b64 %l<4>;
  mov.u32 %r0, %laneid; cvt.u16.u32 %h0, %r0; add.u16 %h1, %h0, 1;
  ld.param.u64 %l0, [cell];
  atom.global.cas.b16 %h2, [%l0+2], %h0, %h1;
  mad.wide.u32 %l1, %r0, 2, %l0;
  st.global.u16 [%l1+4], %h2;
  ret;
})");
  const auto cell = ptx.buffer("cell", 4 + 64);
  ptx.at<std::uint32_t>(cell) = 0x0005abcd;
  ptx.run(kWarp, {cell});
  EXPECT_EQ(ptx.at<std::uint32_t>(cell), 0x0020abcdu);  // 5, 6, ... 31 in turn
  EXPECT_EQ(ptx.at<std::uint16_t>(cell + 4), 5u);
  EXPECT_EQ(ptx.at<std::uint16_t>(cell + 4 + 2 * 31), 31u);
}

TEST(Atomic, ReductionsWithoutResult) {
  PtxRun ptx(R"(
.visible .entry k(.param .u64 cell) {
  .reg .b32 %r<4>; .reg .b64 %l<4>;
  mov.u32 %r0, %tid.x;
  ld.param.u64 %l0, [cell];
  red.global.add.u32 [%l0+4], %r0;
  ret;
})");
  const auto cell = ptx.buffer("cell", 8);
  ptx.run({{4, 1, 1}, {256, 1, 1}, 0}, {cell});
  EXPECT_EQ(ptx.at<std::uint32_t>(cell + 4), 4u * (255 * 256 / 2));
}

}  // namespace
}  // namespace paws::exec
