// SPDX-License-Identifier: MIT
#include "sim/core/timed_kernel.h"

#include <gtest/gtest.h>

#include "sim/support/error.h"

namespace paws::core {
namespace {

/// A kernel of one instruction with a latency of its own of `kOwn` cycles.
class TimedKernelTest : public testing::Test {
 protected:
  static constexpr unsigned kOwn = 40;

  TimedInstruction timed(ir::Op op, ir::Type type, bool approx = false) const {
    ir::Kernel kernel;
    kernel.phases.resize(1);
    ir::Instruction& instruction = kernel.code.emplace_back();
    instruction.op = op;
    instruction.type = type;
    instruction.approx = approx;
    instruction.latency = kOwn;
    return TimedKernel(kernel, config_, kCodeBase)[0];
  }
  /// How often the result passes the pipeline.
  [[nodiscard]] unsigned passes(ir::Op op, ir::Type type, bool approx = false) const {
    return (timed(op, type, approx).latency - kOwn) / config_.core.pipeline_latency;
  }

  GpuConfig config_ = load_gpu("m2090");
};

TEST_F(TimedKernelTest, ASubroutinePassesThePipelineForEachOfItsInstructions) {
  const SubroutineSettings& steps = config_.subroutine;
  EXPECT_EQ(passes(ir::Op::div, ir::Type::f32), steps.f32_div);
  EXPECT_EQ(passes(ir::Op::sqrt, ir::Type::f32), steps.f32_root);
  EXPECT_EQ(passes(ir::Op::rcp, ir::Type::f32), steps.f32_root);
  EXPECT_EQ(passes(ir::Op::div, ir::Type::f64), steps.f64_div);
  EXPECT_EQ(passes(ir::Op::rcp, ir::Type::f64), steps.f64_div);
  EXPECT_EQ(passes(ir::Op::div, ir::Type::s32), steps.integer_div);
  EXPECT_EQ(passes(ir::Op::rem, ir::Type::u16), steps.integer_div);
  EXPECT_EQ(passes(ir::Op::rem, ir::Type::u64), steps.integer64_div);
}

TEST_F(TimedKernelTest, OneInstructionPassesItOnce) {
  EXPECT_EQ(passes(ir::Op::add, ir::Type::f32), 1U);
  EXPECT_EQ(passes(ir::Op::mul, ir::Type::s64), 1U);
  EXPECT_EQ(passes(ir::Op::rsqrt, ir::Type::f32), 1U);
  EXPECT_EQ(passes(ir::Op::div, ir::Type::f32, true), 1U);
  EXPECT_EQ(passes(ir::Op::sqrt, ir::Type::f32, true), 1U);
}

TEST_F(TimedKernelTest, DivisionsOccupyTheAlusAndRootsTheSpecialFunctionUnits) {
  EXPECT_EQ(timed(ir::Op::div, ir::Type::f32).unit, Unit::alu);
  EXPECT_EQ(timed(ir::Op::div, ir::Type::f32).interval, config_.core.divide_interval);
  EXPECT_EQ(timed(ir::Op::rem, ir::Type::s32).unit, Unit::alu);
  EXPECT_EQ(timed(ir::Op::rem, ir::Type::s32).interval, config_.core.integer_divide_interval);
  EXPECT_EQ(timed(ir::Op::div, ir::Type::u64).interval, 2 * config_.core.integer_divide_interval);
  EXPECT_EQ(timed(ir::Op::sqrt, ir::Type::f32).unit, Unit::sfu);
  EXPECT_EQ(timed(ir::Op::div, ir::Type::f32, true).unit, Unit::sfu);
  EXPECT_EQ(timed(ir::Op::div, ir::Type::f64).unit, Unit::fp64);
}

/// An operation on a barrier object is an atomic in shared memory. Those of copies, which wait for
/// them or are expected for them, take nothing but an issue slot.
TEST_F(TimedKernelTest, ArrivalsForCopiesDoNotGoThroughTheLoadStoreUnit) {
  const auto object = [this](ir::MbarrierMode mode, bool after_copies) {
    ir::Kernel kernel;
    kernel.phases.resize(1);
    ir::Instruction& instruction = kernel.code.emplace_back();
    instruction.op = ir::Op::mbarrier;
    instruction.mbarrier = mode;
    instruction.space = ir::Space::shared;
    instruction.after_copies = after_copies;
    return TimedKernel(kernel, config_, kCodeBase)[0];
  };
  using Mode = ir::MbarrierMode;
  for (const char* gpu : {"m2090", "a100"}) {
    config_ = load_gpu(gpu);
    for (const TimedInstruction& late :
         {object(Mode::expect_arrival, false), object(Mode::arrive, true),
          object(Mode::complete_tx, true)}) {
      EXPECT_FALSE(late.memory) << gpu;
      EXPECT_EQ(late.unit, Unit::alu) << gpu;
      EXPECT_EQ(late.interval, config_.core.alu_interval) << gpu;
    }
    for (const Mode mode : {Mode::init, Mode::arrive, Mode::arrive_expect_tx, Mode::expect_tx,
                            Mode::complete_tx, Mode::test}) {
      EXPECT_TRUE(object(mode, false).memory) << gpu << ", mode " << static_cast<unsigned>(mode);
    }
  }
}

TEST_F(TimedKernelTest, TensorCoresWorkInProportion) {
  ir::Kernel kernel;
  kernel.name = "k";
  kernel.file = "k.ptx";
  kernel.phases.resize(1);
  ir::Instruction& mma = kernel.code.emplace_back();
  mma.op = ir::Op::mma;
  mma.line = 7;
  mma.type = ir::Type::f32;
  const auto interval = [&](ir::Instruction::Shape shape, ir::Type type) {
    mma.shape = shape;
    mma.src_type = mma.other_type = type;
    const TimedInstruction timed = TimedKernel(kernel, config_, kCodeBase)[0];
    EXPECT_EQ(timed.unit, Unit::tensor);
    EXPECT_EQ(timed.latency, config_.core.pipeline_latency + config_.tensor.latency);
    return timed.interval;
  };
  try {
    interval({16, 8, 16}, ir::Type::f16);
    FAIL() << "the M2090 has no tensor cores";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "k.ptx:7: kernel 'k' needs tensor cores, which the GPU 'm2090' does not have "
                 "(tensor.interval is 0)");
  }
  config_.tensor = {.interval = 8, .latency = 20};
  EXPECT_EQ(interval({16, 8, 16}, ir::Type::f16), 8U);
  EXPECT_EQ(interval({16, 8, 8}, ir::Type::bf16), 4U);
  EXPECT_EQ(interval({16, 8, 8}, ir::Type::tf32), 8U);
  EXPECT_EQ(interval({16, 8, 32}, ir::Type::s8), 8U);
  EXPECT_EQ(interval({8, 8, 4}, ir::Type::f64), 16U);
}

TEST_F(TimedKernelTest, ASubCoreHasFp32LanesBesideTheOthers) {
  config_ = load_gpu("a100");
  for (const ir::Op op : {ir::Op::add, ir::Op::mul, ir::Op::mad, ir::Op::fma}) {
    EXPECT_EQ(timed(op, ir::Type::f32).unit, Unit::fma);
    EXPECT_EQ(timed(op, ir::Type::f64).unit, Unit::fp64);
    EXPECT_EQ(timed(op, ir::Type::f64).interval, 4U) << "8 lanes";
  }
  EXPECT_EQ(timed(ir::Op::mul, ir::Type::u32).unit, Unit::fma);
  EXPECT_EQ(timed(ir::Op::div, ir::Type::f32).unit, Unit::fma);
  EXPECT_EQ(timed(ir::Op::add, ir::Type::u32).unit, Unit::alu);
  EXPECT_EQ(timed(ir::Op::setp, ir::Type::f32).unit, Unit::alu);
  EXPECT_EQ(timed(ir::Op::shl, ir::Type::b32).interval, 2U) << "16 lanes";
  EXPECT_EQ(timed(ir::Op::add, ir::Type::u64).interval, 4U) << "two instructions";
  for (const ir::Op op : {ir::Op::sin, ir::Op::rsqrt, ir::Op::popc}) {
    EXPECT_EQ(timed(op, op == ir::Op::popc ? ir::Type::b32 : ir::Type::f32).unit, Unit::sfu);
  }
  EXPECT_EQ(timed(ir::Op::sin, ir::Type::f32).interval, 8U) << "4 units";
  EXPECT_EQ(timed(ir::Op::shfl, ir::Type::b32).interval, 4U) << "32 lanes of the core";
  EXPECT_EQ(timed(ir::Op::ld, ir::Type::f32).interval, 4U) << "8 lanes reckon addresses";
}

TEST_F(TimedKernelTest, SchedulersGetLengthsOrTheirCodes) {
  ir::Kernel kernel;
  kernel.phases.push_back({.length = 100'000, .code = 3});
  ir::Instruction& instruction = kernel.code.emplace_back();
  instruction.op = ir::Op::add;
  instruction.type = ir::Type::f32;
  instruction.distance = 70;
  instruction.distance_code = 2;
  const TimedInstruction lengths = TimedKernel(kernel, config_, kCodeBase)[0];
  EXPECT_EQ(lengths.phase_length, 65'535U) << "saturated";
  EXPECT_EQ(lengths.phase_distance, 70U);
  config_.frontend.phase_code = 4;
  const TimedInstruction codes = TimedKernel(kernel, config_, kCodeBase)[0];
  EXPECT_EQ(codes.phase_length, 3U);
  EXPECT_EQ(codes.phase_distance, 2U);
}

}  // namespace
}  // namespace paws::core
