// SPDX-License-Identifier: MIT
#include "sim/core/operand_collector.h"

#include <gtest/gtest.h>

namespace paws::core {
namespace {

/// Instructions over registers whose machine numbers are given.
class OperandCollectorTest : public testing::Test {
 protected:
  ir::RegId reg(ir::Type type, unsigned machine) {
    ir::Register made;
    made.type = type;
    made.machine = static_cast<std::uint16_t>(machine);
    kernel_.registers.push_back(made);
    return static_cast<ir::RegId>(kernel_.registers.size() - 1);
  }
  ir::RegId b32(unsigned machine) { return reg(ir::Type::b32, machine); }

  /// Appends op dst, sources.
  std::uint32_t add(ir::RegId dst, const std::vector<ir::RegId>& sources, ir::Op op = ir::Op::add,
                    ir::Type type = ir::Type::u32) {
    ir::Instruction instruction;
    instruction.op = op;
    instruction.type = type;
    instruction.dst[0] = dst;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      instruction.src.at(i).kind = ir::Operand::Kind::reg;
      instruction.src.at(i).reg = sources[i];
    }
    kernel_.code.push_back(instruction);
    return static_cast<std::uint32_t>(kernel_.code.size() - 1);
  }

  void make() {
    kernel_.phases.resize(1);
    timed_.emplace(kernel_, config_, kCodeBase);
    collector_.emplace(config_);
  }

  OperandCollector::Booking issue(std::uint32_t pc, std::uint32_t warp, std::uint64_t cycle,
                                  unsigned scheduler = 0) {
    return collector_->issue(*timed_, (*timed_)[pc], warp, scheduler, cycle);
  }
  void write_back(std::uint32_t pc, std::uint32_t warp, std::uint64_t cycle) {
    collector_->write_back(*timed_, (*timed_)[pc], warp, cycle);
  }

  GpuConfig config_ = load_gpu("m2090");
  ir::Kernel kernel_;
  std::optional<TimedKernel> timed_;
  std::optional<OperandCollector> collector_;
};

TEST_F(OperandCollectorTest, OperandsInDifferentBanksComeTogether) {
  const std::uint32_t fma = add(b32(3), {b32(0), b32(1), b32(2)});
  make();
  const OperandCollector::Booking booking = issue(fma, 0, 100);
  EXPECT_EQ(booking.conflicts, 0U);
  EXPECT_EQ(booking.start, 100U);
  EXPECT_EQ(booking.accepts, 100U + config_.core.alu_interval);
}

TEST_F(OperandCollectorTest, OperandsInOneBankComeOneAfterAnother) {
  const std::uint32_t fma = add(b32(3), {b32(0), b32(16), b32(32)});
  make();
  const OperandCollector::Booking booking = issue(fma, 0, 100);
  EXPECT_EQ(booking.conflicts, 2U);
  EXPECT_EQ(booking.start, 102U);
}

TEST_F(OperandCollectorTest, ARegisterNamedTwiceIsReadOnce) {
  const ir::RegId a = b32(0);
  const std::uint32_t square = add(b32(3), {a, a});
  make();
  EXPECT_EQ(issue(square, 0, 100).conflicts, 0U);
}

TEST_F(OperandCollectorTest, WideOperandsTakeTwoBanksAndPredicatesNone) {
  const std::uint32_t wide =
      add(b32(6), {reg(ir::Type::b64, 0), b32(17), reg(ir::Type::pred, ir::kNoReg)});
  make();
  EXPECT_EQ((*timed_)[wide].reads, 3U);
  EXPECT_EQ(issue(wide, 0, 100).conflicts, 1U) << "register 1 and register 17";
}

TEST_F(OperandCollectorTest, WarpsAreShifted) {
  const std::uint32_t one = add(b32(3), {b32(0)});
  make();
  EXPECT_EQ(issue(one, 0, 100, 0).conflicts, 0U);
  EXPECT_EQ(issue(one, 1, 100, 1).conflicts, 0U);
  EXPECT_EQ(issue(one, 17, 101, 1).conflicts, 0U);
  EXPECT_EQ(issue(one, 0, 102, 0).conflicts, 0U);
  EXPECT_EQ(issue(one, 16, 102, 0).conflicts, 1U) << "warps 0 and 16 have the same banks";
}

TEST_F(OperandCollectorTest, AWriteTakesTheCycleBeforeItIsSeen) {
  const std::uint32_t self = add(b32(0), {b32(0)});
  make();
  write_back(self, 0, 100);
  EXPECT_EQ(issue(self, 0, 100).conflicts, 0U);
  write_back(self, 0, 200);
  write_back(self, 16, 200);
  EXPECT_EQ(issue(self, 0, 200).conflicts, 1U);
}

TEST_F(OperandCollectorTest, AUnitStartsOneAfterAnother) {
  const std::uint32_t slow = add(b32(3), {b32(0), b32(16), b32(32), b32(48)});
  const std::uint32_t fast = add(b32(3), {b32(1)});
  make();
  EXPECT_EQ(issue(slow, 0, 100).start, 103U);
  const OperandCollector::Booking booking = issue(fast, 0, 102);
  EXPECT_EQ(booking.conflicts, 0U);
  EXPECT_EQ(booking.start, 103U + config_.core.alu_interval);
  EXPECT_EQ(issue(fast, 1, 102, 1).start, 102U) << "the other scheduler has ALUs of its own";
}

TEST_F(OperandCollectorTest, WithoutAFreeCollectorTheUnitAcceptsNothing) {
  config_.core.alu_collectors = 2;
  const std::uint32_t slow = add(b32(3), {b32(0), b32(16), b32(32), b32(48)});
  make();
  // Reads in cycles 100 to 103: held until then. The second has 104 to 107.
  EXPECT_EQ(issue(slow, 0, 100).accepts, 102U);
  const OperandCollector::Booking second = issue(slow, 0, 102);
  EXPECT_EQ(second.start, 107U);
  EXPECT_EQ(second.accepts, 104U) << "the first leaves its collector";
  const OperandCollector::Booking third = issue(slow, 0, 104);
  EXPECT_EQ(third.start, 111U);
  EXPECT_EQ(third.accepts, 108U);
}

TEST_F(OperandCollectorTest, CanBeLeftOut) {
  config_.core.register_banks = 0;
  const std::uint32_t slow = add(b32(3), {b32(0), b32(16), b32(32), b32(48)});
  make();
  for (std::uint64_t cycle = 100; cycle < 120; cycle += 2) {
    const OperandCollector::Booking booking = issue(slow, 0, cycle);
    EXPECT_EQ(booking.conflicts, 0U);
    EXPECT_EQ(booking.start, cycle);
    EXPECT_EQ(booking.accepts, cycle + config_.core.alu_interval);
  }
}

}  // namespace
}  // namespace paws::core
