// SPDX-License-Identifier: MIT
// Names of schedulers, limits of their configurations, and promises that a host can break.
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "model/scheduler.h"
#include "tb/model/model_host.h"

namespace paws::test {
namespace {

std::string unknown(const std::string& name) {
  std::string message = "unknown scheduler '" + name + "'; known are";
  for (const std::string& known : scheduler_names()) message += " " + known;
  return message;
}

TEST(Names, AreThereOnceAndTellWhichHaveRtl) {
  const std::vector<std::string> names = scheduler_names();
  for (const char* name : {"single:rr", "single:gto", "single:paws", "single:oldest",
                           "two-level:rr", "two-level:gto", "two-level:paws"}) {
    EXPECT_TRUE(has_rtl(configuration(name, 24, 6))) << name;
  }
  for (const char* name : {"two-level:longest", "two-level:paws-in-ready"}) {
    EXPECT_FALSE(has_rtl(configuration(name, 24, 6))) << name;
  }
  for (const std::string& name : names) EXPECT_EQ(std::ranges::count(names, name), 1) << name;
}

TEST(Names, LeadToASchedulerAndBack) {
  for (const std::string& name : scheduler_names()) {
    const SchedulerConfig config = configuration(name, 8, 3);
    EXPECT_EQ(scheduler_name(config), name);
    EXPECT_EQ(check(config), std::nullopt);
    const auto scheduler = make_model(config);
    EXPECT_EQ(scheduler->config(), config);
    EXPECT_EQ(scheduler->snapshot(), QueueSnapshot{});
  }
}

TEST(Names, AnUnknownOneIsNamedAndChangesNothing) {
  SchedulerConfig config;
  const SchedulerConfig before = config;
  EXPECT_EQ(set_scheduler_name(config, "paws"), unknown("paws"));
  EXPECT_EQ(set_scheduler_name(config, "two-level:oldest"), unknown("two-level:oldest"));
  EXPECT_EQ(set_scheduler_name(config, ""), unknown(""));
  EXPECT_EQ(config, before);
  config.policy = "lrr";
  EXPECT_FALSE(has_rtl(config));
}

SchedulerConfig two_level(unsigned warps, unsigned ready, unsigned phase_bits) {
  SchedulerConfig config;
  config.warps = warps;
  config.ready = ready;
  config.phase_bits = phase_bits;
  return config;
}

SchedulerConfig of_policy(Level level, const std::string& policy) {
  SchedulerConfig config;
  config.level = level;
  config.policy = policy;
  return config;
}

void expect_refused(const SchedulerConfig& config, const std::string& message) {
  EXPECT_EQ(check(config), message);
  try {
    make_model(config);
    ADD_FAILURE() << "accepted in spite of: " << message;
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(error.what(), message);
  }
}

TEST(Configuration, OutOfRangeIsRefusedWithOneMessage) {
  expect_refused(two_level(3, 2, 9), "warps is 3 but must be 4 to 64");
  expect_refused(two_level(65, 6, 9), "warps is 65 but must be 4 to 64");
  expect_refused(two_level(24, 0, 9), "ready is 0 but must be 1 to 24 (warps)");
  expect_refused(two_level(24, 25, 9), "ready is 25 but must be 1 to 24 (warps)");
  expect_refused(two_level(24, 6, 1), "phase_bits is 1 but must be 2 to 16");
  expect_refused(two_level(24, 6, 17), "phase_bits is 17 but must be 2 to 16");
  SchedulerConfig single = of_policy(Level::single, "paws");
  single.phase_bits = 17;
  expect_refused(single, "phase_bits is 17 but must be 2 to 16");
  for (const unsigned precision : {0U, 17U}) {
    SchedulerConfig config = two_level(24, 6, 9);
    config.key_precision = precision;
    expect_refused(config,
                   "key_precision is " + std::to_string(precision) + " but must be 1 to 16");
  }
}

TEST(Configuration, AnAgeLimitFitsSixteenBits) {
  SchedulerConfig config = two_level(24, 6, 9);
  config.age_limit = 65535;
  EXPECT_EQ(check(config), std::nullopt);
  config.age_limit = 65536;
  expect_refused(config, "age_limit is 65536 but must be 0 to 65535");
}

TEST(Configuration, AnUnknownPolicyIsRefusedWithOneMessage) {
  expect_refused(of_policy(Level::two_level, "oldest"), unknown("two-level:oldest"));
  expect_refused(of_policy(Level::single, "longest"), unknown("single:longest"));
  expect_refused(of_policy(Level::two_level, ""), unknown("two-level:"));
}

TEST(Configuration, LimitsThemselvesAreLegal) {
  EXPECT_EQ(check(two_level(4, 1, 4)), std::nullopt);
  EXPECT_EQ(check(two_level(64, 64, 16)), std::nullopt);
  SchedulerConfig single = of_policy(Level::single, "gto");
  single.warps = 4;
  EXPECT_EQ(check(single), std::nullopt) << "the single level does not use ready";
}

TEST(Snapshot, IsPrintedQueueByQueue) {
  QueueSnapshot snapshot;
  EXPECT_EQ(to_string(snapshot), "ready [] active [] collector [] pending [] last issued none");
  snapshot.ready = {3, 1};
  snapshot.active = {2};
  snapshot.collector = {6, 7};
  snapshot.pending = warps({0, 5});
  snapshot.last_issued = 1;
  EXPECT_EQ(to_string(snapshot),
            "ready [3 1] active [2] collector [6 7] pending [0 5] last issued 1");
  snapshot.due = warps({2});
  EXPECT_EQ(to_string(snapshot),
            "ready [3 1] active [2] collector [6 7] pending [0 5] due [2] last issued 1");
  snapshot = {};
  snapshot.barred = warps({3});
  EXPECT_EQ(to_string(snapshot),
            "ready [] active [] collector [] pending [] last issued none barred [3]");
  snapshot = {};
  snapshot.group = GroupTurn{.pair = 5, .row = 2, .last_second = true};
  EXPECT_EQ(to_string(snapshot),
            "ready [] active [] collector [] pending [] last issued none group pair 5 row 2, the "
            "second issued last");
}

/// The message of the cycle that `host.in` describes.
std::string message(ManualHost& host) {
  try {
    host.step();
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "none";
}

class Promises : public testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] std::string expected(const std::string& what) const {
    return GetParam() + ": the host broke a promise: " + what;
  }
};

TEST_P(Promises, OfTheHostAreChecked) {
  ManualHost host(GetParam(), 8, 2);
  host.launch(3);
  host.in.issuable = warps({3, 6});
  EXPECT_EQ(message(host), expected("issuable without a warp, slot 6"));
  host.in.issuable = 0;
  host.request_launch(3);
  EXPECT_EQ(message(host), expected("launch into a slot that holds a warp, slot 3"));
  host.in.launch_warp = 8;
  EXPECT_EQ(message(host), expected("launch into a slot that does not exist, slot 8"));
}

TEST_P(Promises, CountForTheInputsThatTheCycleEndsWith) {
  ManualHost host(GetParam(), 8, 2);
  SchedulerInputs broken;
  broken.issuable = warps({6});
  host.scheduler().decide(broken);
  EXPECT_EQ(message(host), "none") << "asked once more, with other inputs";
  host.scheduler().decide(host.in);
  host.scheduler().decide(broken);
  EXPECT_THROW(host.scheduler().commit(), std::logic_error);
}

TEST_P(Promises, TheSlotOfAnExitIsLiveInItsOwnCycle) {
  ManualHost host(GetParam(), 8, 2);
  host.launch(3);
  host.step();
  host.in.issue_en = true;
  host.in.issuable = host.in.exits = warps({3});
  host.request_launch(3);
  EXPECT_EQ(message(host), expected("launch into a slot that holds a warp, slot 3"));
}

INSTANTIATE_TEST_SUITE_P(All, Promises, testing::ValuesIn(scheduler_names()), test_name);

TEST(TwoLevelPromises, OnWaitsAreChecked) {
  ManualHost host("two-level:gto", 8, 2);
  host.launch(3);
  host.in.waits = warps({4});
  EXPECT_THROW(host.step(), std::logic_error);
  host.in.issuable = host.in.waits = warps({3});
  EXPECT_THROW(host.step(), std::logic_error);
  ManualHost single("single:gto", 8, 2);
  single.in.waits = warps({4});
  EXPECT_NO_THROW(single.step()) << "the single level has no such port";
}

TEST(TlvPromises, OnWaitsAreChecked) {
  ManualHost host("single:tlv", 8, 2);
  host.launch(3);
  host.in.waits = warps({4});
  EXPECT_EQ(message(host), "single:tlv: the host broke a promise: waiting without a warp, slot 4");
}

class ScaPromises : public testing::Test {
 protected:
  ScaPromises() : host_("single:sca", 8, 2) {
    host_.launch(3);
    host_.launch(4);
    host_.step();
  }
  void expect_broken(const std::string& what) {
    EXPECT_EQ(message(host_), "single:sca: the host broke a promise: " + what);
  }

  ManualHost host_;
};

TEST_F(ScaPromises, AWarpKeepsItsPlaceWhileItLives) {
  const SchedulerInputs good = host_.in;
  place(host_.in, 3, 1, 1, true);
  expect_broken("pair, row or second changed while the warp lives, slot 3");
  place(host_.in, 3, 0, 3, true);
  expect_broken("pair, row or second changed while the warp lives, slot 3");
  place(host_.in, 3, 0, 1, false);
  expect_broken("pair, row or second changed while the warp lives, slot 3");
  host_.in = good;
  EXPECT_EQ(message(host_), "none");
}

TEST_F(ScaPromises, FromTheCycleAfterItsLaunchUntilItsExitIssues) {
  place(host_.in, 5, 7, 3, true);
  EXPECT_EQ(message(host_), "none") << "a free slot";
  host_.request_launch(5);
  EXPECT_EQ(message(host_), "none") << "the cycle of its launch";
  host_.in.launch_valid = false;
  place(host_.in, 5, 6, 2, true);
  EXPECT_EQ(message(host_), "none") << "the first cycle that counts";
  host_.issue(warps({5}), warps({5}));
  place(host_.in, 5, 0, 1, true);
  EXPECT_EQ(message(host_), "none") << "free again, though in the place of 3";
  host_.request_launch(5);
  EXPECT_EQ(message(host_), "none");
  host_.in.launch_valid = false;
  expect_broken("pair, row and second of another warp too, slot 3");
}

TEST_F(ScaPromises, NumbersFitTheirPorts) {
  host_.launch(5);
  place(host_.in, 5, 8, 0, false);
  expect_broken("pair too large, slot 5");
  place(host_.in, 5, 7, 4, false);
  expect_broken("row too large, slot 5");
  place(host_.in, 5, 7, 3, false);
  EXPECT_EQ(message(host_), "none");
}

TEST_F(ScaPromises, AreOfNoConcernToOtherPolicies) {
  ManualHost host("single:gto", 8, 2);
  host.launch(3);
  host.launch(4);
  place(host.in, 3, 9, 9, false);
  place(host.in, 4, 9, 9, false);
  EXPECT_EQ(message(host), "none");
  place(host.in, 4, 0, 0, false);
  EXPECT_EQ(message(host), "none");
}

TEST_F(ScaPromises, AreForgottenWithAReset) {
  host_.scheduler().reset();
  place(host_.in, 3, 1, 1, true);
  host_.launch(3);
  EXPECT_EQ(message(host_), "none");
}

}  // namespace
}  // namespace paws::test
