// SPDX-License-Identifier: MIT
// Worked examples of single:youngest.
#include <gtest/gtest.h>

#include "tb/model/model_host.h"

namespace paws::test {
namespace {

TEST(Youngest, TakesTheLastLaunchedThatCanIssue) {
  ManualHost host("single:youngest", 8, 4);
  for (const WarpId warp : {2U, 3U, 0U}) host.launch(warp);
  EXPECT_EQ(host.issue(warps({0, 2, 3})).issue_warp, 0U);
  EXPECT_EQ(host.issue(warps({2, 3})).issue_warp, 3U);
  EXPECT_EQ(host.issue(warps({0, 2})).issue_warp, 0U);
}

TEST(Youngest, ARelaunchedSlotIsTheYoungest) {
  ManualHost host("single:youngest", 8, 4);
  for (const WarpId warp : {2U, 3U}) host.launch(warp);
  EXPECT_EQ(host.issue(warps({2}), warps({2})).issue_warp, 2U);  // warp 2 ends
  host.launch(2);
  EXPECT_EQ(host.issue(warps({2, 3})).issue_warp, 2U);
}

}  // namespace
}  // namespace paws::test
