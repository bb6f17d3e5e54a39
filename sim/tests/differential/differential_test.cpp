// SPDX-License-Identifier: MIT
// Random programs, generated when the tests are built, against the same programs in C++, which the
// host's compiler compiles.
#include <gtest/gtest.h>

#include "sim/exec/lanes/select.h"
#include "sim/tests/differential/compare.h"

namespace paws::differential {
namespace {

const Program& program(int index) {
  return paws_differential_programs().list[static_cast<std::size_t>(index)];
}

class Differential : public testing::TestWithParam<int> {};

TEST_P(Differential, LeavesWhatTheHostLeaves) {
  const std::uint64_t first = input_seed();
  for (std::uint64_t seed = first; seed < first + 2; ++seed) {
    EXPECT_EQ(difference(program(GetParam()), seed), "") << "PAWS_SEED=" << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, Differential,
                         testing::Range(0, static_cast<int>(paws_differential_programs().count)),
                         [](const testing::TestParamInfo<int>& index) {
                           return program(index.param).name;
                         });

TEST(DifferentialPrograms, RunOnTheBaselineToo) {
  EXPECT_EQ(exec::lane_levels().front(), exec::LaneLevel::baseline);
}

TEST(DifferentialPrograms, AreAFewThousandInstructions) {
  std::size_t instructions = 0;
  const Programs programs = paws_differential_programs();
  for (std::size_t i = 0; i < programs.count; ++i) instructions += programs.list[i].instructions;
  EXPECT_GT(instructions, 4000U);
}

}  // namespace
}  // namespace paws::differential
