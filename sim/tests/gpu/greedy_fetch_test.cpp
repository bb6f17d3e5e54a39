// SPDX-License-Identifier: MIT
// Instruction buffers and fetch orders (core.ibuffer, core.fetch) in a core: whether a greedy warp
// can go on. What is expected is what Huerta et al., "Dissecting and Modeling the Architecture of
// Modern NVIDIA GPU Cores" (MICRO 2025), say in sections 5.1.2 and 5.2.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "sim/tests/gpu/port_recording.h"

namespace paws {
namespace {

constexpr unsigned kInstructions = 32;  // of Fig. 4, independent of one another

/// Runs of one warp: its number, and instructions in consecutive cycles.
using Timeline = std::vector<std::pair<std::uint32_t, unsigned>>;

/// What a sub-core of the paper issues of four warps, W0 the oldest, behind a barrier: one
/// scheduler that can issue in every cycle, and two stages from fetch to issue. Every fetch hits.
Timeline timeline(const std::string& scheduler, unsigned ibuffer, unsigned fetch) {
  GpuRun run;
  run.scheduler = scheduler;
  run.shape.block = {4 * 32, 1, 1};
  run.config.core.schedulers = 1;
  run.config.core.warps = 24;
  run.config.core.issue_interval = 1;
  run.config.core.alu_interval = 1;
  run.config.core.register_banks = 0;
  run.config.icache.bytes = 0;
  run.config.icache.latency = 1;
  run.config.core.fetch_latency = 1;
  run.config.core.ibuffer = ibuffer;
  run.config.core.fetch = fetch;
  run.config.frontend.schedule = false;
  run.config.frontend.remove_dead_code = false;
  const PortRecording seen =
      record(run, "bar.sync 0;\n" + repeat(kInstructions - 1, [](unsigned i) {
                    return fmt::format("add.u32 %r{}, %r0, %r0;", 50 + i);
                  }) + "ret;");
  Timeline timeline;
  std::uint64_t before = 0;
  const std::uint32_t barrier = seen.issue(0, ir::Op::bar).pc;
  for (const Issue& issue : seen.issues) {
    if (issue.pc <= barrier) continue;
    const bool follows = !timeline.empty() && issue.cycle == before + 1;
    if (!follows || timeline.back().first != issue.warp) timeline.emplace_back(issue.warp, 0);
    ++timeline.back().second;
    before = issue.cycle;
  }
  return timeline;
}

unsigned longest(const Timeline& timeline) {
  unsigned longest = 0;
  for (const auto& [warp, instructions] : timeline) longest = std::max(longest, instructions);
  return longest;
}

TEST(GreedyFetch, WithTwoEntriesTheGreedyWarpAlwaysChangesAfterTwoInstructions) {
  // "Those designs only fetch instructions when the Instruction Buffer is empty. Thus, the greedy
  // warp always changes at least after two consecutive instructions."
  for (const unsigned fetch : {0U, 1U, 2U}) {
    EXPECT_EQ(longest(timeline("single:cggty", 2, fetch)), 2U) << "core.fetch=" << fetch;
    EXPECT_EQ(longest(timeline("single:gto", 2, fetch)), 2U) << "core.fetch=" << fetch;
  }
}

TEST(GreedyFetch, ThreeEntriesSupportTheGreedyWarpFromTheYoungestToTheOldest) {
  // "Three entries per warp [are] enough to support the greedy nature of the issue scheduler, given
  // that there are two pipeline stages from fetch to issue." The order is that of Fig. 4a without
  // its miss.
  EXPECT_EQ(
      timeline("single:cggty", 3, 1),
      (Timeline{{3, kInstructions}, {2, kInstructions}, {1, kInstructions}, {0, kInstructions}}));
}

TEST(GreedyFetch, TheOldestIsFetchedForWhereTheOldestIssues) {
  EXPECT_EQ(
      timeline("single:gto", 3, 2),
      (Timeline{{0, kInstructions}, {1, kInstructions}, {2, kInstructions}, {3, kInstructions}}));
}

}  // namespace
}  // namespace paws
