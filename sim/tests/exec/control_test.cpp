// SPDX-License-Identifier: MIT
// Divergence, reconvergence, partial exits.
#include <array>

#include "sim/exec/simt_stack.h"
#include "sim/exec/testing/kernel_builder.h"
#include "sim/tests/exec/ptx_harness.h"

namespace paws::exec {
namespace {

using testing::imm;
using testing::KernelBuilder;
using testing::Label;
using testing::reg;
using testing::special;

constexpr std::uint32_t kEnd = 99;
using Legs = std::array<SimtStack<LaneMask>::Leg, 2>;

TEST(SimtStack, BranchAndReconverge) {
  SimtStack<LaneMask> stack;
  stack.start(0xff);
  stack.diverge(Legs{{{1, 0xf0}, {10, 0x0f}}}, 20);
  EXPECT_EQ(stack.pc(), 10u);
  EXPECT_EQ(stack.lanes(), 0x0fu);
  stack.advance(20);
  EXPECT_EQ(stack.pc(), 1u);
  EXPECT_EQ(stack.lanes(), 0xf0u);
  stack.advance(20);
  EXPECT_EQ(stack.pc(), 20u);
  EXPECT_EQ(stack.lanes(), 0xffu);
}

TEST(SimtStack, LegThatIsTheReconvergencePointWaits) {
  SimtStack<LaneMask> stack;
  stack.start(0xff);
  stack.diverge(Legs{{{1, 0xf0}, {20, 0x0f}}}, 20);
  EXPECT_EQ(stack.lanes(), 0xf0u);
  stack.advance(20);
  EXPECT_EQ(stack.lanes(), 0xffu);
}

TEST(SimtStack, LoopThatLosesALaneEachTimeStaysShallow) {
  SimtStack<LaneMask> stack;
  stack.start(0xff);
  for (LaneMask left = 0xff; (left & (left - 1)) != 0; left &= left - 1) {
    const LaneMask leaves = left & -left;
    stack.diverge(Legs{{{20, leaves}, {0, left & ~leaves}}}, 20);
    EXPECT_EQ(stack.lanes(), left & ~leaves);
    EXPECT_LE(stack.depth(), 3u);
  }
}

TEST(SimtStack, PartialExitsEverywhere) {
  SimtStack<LaneMask> stack;
  stack.start(0xff);
  stack.diverge(Legs{{{1, 0xf0}, {10, 0x0f}}}, kEnd);
  stack.exit(0x03, 11);
  EXPECT_EQ(stack.lanes(), 0x0cu);
  EXPECT_EQ(stack.pc(), 11u);
  EXPECT_EQ(stack.live(), 0xfcu);
  stack.exit(0x0c, 12);
  EXPECT_EQ(stack.pc(), 1u);
  EXPECT_EQ(stack.lanes(), 0xf0u);
  stack.exit(0xf0, 2);
  EXPECT_TRUE(stack.empty());
}

TEST(SimtStack, ThreadsThatOnlyEndDoNotAct) {
  SimtStack<LaneMask> stack;
  const auto ends = [](std::uint32_t pc) { return pc == kEnd; };
  stack.start(0xff);
  EXPECT_EQ(stack.acting(ends), 0xffu);
  stack.diverge(Legs{{{10, 0x3f}, {kEnd, 0xc0}}}, kEnd);  // two wait at the end
  EXPECT_EQ(stack.acting(ends), 0x3fu);
  stack.diverge(Legs{{{20, 0x07}, {30, 0x38}}}, 15);
  EXPECT_EQ(stack.lanes(), 0x38u);
  EXPECT_EQ(stack.acting(ends), 0x3fu) << "those at 20 have not run yet";
  stack.advance(kEnd);  // the top path acts wherever it stands
  EXPECT_EQ(stack.acting(ends), 0x3fu);
  EXPECT_EQ(stack.live(), 0xffu);
}

/// A kernel whose threads each count their path into a register, stored at the end.
std::vector<std::uint32_t> per_thread(const std::string& body, std::uint32_t threads = 32) {
  PtxRun ptx(
      ".visible .entry k(.param .u64 out) {\n.reg .b32 %r<16>; .reg .b64 %l<4>; .reg .pred %p<8>;\n"
      "mov.u32 %r0, %tid.x; mov.u32 %r1, 0;\n" +
      body +
      "\nld.param.u64 %l0, [out]; mad.wide.u32 %l0, %r0, 4, %l0; st.global.u32 [%l0], %r1; "
      "ret;\n}");
  const auto out = ptx.buffer("out", 4ull * threads);
  for (std::uint32_t t = 0; t < threads; ++t) ptx.at<std::uint32_t>(out + 4ull * t) = 0xdead;
  ptx.run({{1, 1, 1}, {threads, 1, 1}, 0}, {out});
  std::vector<std::uint32_t> result;
  for (std::uint32_t t = 0; t < threads; ++t)
    result.push_back(ptx.at<std::uint32_t>(out + 4ull * t));
  return result;
}

TEST(Control, LoopWithLaneDependentTripCount) {
  const auto got = per_thread(R"(
loop: add.u32 %r1, %r1, 1;
  setp.le.u32 %p0, %r1, %r0;
  @%p0 bra loop;
)",
                              48);
  for (std::uint32_t t = 0; t < 48; ++t) EXPECT_EQ(got[t], t + 1);
}

TEST(Control, NestedLoopsAndBreaks) {
  // for (i = 0; i < 6; ++i) for (j = 0; ; ++j) { if (j == tid % 4) break; if (i == tid) goto out;
  // ++n; }
  const auto got = per_thread(R"(
  mov.u32 %r2, 0; and.b32 %r4, %r0, 3;
outer: mov.u32 %r3, 0;
inner: setp.eq.u32 %p0, %r3, %r4;
  @%p0 bra next;
  setp.eq.u32 %p1, %r2, %r0;
  @%p1 bra out_;
  add.u32 %r1, %r1, 1;
  add.u32 %r3, %r3, 1;
  bra.uni inner;
next: add.u32 %r2, %r2, 1;
  setp.lt.u32 %p2, %r2, 6;
  @%p2 bra outer;
out_:
)");
  for (std::uint32_t t = 0; t < 32; ++t) {
    std::uint32_t n = 0;
    bool out = false;
    for (std::uint32_t i = 0; i < 6 && !out; ++i) {
      for (std::uint32_t j = 0; j != t % 4; ++j) {
        if (i == t) {
          out = true;
          break;
        }
        ++n;
      }
    }
    EXPECT_EQ(got[t], n) << t;
  }
}

TEST(Control, ReconvergenceGivesBackFullWarps) {
  // After an if/else the whole warp is together again: all lanes are in the ballot.
  const auto got = per_thread(R"(
  and.b32 %r2, %r0, 1; setp.eq.u32 %p0, %r2, 0;
  @%p0 bra even;
  add.u32 %r3, %r0, 1;
  bra.uni join;
even: add.u32 %r3, %r0, 2;
join: activemask.b32 %r1;
)");
  for (std::uint32_t mask : got) EXPECT_EQ(mask, 0xffffffffu);
}

TEST(Control, GuardsOnAnyInstruction) {
  const auto got = per_thread(R"(
  setp.lt.u32 %p0, %r0, 8;
  @%p0 add.u32 %r1, %r1, 5;
  @!%p0 add.u32 %r1, %r1, 7;
  @%p0 setp.lt.u32 %p1, %r0, 4;
  @!%p0 setp.lt.u32 %p1, %r0, 12;
  @%p1 mov.u32 %r1, 100;
)");
  for (std::uint32_t t = 0; t < 32; ++t) {
    const bool low = t < 4 || (t >= 8 && t < 12);
    EXPECT_EQ(got[t], low ? 100u : t < 8 ? 5u : 7u) << t;
  }
}

TEST(Control, ExitUnderDivergenceAndByGuard) {
  const auto got = per_thread(R"(
  setp.lt.u32 %p0, %r0, 5;
  @%p0 exit;
  setp.gt.u32 %p1, %r0, 20;
  @!%p1 bra stay;
  exit;
stay: activemask.b32 %r1;
)");
  for (std::uint32_t t = 0; t < 32; ++t) {
    EXPECT_EQ(got[t], t < 5 || t > 20 ? 0xdeadu : 0x001fffe0u) << t;
  }
}

TEST(Control, IndexedBranch) {
  const auto got = per_thread(R"(
  and.b32 %r2, %r0, 3;
  ts: .branchtargets a, b, c, b;
  brx.idx %r2, ts;
a: mov.u32 %r1, 10; bra.uni done;
b: mov.u32 %r1, 20; bra.uni done;
c: mov.u32 %r1, 30;
done: activemask.b32 %r5; popc.b32 %r5, %r5; add.u32 %r1, %r1, %r5;
)");
  const std::uint32_t expected[] = {10, 20, 30, 20};
  for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(got[t], expected[t % 4] + 32) << t;
}

TEST(Control, StepByStep) {
  // The interface the core uses: pcs, masks, next_ends_warp, done.
  KernelBuilder b;
  const ir::RegId lane = b.new_reg(ir::Type::u32);
  const ir::RegId low = b.new_reg(ir::Type::pred);
  b.emit(ir::Op::mov, ir::Type::u32, {lane}, {special(ir::Special::laneid)});
  b.emit(ir::Op::setp, ir::Type::u32, {low}, {reg(lane), imm(4)}).cmp = ir::Cmp::lt;
  const Label skip = b.label();
  b.branch(skip, skip, low);
  b.emit(ir::Op::add, ir::Type::u32, {lane}, {reg(lane), imm(1)});
  b.place(skip);
  ir::Instruction& some = b.emit(ir::Op::exit, ir::Type::none);
  some.guard = low;
  b.exit();
  const Executable executable(b.build());
  DeviceMemory memory;
  Block block(executable, {{1, 1, 1}, {40, 1, 1}, 0}, nullptr, memory, 0, 1);
  block.start(0);
  ASSERT_EQ(block.warps(), 2u);
  EXPECT_EQ(block.active(1), 0xffu);  // 40 threads: the second warp has 8
  Outcome outcome;
  block.execute(0, 0, outcome);
  block.execute(0, 0, outcome);
  EXPECT_EQ(outcome.active, 0xffffffffu);
  EXPECT_FALSE(outcome.memory);
  block.execute(0, 0, outcome);
  EXPECT_EQ(outcome.active, 0xfu);  // lanes that take the branch
  EXPECT_EQ(block.pc(0), 3u);
  EXPECT_EQ(block.active(0), 0xfffffff0u);
  block.execute(0, 0, outcome);
  EXPECT_EQ(block.pc(0), 4u);
  EXPECT_EQ(block.active(0), 0xffffffffu);
  EXPECT_FALSE(block.next_ends_warp(0));
  block.execute(0, 0, outcome);
  EXPECT_FALSE(outcome.done);
  EXPECT_EQ(block.active(0), 0xfffffff0u);
  EXPECT_TRUE(block.next_ends_warp(0));
  block.execute(0, 0, outcome);
  EXPECT_TRUE(outcome.done);
  EXPECT_TRUE(block.done(0));
  EXPECT_FALSE(block.done(1));
  EXPECT_EQ(block.pc(1), 0u);
}

// One and many instructions at a time stop at the same one (BothWays).
TEST(Control, TheLimitIsMetBetweenBranches) {
  PtxRun ptx(R"(
.visible .entry k() {
  .reg .b32 %r<4>; .shared .b32 s;
  mov.u32 %r0, %tid.x;
LOOP:
  mad.lo.u32 %r0, %r0, %r0, 3;
  mad.lo.u32 %r0, %r0, %r0, 5;
  mad.lo.u32 %r0, %r0, %r0, 7;
  st.shared.u32 [s], %r0;
  bra LOOP;
})");
  EXPECT_NE(ptx.run_error({{1, 1, 1}, {32, 1, 1}, 0}, {}, 103).find("pc 3: not finished after 103"),
            std::string::npos);
}

}  // namespace
}  // namespace paws::exec
