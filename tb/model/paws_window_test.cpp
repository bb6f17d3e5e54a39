// SPDX-License-Identifier: MIT
// Worked examples of single:paws-window, and the parameters of policies as a configuration has
// them.
#include <gtest/gtest.h>

#include <map>
#include <stdexcept>
#include <string>

#include "model/registry.h"
#include "tb/model/model_host.h"

namespace paws::test {
namespace {

SchedulerConfig with_window(const std::string& name, unsigned window) {
  SchedulerConfig config = configuration(name, 8, 4);
  config.parameters["window"] = window;
  return config;
}

/// The warp that issues when all warps can. Slots 3, 1, 2, 0 are launched in this order, and the
/// distance of slot w is distances[w].
WarpId first_of_all(const SchedulerConfig& config, const std::vector<std::uint16_t>& distances) {
  ManualHost host(config);
  for (const WarpId warp : {3U, 1U, 2U, 0U}) host.launch(warp, distances.at(warp));
  return host.issue(warps({0, 1, 2, 3})).issue_warp;
}

TEST(PawsWindow, OfOneWarpIsTheOldest) {
  EXPECT_EQ(first_of_all(with_window("single:paws-window", 1), {1, 2, 3, 9}), 3U);
}

TEST(PawsWindow, TakesTheSmallestDistanceOfTheOldest) {
  EXPECT_EQ(first_of_all(with_window("single:paws-window", 2), {1, 5, 2, 9}), 1U);
  EXPECT_EQ(first_of_all(with_window("single:paws-window", 3), {1, 5, 2, 9}), 2U);
}

TEST(PawsWindow, OfAllWarpsIsPaws) {
  const std::vector<std::uint16_t> distances{1, 5, 2, 9};
  EXPECT_EQ(first_of_all(with_window("single:paws-window", 8), distances), 0U);
  EXPECT_EQ(first_of_all(configuration("single:paws", 8, 4), distances), 0U);
}

TEST(PawsWindow, EqualDistancesGoToTheOldest) {
  EXPECT_EQ(first_of_all(with_window("single:paws-window", 3), {7, 7, 7, 9}), 1U);
}

TEST(PawsWindow, CountsWarpsThatCanIssueAndNoOthers) {
  ManualHost host(with_window("single:paws-window", 2));
  for (const WarpId warp : {3U, 1U, 2U, 0U})
    host.launch(warp, static_cast<std::uint16_t>(10 - warp));
  EXPECT_EQ(host.issue(warps({0, 1, 2})).issue_warp, 2U);
}

TEST(PawsWindow, HasFourWarpsByDefault) {
  const SchedulerConfig config = configuration("single:paws-window", 8, 4);
  EXPECT_EQ(policy_parameters(config), (std::map<std::string, unsigned>{{"window", 4}}));
  EXPECT_EQ(first_of_all(config, {1, 5, 2, 9}), 0U);
}

TEST(PolicyParameters, AreThoseOfThePolicyAndWithinTheirLimits) {
  const auto wrong = [](const std::string& name, unsigned window) {
    return check(with_window(name, window)).value_or("");
  };
  EXPECT_EQ(wrong("single:paws-window", 1), "");
  EXPECT_EQ(wrong("single:paws-window", 64), "");
  EXPECT_EQ(wrong("single:paws-window", 0), "policy.window is 0 but must be 1 to 64");
  EXPECT_EQ(wrong("single:paws-window", 65), "policy.window is 65 but must be 1 to 64");
  EXPECT_EQ(wrong("single:paws", 4),
            "scheduler single:paws has no parameter 'window'; it has none");
  SchedulerConfig config = configuration("single:paws-window", 8, 4);
  config.parameters["windows"] = 4;
  EXPECT_EQ(check(config).value_or(""),
            "scheduler single:paws-window has no parameter 'windows'; it has window");
  EXPECT_THROW(make_model(config), std::invalid_argument);
}

TEST(PolicyParameters, AreForgottenWithThePolicy) {
  SchedulerConfig config = with_window("single:paws-window", 2);
  EXPECT_EQ(set_scheduler_name(config, "single:paws-window"), std::nullopt);
  EXPECT_EQ(config.parameters.at("window"), 2U);
  EXPECT_EQ(set_scheduler_name(config, "single:paws"), std::nullopt);
  EXPECT_TRUE(config.parameters.empty());
}

TEST(PolicyParameters, BelongToPoliciesOfTheModelAlone) {
  for (const Policy& policy : policies()) {
    EXPECT_TRUE(policy.parameters.empty() || !policy.rtl_code) << policy.name;
  }
}

}  // namespace
}  // namespace paws::test
