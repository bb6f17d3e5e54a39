// SPDX-License-Identifier: MIT
// Matrix instructions against products worked out from the tables of the PTX ISA.
#include <fmt/format.h>

#include <cstring>

#include "sim/support/small_float.h"
#include "sim/tests/exec/ptx_harness.h"

namespace paws::exec {
namespace {

constexpr unsigned kLanes = 32;
const LaunchShape kWarp{{1, 1, 1}, {kLanes, 1, 1}};

/// Small whole numbers, different in every place, of which all sums are exact in every type.
int left(unsigned row, unsigned k) { return static_cast<int>((row * 5 + k * 3) % 7) - 3; }
int right(unsigned k, unsigned column) { return static_cast<int>((k * 2 + column * 11) % 9) - 4; }
int start(unsigned row, unsigned column) {
  return static_cast<int>(row) - static_cast<int>(column);
}
int product(unsigned row, unsigned column, unsigned depth) {
  int sum = start(row, column);
  for (unsigned k = 0; k < depth; ++k) sum += left(row, k) * right(k, column);
  return sum;
}

std::uint32_t half(int value) { return Float16::round(static_cast<double>(value)).bits; }
std::uint32_t single(int value) {
  return static_cast<std::uint32_t>(bits(static_cast<float>(value)));
}

/// Runs `text` of one warp, whose lane has 16 words at `in` and 8 at `out`; gives all of `out`.
std::vector<std::uint32_t> run_warp(const std::string& text, const std::vector<std::uint32_t>& in) {
  std::string loads;
  for (unsigned i = 0; i < 16; ++i)
    loads += fmt::format("ld.global.b32 %r{}, [%rd1+{}];\n", i, 4 * i);
  std::string stores;
  for (unsigned i = 0; i < 8; ++i)
    stores += fmt::format("st.global.b32 [%rd2+{}], %d{};\n", 4 * i, i);
  PtxRun ptx(
      ".visible .entry k(.param .u64 in, .param .u64 out) {\n"
      ".reg .b32 %r<16>, %d<8>, %t; .reg .b64 %rd<9>; .reg .f64 %fd<9>; .reg .pred %p<4>;\n"
      ".shared .align 16 .b8 tile[4096];\n"
      "mov.u32 %t, %tid.x; ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];\n"
      "mad.wide.u32 %rd1, %t, 64, %rd1; mad.wide.u32 %rd2, %t, 32, %rd2;\n" +
      loads + text + stores + "ret; }");
  const auto from = ptx.buffer("in", 64 * kLanes);
  const auto to = ptx.buffer("out", 32 * kLanes);
  std::memcpy(ptx.memory().at(from, 4 * in.size()), in.data(), 4 * in.size());
  ptx.run(kWarp, {from, to});
  std::vector<std::uint32_t> out(8 * kLanes);
  std::memcpy(out.data(), ptx.memory().at(to, 32 * kLanes), 32 * kLanes);
  return out;
}

TEST(Mma, HalfPrecisionOfSixteenByEightBySixteen) {
  std::vector<std::uint32_t> in(16 * kLanes);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const unsigned group = lane / 4;
    const unsigned thread = lane % 4;
    std::uint32_t* r = &in[16 * lane];
    for (unsigned i = 0; i < 8; ++i) {  // a0 to a7 of the ISA's table
      const unsigned row = i < 2 || (i >= 4 && i < 6) ? group : group + 8;
      const unsigned k = thread * 2 + (i & 1) + (i < 4 ? 0 : 8);
      r[i / 2] |= half(left(row, k)) << (16 * (i & 1));
    }
    for (unsigned i = 0; i < 4; ++i) {  // b0 to b3
      const unsigned k = thread * 2 + (i & 1) + (i < 2 ? 0 : 8);
      r[4 + i / 2] |= half(right(k, group)) << (16 * (i & 1));
    }
    for (unsigned i = 0; i < 4; ++i) {  // c0 to c3
      r[6 + i] = single(start(i < 2 ? group : group + 8, thread * 2 + (i & 1)));
    }
  }
  const auto out = run_warp(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%d0,%d1,%d2,%d3}, {%r0,%r1,%r2,%r3}, "
      "{%r4,%r5}, {%r6,%r7,%r8,%r9};\n",
      in);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    for (unsigned i = 0; i < 4; ++i) {
      const unsigned row = lane / 4 + (i < 2 ? 0 : 8);
      const unsigned column = lane % 4 * 2 + (i & 1);
      EXPECT_EQ(out[8 * lane + i], single(product(row, column, 16))) << row << " " << column;
    }
  }
}

TEST(Mma, BytesOfSixteenByEightByThirtyTwo) {
  std::vector<std::uint32_t> in(16 * kLanes);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const unsigned group = lane / 4;
    const unsigned thread = lane % 4;
    std::uint32_t* r = &in[16 * lane];
    for (unsigned i = 0; i < 16; ++i) {
      const unsigned row = i < 4 || (i >= 8 && i < 12) ? group : group + 8;
      const unsigned k = thread * 4 + (i & 3) + (i < 8 ? 0 : 16);
      r[i / 4] |= (static_cast<std::uint32_t>(left(row, k)) & 0xff) << (8 * (i & 3));
    }
    for (unsigned i = 0; i < 8; ++i) {
      const unsigned k = thread * 4 + (i & 3) + (i < 4 ? 0 : 16);
      r[4 + i / 4] |= (static_cast<std::uint32_t>(right(k, group)) & 0xff) << (8 * (i & 3));
    }
    for (unsigned i = 0; i < 4; ++i) {
      r[6 + i] = static_cast<std::uint32_t>(start(i < 2 ? group : group + 8, thread * 2 + (i & 1)));
    }
  }
  const auto out = run_warp(
      "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32 {%d0,%d1,%d2,%d3}, "
      "{%r0,%r1,%r2,%r3}, {%r4,%r5}, {%r6,%r7,%r8,%r9};\n",
      in);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    for (unsigned i = 0; i < 4; ++i) {
      const unsigned row = lane / 4 + (i < 2 ? 0 : 8);
      const unsigned column = lane % 4 * 2 + (i & 1);
      EXPECT_EQ(static_cast<int>(out[8 * lane + i]), product(row, column, 32));
    }
  }
}

TEST(Mma, Tf32DropsBitsAndSaturationClamps) {
  // One row, one column: a is (g, t), b is (t, g). All ones but the low bits that do not count.
  std::vector<std::uint32_t> in(16 * kLanes, 0x3f801fff);
  const auto out = run_warp(
      "mov.b32 %r6, 0; mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%d0,%d1,%d2,%d3}, "
      "{%r0,%r1,%r2,%r3}, {%r4,%r5}, {%r6,%r6,%r6,%r6};\n",
      in);
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(out[i], single(8));
  const std::vector<std::uint32_t> most(16 * kLanes, 0x7f7f7f7f);
  const std::string integers =
      "mov.b32 %r6, 0x7fffffff; mma.sync.aligned.m8n8k16.row.col{}.s32.s8.s8.s32 {{%d0,%d1}}, "
      "{{%r0}}, {{%r4}}, {{%r6,%r6}};\n";
  EXPECT_EQ(run_warp(fmt::format(fmt::runtime(integers), ".satfinite"), most)[0], 0x7fffffffU);
  EXPECT_EQ(run_warp(fmt::format(fmt::runtime(integers), ""), most)[0],
            0x7fffffffU + 16 * 127 * 127);
}

TEST(Mma, NeedsTheWholeWarp) {
  PtxRun ptx(
      ".visible .entry k() { .reg .b32 %r<9>; .reg .pred %p; mov.u32 %r0, %tid.x;\n"
      ".shared .align 16 .b8 tile[512]; setp.lt.u32 %p, %r0, 5;\n"
      "@%p stmatrix.sync.aligned.m8n8.x1.shared.b16 [tile], {%r0};\n ret; }");
  EXPECT_EQ(ptx.run_error(kWarp),
            "test.ptx:6: kernel 'k', block (0,0,0), warp 0: 'stmatrix' is executed by 5 lanes of "
            "the warp; it needs all 32");
}

/// Stores element (row, column) as `row * 64 + column`, loads it with ldmatrix.
TEST(Ldmatrix, RowsAndTransposedOnes) {
  std::vector<std::uint32_t> in(16 * kLanes);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    for (unsigned i = 0; i < 4; ++i) {  // row `lane` of 8 elements: four matrices below each other
      in[16 * lane + i] = (lane * 64 + 2 * i + 1) << 16 | (lane * 64 + 2 * i);
    }
  }
  const std::string store =
      "mov.u32 %r8, tile; mad.lo.u32 %r8, %t, 16, %r8;\n"
      "st.shared.v4.b32 [%r8], {%r0,%r1,%r2,%r3}; bar.warp.sync -1;\n";
  const auto out =
      run_warp(store +
                   "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%d0,%d1,%d2,%d3}, [%r8];\n"
                   "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%d4,%d5}, [%r8];\n"
                   "movmatrix.sync.aligned.m8n8.trans.b16 %d6, %d0;\n"
                   "mov.u32 %r9, tile; add.u32 %r9, %r9, 1024; mad.lo.u32 %r9, %t, 16, %r9;\n"
                   "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%r9], {%d0,%d1,%d2,%d3};\n"
                   "bar.warp.sync -1; ld.shared.b32 %d7, [%r9];\n",
               in);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const unsigned group = lane / 4;
    const unsigned thread = lane % 4;
    for (unsigned q = 0; q < 4; ++q) {
      const unsigned element = (8 * q + group) * 64 + 2 * thread;
      EXPECT_EQ(out[8 * lane + q], (element + 1) << 16 | element);
    }
    for (unsigned q = 0; q < 2; ++q) {
      const unsigned first = (8 * q + 2 * thread) * 64 + group;
      EXPECT_EQ(out[8 * lane + 4 + q], (first + 64) << 16 | first);
    }
    EXPECT_EQ(out[8 * lane + 6], out[8 * lane + 4]) << "the first matrix, transposed";
    // Row lane % 8 of the transposed matrix lane / 8: its column.
    const unsigned first = (lane / 8 * 8) * 64 + lane % 8;
    EXPECT_EQ(out[8 * lane + 7], (first + 64) << 16 | first);
  }
}

struct WmmaCase {
  const char* shape;
  unsigned m, n, k;
  bool a_rows, b_rows, c_rows;
};

class Wmma : public testing::TestWithParam<WmmaCase> {};

/// c = a * b + c through fragments, of f16 and f32.
TEST_P(Wmma, MultipliesMatricesInMemory) {
  const WmmaCase& test = GetParam();
  const auto layout = [](bool rows) { return rows ? "row" : "col"; };
  const std::string eight = "{%x0,%x1,%x2,%x3,%x4,%x5,%x6,%x7}";
  const auto list = [&](char letter) {
    std::string text = eight;
    for (char& c : text) {
      if (c == 'x') c = letter;
    }
    return text;
  };
  const unsigned a_stride = test.a_rows ? test.k : test.m;
  const unsigned b_stride = test.b_rows ? test.n : test.k;
  const unsigned c_stride = (test.c_rows ? test.n : test.m) + 4;
  PtxRun ptx(
      fmt::format(".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c) {{\n"
                  ".reg .b32 %a<8>, %b<8>, %s; .reg .f32 %c<8>; .reg .b64 %rd<4>;\n"
                  "ld.param.u64 %rd0, [a]; ld.param.u64 %rd1, [b]; ld.param.u64 %rd2, [c];\n"
                  "mov.u32 %s, {0};\n"
                  "wmma.load.a.sync.aligned.{1}.{2}.global.f16 {5}, [%rd0];\n"
                  "wmma.load.b.sync.aligned.{3}.{2}.f16 {6}, [%rd1], {8};\n"
                  "wmma.load.c.sync.aligned.{4}.{2}.global.f32 {7}, [%rd2], %s;\n"
                  "wmma.mma.sync.aligned.{1}.{3}.{2}.f32.f32 {7}, {5}, {6}, {7};\n"
                  "wmma.store.d.sync.aligned.{4}.{2}.global.f32 [%rd2], {7}, %s;\n"
                  "ret; }}",
                  c_stride, layout(test.a_rows), test.shape, layout(test.b_rows),
                  layout(test.c_rows), list('a'), list('b'), list('c'), b_stride));
  const auto a = ptx.buffer("a", 2 * test.m * test.k);
  const auto b = ptx.buffer("b", 2 * test.k * test.n);
  const auto c = ptx.buffer("c", 4 * 40 * 40);
  const auto at = [](bool rows, unsigned row, unsigned column, unsigned stride) {
    return rows ? row * stride + column : column * stride + row;
  };
  for (unsigned row = 0; row < test.m; ++row) {
    for (unsigned k = 0; k < test.k; ++k) {
      ptx.at<std::uint16_t>(a + 2 * at(test.a_rows, row, k, a_stride)) =
          static_cast<std::uint16_t>(half(left(row, k)));
    }
  }
  for (unsigned k = 0; k < test.k; ++k) {
    for (unsigned column = 0; column < test.n; ++column) {
      ptx.at<std::uint16_t>(b + 2 * at(test.b_rows, k, column, b_stride)) =
          static_cast<std::uint16_t>(half(right(k, column)));
    }
  }
  const auto c_at = [&](unsigned row, unsigned column) -> float& {
    return ptx.at<float>(c + 4 * at(test.c_rows, row, column, c_stride));
  };
  for (unsigned row = 0; row < test.m; ++row) {
    for (unsigned column = 0; column < test.n; ++column) {
      c_at(row, column) = static_cast<float>(start(row, column));
    }
  }
  ptx.run(kWarp, {a, b, c});
  for (unsigned row = 0; row < test.m; ++row) {
    for (unsigned column = 0; column < test.n; ++column) {
      EXPECT_EQ(c_at(row, column), static_cast<float>(product(row, column, test.k)))
          << row << " " << column;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Wmma,
                         testing::Values(WmmaCase{"m16n16k16", 16, 16, 16, true, false, true},
                                         WmmaCase{"m16n16k16", 16, 16, 16, false, true, false},
                                         WmmaCase{"m32n8k16", 32, 8, 16, true, true, true},
                                         WmmaCase{"m32n8k16", 32, 8, 16, false, false, false},
                                         WmmaCase{"m8n32k16", 8, 32, 16, true, false, true},
                                         WmmaCase{"m8n32k16", 8, 32, 16, false, true, false}));

TEST(Wmma, DoublesOfEightByEightByFour) {
  PtxRun ptx(
      ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c) {\n"
      ".reg .f64 %fd<9>; .reg .b64 %rd<4>;\n"
      "ld.param.u64 %rd0, [a]; ld.param.u64 %rd1, [b]; ld.param.u64 %rd2, [c];\n"
      "wmma.load.a.sync.aligned.row.m8n8k4.global.f64 {%fd0}, [%rd0], 4;\n"
      "wmma.load.b.sync.aligned.col.m8n8k4.global.f64 {%fd1}, [%rd1], 4;\n"
      "mov.f64 %fd2, 0d3FF0000000000000; mov.f64 %fd3, %fd2;\n"
      "wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64.rn {%fd4,%fd5}, {%fd0}, {%fd1}, "
      "{%fd2,%fd3};\n"
      "wmma.store.d.sync.aligned.row.m8n8k4.global.f64 [%rd2], {%fd4,%fd5}, 8;\n"
      "ret; }");
  const auto a = ptx.buffer("a", 8 * 32);
  const auto b = ptx.buffer("b", 8 * 32);
  const auto c = ptx.buffer("c", 8 * 64);
  for (unsigned i = 0; i < 32; ++i) {
    ptx.at<double>(a + 8 * i) = left(i / 4, i % 4);
    ptx.at<double>(b + 8 * i) = right(i % 4, i / 4);
  }
  ptx.run(kWarp, {a, b, c});
  for (unsigned row = 0; row < 8; ++row) {
    for (unsigned column = 0; column < 8; ++column) {
      EXPECT_EQ(ptx.at<double>(c + 8 * (8 * row + column)),
                product(row, column, 4) - start(row, column) + 1);
    }
  }
}

}  // namespace
}  // namespace paws::exec
