// SPDX-License-Identifier: MIT
// The front end of the strict barrel of Narasiman et al. (MICRO 2011): its timing, the rates that
// follow from it, and the paper's example of two-level scheduling (Fig. 8). With the golden models,
// and in tb/lockstep with the RTL beside them; so every size here is one that has an engine.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tb/model/barrel_host.h"
#include "tb/model/large_warp_masks.h"
#include "tb/model/model_host.h"

namespace paws::test {
namespace {

using Instruction = BarrelHost::Instruction;
using Program = BarrelHost::Program;
using Selection = BarrelHost::Selection;

/// An instruction that takes `subwarps` sub-warps.
Instruction of_subwarps(unsigned subwarps) {
  Instruction instruction;
  std::fill_n(instruction.threads.begin(), subwarps, ~LaneBits{0});
  return instruction;
}

/// For up to 32 large warps.
SchedulerConfig round_robin() { return configuration("single:rr", 32, 1); }
SchedulerConfig grouped(unsigned slots, unsigned group) {
  SchedulerConfig config = configuration("single:group", slots, 1);
  config.group = group;
  return config;
}

constexpr SubwarpPackerConfig kLargest{.lanes = 32, .rows = 32};

BarrelHost barrel(const SchedulerConfig& scheduler, std::vector<Program> programs) {
  return {barrel_parts(scheduler, kLargest), std::move(programs)};
}
BarrelHost barrel(const SchedulerConfig& scheduler, unsigned warps, const Program& program) {
  return barrel(scheduler, std::vector<Program>(warps, program));
}

// Cycles.

TEST(Barrel, ALargeWarpCanBeSelectedAgainSixCyclesAfterItsLastSubwarp) {
  for (unsigned n = 1; n <= 32; ++n) {
    BarrelHost host = barrel(round_robin(), 1, {of_subwarps(n), of_subwarps(n)});
    host.run();
    EXPECT_EQ(host.selections(), (std::vector<Selection>{{0, 0}, {n + 6, 0}}));
  }
}

TEST(Barrel, TheNextSelectionIsInTheCycleOfTheLastSubwarp) {
  for (unsigned n = 1; n <= 32; ++n) {
    BarrelHost host = barrel(round_robin(), 2, {of_subwarps(n)});
    const BarrelHost::Counts counts = host.run();
    EXPECT_EQ(host.selections(), (std::vector<Selection>{{0, 0}, {n, 1}}));
    EXPECT_EQ(counts.stalled, n - 1);
    EXPECT_EQ(counts.idle, 0U);
  }
}

TEST(Barrel, AJumpIsOneSubwarpOfMany) {
  Instruction jump = of_subwarps(8);
  jump.mode = PackMode::once;
  BarrelHost host = barrel(round_robin(), 1, {jump, of_subwarps(8), jump});
  const BarrelHost::Counts counts = host.run();
  EXPECT_EQ(host.selections(), (std::vector<Selection>{{0, 0}, {7, 0}, {7 + 14, 0}}))
      << "seven cycles less";
  EXPECT_EQ(counts.subwarps, 10U);
}

TEST(Barrel, GlobalMemoryGoesByRows) {
  Instruction load{.threads = mask_of_rows("1000 0100 0000 0010"), .mode = PackMode::rows};
  BarrelHost host = barrel(round_robin(), 1, {load, load});
  host.run();
  EXPECT_EQ(host.selections().back(), (Selection{3 + 6, 0}));
  load.mode = PackMode::packed;
  BarrelHost packed = barrel(round_robin(), 1, {load, load});
  packed.run();
  EXPECT_EQ(packed.selections().back(), (Selection{1 + 6, 0}));
}

TEST(Barrel, SeveralLinesFreezeWhatIsBehind) {
  Instruction load = of_subwarps(1);
  load.lines = 3;
  std::vector<Program> programs(8, Program{of_subwarps(1)});
  programs[0] = {load, of_subwarps(1)};
  BarrelHost host = barrel(round_robin(), programs);
  const BarrelHost::Counts counts = host.run();
  // Selected in 0, in the back end from 2 on, in its third stage in 4, 5 and 6.
  EXPECT_EQ(host.selections(),
            (std::vector<Selection>{
                {0, 0}, {1, 1}, {2, 2}, {3, 3}, {6, 4}, {7, 5}, {8, 6}, {9, 7}, {10, 0}}));
  EXPECT_EQ(counts.frozen, 2U);
  EXPECT_EQ(counts.stalled, 2U);
}

TEST(Barrel, EachSubwarpFreezesForItsOwnLines) {
  for (const unsigned n : {1U, 2U, 5U, 8U}) {
    for (const unsigned lines : {1U, 2U, 7U}) {
      Instruction load = of_subwarps(n);
      load.lines = lines;
      BarrelHost host = barrel(round_robin(), 1, {load, load});
      const BarrelHost::Counts counts = host.run();
      EXPECT_EQ(host.selections().back().cycle, n + 6 + n * (lines - 1)) << n << ' ' << lines;
      EXPECT_EQ(counts.frozen, 2 * n * (lines - 1));
    }
  }
}

TEST(Barrel, AMissFreezesNothing) {
  Instruction load = of_subwarps(2);
  load.misses = 50;
  BarrelHost host = barrel(round_robin(), {{load, load}, {of_subwarps(1), of_subwarps(1)}});
  const BarrelHost::Counts counts = host.run();
  EXPECT_EQ(host.selections(), (std::vector<Selection>{{0, 0}, {2, 1}, {9, 1}, {2 + 6 + 50, 0}}));
  EXPECT_EQ(counts.frozen, 0U);
}

// Rates: W large warps, each instruction n sub-warps, and nothing but that.

struct Rate {
  unsigned warps;
  unsigned subwarps;
  double printed;  ///< as the specification rounds it
};

class BarrelRate : public testing::TestWithParam<Rate> {};

TEST_P(BarrelRate, IsTheClosedForm) {
  const auto [warps, n, printed] = GetParam();
  BarrelHost host = barrel(round_robin(), warps, {of_subwarps(n)});
  // One round: n cycles of each warp, but not less than one takes from selection to selection.
  const unsigned round = std::max(warps * n, n + 6);
  const BarrelHost::Counts counts = host.run_for_ever(10 * round, 200 * round);
  EXPECT_EQ(counts.subwarps, 200U * warps * n);
  EXPECT_EQ(counts.selections, 200U * warps);
  const double rate = std::min(1.0, warps * n / (n + 6.0));
  EXPECT_DOUBLE_EQ(static_cast<double>(counts.subwarps) / static_cast<double>(counts.cycles), rate);
  EXPECT_NEAR(rate, printed, 0.0005);
}

INSTANTIATE_TEST_SUITE_P(All, BarrelRate,
                         testing::Values(Rate{4, 1, 0.571}, Rate{1, 8, 0.571}, Rate{2, 16, 1},
                                         Rate{2, 1, 0.286}, Rate{1, 32, 0.842}, Rate{32, 1, 1},
                                         Rate{4, 8, 1}, Rate{7, 1, 1}, Rate{6, 1, 0.857}));

// Switches of fetch groups without memory: all are premature.

struct Switching {
  unsigned warps;
  unsigned subwarps;
  unsigned group;
  unsigned selections_of_a_visit;  ///< 0: no switch
};

class BarrelSwitches : public testing::TestWithParam<Switching> {};

TEST_P(BarrelSwitches, AreThoseOfTheClosedForm) {
  const auto [warps, n, group, visit] = GetParam();
  BarrelHost host = barrel(grouped(warps, group), warps, {of_subwarps(n)});
  constexpr unsigned kSelections = 1200;
  const BarrelHost::Counts counts =
      host.run_for_ever(64ULL * warps * n, std::uint64_t{kSelections} * n);
  EXPECT_EQ(counts.selections, kSelections);
  EXPECT_EQ(counts.idle, 0U);
  EXPECT_EQ(counts.switches, visit == 0 ? 0 : kSelections / visit);
  EXPECT_EQ(counts.premature, counts.switches);
}

INSTANTIATE_TEST_SUITE_P(All, BarrelSwitches,
                         testing::Values(Switching{4, 8, 2, 0}, Switching{4, 8, 1, 1},
                                         Switching{32, 1, 8, 0}, Switching{32, 1, 4, 4},
                                         Switching{64, 1, 16, 0}, Switching{12, 1, 3, 3}));

// Fig. 8: two phases of computation with a load in between.

struct Phases {
  unsigned instructions;
  unsigned latency;
  unsigned round_robin_cycles, round_robin_idle;
  unsigned eight_cycles, eight_idle;
  unsigned four_cycles, four_idle;
};

class Fig8 : public testing::TestWithParam<Phases> {
 protected:
  static BarrelHost::Counts run(const SchedulerConfig& scheduler) {
    Program program(2 * GetParam().instructions + 1, of_subwarps(1));
    program[GetParam().instructions].misses = GetParam().latency;
    return barrel(scheduler, 16, program).run();
  }
};

TEST_P(Fig8, FetchGroupsOfEightHideTheLatency) {
  const BarrelHost::Counts all = run(round_robin());
  EXPECT_EQ(all.cycles, GetParam().round_robin_cycles);
  EXPECT_EQ(all.idle, GetParam().round_robin_idle);
  const BarrelHost::Counts eight = run(grouped(32, 8));
  EXPECT_EQ(eight.cycles, GetParam().eight_cycles);
  EXPECT_EQ(eight.idle, GetParam().eight_idle);
  EXPECT_EQ(eight.premature, 0U);
  const BarrelHost::Counts four = run(grouped(32, 4));
  EXPECT_EQ(four.cycles, GetParam().four_cycles);
  EXPECT_EQ(four.idle, GetParam().four_idle);
  EXPECT_GT(four.premature, 0U) << "four warps do not fill the pipeline";
}

INSTANTIATE_TEST_SUITE_P(All, Fig8,
                         testing::Values(Phases{10, 100, 427, 91, 355, 19, 427, 91},
                                         Phases{10, 60, 387, 51, 336, 0, 387, 51},
                                         Phases{20, 100, 747, 91, 656, 0, 747, 91}));

// The system of packer, groups and masks, with any programs.

struct System {
  unsigned lanes;
  unsigned rows;
  unsigned warps;
  unsigned slots;
  unsigned group;
};

class BarrelSystem : public testing::TestWithParam<System> {};

TEST_P(BarrelSystem, ThreadsAreKeptAndBranchesNeverMix) {
  const std::uint64_t number = seed(20111211);
  SCOPED_TRACE("PAWS_SEED=" + std::to_string(number));
  const auto [lanes, rows, warps, slots, group] = GetParam();
  RandomMasks random(lanes, rows, number);
  constexpr unsigned kInstructions = 300;
  std::vector<Program> programs(warps);
  std::uint64_t threads = 0;
  std::uint64_t branches = 0;
  for (Program& program : programs) {
    for (unsigned i = 0; i < kInstructions; ++i) {
      Instruction next{.threads = random.next()};
      threads += threads_in(next.threads);
      if (random.chance(30)) {
        next.mode = PackMode::rows;
        next.lines = 1 + random.below(4);
        next.misses = random.chance(30) ? random.below(100) : 0;
      } else if (random.chance(30)) {
        next.taken = random.part_of(next.threads);
        ++branches;
      }
      program.push_back(next);
    }
  }
  // The masks would complain if branches of two large warps were mixed.
  BarrelHost host(barrel_parts(grouped(slots, group), {.lanes = lanes, .rows = rows}), programs);
  const BarrelHost::Counts counts = host.run();
  EXPECT_EQ(counts.selections, std::uint64_t{warps} * kInstructions);
  EXPECT_EQ(counts.threads, threads) << "each thread of each instruction, once";
  EXPECT_GT(counts.frozen, 0U);
  EXPECT_EQ(counts.cycles, counts.selections + counts.idle + counts.stalled);
  EXPECT_EQ(host.branches().size(), branches);
  for (const BarrelHost::Branch& branch : host.branches()) {
    const Instruction& instruction = programs[branch.warp][branch.instruction];
    ASSERT_EQ(branch.outcome.taken, *instruction.taken);
    for (unsigned row = 0; row < kMaxRows; ++row) {
      ASSERT_EQ(branch.outcome.fall[row], instruction.threads[row] & ~(*instruction.taken)[row]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, BarrelSystem,
                         testing::Values(System{32, 1, 32, 32, 8}, System{32, 8, 4, 4, 2},
                                         System{32, 16, 2, 4, 2}, System{32, 32, 1, 4, 2},
                                         System{4, 4, 12, 12, 3}, System{3, 5, 30, 32, 4}));

}  // namespace
}  // namespace paws::test
