// SPDX-License-Identifier: MIT
#include "model/block_monitor.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace paws {
namespace {

BlockMonitorInputs starts(std::uint32_t slots) {
  BlockMonitorInputs inputs;
  inputs.starts = slots;
  return inputs;
}

/// Scheduler 0 issues from `slot`, `times` cycles long; with the last one the block ends if `ends`.
void issue(BlockMonitor& monitor, std::uint8_t slot, unsigned times, bool ends = false) {
  for (unsigned i = 1; i <= times; ++i) {
    BlockMonitorInputs inputs;
    inputs.issues[0] = slot;
    if (ends && i == times) inputs.ends = std::uint32_t{1} << slot;
    monitor.clock(inputs);
  }
}

/// Lets the monitor work out its limit.
BlockMonitorOutputs finish(BlockMonitor& monitor, unsigned slots) {
  for (unsigned i = 0; i < 2 * slots; ++i) {
    EXPECT_EQ(monitor.outputs(), (BlockMonitorOutputs{true, false, 0})) << i;
    monitor.clock({});
  }
  EXPECT_TRUE(monitor.outputs().done);
  return monitor.outputs();
}

unsigned limit_of(const std::vector<unsigned>& issues, Rounding rounding, unsigned bits = 20) {
  const auto monitor = make_block_monitor({8, 2, bits, rounding});
  BlockMonitorInputs restart = starts((1U << issues.size()) - 1);
  restart.restart = true;
  monitor->clock(restart);
  for (std::uint8_t slot = 1; slot < issues.size(); ++slot) issue(*monitor, slot, issues[slot]);
  EXPECT_EQ(monitor->outputs(), BlockMonitorOutputs{});
  issue(*monitor, 0, issues[0], true);
  return finish(*monitor, 8).limit;
}

TEST(BlockMonitor, TheSumOverTheLargest) {
  // Lee et al., section 4.1: "10/4 = 3" rounds up, the formula beside it down.
  const std::vector<unsigned> paper{4, 3, 2, 1};
  EXPECT_EQ(limit_of(paper, Rounding::down), 2U);
  EXPECT_EQ(limit_of(paper, Rounding::nearest), 3U);
  EXPECT_EQ(limit_of(paper, Rounding::up), 3U);
}

TEST(BlockMonitor, AtLeastOneAndAtMostAllResidentBlocks) {
  EXPECT_EQ(limit_of({9, 0, 0, 0}, Rounding::down), 1U);
  EXPECT_EQ(limit_of({9, 1, 0, 0}, Rounding::up), 2U);
  EXPECT_EQ(limit_of({5, 5, 5, 5, 5, 5, 5, 5}, Rounding::down), 8U);
  EXPECT_EQ(limit_of({5, 5, 5, 5, 5, 5, 5, 5}, Rounding::up), 8U);
  EXPECT_EQ(limit_of({7}, Rounding::nearest), 1U);
}

TEST(BlockMonitor, TheLargestNeedNotBeTheEndedBlock) {
  EXPECT_EQ(limit_of({2, 8, 6}, Rounding::down), 2U) << "16 / 8";
}

TEST(BlockMonitor, ANearHalfIsRoundedUp) {
  EXPECT_EQ(limit_of({4, 2}, Rounding::nearest), 2U) << "6 / 4";
  EXPECT_EQ(limit_of({8, 3}, Rounding::nearest), 1U) << "11 / 8";
}

TEST(BlockMonitor, AllCountsAreHalvedBeforeOneOverflows) {
  // The sixteenth issue of slot 1 is one too many for four bits: 8 of it are left, and then slot 0
  // counts its own 8.
  EXPECT_EQ(limit_of({8, 16}, Rounding::down, 4), 2U) << "8 + 8 over 8, not 8 + 16 over 16";
  EXPECT_EQ(limit_of({8, 15}, Rounding::down, 4), 1U) << "15 fit";
}

TEST(BlockMonitor, SchedulersCountInTheSameCycle) {
  const auto monitor = make_block_monitor({4, 2, 20, Rounding::down});
  monitor->clock(starts(0b11));
  BlockMonitorInputs both;
  both.issues = {std::uint8_t{0}, std::uint8_t{1}};
  monitor->clock(both);
  both.issues[1] = 0;
  both.ends = 0b01;
  monitor->clock(both);
  EXPECT_EQ(finish(*monitor, 4).limit, 1U) << "3 and 1";
}

TEST(BlockMonitor, ABlockThatStartsInTheLastCycleIsResident) {
  const auto monitor = make_block_monitor({4, 2, 20, Rounding::up});
  monitor->clock(starts(0b01));
  BlockMonitorInputs last = starts(0b10);
  last.issues = {std::uint8_t{0}, std::uint8_t{1}};
  last.ends = 0b01;
  monitor->clock(last);
  EXPECT_EQ(finish(*monitor, 4).limit, 2U);
}

TEST(BlockMonitor, WhatIsFoundStaysUntilTheRestart) {
  const auto monitor = make_block_monitor({4, 1, 20, Rounding::down});
  monitor->clock(starts(0b11));
  issue(*monitor, 0, 3);
  issue(*monitor, 1, 3, true);
  issue(*monitor, 0, 8, true);
  EXPECT_EQ(monitor->outputs(), (BlockMonitorOutputs{false, true, 2})) << "not 12 and 3";
  issue(*monitor, 0, 9, true);
  EXPECT_EQ(monitor->outputs(), (BlockMonitorOutputs{false, true, 2}));
  BlockMonitorInputs restart = starts(0b100);
  restart.restart = true;
  monitor->clock(restart);
  EXPECT_EQ(monitor->outputs(), BlockMonitorOutputs{});
  issue(*monitor, 2, 1, true);
  EXPECT_EQ(finish(*monitor, 4).limit, 1U) << "the others are not resident";
}

TEST(BlockMonitor, ARestartEndsItsWork) {
  const auto monitor = make_block_monitor({4, 1, 20, Rounding::down});
  monitor->clock(starts(0b1));
  issue(*monitor, 0, 3, true);
  monitor->clock({});
  BlockMonitorInputs restart;
  restart.restart = true;
  monitor->clock(restart);
  for (unsigned i = 0; i < 10; ++i) monitor->clock({});
  EXPECT_EQ(monitor->outputs(), BlockMonitorOutputs{});
}

TEST(BlockMonitor, ABlockSlotCountsFromItsNewBlockOn) {
  const auto monitor = make_block_monitor({2, 1, 20, Rounding::down});
  monitor->clock(starts(0b11));
  issue(*monitor, 1, 10);
  monitor->clock(starts(0b10));
  issue(*monitor, 1, 4);
  issue(*monitor, 0, 4, true);
  EXPECT_EQ(finish(*monitor, 2).limit, 2U);
}

TEST(BlockMonitor, WhatCannotBeIsRefused) {
  for (const BlockMonitorConfig config :
       {BlockMonitorConfig{0, 2, 20}, BlockMonitorConfig{33, 2, 20}, BlockMonitorConfig{8, 0, 20},
        BlockMonitorConfig{8, 5, 20}, BlockMonitorConfig{8, 2, 3}, BlockMonitorConfig{8, 2, 33}}) {
    EXPECT_THROW(make_block_monitor(config), std::logic_error);
  }
}

}  // namespace
}  // namespace paws
