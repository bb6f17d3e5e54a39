// SPDX-License-Identifier: MIT
#include "sim/blocks/block_policies.h"

#include <set>

#include "sim/support/error.h"
#include "sim/tests/blocks/support.h"

namespace paws {
namespace {

std::string error(const std::string& name) {
  try {
    block_scheduler(name, {});
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(BlockPolicies, EveryOneOfTheListCanBeMade) {
  std::set<std::string> names;
  for (const NamedChoice& policy : block_policies()) {
    EXPECT_TRUE(names.insert(policy.name).second) << policy.name;
    std::string name = policy.name;
    if (policy.parameter == "N") name += ":2";
    if (policy.parameter == "N,M") name += ":2,3";
    const auto scheduler = block_scheduler(name, {})(2, 10);
    begin(*scheduler, 3, 4, 0);
    EXPECT_EQ(hand_out(*scheduler, 10).size(), 3U) << name;
  }
  EXPECT_EQ(block_policies().front().name, kRoundRobinBlocks);
}

TEST(BlockPolicies, TheLimitIsThatOfTheName) {
  const auto scheduler = block_scheduler("limit:2", {})(1, 10);
  begin(*scheduler, 10, 4, 0);
  EXPECT_EQ(hand_out(*scheduler, 10).size(), 2U);
}

TEST(BlockPolicies, AWrongNameIsToldWithTheRightOnes) {
  EXPECT_EQ(error("rr2"),
            "unknown block scheduler 'rr2' (block schedulers: rr, limit:N, lcs, bcs, lcs+bcs, cke, "
            "mcke:N,M)");
}

TEST(BlockPolicies, NegativeControlsAreMadeAndNotOffered) {
  std::set<std::string> controls;
  for (const NamedChoice& policy : block_policies()) {
    if (policy.control) controls.insert(policy.name);
  }
  EXPECT_EQ(controls, (std::set<std::string>{"random-limit", "random-pairs"}));
  for (const std::string& name : controls) {
    EXPECT_EQ(error(name), "");
    EXPECT_EQ(error("rr2").find(name), std::string::npos);
  }
}

TEST(BlockPolicies, AWrongParameterIsToldWithWhatIsExpected) {
  for (const char* name : {"limit", "limit:", "limit:0", "limit:x", "limit:1,2", "limit:-1"}) {
    EXPECT_EQ(error(name),
              std::string("--blocks ") + name + ": expected limit:N, whole numbers from 1 on");
  }
  for (const char* name : {"mcke", "mcke:1", "mcke:1,", "mcke:,1", "mcke:1,2,3"}) {
    EXPECT_EQ(error(name),
              std::string("--blocks ") + name + ": expected mcke:N,M, whole numbers from 1 on");
  }
  EXPECT_EQ(error("lcs:3"), "--blocks lcs:3: expected lcs");
  EXPECT_EQ(error("rr:"), "--blocks rr:: expected rr");
}

}  // namespace
}  // namespace paws
