// SPDX-License-Identifier: MIT
// The layout of registers, and reuse of a block.
#include "sim/exec/executable.h"

#include <gtest/gtest.h>

#include <cstring>

#include "sim/exec/lanes/select.h"
#include "sim/exec/register_layout.h"
#include "sim/exec/testing/kernel_builder.h"

namespace paws::exec {
namespace {

using testing::imm;
using testing::KernelBuilder;
using testing::Label;
using testing::reg;
using testing::special;

TEST(RegisterLayout, DisjointLivesShareASlot) {
  KernelBuilder b;
  const ir::RegId first = b.new_reg(ir::Type::u32);
  const ir::RegId second = b.new_reg(ir::Type::u32);
  const ir::RegId third = b.new_reg(ir::Type::u32);
  b.emit(ir::Op::mov, ir::Type::u32, {first}, {special(ir::Special::ctaid_x)});
  b.emit(ir::Op::mov, ir::Type::u32, {second}, {reg(first)});
  b.emit(ir::Op::mov, ir::Type::u32, {third}, {reg(second)});
  b.exit();
  const RegisterLayout layout = lay_out_registers(b.build());
  EXPECT_EQ(layout.offset[first], layout.offset[third]);
  EXPECT_NE(layout.offset[first], layout.offset[second]);
  EXPECT_EQ(layout.bytes, 2 * kSlot32);
}

TEST(RegisterLayout, LoopKeepsWhatTheNextIterationReads) {
  KernelBuilder b;
  const ir::RegId carried = b.new_reg(ir::Type::u32);
  const ir::RegId early = b.new_reg(ir::Type::u32);
  const ir::RegId late = b.new_reg(ir::Type::u32);
  const ir::RegId more = b.new_reg(ir::Type::pred);
  const Label loop = b.label();
  const Label end = b.label();
  b.emit(ir::Op::mov, ir::Type::u32, {carried}, {special(ir::Special::ctaid_x)});
  b.place(loop);
  b.emit(ir::Op::mov, ir::Type::u32, {early}, {reg(carried)});
  b.emit(ir::Op::setp, ir::Type::u32, {more}, {reg(early), imm(7)}).cmp = ir::Cmp::ne;
  b.emit(ir::Op::mov, ir::Type::u32, {late}, {imm(5)});
  b.emit(ir::Op::mov, ir::Type::u32, {late}, {reg(late)});
  b.branch(loop, end, more);
  b.place(end);
  b.exit();
  const RegisterLayout layout = lay_out_registers(b.build());
  EXPECT_NE(layout.offset[carried], layout.offset[early]);
  EXPECT_NE(layout.offset[carried], layout.offset[late]);
  EXPECT_EQ(layout.offset[early], layout.offset[late]);
}

TEST(RegisterLayout, GuardedWriteKeepsTheOldValueAroundALoop) {
  KernelBuilder b;
  const ir::RegId kept = b.new_reg(ir::Type::u32);
  const ir::RegId read = b.new_reg(ir::Type::u32);
  const ir::RegId later = b.new_reg(ir::Type::u32);
  const ir::RegId guard = b.new_reg(ir::Type::pred);
  const Label loop = b.label();
  const Label end = b.label();
  b.emit(ir::Op::mov, ir::Type::u32, {kept}, {imm(1)});
  b.emit(ir::Op::setp, ir::Type::u32, {guard}, {reg(kept), imm(2)}).cmp = ir::Cmp::eq;
  b.place(loop);
  b.emit(ir::Op::mov, ir::Type::u32, {kept}, {imm(3)}).guard = guard;
  b.emit(ir::Op::mov, ir::Type::u32, {read}, {reg(kept)});
  b.emit(ir::Op::mov, ir::Type::u32, {later}, {imm(2)});
  b.emit(ir::Op::setp, ir::Type::u32, {guard}, {reg(later), reg(read)}).cmp = ir::Cmp::eq;
  b.branch(loop, end, guard);
  b.place(end);
  b.exit();
  const RegisterLayout layout = lay_out_registers(b.build());
  EXPECT_NE(layout.offset[kept], layout.offset[later]);
}

TEST(Block, StartForgetsTheBlockBefore) {
  // Adds the (never written) register and shared memory to the output: both must be zero each time.
  KernelBuilder b;
  b.shared_bytes(128);
  const ir::RegId out = b.load_param(ir::Type::u64, b.new_param(ir::Type::u64));
  const ir::RegId lane = b.new_reg(ir::Type::u32);
  const ir::RegId unset = b.new_reg(ir::Type::u32);
  const ir::RegId shared = b.new_reg(ir::Type::u32);
  const ir::RegId block = b.new_reg(ir::Type::u32);
  const ir::RegId address = b.new_reg(ir::Type::u64);
  b.emit(ir::Op::mov, ir::Type::u32, {lane}, {special(ir::Special::laneid)});
  b.emit(ir::Op::mov, ir::Type::u32, {block}, {special(ir::Special::ctaid_x)});
  b.emit(ir::Op::mul, ir::Type::u32, {address}, {reg(lane), imm(4)}).part = ir::MulPart::wide;
  b.load(ir::Space::shared, ir::Type::u32, shared, reg(address));
  b.emit(ir::Op::add, ir::Type::u32, {shared}, {reg(shared), reg(unset)});
  b.emit(ir::Op::add, ir::Type::u32, {shared}, {reg(shared), reg(block)});
  b.emit(ir::Op::add, ir::Type::u64, {out}, {reg(out), reg(address)});
  b.store(ir::Space::global, ir::Type::u32, reg(out), reg(shared));
  b.emit(ir::Op::add, ir::Type::u32, {unset}, {reg(unset), imm(17)});
  b.store(ir::Space::shared, ir::Type::u32, reg(address), imm(99));
  b.exit();
  const ir::Kernel kernel = b.build();
  const Executable executable(kernel);
  DeviceMemory memory;
  const std::uint64_t buffer = memory.allocate("out", 128);
  Block thread_block(executable, {{5, 1, 1}, {32, 1, 1}, 0},
                     reinterpret_cast<const std::byte*>(&buffer), memory, 0, 1);
  for (std::uint64_t index : {0, 4}) {
    thread_block.start(index);
    EXPECT_EQ(thread_block.index(), index);
    Outcome outcome;
    while (!thread_block.done(0)) thread_block.execute(0, 0, outcome);
    std::uint32_t value = 0;
    std::memcpy(&value, memory.at(buffer + 124, 4), 4);
    EXPECT_EQ(value, index);
  }
}

TEST(Outcome, TellsTimingWhatMemoryDid) {
  KernelBuilder b;
  b.shared_bytes(256);
  const ir::RegId base = b.load_param(ir::Type::u64, b.new_param(ir::Type::u64));
  const ir::RegId lane = b.new_reg(ir::Type::u32);
  const ir::RegId x = b.new_reg(ir::Type::u32);
  const ir::RegId y = b.new_reg(ir::Type::u32);
  const ir::RegId window = b.new_reg(ir::Type::u64);
  b.emit(ir::Op::mov, ir::Type::u32, {lane}, {special(ir::Special::laneid)});
  const ir::RegId at = b.element(base, lane, 8);
  ir::Instruction& load = b.load(ir::Space::global, ir::Type::u32, x, reg(at));
  load.vector = 2;
  load.dst[1] = y;
  b.emit(ir::Op::mov, ir::Type::u64, {window}, {imm(ir::kSharedWindow)});
  const ir::RegId in_shared = b.element(window, lane, 4);
  b.store(ir::Space::generic, ir::Type::u32, reg(in_shared), reg(x));
  b.exit();
  const ir::Kernel kernel = b.build();
  const Executable executable(kernel);
  DeviceMemory memory;
  const std::uint64_t buffer = memory.allocate("in", 256);
  Block block(executable, {{1, 1, 1}, {32, 1, 1}, 0}, reinterpret_cast<const std::byte*>(&buffer),
              memory, 0, 1);
  block.start(0);
  Outcome outcome;
  block.execute(0, 0, outcome);
  EXPECT_TRUE(outcome.memory);
  EXPECT_EQ(outcome.space, ir::Space::param);
  EXPECT_EQ(outcome.bytes, 8);
  block.execute(0, 0, outcome);
  EXPECT_FALSE(outcome.memory);
  block.execute(0, 0, outcome);
  block.execute(0, 0, outcome);
  EXPECT_EQ(outcome.space, ir::Space::global);
  EXPECT_FALSE(outcome.store);
  EXPECT_EQ(outcome.bytes, 8);
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(outcome.addresses[i], buffer + 8ull * i);
  block.execute(0, 0, outcome);
  block.execute(0, 0, outcome);
  block.execute(0, 0, outcome);
  EXPECT_TRUE(outcome.store);
  EXPECT_EQ(outcome.space, ir::Space::shared);
  EXPECT_EQ(outcome.bytes, 4);
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(outcome.addresses[i], 4ull * i);
}

// So run_body() compares the two levels where the program has two.
TEST(LaneLevels, StartWithTheBaseline) { EXPECT_EQ(lane_levels().front(), LaneLevel::baseline); }

}  // namespace
}  // namespace paws::exec
