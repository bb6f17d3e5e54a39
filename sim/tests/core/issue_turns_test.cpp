// SPDX-License-Identifier: MIT
#include "sim/core/issue_turns.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace paws::core {
namespace {

TEST(IssueTurns, TwoSchedulersThatIssueInOneOfTwoCyclesAlternate) {
  const IssueTurns turns(2, 2);
  for (std::uint64_t cycle = 0; cycle < 10; ++cycle) {
    EXPECT_EQ(turns.enabled(0, cycle), cycle % 2 == 0);
    EXPECT_EQ(turns.enabled(1, cycle), cycle % 2 == 1);
    EXPECT_TRUE(turns.owns_shared_units(cycle % 2, cycle)) << "no other is enabled";
  }
}

TEST(IssueTurns, EnabledCyclesAreThoseOfTheRange) {
  for (const unsigned interval : {1U, 2U, 3U, 4U, 7U}) {
    const IssueTurns turns(4, interval);
    for (unsigned scheduler = 0; scheduler < 4; ++scheduler) {
      for (std::uint64_t from = 0; from < 12; ++from) {
        std::uint64_t enabled = 0;
        for (std::uint64_t to = from; to < from + 20; ++to) {
          ASSERT_EQ(turns.enabled_cycles(scheduler, from, to), enabled)
              << scheduler << " of interval " << interval << ", [" << from << ", " << to << ")";
          enabled += turns.enabled(scheduler, to) ? 1 : 0;
        }
      }
    }
  }
}

TEST(IssueTurns, OneOfThoseEnabledInACycleHasTheSharedUnitsAndAllInTurn) {
  for (const unsigned schedulers : {1U, 2U, 3U, 4U, 5U}) {
    for (const unsigned interval : {1U, 2U, 3U}) {
      const IssueTurns turns(schedulers, interval);
      std::vector<unsigned> had(schedulers);
      for (std::uint64_t cycle = 0; cycle < 120; ++cycle) {
        unsigned enabled = 0;
        unsigned owners = 0;
        for (unsigned scheduler = 0; scheduler < schedulers; ++scheduler) {
          if (!turns.enabled(scheduler, cycle)) continue;
          ++enabled;
          if (!turns.owns_shared_units(scheduler, cycle)) continue;
          ++owners;
          ++had[scheduler];
        }
        ASSERT_EQ(owners, enabled > 0 ? 1U : 0U) << schedulers << " schedulers, cycle " << cycle;
      }
      for (const unsigned turn : had) EXPECT_GT(turn, 0U);
    }
  }
}

}  // namespace
}  // namespace paws::core
