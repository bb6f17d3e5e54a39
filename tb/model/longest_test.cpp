// SPDX-License-Identifier: MIT
// Worked examples of two-level:longest.
#include <gtest/gtest.h>

#include "tb/model/model_host.h"

namespace paws::test {
namespace {

Queue order(const std::vector<std::uint16_t>& lengths, const Queue& wake_order) {
  return active_after_wakes(configuration("two-level:longest", 8, 4), lengths, wake_order);
}

TEST(Longest, PromotesTheLongestPhaseFirst) {
  EXPECT_EQ(order({9, 3, 7, 1}, {2, 0, 3, 1}), (Queue{0, 2, 1, 3}));
}

TEST(Longest, TiesGoByAge) { EXPECT_EQ(order({5, 4, 5, 4}, {2, 3, 0, 1}), (Queue{0, 2, 1, 3})); }

TEST(Longest, KeepsShortPhasesForLast) {
  // Fig. 5(a) of the PAWS paper, where PAWS returns to the short phase of fetch group 1: this one
  // goes on to the medium phase of fetch group 4, as round robin does.
  PhaseHost host(configuration("two-level:longest", 8, 2),
                 {.phases = {20, 6, 100}, .memory_latency = 65});
  const PhaseHost::Run run = host.run();
  ASSERT_GE(run.selections.size(), 4U);
  EXPECT_EQ(run.selections[3], (PhaseHost::Selection{.group = 4, .phase = 1}));
}

TEST(Longest, LivesInTheModelAlone) {
  EXPECT_FALSE(has_rtl(configuration("two-level:longest", 8, 4)));
}

}  // namespace
}  // namespace paws::test
