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

}  // namespace
}  // namespace paws::core
