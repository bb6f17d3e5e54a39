// SPDX-License-Identifier: MIT
// Decisions in words, on situations set up by hand.

#include "sim/trace/reason.h"

#include <gtest/gtest.h>

#include "model/warp_mask.h"
#include "sim/trace/condition.h"

namespace paws::trace {
namespace {

/// A scheduler of 8 warps beside its recording.
class Situation {
 public:
  explicit Situation(const std::string& scheduler, unsigned age_limit = 0)
      : Situation(scheduler, {.warps = 8, .ready = 2, .phase_bits = 6, .age_limit = age_limit}) {}
  Situation(const std::string& scheduler, const SchedulerConfig& sizes)
      : shadow_(config_of(scheduler, sizes)) {
    model_ = make_model(shadow_.config());
  }

  /// Launches warps 0, 1, ... with these phase lengths, in the groups that `step` has; none of them
  /// can do anything yet.
  void launch(const std::vector<std::uint16_t>& phases) {
    const SchedulerInputs groups = step.inputs;
    for (WarpId warp = 0; warp < phases.size(); ++warp) {
      step.inputs = {};
      step.inputs.pair = groups.pair;
      step.inputs.row = groups.row;
      step.inputs.second = groups.second;
      step.inputs.phase = phase_;
      step.inputs.phase[warp] = phases[warp];
      phase_ = step.inputs.phase;
      step.inputs.launch_valid = true;
      step.inputs.launch_warp = warp;
      enter();
      leave();
      step.warps.live |= mask_of(warp);
    }
    step.inputs.launch_valid = false;
    step.inputs.launch_warp = 0;
    for (unsigned i = 0; i < 4; ++i) {
      enter();
      leave();
    }
  }

  void can(WarpMask warps) {
    step.inputs.issue_en = true;
    step.inputs.issuable = warps;
    step.warps.decoded |= warps;
    step.warps.clear |= warps;
  }
  void enter() {
    step.outputs = model_->decide(step.inputs);
    shadow_.enter(step);
  }
  void leave() {
    model_->commit();
    shadow_.leave();
  }
  [[nodiscard]] std::string why() const { return reason(shadow_, step); }
  [[nodiscard]] const Shadow& shadow() const { return shadow_; }

  SchedulerStep step;

 private:
  static SchedulerConfig config_of(const std::string& scheduler, SchedulerConfig config) {
    set_scheduler_name(config, scheduler);
    return config;
  }

  Shadow shadow_;
  std::unique_ptr<Scheduler> model_;
  std::array<std::uint16_t, kMaxWarps> phase_{};
};

TEST(Reason, TwoLevelSaysPlaceAndWhatStandsBefore) {
  Situation at("two-level:paws");
  at.launch({9, 8, 7, 6});
  at.can(0b1010);
  at.step.warps.decoded |= 0b0001;
  at.enter();
  // Promoted in the order of launch, as ready had room: 0 and 1.
  EXPECT_EQ(at.shadow().describe_queues(), "ready [0 1] active [3:6 2:7] collector [] pending []");
  EXPECT_EQ(decision(at.step.outputs), "issue warp 1");
  EXPECT_EQ(at.why(), "head-most issuable of ready (place 2 of 2), before it 1 operand");
}

TEST(Reason, TwoLevelSaysWhyNothingIssues) {
  Situation at("two-level:rr");
  at.launch({9, 8, 7, 6});
  at.can(0b1000);
  at.step.warps.decoded |= 0b0011;
  at.step.warps.clear |= 0b0010;
  at.step.inputs.waits = 0b0001;
  at.enter();
  EXPECT_EQ(at.why(), "no warp of ready issuable: 1 memory, 1 unit busy; outside ready: 3");
  EXPECT_EQ(movements(at.shadow(), at.step), "0 leaves ready (phase 9)");
  at.leave();
  at.step.inputs.waits = 0;
  at.enter();
  EXPECT_EQ(at.shadow().describe_queues(), "ready [1] active [2 3] collector [] pending [0]");
  EXPECT_EQ(movements(at.shadow(), at.step), "0 wakes, 2 promoted to ready");
  EXPECT_EQ(at.shadow().place(0), Place::pending);
}

TEST(Reason, SingleLevelSaysWhatThePolicyComparesBy) {
  Situation gto("single:gto");
  gto.launch({9, 8, 7});
  gto.can(0b110);
  gto.enter();
  EXPECT_EQ(gto.why(), "no greedy warp; oldest of 2 issuable");
  gto.leave();
  gto.enter();
  EXPECT_EQ(gto.why(), "greedy: the last issued");
  gto.leave();
  gto.step.inputs.issuable = 0b101;
  gto.enter();
  EXPECT_EQ(gto.why(), "the last issued, 1, cannot; oldest of 2 issuable");

  Situation paws("single:paws");
  paws.launch({9, 7, 7});
  paws.can(0b111);
  paws.enter();
  EXPECT_EQ(decision(paws.step.outputs), "issue warp 1");
  EXPECT_EQ(paws.why(), "smallest phase distance of 3 issuable, 7, oldest of 2 with it");

  Situation rr("single:rr");
  rr.launch({9, 7, 7});
  rr.can(0b111);
  rr.enter();
  rr.leave();
  rr.enter();
  EXPECT_EQ(rr.why(), "first issuable slot after 0");
  rr.leave();
  rr.step.inputs.issue_en = false;
  rr.enter();
  EXPECT_EQ(rr.why(), "not enabled; issuable: 0 1 2");
}

TEST(Reason, TwoLevelSaysWhoIsDueAndWhoIsRelieved) {
  Situation at("two-level:paws", 2);
  at.launch({9, 8, 7, 6});
  at.can(0b0011);
  at.enter();
  EXPECT_EQ(movements(at.shadow(), at.step), "");
  at.leave();
  at.enter();
  EXPECT_EQ(movements(at.shadow(), at.step), "2 3 due");
  at.leave();
  at.enter();
  EXPECT_EQ(at.shadow().describe_queues(),
            "ready [0 1] active [3:6 2:7] collector [] pending [] due [2 3]");
  at.leave();
  at.step.inputs.phase[1] = 5;
  at.enter();
  EXPECT_EQ(decision(at.step.outputs), "issue warp 1");
  EXPECT_EQ(movements(at.shadow(), at.step), "1 relieved (phase 5)");
  at.leave();
  at.enter();
  EXPECT_EQ(movements(at.shadow(), at.step), "1 wakes, 3 promoted to ready");
  at.leave();
  at.enter();
  at.leave();
  at.enter();
  EXPECT_EQ(at.shadow().key(1), 5U);
}

TEST(Reason, SingleLevelSaysWhoIsDue) {
  Situation gto("single:gto", 1);
  gto.launch({9, 8, 7});
  gto.can(0b111);
  gto.enter();
  EXPECT_EQ(movements(gto.shadow(), gto.step), "1 2 due");
  gto.leave();
  gto.enter();
  EXPECT_EQ(gto.shadow().describe_queues(), "last issued 0 due [1 2]");
  EXPECT_EQ(gto.why(), "the last issued, 0, is not due; oldest of 2 due");
  gto.leave();
  gto.step.inputs.issuable = 0b101;
  gto.enter();
  EXPECT_EQ(gto.why(), "the last issued, 1, cannot; oldest of 1 due");

  Situation paws("single:paws", 1);
  paws.launch({9, 7, 7});
  paws.can(0b111);
  paws.enter();
  paws.leave();
  paws.enter();
  EXPECT_EQ(paws.why(), "smallest phase distance of 2 due, 7");
}

TEST(Reason, OfAYoungestWarpAndABarredOne) {
  Situation at("single:cggty");
  at.launch({1, 1, 1});
  at.can(0b011);
  at.enter();
  EXPECT_EQ(at.why(), "no greedy warp; youngest of 2 issuable");
  at.leave();
  at.step.inputs.yields = 0b010;
  at.enter();
  EXPECT_EQ(at.why(), "greedy: the last issued");
  at.leave();
  at.enter();
  EXPECT_EQ(at.shadow().describe_queues(), "last issued 1 barred [1]");
  EXPECT_EQ(at.why(), "the last issued, 1, is barred; youngest of 1 issuable");
  at.leave();
  at.can(0b010);
  at.enter();
  EXPECT_EQ(at.why(), "the last issued, 0, cannot; youngest of 1 issuable");
  at.leave();
  at.enter();
  EXPECT_EQ(decision(at.step.outputs), "no issue");
  EXPECT_EQ(at.why(), "barred: 1");
}

TEST(Reason, OfAnOrder) {
  Situation at("single:paws-ordered");
  at.launch({5, 3, 4});
  at.can(0b011);
  at.enter();
  EXPECT_EQ(at.why(), "first in the order of 2 issuable, phase distance 3");
  at.leave();
  // Both others move at once. The issuer is placed first, so both wait when the next choice is
  // made.
  at.step.inputs.issue_en = false;
  at.step.inputs.phase[0] = 2;
  at.step.inputs.phase[2] = 1;
  at.enter();
  at.leave();
  at.can(0b111);
  at.enter();
  EXPECT_EQ(at.why(),
            "first in the order of 1 issuable, phase distance 3; wait for their places: 0 2");
}

TEST(Reason, OfGroups) {
  Situation at("single:sca");
  at.step.inputs.pair = {0, 0, 0, 0, 1};
  at.step.inputs.row = {0, 0, 1, 1, 0};
  at.step.inputs.second = 0b01010;
  at.launch({1, 1, 1, 1, 1});
  at.can(0b11111);
  at.enter();
  EXPECT_EQ(at.shadow().describe_queues(), "none issued last");
  EXPECT_EQ(at.why(), "first member of row 0 of pair 0: the group of the oldest");
  at.leave();
  at.enter();
  EXPECT_EQ(at.shadow().describe_queues(), "last issued the first of row 0 of pair 0");
  EXPECT_EQ(at.why(), "second member of the last group: its turn");
  at.leave();
  at.can(0b11000);
  at.enter();
  EXPECT_EQ(at.why(), "next group: second member of row 1");
  at.leave();
  at.enter();
  EXPECT_EQ(at.why(), "second member of the last group: the other cannot issue or has ended");
  at.leave();
  at.can(0b10000);
  at.enter();
  EXPECT_EQ(at.why(), "first member of row 0 of pair 1: the group of the oldest");
  EXPECT_EQ(group_list(at.step.inputs, 0b10010), "1:0/0 second 4:1/0 first");
  EXPECT_EQ(group_list(at.step.inputs, 0), "none");
}

TEST(Reason, FetchGroupsSayWhyTheyAreLeft) {
  Situation at("single:group",
               SchedulerConfig{.warps = 8, .phase_bits = 6, .group = 2, .group_timeout = 2});
  at.launch({1, 1, 1, 1, 1, 1});
  at.can(0b1);
  at.enter();
  EXPECT_EQ(at.why(), "first issuable slot of fetch group 0");
  at.leave();
  at.can(0b11);
  at.enter();
  EXPECT_EQ(at.why(), "fetch group 0: in turn after 0");
  at.leave();
  at.can(0b110001);
  at.enter();
  EXPECT_EQ(decision(at.step.outputs), "issue warp 4");
  EXPECT_EQ(at.why(), "lowest issuable slot of fetch group 2: group 0 has had its issues");
  at.leave();
  at.can(0b1000);
  at.enter();
  EXPECT_EQ(at.why(), "lowest issuable slot of fetch group 1: group 2 cannot");
}

TEST(Reason, SaysWhenTheModelDecidesOtherwise) {
  SchedulerConfig config{.warps = 8, .ready = 2, .phase_bits = 6};
  Shadow shadow(config);
  SchedulerStep step;
  step.outputs = {.issue_warp = 3, .issue_valid = true, .quiet = false};
  shadow.enter(step);
  EXPECT_TRUE(shadow.lost());
  EXPECT_EQ(reason(shadow, step), "the golden model decides otherwise: no issue, quiet");
  shadow.leave();
  shadow.reset();
  EXPECT_FALSE(shadow.lost());
}

}  // namespace
}  // namespace paws::trace
