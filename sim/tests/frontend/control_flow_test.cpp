// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "sim/tests/frontend/support.h"

namespace paws::frontend {
namespace {

/// pc of the first instruction at or after a line.
std::uint32_t at_line(const ir::Kernel& kernel, std::uint32_t line) {
  for (std::uint32_t pc = 0; pc < kernel.code.size(); ++pc) {
    if (kernel.code[pc].line >= line) return pc;
  }
  return static_cast<std::uint32_t>(kernel.code.size());
}

const ir::Instruction& branch_at(const ir::Kernel& kernel, std::uint32_t line) {
  const ir::Instruction& instruction = kernel.code.at(at_line(kernel, line));
  EXPECT_TRUE(instruction.op == ir::Op::bra || instruction.op == ir::Op::brx) << "line " << line;
  return instruction;
}

TEST(ControlFlow, IfElseMeetsBehindBoth) {
  const ir::Kernel kernel = compile_kernel(
      "@%p1 bra ELSE;\n"  // line 8
      "mov.u32 %r1, 1;\n"
      "bra END;\n"  // 10
      "ELSE: mov.u32 %r1, 2;\n"
      "END: mov.u32 %r2, %r1;");  // 12
  EXPECT_EQ(branch_at(kernel, 8).target, at_line(kernel, 11));
  EXPECT_EQ(branch_at(kernel, 8).reconverge, at_line(kernel, 12));
  EXPECT_EQ(branch_at(kernel, 10).target, at_line(kernel, 12));
}

TEST(ControlFlow, LoopMeetsBehindIt) {
  const ir::Kernel kernel = compile_kernel(
      "L: add.s32 %r1, %r1, 1;\n"  // line 8
      "@%p1 bra L;\n"
      "mov.u32 %r2, %r1;");  // 10
  EXPECT_EQ(branch_at(kernel, 9).target, 0u);
  EXPECT_EQ(branch_at(kernel, 9).reconverge, at_line(kernel, 10));
}

TEST(ControlFlow, BreakInNestedLoopsMeetsBehindTheInnerOne) {
  const ir::Kernel kernel = compile_kernel(
      "OUTER: mov.u32 %r1, 0;\n"  // line 8
      "INNER: add.s32 %r1, %r1, 1;\n"
      "@%p1 bra DONE;\n"   // 10: break
      "@%p2 bra INNER;\n"  // 11
      "DONE: add.s32 %r2, %r2, 1;\n"
      "@%p3 bra OUTER;\n"  // 13
      "mov.u32 %r3, 0;");
  EXPECT_EQ(branch_at(kernel, 10).reconverge, at_line(kernel, 12));
  EXPECT_EQ(branch_at(kernel, 11).reconverge, at_line(kernel, 12));
  EXPECT_EQ(branch_at(kernel, 13).reconverge, at_line(kernel, 14));
}

TEST(ControlFlow, SwitchMeetsBehindAllCases) {
  const ir::Kernel kernel = compile_kernel(
      "ts: .branchtargets A, B, C;\n"
      "brx.idx %r1, ts;\n"  // line 9
      "A: mov.u32 %r2, 1;\nbra END;\n"
      "B: mov.u32 %r2, 2;\n"  // 12, falls into C
      "C: mov.u32 %r2, 3;\n"
      "END: mov.u32 %r3, %r2;");  // 14
  const ir::Instruction& brx = branch_at(kernel, 9);
  EXPECT_EQ(brx.table, (std::vector<std::uint32_t>{at_line(kernel, 10), at_line(kernel, 12),
                                                   at_line(kernel, 13)}));
  EXPECT_EQ(brx.reconverge, at_line(kernel, 14));
}

TEST(ControlFlow, EarlyExitInABranchMeetsOnlyAtTheEnd) {
  const ir::Kernel kernel = compile_kernel(
      "@%p1 bra REST;\n"  // line 8
      "exit;\n"
      "REST: mov.u32 %r1, 0;\nexit;");
  EXPECT_EQ(branch_at(kernel, 8).reconverge, kernel.code.size());
}

TEST(ControlFlow, GuardedExitLeavesTheOthersTogether) {
  const ir::Kernel kernel = compile_kernel(
      "@%p1 bra ELSE;\n"  // line 8
      "@%p2 exit;\n"
      "mov.u32 %r1, 1;\n"
      "ELSE: mov.u32 %r2, 2;"  // 11
  );
  EXPECT_EQ(branch_at(kernel, 8).reconverge, at_line(kernel, 11));
}

TEST(ControlFlow, InfiniteLoopsHavePostDominatorsToo) {
  const ir::Kernel kernel = compile_kernel(
      "L: @%p1 bra A;\n"  // line 8
      "mov.u32 %r1, 1;\nbra B;\n"
      "A: mov.u32 %r1, 2;\n"            // 11
      "B: mov.u32 %r2, %r1;\nbra L;");  // 12, 13
  EXPECT_EQ(branch_at(kernel, 8).reconverge, at_line(kernel, 12));
  EXPECT_EQ(branch_at(kernel, 13).target, 0u);
  for (const ir::Instruction& i : kernel.code) EXPECT_LE(i.reconverge, kernel.code.size());
}

TEST(ControlFlow, FallingOffTheEndAndRetAreExits) {
  EXPECT_EQ(compile_kernel("mov.u32 %r1, 0;").code.back().op, ir::Op::exit);
  EXPECT_EQ(compile_kernel("ret;").code.back().op, ir::Op::exit);
  EXPECT_EQ(compile_kernel("").code.size(), 1u);
  const ir::Kernel kernel = compile_kernel("bra END; END:");
  EXPECT_EQ(kernel.code.size(), 1u) << "a jump to the next instruction is none";
}

TEST(ControlFlow, UnreachableCodeIsDropped) {
  const ir::Kernel kernel = compile_kernel("bra END;\nmov.u32 %r1, 0;\nL: bra L;\nEND: exit;");
  EXPECT_EQ(kernel.code.size(), 1u);
}

TEST(ControlFlow, TargetsFollowWhenCodeIsDropped) {
  const ir::Kernel kernel = compile_kernel(
      "bra S;\nmov.u32 %r9, 0;\nbra S;\n"  // nothing reaches line 9
      "ts: .branchtargets A, B;\n"
      "S: brx.idx %r1, ts;\n"  // line 12
      "A: mov.u32 %r2, 1;\nbra END;\n"
      "B: mov.u32 %r2, 2;\n"  // line 15
      "END: mov.u32 %r3, %r2;");
  EXPECT_EQ(branch_at(kernel, 12).table,
            (std::vector<std::uint32_t>{at_line(kernel, 13), at_line(kernel, 15)}));
  EXPECT_EQ(branch_at(kernel, 14).target, at_line(kernel, 16));
}

/// Reachability without a block, by definition of post-dominance.
bool post_dominates(const std::vector<BasicBlock>& blocks, std::uint32_t candidate,
                    std::uint32_t block) {
  if (candidate == block) return true;
  std::set<std::uint32_t> seen{block};
  std::vector<std::uint32_t> work{block};
  while (!work.empty()) {
    const std::uint32_t b = work.back();
    work.pop_back();
    if (blocks[b].successors.empty()) return false;
    for (const std::uint32_t s : blocks[b].successors) {
      if (s != candidate && seen.insert(s).second) work.push_back(s);
    }
  }
  return true;
}

class RandomGraphs : public testing::TestWithParam<unsigned> {};

TEST_P(RandomGraphs, ImmediatePostDominatorsFollowTheDefinition) {
  const std::uint64_t seed = seed_or(9000 + GetParam());
  SCOPED_TRACE("PAWS_SEED=" + std::to_string(seed));
  RandomProgram random(seed);
  const Program program = random.with_branches(2 + random.pick(12), 0);
  const auto& blocks = program.blocks;
  const auto end = static_cast<std::uint32_t>(blocks.size());
  const std::vector<std::uint32_t> found = immediate_post_dominators(blocks);
  for (std::uint32_t b = 0; b < end; ++b) {
    // Of the strict post-dominators, the one that all others post-dominate.
    std::uint32_t expected = end;
    for (std::uint32_t c = 0; c < end; ++c) {
      if (c == b || !post_dominates(blocks, c, b)) continue;
      if (expected == end || post_dominates(blocks, expected, c)) expected = c;
    }
    EXPECT_EQ(found[b], expected) << "block " << b;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomGraphs, testing::Range(0u, 100u));

}  // namespace
}  // namespace paws::frontend
