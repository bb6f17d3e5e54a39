// SPDX-License-Identifier: MIT
// Worked examples of two-level:paws-at-once against two-level:paws: the order is the same, the
// admissions are not.
#include <gtest/gtest.h>

#include "tb/model/model_host.h"

namespace paws::test {
namespace {

/// Slots 0 to 3 have become pending, with lengths 9, 3, 7 and 1, and slots 4 to 6 fill ready.
ManualHost four_pending(const std::string& policy) {
  ManualHost host("two-level:" + policy, 8, 3);
  const std::vector<std::uint16_t> lengths{9, 3, 7, 1};
  for (WarpId warp = 0; warp < 4; ++warp) {
    host.launch(warp);
    host.steps(2);
    host.wait(warp, lengths[warp]);
    host.steps(2);
  }
  for (WarpId warp = 4; warp < 7; ++warp) host.launch(warp);
  host.steps(2);
  EXPECT_EQ(host.now().pending, warps({0, 1, 2, 3}));
  EXPECT_EQ(host.now().ready, (Queue{4, 5, 6}));
  return host;
}

void wake_all(ManualHost& host) {
  for (WarpId warp = 0; warp < 4; ++warp) host.complete(warp);
  host.step();
  EXPECT_EQ(host.now().collector, (Queue{0, 1, 2, 3}));
}

TEST(PawsAtOnce, AdmitsTheWholeCollectorInTheNextCycleInTheOrderOfPaws) {
  ManualHost host = four_pending("paws-at-once");
  wake_all(host);
  host.step();
  EXPECT_EQ(host.now().collector, Queue{});
  EXPECT_EQ(host.now().active, (Queue{3, 1, 2, 0}));
}

TEST(PawsAtOnce, AdmitsBesideALaunch) {
  ManualHost host = four_pending("paws-at-once");
  wake_all(host);
  host.launch(7, 8);
  EXPECT_EQ(host.now().collector, Queue{});
  EXPECT_EQ(host.now().active, (Queue{3, 1, 2, 7, 0}));
}

TEST(PawsAtOnce, PawsItselfAdmitsOneAndNoneBesideALaunch) {
  ManualHost host = four_pending("paws");
  wake_all(host);
  host.launch(7, 8);
  EXPECT_EQ(host.now().collector, (Queue{0, 1, 2, 3}));
  host.step();
  EXPECT_EQ(host.now().collector, (Queue{1, 2, 3}));
  EXPECT_EQ(host.now().active, (Queue{7, 0}));
}

}  // namespace
}  // namespace paws::test
