// SPDX-License-Identifier: MIT
// Late ends, worked by hand: a warp leaves whatever place it is in without an issue
// (docs/reference/microarchitecture.md, "Late ends").
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "model/registry.h"
#include "model/scheduler.h"
#include "model/warp_mask.h"

namespace paws {
namespace {

SchedulerConfig config_of(const std::string& name, unsigned ready = 2) {
  SchedulerConfig config;
  EXPECT_EQ(set_scheduler_name(config, name), std::nullopt);
  config.warps = 8;
  config.ready = ready;
  return config;
}

/// A scheduler that is told what to do, cycle by cycle.
class Driven {
 public:
  explicit Driven(const SchedulerConfig& config) : scheduler_(make_model(config)) {
    inputs_.issue_en = true;
  }

  /// One cycle with these inputs, of which the levels stay.
  SchedulerOutputs cycle() {
    const SchedulerOutputs outputs = scheduler_->decide(inputs_);
    scheduler_->commit();
    inputs_.launch_valid = inputs_.end_valid = false;
    return outputs;
  }
  SchedulerOutputs launch(WarpId warp) {
    inputs_.launch_valid = true;
    inputs_.launch_warp = warp;
    return cycle();
  }
  SchedulerOutputs end(WarpId warp) {
    inputs_.end_valid = true;
    inputs_.end_warp = warp;
    return cycle();
  }
  SchedulerInputs& inputs() { return inputs_; }
  [[nodiscard]] std::string queues() const { return to_string(scheduler_->snapshot()); }

 private:
  std::unique_ptr<Scheduler> scheduler_;
  SchedulerInputs inputs_;
};

/// Warps 0 and 1 in ready, 2, 3 and 4 in active.
Driven five_warps(const SchedulerConfig& config) {
  Driven driven(config);
  for (const WarpId warp : {0U, 1U, 2U, 3U, 4U}) driven.launch(warp);
  EXPECT_EQ(driven.queues(), "ready [0 1] active [2 3 4] collector [] pending [] last issued none");
  return driven;
}

TEST(LateEnd, FreesAnEntryOfReadyThatIsFilledInTheNextCycle) {
  Driven driven = five_warps(config_of("two-level:rr"));
  EXPECT_FALSE(driven.end(0).quiet);
  EXPECT_EQ(driven.queues(), "ready [1] active [2 3 4] collector [] pending [] last issued none");
  driven.cycle();
  EXPECT_EQ(driven.queues(), "ready [1 2] active [3 4] collector [] pending [] last issued none");
}

TEST(LateEnd, OfAWaitingWarpOfReadyDoesNotReachPending) {
  Driven driven = five_warps(config_of("two-level:rr"));
  driven.inputs().waits = 0b11;
  driven.end(0);
  EXPECT_EQ(driven.queues(), "ready [] active [2 3 4] collector [] pending [1] last issued none");
}

TEST(LateEnd, InActiveTakesThePlaceOfThePromotion) {
  Driven driven = five_warps(config_of("two-level:rr"));
  driven.end(0);
  driven.end(3);
  EXPECT_EQ(driven.queues(), "ready [1] active [2 4] collector [] pending [] last issued none");
  driven.cycle();
  EXPECT_EQ(driven.queues(), "ready [1 2] active [4] collector [] pending [] last issued none");
}

TEST(LateEnd, InReadyLeavesThePromotionAlone) {
  Driven driven = five_warps(config_of("two-level:rr"));
  driven.end(0);
  driven.end(1);
  EXPECT_EQ(driven.queues(), "ready [2] active [3 4] collector [] pending [] last issued none");
}

TEST(LateEnd, InTheCollectorTakesThePlaceOfTheAdmission) {
  Driven driven = five_warps(config_of("two-level:rr"));
  driven.inputs().waits = driven.inputs().long_outstanding = 0b11;
  driven.cycle();
  driven.cycle();
  driven.cycle();
  EXPECT_EQ(driven.queues(), "ready [2 3] active [4] collector [] pending [0 1] last issued none");
  driven.inputs().waits = driven.inputs().long_outstanding = 0;
  driven.cycle();
  EXPECT_EQ(driven.queues(), "ready [2 3] active [4] collector [0 1] pending [] last issued none");
  driven.end(1);
  EXPECT_EQ(driven.queues(), "ready [2 3] active [4] collector [0] pending [] last issued none");
  driven.cycle();
  EXPECT_EQ(driven.queues(), "ready [2 3] active [4 0] collector [] pending [] last issued none");
}

TEST(LateEnd, OfAPendingWarpThatWouldWakeIsTheEnd) {
  Driven driven = five_warps(config_of("two-level:rr"));
  driven.inputs().waits = driven.inputs().long_outstanding = 0b11;
  driven.cycle();
  driven.inputs().waits = driven.inputs().long_outstanding = 0;
  driven.end(0);
  EXPECT_EQ(driven.queues(), "ready [2] active [3 4] collector [1] pending [] last issued none");
}

TEST(LateEnd, FreesTheSlotForTheNextCycle) {
  Driven driven = five_warps(config_of("two-level:gto"));
  driven.end(2);
  driven.launch(2);
  // The new warp of the slot is the youngest.
  EXPECT_EQ(driven.queues(), "ready [0 1] active [3 4 2] collector [] pending [] last issued none");
}

TEST(LateEnd, LeavesNoGreedyWarp) {
  for (const char* name : {"single:gto", "single:cggty"}) {
    Driven driven(config_of(name));
    for (const WarpId warp : {0U, 1U, 2U}) driven.launch(warp);
    driven.inputs().issuable = 0b010;
    EXPECT_EQ(driven.cycle().issue_warp, 1U);
    driven.inputs().issuable = 0;
    EXPECT_FALSE(driven.end(1).quiet);
    driven.launch(1);
    driven.inputs().issuable = 0b111;
    // The slot's next warp inherits nothing: the oldest issues, or, for CGGTY, the youngest.
    EXPECT_EQ(driven.cycle().issue_warp, name == std::string("single:gto") ? 0U : 1U) << name;
  }
}

TEST(LateEnd, BesideAnIssueLeavesTheIssuerGreedy) {
  Driven driven(config_of("single:gto"));
  for (const WarpId warp : {0U, 1U, 2U}) driven.launch(warp);
  driven.inputs().issuable = 0b010;
  driven.cycle();
  driven.inputs().issuable = 0b100;
  EXPECT_EQ(driven.end(1).issue_warp, 2U);
  driven.inputs().issuable = 0b101;
  EXPECT_EQ(driven.cycle().issue_warp, 2U);
}

TEST(LateEnd, EndsTheBarOfItsWarp) {
  Driven driven(config_of("single:cggty"));
  driven.launch(0);
  driven.inputs().issuable = driven.inputs().yields = 1;
  EXPECT_TRUE(driven.cycle().issue_valid);
  driven.inputs().issuable = 0;
  driven.inputs().issue_en = false;
  driven.end(0);
  driven.launch(0);
  driven.inputs().issuable = 1;
  driven.inputs().issue_en = true;
  EXPECT_TRUE(driven.cycle().issue_valid);
}

TEST(LateEnd, NoticesBrokenPromises) {
  const auto violation = [](WarpId warp, WarpMask issuable) -> std::string {
    Driven driven(config_of("single:rr"));
    driven.launch(0);
    driven.inputs().issuable = issuable;
    try {
      driven.end(warp);
    } catch (const std::logic_error& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(violation(0, 0), "none");
  EXPECT_EQ(violation(0, 1),
            "single:rr: the host broke a promise: late end of an issuable warp, slot 0");
  EXPECT_EQ(violation(1, 0),
            "single:rr: the host broke a promise: late end of a slot without a warp, slot 1");
  EXPECT_EQ(violation(8, 0),
            "single:rr: the host broke a promise: late end of a slot that does not exist, slot 8");
}

}  // namespace
}  // namespace paws
