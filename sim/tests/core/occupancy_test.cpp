// SPDX-License-Identifier: MIT
#include "sim/core/occupancy.h"

#include <gtest/gtest.h>

namespace paws::core {
namespace {

/// Expected values from the CUDA occupancy calculator's rules for compute capability 2.0.
struct Case {
  unsigned threads, registers, shared;
  unsigned blocks;
  const char* limit;
};

class OccupancyCases : public testing::TestWithParam<Case> {};

TEST_P(OccupancyCases, BlocksPerCore) {
  ir::Kernel kernel;
  kernel.registers_per_thread = GetParam().registers;
  kernel.registers_given = true;
  kernel.shared_bytes = GetParam().shared;
  exec::LaunchShape shape;
  shape.block = {GetParam().threads, 1, 1};
  const Occupancy result = occupancy(kernel, shape, load_gpu("m2090"));
  EXPECT_EQ(result.blocks, GetParam().blocks);
  EXPECT_EQ(result.limit, GetParam().limit);
}

INSTANTIATE_TEST_SUITE_P(
    Table, OccupancyCases,
    testing::Values(Case{64, 10, 0, 8, "block slots"}, Case{256, 20, 0, 6, "warps"},
                    Case{512, 20, 0, 3, "warps"}, Case{256, 24, 0, 5, "registers"},
                    Case{256, 63, 0, 2, "registers"}, Case{256, 10, 16384, 3, "shared memory"},
                    Case{256, 10, 16385, 2, "shared memory"}, Case{192, 20, 0, 8, "block slots"},
                    Case{1024, 64, 0, 0, "registers"}, Case{64, 10, 49153, 0, "shared memory"}));

TEST(Occupancy, LargeWarpsNeverSpanBlocks) {
  ir::Kernel kernel;
  kernel.registers_per_thread = 20;
  GpuConfig config = load_gpu("lwm2011");
  exec::LaunchShape shape;
  shape.block = {320, 1, 1};
  EXPECT_EQ(occupancy(kernel, shape, config).blocks, 3U);
  EXPECT_EQ(occupancy(kernel, shape, config).warps_per_block, 10U);
  // The second large warp of each block has two of its eight rows.
  config.core.warp_rows = 8;
  EXPECT_EQ(occupancy(kernel, shape, config).blocks, 2U);
  EXPECT_EQ(occupancy(kernel, shape, config).warps_per_block, 2U);
}

TEST(Occupancy, TheLaunchMaySayHowManyRegisters) {
  ir::Kernel kernel;
  kernel.registers_per_thread = 20;
  exec::LaunchShape shape;
  shape.block = {256, 1, 1};
  shape.registers = 24;
  const Occupancy result = occupancy(kernel, shape, load_gpu("m2090"));
  EXPECT_EQ(result.blocks, 5U);
  EXPECT_EQ(result.limit, "registers");
}

TEST(Occupancy, AnEstimateGivesWayToABlock) {
  ir::Kernel kernel;
  kernel.registers_per_thread = 49;
  kernel.spilled_registers = 3;
  kernel.register_bound = ".maxnreg";
  const GpuConfig config = load_gpu("m2090");
  const RegisterFile& file = config.frontend.register_file;
  exec::LaunchShape shape;
  shape.block = {512, 1, 1};
  ThreadRegisters registers = thread_registers(kernel, shape, file);
  EXPECT_EQ(registers.held, 49U);
  EXPECT_EQ(registers.spilled, 3U);
  EXPECT_EQ(registers.bound, ".maxnreg");
  shape.block = {32, 32, 1};
  registers = thread_registers(kernel, shape, file);
  EXPECT_EQ(registers.held, 32U);
  EXPECT_EQ(registers.spilled, 3U + 17U);
  EXPECT_EQ(registers.bound, "block size");
  EXPECT_EQ(occupancy(kernel, shape, config).blocks, 1U);
  kernel.registers_given = true;
  EXPECT_EQ(thread_registers(kernel, shape, file).held, 49U);
  EXPECT_EQ(occupancy(kernel, shape, config).blocks, 0U);
  shape.registers = 16;
  EXPECT_EQ(thread_registers(kernel, shape, file).held, 16U);
  EXPECT_EQ(occupancy(kernel, shape, config).blocks, 1U);
}

/// The CUDA occupancy calculator for compute capability 8.0, with 100 KB of shared memory: a block
/// takes 1 KB more than it asks for, and blocks that ask for nothing do, too.
TEST(Occupancy, TheSystemTakesSharedMemoryOfEveryBlock) {
  const GpuConfig config = load_gpu("a100");
  exec::LaunchShape shape;
  shape.block = {64, 1, 1};
  ir::Kernel kernel;
  kernel.registers_per_thread = 16;
  EXPECT_EQ(occupancy(kernel, shape, config).blocks, 32U);
  kernel.shared_bytes = 24 * 1024;
  EXPECT_EQ(occupancy(kernel, shape, config).blocks, 4U);
  kernel.shared_bytes = 24 * 1024 + 1;
  EXPECT_EQ(occupancy(kernel, shape, config).blocks, 3U);
  kernel.shared_bytes = 99 * 1024;
  EXPECT_EQ(occupancy(kernel, shape, config).blocks, 1U);
  kernel.shared_bytes = 99 * 1024 + 1;
  EXPECT_EQ(why_no_block_fits(kernel, shape, config),
            "a block of 64 threads needs 102528 bytes of shared memory, 101377 static and 0 "
            "dynamic, 1024 of the system (core.shared_reserved), a core has 102400 "
            "(core.shared_bytes, beside l1.bytes in l1.array_bytes)");
}

TEST(Occupancy, WhatDoesNotFitIsSaidWithTheKeysThatDecide) {
  ir::Kernel kernel;
  kernel.registers_per_thread = 40;
  kernel.shared_bytes = 8;
  exec::LaunchShape shape;
  shape.block = {1024, 1, 1};
  shape.registers = 33;
  GpuConfig config = load_gpu("m2090");
  EXPECT_EQ(why_no_block_fits(kernel, shape, config),
            "a block of 1024 threads needs 34816 registers, 33 per thread (registers of the "
            "launch), a core has 32768 (core.registers, given to warps in multiples of "
            "core.register_granule)");
  shape.registers = 0;
  kernel.registers_given = true;
  EXPECT_NE(why_no_block_fits(kernel, shape, config)
                .find("40 per thread (frontend.registers_per_thread), a core has 32768"),
            std::string::npos);
  shape.block = {64, 1, 1};
  shape.dynamic_shared = 49152;
  EXPECT_EQ(why_no_block_fits(kernel, shape, config),
            "a block of 64 threads needs 49280 bytes of shared memory, 8 static and 49152 dynamic, "
            "a core has 49152 (core.shared_bytes, beside l1.bytes in l1.array_bytes)");
  shape.block = {1024, 1, 1};
  config.core.warps = 24;
  EXPECT_EQ(why_no_block_fits(kernel, shape, config),
            "a block of 1024 threads needs 32 warp slots, a core has 24 (core.warps)");
  config.core.warps = 48;
  config.frontend.register_file.threads = 768;
  EXPECT_EQ(why_no_block_fits(kernel, shape, config),
            "a block of 1024 threads needs 1024 thread slots, a core has 768 (core.threads)");
}

}  // namespace
}  // namespace paws::core
