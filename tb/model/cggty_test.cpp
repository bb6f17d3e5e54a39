// SPDX-License-Identifier: MIT
// Worked examples of single:cggty: docs/reference/microarchitecture.md, "CGGTY", and the timelines
// of Huerta et al., "Dissecting and Modeling the Architecture of Modern NVIDIA GPU Cores" (MICRO
// 2025), Fig. 4, as section 5.1.2 describes them.
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "tb/model/model_host.h"

namespace paws::test {
namespace {

ManualHost cggty(const Queue& launched, unsigned age_limit = 0) {
  SchedulerConfig config = configuration("single:cggty", 8, 4);
  config.age_limit = age_limit;
  ManualHost host(config);
  for (const WarpId warp : launched) host.launch(warp);
  return host;
}

std::optional<WarpId> issued(ManualHost& host, WarpMask issuable, WarpMask yields = 0,
                             WarpMask exits = 0) {
  host.in.yields = yields;
  const SchedulerOutputs outputs = host.issue(issuable, exits);
  return outputs.issue_valid ? std::optional(outputs.issue_warp) : std::nullopt;
}

TEST(Cggty, StaysWithTheLastIssuedElseTakesTheYoungest) {
  ManualHost host = cggty({4, 2, 6});
  EXPECT_EQ(issued(host, warps({2, 4})), 2U);
  EXPECT_EQ(issued(host, warps({2, 4, 6})), 2U) << "greedy";
  EXPECT_EQ(host.now().last_issued, 2U);
  EXPECT_EQ(issued(host, warps({4, 6})), 6U);
  EXPECT_EQ(issued(host, warps({2, 4})), 2U);
}

TEST(Cggty, NoWarpIsGreedyAfterAnExit) {
  ManualHost host = cggty({4, 2, 6});
  EXPECT_EQ(issued(host, warps({2}), 0, warps({2})), 2U);
  EXPECT_EQ(host.now().last_issued, std::nullopt);
  host.launch(2);
  host.launch(1);
  EXPECT_EQ(issued(host, warps({1, 2})), 1U);
}

TEST(Cggty, AWarpThatYieldsIsBarredOnce) {
  ManualHost host = cggty({4, 2, 6});
  EXPECT_EQ(issued(host, warps({2, 4}), warps({2, 6})), 2U);
  EXPECT_EQ(host.now().barred, warps({2}));
  EXPECT_EQ(issued(host, warps({2, 4})), 4U) << "the youngest of the others";
  EXPECT_EQ(host.now().barred, 0U);
  EXPECT_EQ(issued(host, warps({2, 4})), 4U) << "greedy from now on";
  EXPECT_EQ(issued(host, warps({2})), 2U);
}

TEST(Cggty, AloneItLeavesABubbleOfOneEnabledCycle) {
  ManualHost host = cggty({2});
  EXPECT_EQ(issued(host, warps({2}), warps({2})), 2U);
  host.in.issuable = warps({2});
  EXPECT_FALSE(host.step().quiet);
  EXPECT_EQ(host.now().barred, warps({2})) << "a cycle that is not enabled does not count";
  EXPECT_EQ(issued(host, warps({2})), std::nullopt) << "the bubble";
  EXPECT_EQ(issued(host, warps({2})), 2U);
  EXPECT_EQ(host.now().last_issued, 2U);
}

TEST(Cggty, IsNotQuietWhileAWarpIsBarred) {
  ManualHost host = cggty({2});
  EXPECT_EQ(issued(host, warps({2}), warps({2})), 2U);
  EXPECT_FALSE(host.step().quiet);
  host.in.issue_en = true;
  EXPECT_FALSE(host.step().quiet);
  EXPECT_TRUE(host.step().quiet) << "the bar has ended";
}

TEST(Cggty, AYieldWithTheExitBarsNobody) {
  ManualHost host = cggty({2, 4});
  EXPECT_EQ(issued(host, warps({4}), warps({4}), warps({4})), 4U);
  EXPECT_EQ(host.now().barred, 0U);
  host.launch(4);
  EXPECT_EQ(issued(host, warps({4})), 4U) << "the slot's next warp";
}

TEST(Cggty, TheYieldOfAnotherWarpMeansNothing) {
  ManualHost host = cggty({2, 4});
  EXPECT_EQ(issued(host, warps({2, 4}), warps({2})), 4U);
  EXPECT_EQ(host.now().barred, 0U);
}

TEST(Cggty, YieldingWarpsOfTwoAlternate) {
  ManualHost host = cggty({2, 4});
  for (const WarpId expected : {4U, 2U, 4U, 2U}) {
    EXPECT_EQ(issued(host, warps({2, 4}), warps({2, 4})), expected);
  }
}

TEST(Cggty, ABarredWarpCountsAsOneThatCannotIssueForTheAgeLimitToo) {
  ManualHost host = cggty({2, 4, 6}, 2);
  EXPECT_EQ(issued(host, warps({2, 4, 6})), 6U);
  EXPECT_EQ(issued(host, warps({2, 4, 6}), warps({6})), 6U);
  EXPECT_EQ(host.now().due, warps({2, 4}));
  EXPECT_EQ(issued(host, warps({2, 4, 6}), warps({4})), 4U) << "due and the youngest";
  EXPECT_EQ(issued(host, warps({2, 4, 6})), 2U) << "due";
  EXPECT_EQ(issued(host, warps({4})), 4U);
  EXPECT_EQ(issued(host, warps({2, 4}), warps({4})), 4U);
  EXPECT_EQ(host.now().due, warps({2})) << "the second issue past it";
  EXPECT_EQ(issued(host, warps({2, 6}), warps({2})), 2U);
  EXPECT_EQ(issued(host, warps({2, 6})), 6U);
  EXPECT_EQ(issued(host, warps({2, 6}), warps({6})), 6U);
  EXPECT_EQ(host.now().due, warps({2}));
  EXPECT_EQ(issued(host, warps({2, 6}), warps({2})), 2U) << "due, and yields";
  EXPECT_EQ(issued(host, warps({2, 6})), 6U);
}

// --- Fig. 4: four warps of one sub-core, W0 the oldest, "32 independent instructions that could be
// issued one per cycle if the warp was run alone".

constexpr unsigned kInstructions = 32;
constexpr unsigned kFigureWarps = 4;

/// What issues, as runs of one warp: {warp, instructions}; kBubble for cycles without an issue.
using Timeline = std::vector<std::pair<int, unsigned>>;
constexpr int kBubble = -1;

/// Warps that run the figure's code.
class Figure4 {
 public:
  /// The second instruction of each warp yields.
  bool yields = false;
  /// Instructions that the instruction cache has, and the cycle in which it has all of them.
  unsigned cached = kInstructions;
  unsigned served_at = 0;

  /// Until the last of `count` warps has ended.
  Timeline run(unsigned count = kFigureWarps) {
    ManualHost host("single:cggty", kFigureWarps, 4);
    std::array<unsigned, kFigureWarps> issued{};
    for (WarpId warp = 0; warp < count; ++warp) host.launch(warp);
    Timeline timeline;
    for (unsigned cycle = 0; cycle < 1000; ++cycle) {
      WarpMask issuable = 0;
      WarpMask exits = 0;
      host.in.yields = 0;
      for (WarpId warp = 0; warp < count; ++warp) {
        const bool there = issued[warp] < cached || cycle >= served_at;
        if (issued[warp] < kInstructions && there) issuable |= mask_of(warp);
        if (issued[warp] + 1 == kInstructions) exits |= mask_of(warp);
        if (yields && issued[warp] == 1) host.in.yields |= mask_of(warp);
      }
      const SchedulerOutputs outputs = host.issue(issuable, exits);
      const int what = outputs.issue_valid ? static_cast<int>(outputs.issue_warp) : kBubble;
      if (timeline.empty() || timeline.back().first != what) timeline.emplace_back(what, 0);
      ++timeline.back().second;
      if (outputs.issue_valid) ++issued[outputs.issue_warp];
      bool done = true;
      for (WarpId warp = 0; warp < count; ++warp) done &= issued[warp] == kInstructions;
      if (done) return timeline;
    }
    ADD_FAILURE() << "the warps do not end";
    return timeline;
  }
};

TEST(CggtyFigure4, A_TheYoungestGoesFirstUntilItMissesThenFromTheYoungestOn) {
  // "The scheduler starts issuing instructions from the youngest warp, which is W3, until it misses
  // in the Icache [...] W2 hits in the Icache [...], and when it reaches the point where W3 missed,
  // the miss has already been served, [...] so the scheduler greedily issues that warp until the
  // end. Afterward [...] W3 (the youngest warp) until the end [...] W1 from beginning to end, and
  // finally [...] W0." The text does not say after how many instructions W3 misses.
  for (const unsigned cached : {4U, 10U, 16U}) {
    Figure4 figure;
    figure.cached = cached;
    figure.served_at = 2 * cached;
    EXPECT_EQ(figure.run(), (Timeline{{3, cached},
                                      {2, kInstructions},
                                      {3, kInstructions - cached},
                                      {1, kInstructions},
                                      {0, kInstructions}}));
  }
}

TEST(CggtyFigure4, C_AfterTheYieldTheYoungestOfTheOthersIssues) {
  // "The scheduler switches to the youngest among the rest of the warps after issuing the second
  // instruction of each warp. For instance, W3 switches to W2, and W2 switches back to W3."
  Figure4 figure;
  figure.yields = true;
  EXPECT_EQ(figure.run(),
            (Timeline{{3, 2}, {2, 2}, {3, 30}, {2, 30}, {1, 2}, {0, 2}, {1, 30}, {0, 30}}));
}

TEST(CggtyFigure4, C_WithoutOtherWarpsAYieldIsABubbleOfOneCycle) {
  // "A scenario where Yield is set and no more warps are available [...]: the scheduler generates a
  // bubble of one cycle."
  Figure4 figure;
  figure.yields = true;
  EXPECT_EQ(figure.run(1), (Timeline{{0, 2}, {kBubble, 1}, {0, 30}}));
}

}  // namespace
}  // namespace paws::test
