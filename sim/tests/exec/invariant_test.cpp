// SPDX-License-Identifier: MIT
// What every block computes alike.
#include "sim/exec/invariant.h"

#include "sim/exec/testing/kernel_builder.h"
#include "sim/tests/exec/ptx_harness.h"

namespace paws::exec {
namespace {

using testing::imm;
using testing::KernelBuilder;
using testing::Label;
using testing::reg;
using testing::special;

/// A kernel whose instructions are asked about one by one.
class InvariantTest : public ::testing::Test {
 protected:
  ir::RegId mov(const ir::Operand& from) {
    const ir::RegId to = b.new_reg(ir::Type::u32);
    b.emit(ir::Op::mov, ir::Type::u32, {to}, {from});
    return to;
  }
  std::vector<std::uint32_t> found() {
    b.exit();
    const ir::Kernel kernel = b.build();
    std::vector<bool> entry(kernel.registers.size());
    for (const ir::RegId at : at_entry) entry[at] = true;
    return invariant_instructions(kernel, entry);
  }
  KernelBuilder b;
  std::vector<ir::RegId> at_entry;
};

using Pcs = std::vector<std::uint32_t>;

TEST_F(InvariantTest, FollowsParametersTheShapeAndThePlaceInTheBlock) {
  const ir::RegId base = b.load_param(ir::Type::u32, b.new_param(ir::Type::u32));
  const ir::RegId lane = mov(special(ir::Special::tid_x));
  const ir::RegId sum = b.new_reg(ir::Type::u32);
  b.emit(ir::Op::add, ir::Type::u32, {sum}, {reg(base), reg(lane)});
  mov(special(ir::Special::ntid_x));
  EXPECT_EQ(found(), (Pcs{0, 1, 2, 3}));
}

TEST_F(InvariantTest, BlocksAndClocksChange) {
  const ir::RegId block = mov(special(ir::Special::ctaid_y));
  mov(reg(block));
  mov(special(ir::Special::clock));
  mov(special(ir::Special::globaltimer));
  EXPECT_EQ(found(), Pcs{});
}

TEST_F(InvariantTest, ARegisterWithTwoWritersChanges) {
  const ir::RegId twice = mov(imm(1));
  mov(reg(twice));
  b.emit(ir::Op::mov, ir::Type::u32, {twice}, {imm(2)});
  EXPECT_EQ(found(), Pcs{});
}

TEST_F(InvariantTest, AGuardDecidesWhoWrites) {
  const ir::RegId guard = b.new_reg(ir::Type::pred);
  b.emit(ir::Op::setp, ir::Type::u32, {guard}, {special(ir::Special::tid_x), imm(3)}).cmp =
      ir::Cmp::lt;
  const ir::RegId some = b.new_reg(ir::Type::u32);
  b.emit(ir::Op::mov, ir::Type::u32, {some}, {imm(1)}).guard = guard;
  EXPECT_EQ(found(), Pcs{0});
}

TEST_F(InvariantTest, WhatIsReadBeforeItIsWrittenIsZeroUntilThen) {
  at_entry.push_back(mov(imm(1)));
  EXPECT_EQ(found(), Pcs{});
}

TEST_F(InvariantTest, MemoryMayChangeAndParametersMayBeMissing) {
  const ir::RegId base = b.load_param(ir::Type::u64, b.new_param(ir::Type::u64));
  b.load(ir::Space::global, ir::Type::u32, b.new_reg(ir::Type::u32), reg(base));
  ir::Instruction& behind =
      b.load(ir::Space::param, ir::Type::u64, b.new_reg(ir::Type::u64), imm(0));
  behind.offset = 8;
  EXPECT_EQ(found(), Pcs{0});
}

TEST_F(InvariantTest, SourcesComeFirst) {
  const ir::RegId first = b.new_reg(ir::Type::u32);
  const ir::RegId second = b.new_reg(ir::Type::u32);
  const Label ahead = b.label();
  const Label back = b.label();
  b.branch(ahead, ahead);
  b.place(back);
  b.emit(ir::Op::mov, ir::Type::u32, {second}, {reg(first)});
  b.exit();
  b.place(ahead);
  b.emit(ir::Op::mov, ir::Type::u32, {first}, {imm(1)});
  b.branch(back, back);
  EXPECT_EQ(found(), (Pcs{3, 1}));
}

// In the first block the lower lanes come to the product, in the second one the upper ones.
TEST(Invariant, LanesThatComeToItInALaterBlockFindIt) {
  PtxRun run(R"(
.visible .entry k(.param .u64 out) {
  .reg .pred %p<2>; .reg .u32 %r<9>; .reg .u64 %rd<4>;
  ld.param.u64 %rd0, [out];
  mov.u32 %r0, %tid.x;
  mov.u32 %r1, %ctaid.x;
  shr.u32 %r2, %r0, 4;
  setp.ne.u32 %p0, %r1, %r2;
  @%p0 bra END;
  mul.lo.u32 %r3, %r0, 3;
  shl.b32 %r4, %r1, 5;
  add.u32 %r5, %r4, %r0;
  mul.wide.u32 %rd1, %r5, 4;
  add.u64 %rd2, %rd0, %rd1;
  st.global.u32 [%rd2], %r3;
END:
  exit;
})");
  const std::uint64_t out = run.buffer("out", 4 * 64);
  run.run({.grid = {2, 1, 1}, .block = {32, 1, 1}}, {out});
  for (std::uint32_t i = 0; i < 64; ++i) {
    const std::uint32_t lane = i % 32;
    EXPECT_EQ(run.at<std::uint32_t>(out + 4 * i), lane / 16 == i / 32 ? 3 * lane : 0) << i;
  }
}

}  // namespace
}  // namespace paws::exec
