// SPDX-License-Identifier: MIT
// Worked examples of the sub-warp packer, and its properties P1 to P8
// (docs/reference/microarchitecture.md, "Sub-warp packer") with masks, modes and holds at random.
#include "model/subwarp_packer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "tb/model/large_warp_masks.h"
#include "tb/model/model_host.h"

namespace paws::test {
namespace {

struct Subwarp {
  LaneBits mask = 0;
  LaneRows row{};
  bool operator==(const Subwarp&) const = default;
};

SubwarpPackerInputs load(const LargeWarpMask& mask, PackMode mode) {
  SubwarpPackerInputs inputs;
  inputs.load_valid = true;
  inputs.load_mode = mode;
  inputs.load_mask = mask;
  return inputs;
}

SubwarpPackerOutputs cycle(SubwarpPacker& packer, const SubwarpPackerInputs& inputs) {
  const SubwarpPackerOutputs outputs = packer.decide(inputs);
  packer.commit();
  return outputs;
}

/// All sub-warps of a load into an idle packer, each taken at once. Checks that they come in cycles
/// that follow each other, and that only the last one is the last and leaves the packer idle.
std::vector<Subwarp> subwarps(SubwarpPacker& packer, const LargeWarpMask& mask, PackMode mode) {
  std::vector<Subwarp> all;
  SubwarpPackerInputs inputs = load(mask, mode);
  for (bool last = false; !last; inputs = {}) {
    const SubwarpPackerOutputs outputs = cycle(packer, inputs);
    EXPECT_TRUE(outputs.valid);
    if (!outputs.valid) break;
    EXPECT_EQ(outputs.busy, !outputs.last);
    all.push_back({outputs.mask, outputs.row});
    last = outputs.last;
  }
  EXPECT_EQ(cycle(packer, {}), SubwarpPackerOutputs{}) << "it is empty";
  return all;
}

std::vector<Subwarp> subwarps(const SubwarpPackerConfig& config, const LargeWarpMask& mask,
                              PackMode mode) {
  return subwarps(*make_subwarp_packer(config), mask, mode);
}

/// Of a sub-warp that is written "1111 0,1,2,0", with - for an idle lane.
Subwarp subwarp(const std::string& lanes, const std::vector<int>& rows) {
  Subwarp out{.mask = lanes_of(lanes)};
  for (std::size_t lane = 0; lane < rows.size(); ++lane) {
    out.row.at(lane) = static_cast<std::uint8_t>(rows[lane]);
  }
  return out;
}

// In the manner of Fig. 7 of the paper, whose masks are lost: 32 threads on four lanes, and four
// sub-warps instead of eight warps.
constexpr SubwarpPackerConfig kExample{.lanes = 4, .rows = 8};
const char* const kExampleRows = "1001 0100 0011 1000 0010 0110 1001 0110";

TEST(SubwarpPacker, PacksTheLowestRowOfEachColumn) {
  EXPECT_EQ(subwarps(kExample, mask_of_rows(kExampleRows), PackMode::packed),
            (std::vector{subwarp("1111", {0, 1, 2, 0}), subwarp("1111", {3, 5, 4, 2}),
                         subwarp("1111", {6, 7, 5, 6}), subwarp("0010", {0, 0, 7, 0})}));
}

TEST(SubwarpPacker, GoesRowByRow) {
  std::vector<Subwarp> expected;
  const LargeWarpMask mask = mask_of_rows(kExampleRows);
  for (unsigned row = 0; row < 8; ++row) {
    Subwarp next{.mask = mask[row]};
    for (unsigned lane = 0; lane < 4; ++lane) {
      next.row[lane] = static_cast<std::uint8_t>((mask[row] >> lane & 1U) != 0 ? row : 0);
    }
    expected.push_back(next);
  }
  EXPECT_EQ(subwarps(kExample, mask, PackMode::rows), expected);
}

TEST(SubwarpPacker, OneSubwarpSpeaksForAll) {
  EXPECT_EQ(subwarps(kExample, mask_of_rows(kExampleRows), PackMode::once),
            (std::vector{subwarp("1111", {0, 1, 2, 0})}));
}

TEST(SubwarpPacker, RowsWithoutThreadsTakeNoCycle) {
  const LargeWarpMask mask = mask_of_rows("0000 1100 0000 0000 0101");
  EXPECT_EQ(subwarps(kExample, mask, PackMode::rows),
            (std::vector{subwarp("1100", {1, 1, 0, 0}), subwarp("0101", {0, 4, 0, 4})}));
}

TEST(SubwarpPacker, ABaselineWarpIsOneSubwarp) {
  for (const PackMode mode : {PackMode::packed, PackMode::rows, PackMode::once}) {
    LargeWarpMask mask{};
    mask[0] = 0xdeadbeef;
    EXPECT_EQ(subwarps({.lanes = 32, .rows = 1}, mask, mode),
              (std::vector{Subwarp{.mask = 0xdeadbeef}}));
  }
}

TEST(SubwarpPacker, TheNextLoadFollowsTheLastSubwarp) {
  const auto packer = make_subwarp_packer(kExample);
  const LargeWarpMask two = mask_of_rows("1000 1000");
  EXPECT_TRUE(cycle(*packer, load(two, PackMode::packed)).busy);
  EXPECT_TRUE(cycle(*packer, {}).last);
  const SubwarpPackerOutputs next = cycle(*packer, load(mask_of_rows("0001"), PackMode::rows));
  EXPECT_TRUE(next.valid && next.last && !next.busy);
  EXPECT_EQ(next.mask, lanes_of("0001"));
}

TEST(SubwarpPacker, AnOnlySubwarpThatIsHeldKeepsItBusy) {
  for (const PackMode mode : {PackMode::packed, PackMode::rows, PackMode::once}) {
    const auto packer = make_subwarp_packer(kExample);
    SubwarpPackerInputs inputs = load(mask_of_rows("0110"), mode);
    inputs.take = false;
    for (unsigned held = 0; held < 3; ++held) {
      const SubwarpPackerOutputs outputs = cycle(*packer, inputs);
      EXPECT_TRUE(outputs.valid && outputs.last && outputs.busy);
      inputs = {.take = false};
    }
    EXPECT_FALSE(cycle(*packer, {}).busy);
    EXPECT_EQ(cycle(*packer, {.take = false}), SubwarpPackerOutputs{}) << "nothing to hold";
  }
}

TEST(SubwarpPacker, TheLastDecideOfACycleCounts) {
  const auto packer = make_subwarp_packer(kExample);
  packer->decide(load(mask_of_rows(kExampleRows), PackMode::packed));
  packer->decide({.load_valid = true});  // a broken promise, taken back
  packer->decide({});
  packer->commit();
  EXPECT_EQ(cycle(*packer, {}), SubwarpPackerOutputs{}) << "nothing was loaded";
}

TEST(SubwarpPacker, ResetEmptiesIt) {
  const auto packer = make_subwarp_packer(kExample);
  cycle(*packer, load(mask_of_rows(kExampleRows), PackMode::rows));
  packer->reset();
  EXPECT_EQ(cycle(*packer, {}), SubwarpPackerOutputs{});
  EXPECT_TRUE(cycle(*packer, load(mask_of_rows("1111"), PackMode::packed)).last);
}

TEST(SubwarpPacker, BrokenPromisesAreNamed) {
  const auto message = [](const SubwarpPackerConfig& config,
                          const std::vector<SubwarpPackerInputs>& cycles) {
    const auto packer = make_subwarp_packer(config);
    try {
      for (const SubwarpPackerInputs& inputs : cycles) cycle(*packer, inputs);
    } catch (const std::logic_error& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  const std::string begin = "sub-warp packer: the host broke a promise: ";
  const LargeWarpMask two = mask_of_rows("1000 1000");
  const SubwarpPackerInputs twice = load(two, PackMode::packed);
  EXPECT_EQ(message(kExample, {twice, twice}), begin + "a load while threads are left");
  SubwarpPackerInputs held = load(mask_of_rows("1000"), PackMode::once);
  held.take = false;
  EXPECT_EQ(message(kExample, {held, twice}), begin + "a load while threads are left");
  EXPECT_EQ(message(kExample, {load({}, PackMode::rows)}), begin + "a load without a thread");
  const std::string place = begin + "a thread in a row or lane that does not exist";
  EXPECT_EQ(message(kExample, {load(mask_of_rows("00001"), PackMode::rows)}), place);
  EXPECT_EQ(message({.lanes = 4, .rows = 1}, {twice}), place);
  SubwarpPackerConfig packed_only = kExample;
  packed_only.modes = 1;
  EXPECT_EQ(message(packed_only, {twice}), "none");
  EXPECT_EQ(message(packed_only, {load(two, PackMode::rows)}),
            begin + "a mode that does not exist");
}

TEST(SubwarpPacker, RefusesShapesThatCannotBe) {
  for (const SubwarpPackerConfig& wrong : std::vector<SubwarpPackerConfig>{{.lanes = 0},
                                                                           {.lanes = 33},
                                                                           {.rows = 0},
                                                                           {.rows = 33},
                                                                           {.modes = 0},
                                                                           {.modes = 2},
                                                                           {.modes = 8},
                                                                           {.modes = 9}}) {
    EXPECT_THROW(make_subwarp_packer(wrong), std::logic_error);
  }
}

// The controls of branches on the number of a thread.

TEST(SubwarpPackerControl, ABranchOnTheLaneGainsNothing) {
  LargeWarpMask odd{};
  std::fill_n(odd.begin(), 8, 0xaaaaaaaaU);  // tid & 1
  EXPECT_EQ(subwarps({}, odd, PackMode::packed).size(), 8U);
  EXPECT_EQ(subwarps({}, odd, PackMode::packed), subwarps({}, odd, PackMode::rows));
}

TEST(SubwarpPackerControl, ABranchOnTheRowIsFullAlready) {
  LargeWarpMask odd{};
  for (unsigned row = 1; row < 8; row += 2) odd[row] = ~LaneBits{0};  // (tid / 32) & 1
  EXPECT_EQ(subwarps({}, odd, PackMode::packed).size(), 4U);
  EXPECT_EQ(subwarps({}, odd, PackMode::packed), subwarps({}, odd, PackMode::rows));
}

/// Mean of the largest of `columns` binomial numbers of `rows` trials with probability `p`, and
/// its variance.
std::pair<double, double> largest_of_binomials(unsigned columns, unsigned rows, double p) {
  double mean = 0;
  double square = 0;
  double below = 0;  // probability that one is at most k - 1
  double term = std::pow(1 - p, rows);
  double previous = 0;  // probability that all are at most k - 1
  for (unsigned k = 0; k <= rows; ++k) {
    below += term;
    const double all = std::pow(std::min(below, 1.0), columns);
    mean += k * (all - previous);
    square += k * k * (all - previous);
    previous = all;
    term *= p / (1 - p) * (rows - k) / (k + 1);
  }
  return {mean, square - mean * mean};
}

TEST(SubwarpPackerControl, RandomMasksTakeTheBinomialMaximumOfTheColumns) {
  const std::uint64_t number = seed(20111203);
  SCOPED_TRACE("PAWS_SEED=" + std::to_string(number));
  std::mt19937_64 random(number);
  constexpr unsigned kMasks = 4000;
  for (const double p : {0.1, 0.5, 0.9}) {
    std::bernoulli_distribution active(p);
    const auto packer = make_subwarp_packer({});
    double sum = 0;
    for (unsigned i = 0; i < kMasks; ++i) {
      LargeWarpMask mask{};
      for (unsigned thread = 0; thread < 256; ++thread) {
        if (active(random)) mask[thread / 32] |= LaneBits{1} << thread % 32;
      }
      sum += static_cast<double>(subwarps(*packer, mask, PackMode::packed).size());
    }
    const auto [mean, variance] = largest_of_binomials(32, 8, p);
    EXPECT_NEAR(sum / kMasks, mean, 5 * std::sqrt(variance / kMasks)) << p;
  }
}

// The properties.

struct Shape {
  unsigned lanes;
  unsigned rows;
};
constexpr std::array<Shape, 8> kShapes{
    {{1, 1}, {4, 8}, {8, 3}, {32, 1}, {32, 4}, {32, 8}, {5, 16}, {32, 32}}};

constexpr std::array<PackMode, kPackModes> kModes{PackMode::packed, PackMode::rows, PackMode::once};

class PackerProperties : public testing::TestWithParam<Shape> {
 protected:
  static constexpr unsigned kLoads = 3000;

  PackerProperties()
      : config_{.lanes = GetParam().lanes, .rows = GetParam().rows},
        masks_(config_.lanes, config_.rows, seed(20111205)),
        trace_(__FILE__, __LINE__, "PAWS_SEED=" + std::to_string(seed(20111205))) {}

  SubwarpPackerConfig config_;
  RandomMasks masks_;
  testing::ScopedTrace trace_;
};

/// The sub-warps of a load that the back end took, one in `percent` of the cycles, from a packer
/// that stays as it is otherwise (P6). With the last one the packer is empty (P7, P8).
std::vector<Subwarp> held_subwarps(SubwarpPacker& packer, const LargeWarpMask& mask, PackMode mode,
                                   RandomMasks& random, unsigned percent) {
  std::vector<Subwarp> all;
  SubwarpPackerOutputs held;
  SubwarpPackerInputs inputs = load(mask, mode);
  for (bool ended = false; !ended; inputs = {}) {
    inputs.take = random.chance(percent);
    const SubwarpPackerOutputs outputs = cycle(packer, inputs);
    EXPECT_TRUE(outputs.valid);
    if (!outputs.valid) break;
    ended = outputs.last && inputs.take;
    EXPECT_EQ(outputs.busy, !ended);
    if (held.valid) {
      EXPECT_TRUE(outputs.mask == held.mask && outputs.row == held.row && outputs.last == held.last)
          << "P6";
    }
    held = inputs.take ? SubwarpPackerOutputs{} : outputs;
    if (inputs.take) all.push_back({outputs.mask, outputs.row});
  }
  if (random.chance(30)) {
    EXPECT_EQ(cycle(packer, {.take = random.chance(50)}), SubwarpPackerOutputs{}) << "P8";
  }
  return all;
}

TEST_P(PackerProperties, EveryThreadGoesOnce) {  // P1
  for (unsigned i = 0; i < kLoads; ++i) {
    const LargeWarpMask mask = masks_.next();
    for (const PackMode mode : kModes) {
      LargeWarpMask gone{};
      unsigned threads = 0;
      const std::vector<Subwarp> all = subwarps(config_, mask, mode);
      for (const Subwarp& each : all) {
        const LargeWarpMask these = threads_of(each.mask, each.row);
        threads += threads_in(these);
        for (unsigned row = 0; row < kMaxRows; ++row) gone[row] |= these[row];
      }
      if (mode == PackMode::once) {
        const Subwarp first = subwarps(config_, mask, PackMode::packed).front();
        ASSERT_EQ(all, std::vector{first});
      } else {
        ASSERT_EQ(gone, mask);
        ASSERT_EQ(threads, threads_in(mask));
      }
    }
  }
}

TEST_P(PackerProperties, AnIdleLaneHasRow0) {  // what P2 leaves open: a lane is one bit
  for (unsigned i = 0; i < kLoads; ++i) {
    const LargeWarpMask mask = masks_.next();
    for (const PackMode mode : kModes) {
      for (const Subwarp& each : subwarps(config_, mask, mode)) {
        for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
          if ((each.mask >> lane & 1U) == 0) {
            ASSERT_EQ(each.row[lane], 0U);
          }
        }
      }
    }
  }
}

TEST_P(PackerProperties, TakesAsManyCyclesAsItMust) {  // P3
  for (unsigned i = 0; i < kLoads; ++i) {
    const LargeWarpMask mask = masks_.next();
    ASSERT_EQ(subwarps(config_, mask, PackMode::packed).size(), highest_column(mask));
    ASSERT_EQ(subwarps(config_, mask, PackMode::rows).size(), rows_with_threads(mask));
    ASSERT_EQ(subwarps(config_, mask, PackMode::once).size(), 1U);
  }
}

TEST_P(PackerProperties, RowsAscendInEachColumnAndPackedSubwarpsShrink) {  // P4
  for (unsigned i = 0; i < kLoads; ++i) {
    const LargeWarpMask mask = masks_.next();
    for (const PackMode mode : {PackMode::packed, PackMode::rows}) {
      const std::vector<Subwarp> all = subwarps(config_, mask, mode);
      std::array<int, kMaxLanes> last{};
      last.fill(-1);
      for (std::size_t at = 0; at < all.size(); ++at) {
        if (mode == PackMode::packed && at > 0) {
          ASSERT_EQ(all[at].mask & ~all[at - 1].mask, 0U);
        }
        for (unsigned lane = 0; lane < config_.lanes; ++lane) {
          if ((all[at].mask >> lane & 1U) == 0) continue;
          ASSERT_LT(last[lane], all[at].row[lane]);
          last[lane] = all[at].row[lane];
        }
      }
    }
  }
}

TEST_P(PackerProperties, InRowModeAllLanesHaveOneRow) {  // P5
  for (unsigned i = 0; i < kLoads; ++i) {
    const LargeWarpMask mask = masks_.next();
    for (const Subwarp& each : subwarps(config_, mask, PackMode::rows)) {
      ASSERT_EQ(rows_with_threads(threads_of(each.mask, each.row)), 1U);
    }
  }
}

TEST_P(PackerProperties, HoldsChangeNothingButTheTime) {  // P6 to P8, one load after the other
  const auto packer = make_subwarp_packer(config_);
  for (unsigned i = 0; i < kLoads; ++i) {
    const LargeWarpMask mask = masks_.next();
    const PackMode mode = kModes[masks_.below(kPackModes)];
    const unsigned percent = masks_.chance(50) ? 100 : 40;
    ASSERT_EQ(held_subwarps(*packer, mask, mode, masks_, percent), subwarps(config_, mask, mode));
    if (HasFailure()) return;
  }
}

std::string shape_name(const testing::TestParamInfo<Shape>& info) {
  return std::to_string(info.param.lanes) + "_lanes_" + std::to_string(info.param.rows) + "_rows";
}

INSTANTIATE_TEST_SUITE_P(All, PackerProperties, testing::ValuesIn(kShapes), shape_name);

}  // namespace
}  // namespace paws::test
