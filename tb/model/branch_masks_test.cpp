// SPDX-License-Identifier: MIT
// The branch masks: Fig. 3 of Narasiman et al., and the properties B1 to B3
// (docs/reference/microarchitecture.md, "Branch masks") with the sub-warps of the packer.
#include "model/branch_masks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/subwarp_packer.h"
#include "tb/model/large_warp_masks.h"
#include "tb/model/model_host.h"

namespace paws::test {
namespace {

BranchMasksOutputs cycle(BranchMasks& masks, const BranchMasksInputs& inputs) {
  const BranchMasksOutputs outputs = masks.decide(inputs);
  masks.commit();
  return outputs;
}

/// The sub-warps in which the threads of `active` leave the back end, with the branches of those
/// that are in `taken`.
std::vector<BranchMasksInputs> branch(const LargeWarpMask& active, const LargeWarpMask& taken,
                                      PackMode mode = PackMode::packed) {
  std::vector<BranchMasksInputs> cycles;
  const auto packer = make_subwarp_packer({.lanes = 32, .rows = 32});
  SubwarpPackerInputs load{.load_valid = true, .load_mode = mode, .load_mask = active};
  for (bool last = false; !last; load = {}) {
    const SubwarpPackerOutputs subwarp = packer->decide(load);
    packer->commit();
    BranchMasksInputs inputs{.valid = true, .mask = subwarp.mask, .row = subwarp.row};
    for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
      inputs.taken |= taken[subwarp.row[lane]] & subwarp.mask & LaneBits{1} << lane;
    }
    cycles.push_back(inputs);
    last = subwarp.last;
  }
  cycles.back().last = true;
  cycles.back().active = active;
  return cycles;
}

/// Runs these cycles; checks that all but the last one have no outputs.
BranchMasksOutputs run(BranchMasks& masks, const std::vector<BranchMasksInputs>& cycles) {
  BranchMasksOutputs outputs;
  for (const BranchMasksInputs& inputs : cycles) {
    EXPECT_EQ(outputs, BranchMasksOutputs{});
    outputs = cycle(masks, inputs);
  }
  return outputs;
}

LargeWarpMask without(LargeWarpMask mask, const LargeWarpMask& gone) {
  for (unsigned row = 0; row < kMaxRows; ++row) mask[row] &= ~gone[row];
  return mask;
}

TEST(BranchMasks, GiveTheEntriesOfFig3) {
  struct Entry {
    char reconvergence;
    LargeWarpMask active;
    char execute;
    bool operator==(const Entry&) const = default;
  };
  std::vector<Entry> stack;
  char pc = 'A';
  LargeWarpMask active = mask_of_rows("1111");
  // A branches to B and C, which meet in D.
  const auto masks = make_branch_masks({.lanes = 4, .rows = 1});
  const BranchMasksOutputs outcome = run(*masks, branch(active, mask_of_rows("1011")));
  ASSERT_TRUE(outcome.diverged);
  stack.push_back({'D', active, 'D'});
  stack.push_back({'D', outcome.fall, 'C'});
  pc = 'B';
  active = outcome.taken;
  EXPECT_EQ(active, mask_of_rows("1011"));
  EXPECT_EQ(stack, (std::vector<Entry>{{'D', mask_of_rows("1111"), 'D'},
                                       {'D', mask_of_rows("0100"), 'C'}}));
  // B goes to D, and so does C.
  std::string order(1, pc);
  while (!stack.empty()) {
    active = stack.back().active;
    pc = stack.back().execute;
    stack.pop_back();
    order += pc;
  }
  EXPECT_EQ(order, "BCD");
  EXPECT_EQ(active, mask_of_rows("1111"));
}

TEST(BranchMasks, TheLastSubwarpDecides) {
  const LargeWarpMask active = mask_of_rows("1000 1000 1000");
  const auto masks = make_branch_masks({.lanes = 4, .rows = 3});
  for (const auto& [taken, diverged] :
       std::vector<std::pair<std::string, bool>>{{"1000 1000 0000", true},
                                                 {"0000 0000 1000", true},
                                                 {"1000 1000 1000", false},
                                                 {"0000 0000 0000", false}}) {
    const BranchMasksOutputs outputs = run(*masks, branch(active, mask_of_rows(taken)));
    EXPECT_EQ(outputs.diverged, diverged) << taken;
    EXPECT_EQ(outputs.taken, mask_of_rows(taken));
    EXPECT_EQ(outputs.fall, without(active, mask_of_rows(taken)));
  }
}

TEST(BranchMasks, TheLastDecideOfACycleCountsAndResetEmptiesThem) {
  const auto masks = make_branch_masks({.lanes = 4, .rows = 2});
  const auto two = branch(mask_of_rows("1000 1000"), mask_of_rows("1000 1000"));
  masks->decide(two.front());
  masks->decide({.last = true});  // a broken promise, taken back
  EXPECT_EQ(cycle(*masks, {}), BranchMasksOutputs{});
  EXPECT_FALSE(run(*masks, two).diverged);
  cycle(*masks, two.front());
  masks->reset();
  EXPECT_EQ(run(*masks, branch(mask_of_rows("1000"), {})).taken, LargeWarpMask{});
}

TEST(BranchMasks, BrokenPromisesAreNamed) {
  const auto message = [](const std::vector<BranchMasksInputs>& cycles) {
    const auto masks = make_branch_masks({.lanes = 4, .rows = 3});
    try {
      for (const BranchMasksInputs& inputs : cycles) cycle(*masks, inputs);
    } catch (const std::logic_error& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  const std::string begin = "branch masks: the host broke a promise: ";
  const BranchMasksInputs one{.valid = true, .mask = 1};
  BranchMasksInputs end = one;
  end.last = true;
  EXPECT_EQ(message({{.last = true}}), begin + "the last sub-warp is none");
  EXPECT_EQ(message({{.valid = true}}), begin + "a sub-warp without a thread");
  EXPECT_EQ(message({{.valid = true, .mask = 1, .taken = 2}}),
            begin + "a branch of a lane without a thread");
  EXPECT_EQ(message({{.valid = true, .mask = 16}}), begin + "a lane that does not exist");
  EXPECT_EQ(message({{.valid = true, .mask = 1, .row = {3}}}), begin + "a row that does not exist");
  EXPECT_EQ(message({{.valid = true, .mask = 2, .row = {3}}}), "none") << "of an idle lane";
  EXPECT_EQ(message({one, one}), begin + "a thread in two sub-warps");
  EXPECT_EQ(message({end}), begin + "the sub-warps are not the active threads");
  end.active[0] = 1;
  EXPECT_EQ(message({end, end}), "none");
}

TEST(BranchMasks, RefuseShapesThatCannotBe) {
  for (const BranchMasksConfig& wrong : std::vector<BranchMasksConfig>{{.lanes = 0},
                                                                       {.lanes = 33},
                                                                       {.rows = 0},
                                                                       {.rows = 33},
                                                                       {.buffers = 0},
                                                                       {.buffers = 3}}) {
    EXPECT_THROW(make_branch_masks(wrong), std::logic_error);
  }
}

struct Shape {
  unsigned lanes;
  unsigned rows;
};

class BranchProperties : public testing::TestWithParam<Shape> {};

TEST_P(BranchProperties, OutputsAreTheOutcomesInAnyOrderWithOneBufferAndWithTwo) {  // B1 to B3
  const std::uint64_t number = seed(20111206);
  SCOPED_TRACE("PAWS_SEED=" + std::to_string(number));
  const auto [lanes, rows] = GetParam();
  RandomMasks random(lanes, rows, number);
  std::mt19937_64 order(number);
  const std::array<std::unique_ptr<BranchMasks>, 2> both{
      make_branch_masks({.lanes = lanes, .rows = rows, .buffers = 1}),
      make_branch_masks({.lanes = lanes, .rows = rows, .buffers = 2})};
  unsigned diverged = 0;
  constexpr unsigned kBranches = 4000;
  for (unsigned i = 0; i < kBranches; ++i) {
    const LargeWarpMask active = random.next();
    const LargeWarpMask taken = random.part_of(active);
    auto cycles = branch(active, taken, random.chance(50) ? PackMode::packed : PackMode::rows);
    std::ranges::shuffle(cycles, order);
    for (BranchMasksInputs& inputs : cycles) {
      inputs.last = &inputs == &cycles.back();
      inputs.active = inputs.last ? active : random.next();
    }
    if (random.chance(30))
      cycles.insert(cycles.begin() + random.below(cycles.size()), {BranchMasksInputs{}});
    const LargeWarpMask fall = without(active, taken);
    const BranchMasksOutputs expected{
        .taken = taken, .fall = fall, .diverged = threads_in(taken) > 0 && threads_in(fall) > 0};
    for (const auto& masks : both) ASSERT_EQ(run(*masks, cycles), expected);
    diverged += expected.diverged ? 1 : 0;
  }
  if (lanes * rows > 1) {
    EXPECT_GT(diverged, kBranches / 10);
  }
}

std::string shape_name(const testing::TestParamInfo<Shape>& info) {
  return std::to_string(info.param.lanes) + "_lanes_" + std::to_string(info.param.rows) + "_rows";
}

INSTANTIATE_TEST_SUITE_P(All, BranchProperties,
                         testing::Values(Shape{1, 1}, Shape{4, 8}, Shape{8, 3}, Shape{32, 1},
                                         Shape{32, 8}, Shape{32, 32}),
                         shape_name);

}  // namespace
}  // namespace paws::test
