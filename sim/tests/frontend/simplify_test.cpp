// SPDX-License-Identifier: MIT
#include "sim/frontend/simplify.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sim/ir/disassemble.h"
#include "sim/tests/frontend/support.h"

namespace paws::frontend {
namespace {

FrontendOptions simplified() {
  FrontendOptions options;
  options.schedule = false;
  return options;
}

std::vector<std::string> text(const ir::Kernel& kernel) {
  std::vector<std::string> result;
  for (std::uint32_t pc = 0; pc < kernel.code.size(); ++pc)
    result.push_back(ir::disassemble(kernel, pc));
  return result;
}

using Text = std::vector<std::string>;

TEST(Simplify, GlobalAddressConversionsDisappear) {
  const ir::Kernel kernel = compile_kernel(
      "ld.param.u64 %rd1, [a]; cvta.to.global.u64 %rd2, %rd1; cvta.global.u64 %rd3, %rd2;\n"
      "st.global.u32 [%rd3+4], %r1;",
      simplified());
  EXPECT_EQ(text(kernel),
            (Text{"ld.param.u64 %rd1, [0x0]", "st.global.u32 [%rd1+4], %r1", "exit"}));
}

TEST(Simplify, SharedAddressConversionsStay) {
  const ir::Kernel kernel =
      compile_kernel("cvta.shared.u64 %rd2, %rd1; st.u32 [%rd2], %r1;", simplified());
  EXPECT_EQ(text(kernel), (Text{"cvta.shared.u64 %rd2, %rd1", "st.u32 [%rd2], %r1", "exit"}));
}

TEST(Simplify, ConstantsGoWhereMachineCodeTakesThem) {
  const ir::Kernel kernel = compile_kernel(
      "mov.u32 %r1, 7; mov.u64 %rd1, 4096; add.s32 %r2, %r3, %r1;\n"
      "st.global.u32 [%rd1+4], %r2; st.global.u32 [%rd1], %r1;",
      simplified());
  EXPECT_EQ(text(kernel),
            (Text{"mov.u32 %r1, 7", "add.s32 %r2, %r3, 7", "st.global.u32 [0x1004], %r2",
                  "st.global.u32 [0x1000], %r1", "exit"}));
}

TEST(Simplify, LoopVariablesShareOneRegister) {
  // As nvcc writes loops: a phi by a move at the end of the body.
  const ir::Kernel kernel = compile_kernel(
      "mov.u32 %r1, 0;\n"
      "L: add.s32 %r2, %r1, 1; st.global.u32 [%rd1], %r2; setp.lt.s32 %p1, %r2, %r9;\n"
      "mov.u32 %r1, %r2; @%p1 bra L;",
      simplified());
  EXPECT_EQ(text(kernel),
            (Text{"mov.u32 %r1, 0", "add.s32 %r1, %r1, 1", "st.global.u32 [%rd1], %r1",
                  "setp.lt.s32 %p1, %r1, %r9", "@%p1 bra @1", "exit"}));
}

TEST(Simplify, AMoveWhoseSourceLivesOnStays) {
  const ir::Kernel kernel = compile_kernel(
      "mov.u32 %r1, 0;\n"
      "L: add.s32 %r2, %r1, 1; st.global.u32 [%rd1], %r1; setp.lt.s32 %p1, %r2, %r9;\n"
      "mov.u32 %r1, %r2; @%p1 bra L; st.global.u32 [%rd1], %r2;",
      simplified());
  const Text result = text(kernel);
  EXPECT_NE(std::find(result.begin(), result.end(), "mov.u32 %r1, %r2"), result.end());
}

TEST(Simplify, AGuardedWriteKeepsTheOldValueAlive) {
  // %r1 holds the loaded value where %r2 is first written; one register would lose it.
  const ir::Kernel kernel = compile_kernel(
      "ld.global.u32 %r1, [%rd1]; add.s32 %r2, %r9, 1; st.global.u32 [%rd1], %r2;\n"
      "@%p1 add.s32 %r1, %r9, 2; st.global.u32 [%rd1+4], %r1;\n"
      "add.s32 %r2, %r9, 3; mov.u32 %r1, %r2;\n"
      "L: st.global.u32 [%rd1+8], %r1; @%p2 bra L;",
      simplified());
  const Text result = text(kernel);
  EXPECT_NE(std::find(result.begin(), result.end(), "mov.u32 %r1, %r2"), result.end());
}

TEST(Simplify, DeadInstructionsGoEvenInCircles) {
  const ir::Kernel kernel = compile_kernel(
      "mov.u32 %r1, 0; L: add.s32 %r1, %r1, 1; ld.global.u32 %r2, [%rd1];\n"
      "ld.volatile.global.u32 %r3, [%rd1]; @%p1 bra L;",
      simplified());
  EXPECT_EQ(text(kernel), (Text{"ld.volatile.global.u32 %r3, [%rd1]", "@%p1 bra @0", "exit"}));
}

TEST(Simplify, AtomicsWithoutReaderAreReductions) {
  const ir::Kernel kernel = compile_kernel(
      "atom.global.add.u32 %r1, [%rd1], 1; atom.global.exch.b32 %r2, [%rd1], %r9;\n"
      "atom.global.add.u32 %r3, [%rd1], %r9; st.global.u32 [%rd1], %r3;",
      simplified());
  EXPECT_EQ(kernel.code[0].op, ir::Op::red);
  EXPECT_EQ(kernel.code[1].op, ir::Op::atom);
  EXPECT_FALSE(kernel.code[1].long_op) << "no instruction waits for it";
  EXPECT_EQ(kernel.code[2].op, ir::Op::atom);
  EXPECT_TRUE(kernel.code[2].long_op);
}

class RandomPrograms : public testing::TestWithParam<unsigned> {};

TEST_P(RandomPrograms, ComputeTheSameWithoutCopies) {
  const std::uint64_t seed = seed_or(5000 + GetParam());
  SCOPED_TRACE("PAWS_SEED=" + std::to_string(seed));
  RandomProgram random(seed);
  const Program before = random.with_branches(2 + random.pick(6), 4 + random.pick(12));
  // Removal needs reachable blocks only, as build_program leaves them; every block falls into the
  // next one here.
  Program after = before;
  remove_copies(after);
  remove_dead_code(after);
  for (std::uint64_t data = 0; data < 20; ++data) {
    Interpreter expected(before, data), actual(after, data);
    ASSERT_EQ(actual.run(50), expected.run(50));
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPrograms, testing::Range(0u, 300u));

}  // namespace
}  // namespace paws::frontend
