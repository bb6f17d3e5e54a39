// SPDX-License-Identifier: MIT
// Warps over time against the profile by line, and how a series grows.

#include "sim/observe/warp_series.h"

#include <gtest/gtest.h>

#include "sim/observe/fan_out.h"
#include "sim/observe/line_profile.h"
#include "sim/tests/gpu/support.h"

namespace paws::observe {
namespace {

WarpCounts sum_of(const WarpSeries& series) {
  WarpCounts sum;
  for (const WarpCounts& stretch : series.stretches) sum += stretch;
  return sum;
}

/// In cycles [from, to) there are so many in each.
void add(WarpChanges& changes, std::uint64_t from, std::uint64_t to, const WarpCounts& each) {
  changes.add(from, each);
  changes.add(to, {-each.live, -each.memory, -each.ready, 0});
  changes.end(to);
}

TEST(WarpSeries, HasWhatHeldInEachStretch) {
  WarpChanges changes;
  add(changes, 3, 4, {5, 0, 0, 0});
  changes.issue(3);
  add(changes, 0, 3, {2, 1, 1, 0});
  const WarpSeries series = changes.series();
  EXPECT_EQ(series.width, 1U);
  EXPECT_EQ(series.stretches,
            (std::vector<WarpCounts>{{2, 1, 1, 0}, {2, 1, 1, 0}, {2, 1, 1, 0}, {5, 0, 0, 1}}));
}

TEST(WarpSeries, StretchesGetLongerAndLoseNothing) {
  constexpr std::uint64_t kEnd = 5 * WarpSeries::kStretches + 1;
  WarpChanges changes;
  add(changes, 0, 2, {7, 0, 0, 0});
  add(changes, 6, kEnd, {1, 1, 0, 0});
  WarpSeries series = changes.series();
  EXPECT_EQ(series.width, 8U);
  EXPECT_EQ(series.stretches.size(), (kEnd + 7) / 8);
  EXPECT_EQ(series.stretches[0], (WarpCounts{16, 2, 0, 0}));
  EXPECT_EQ(series.stretches[1], (WarpCounts{8, 8, 0, 0}));
  EXPECT_EQ(series.stretches.back(), (WarpCounts{1, 1, 0, 0}));
  EXPECT_EQ(sum_of(series), (WarpCounts{kEnd - 6 + 14, kEnd - 6, 0, 0}));

  WarpChanges short_one;
  add(short_one, 0, 1, {1, 0, 0, 0});
  WarpSeries other = short_one.series();
  other += series;
  EXPECT_EQ(other.width, 8U);
  EXPECT_EQ(other.stretches[0], (WarpCounts{17, 2, 0, 0}));
  series += other;
  EXPECT_EQ(series.stretches[0], (WarpCounts{33, 4, 0, 0}));
}

TEST(WarpSeries, AChangeBehindTheLastStretchHoldsInTheLongerOnes) {
  constexpr std::uint64_t kMost = WarpSeries::kStretches;
  WarpChanges changes;
  changes.end(kMost);
  EXPECT_EQ(changes.series().stretches.size(), kMost);
  add(changes, kMost, kMost + 3, {0, 0, 4, 0});
  const WarpSeries series = changes.series();
  EXPECT_EQ(series.width, 2U);
  ASSERT_EQ(series.stretches.size(), kMost / 2 + 2);
  EXPECT_EQ(series.stretches[kMost / 2], (WarpCounts{0, 0, 8, 0}));
  EXPECT_EQ(series.stretches.back(), (WarpCounts{0, 0, 4, 0}));
  EXPECT_EQ(sum_of(series).ready, 12U);
}

TEST(WarpWatch, AWarpLivesFromTheCycleBehindItsLaunchOn) {
  GpuRun run;
  run.config = small_gpu(1);
  run.shape.block = {32, 1, 1};
  WarpWatch warps(1);
  run.options.observe = [&](std::uint32_t core) { return warps.observer(core); };
  run.run("add.u32 %r1, %r0, 1;");
  const WarpSeries total = warps.total();
  EXPECT_EQ(total.stretches.front().live, total.width - 1);
  EXPECT_EQ(sum_of(total).live, run.statistics.cores.warp_cycles);
}

TEST(WarpWatch, ItsSumsAreThoseOfTheProfile) {
  constexpr unsigned kWatched = 2;
  for (const char* scheduler : {"single:gto", "two-level:paws"}) {
    WarpSeries first;
    for (const unsigned threads : {1U, 2U}) {
      GpuRun run;
      run.config = small_gpu(kWatched);
      run.scheduler = scheduler;
      run.shape.grid = {20, 1, 1};
      run.shape.block = {96, 1, 1};
      run.buffer_bytes = 16384;
      run.launches = 2;
      run.options.threads = threads;
      WarpWatch warps(kWatched);
      LineProfile lines(kWatched);
      run.options.observe = both([&](std::uint32_t core) { return warps.observer(core); },
                                 [&](std::uint32_t core) { return lines.observer(core); });
      run.run(kBusyKernel);
      const WarpCounts sum = sum_of(warps.total());
      const LineCounts counts = lines.total().total();
      EXPECT_EQ(sum.live, run.statistics.cores.warp_cycles);
      EXPECT_EQ(sum.issues, run.statistics.cores.warp_instructions());
      EXPECT_EQ(sum.memory, counts.waited_for(Wait::memory));
      EXPECT_EQ(sum.ready,
                counts.issues + counts.waited_for(Wait::unit) + counts.waited_for(Wait::disabled) +
                    counts.waited_for(Wait::not_selected) + counts.waited_for(Wait::outside));
      const WarpSeries total = warps.total();
      EXPECT_EQ(total.stretches.size(), (run.statistics.cycles + total.width - 1) / total.width);
      if (threads == 1) first = total;
      EXPECT_TRUE(total == first);
    }
  }
}

}  // namespace
}  // namespace paws::observe
