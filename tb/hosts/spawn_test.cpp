// SPDX-License-Identifier: MIT
// rtl/paws_spawn.sv against its golden model in every cycle, while both stand in front of a
// scheduler, whose golden model checks the promises of the host.
#include "model/spawn.h"

#include <gtest/gtest.h>

#include <bit>
#include <memory>
#include <stdexcept>
#include <string>

#include "VSpawn24.h"
#include "VSpawn5.h"
#include "VSpawn64.h"
#include "model/registry.h"
#include "model/warp_mask.h"
#include "tb/hosts/bench.h"
#include "tb/random/random_source.h"

namespace paws {
namespace {

template <class Top>
class VerilatedSpawn final : public Spawn {
 public:
  VerilatedSpawn() { VerilatedSpawn::reset(); }

  void reset() override {
    top_.rst_ni = 0;
    top_.clk_i = 0;
    top_.eval();
    commit();
    top_.rst_ni = 1;
  }

  SpawnOutputs decide(const SpawnInputs& inputs) override {
    top_.clk_i = 0;
    top_.spawn_i = inputs.spawn;
    top_.end_valid_i = inputs.end_valid ? 1 : 0;
    top_.end_warp_i = inputs.end_warp;
    top_.eval();
    EXPECT_EQ(top_.end_warp_o, inputs.end_warp);
    return {.busy = top_.busy_o != 0,
            .waiting = top_.waiting_o,
            .launch_valid = top_.launch_valid_o != 0,
            .launch_warp = top_.launch_warp_o,
            .end_valid = top_.end_valid_o != 0};
  }

  void commit() override {
    top_.clk_i = 1;
    top_.eval();
  }

 private:
  Top top_;
};

std::unique_ptr<Spawn> make_rtl_spawn(unsigned warps) {
  if (warps == 5) return std::make_unique<VerilatedSpawn<VSpawn5>>();
  if (warps == 24) return std::make_unique<VerilatedSpawn<VSpawn24>>();
  return std::make_unique<VerilatedSpawn<VSpawn64>>();
}

/// A core that starts warps by masks and ends them late or by an exit. It tells the scheduler of a
/// warp from the cycle after its launch on, which is when the warp neither is free nor waits.
class Core {
 public:
  Core(unsigned warps, std::uint64_t seed)
      : warps_(warps), random_(seed), rtl_(make_rtl_spawn(warps)), model_(make_spawn(warps)) {}

  /// A cycle of the adapter and of `scheduler` behind it.
  void cycle(Scheduler& scheduler) {
    SpawnInputs spawn;
    if (random_.below(16) == 0) change_spell();
    if (!busy_ && random_.below(8) < spawns_) {
      spawn.spawn = random_.mask(random_.below(9)) & all() & ~used_;
    }
    spawn.end_warp = random_.below(warps_);
    const WarpMask may_end = prefers_waiting_ && waiting_ != 0 ? waiting_ : used_;
    if (may_end != 0 && random_.below(8) < ends_) {
      spawn.end_valid = true;
      WarpMask skipped = may_end;
      for (unsigned skip = random_.below(static_cast<unsigned>(std::popcount(may_end))); skip > 0;
           --skip) {
        skipped &= skipped - 1;
      }
      spawn.end_warp = lowest(skipped);
    }

    const SpawnOutputs out = rtl_->decide(spawn);
    ASSERT_EQ(out, model_->decide(spawn)) << "cycle " << cycle_;
    observe(spawn, out);

    SchedulerInputs inputs;
    inputs.launch_valid = out.launch_valid;
    inputs.launch_warp = out.launch_warp;
    inputs.end_valid = out.end_valid;
    inputs.end_warp = spawn.end_warp;
    inputs.issue_en = true;
    const WarpMask live = used_ & ~out.waiting;
    inputs.waits = live & random_.mask(2);
    inputs.issuable = live & ~inputs.waits & random_.mask(4);
    if (spawn.end_valid) inputs.issuable &= ~mask_of(spawn.end_warp);
    inputs.long_outstanding = random_.mask(2) & all();
    inputs.exits = random_.mask(3) & all();
    const SchedulerOutputs decision = scheduler.decide(inputs);
    scheduler.commit();
    rtl_->commit();
    model_->commit();

    used_ |= spawn.spawn;
    if (spawn.end_valid) used_ &= ~mask_of(spawn.end_warp);
    if (decision.issue_valid) used_ &= ~(mask_of(decision.issue_warp) & inputs.exits);
    ++cycle_;
    // Of the registers alone.
    const SpawnOutputs next = model_->decide({});
    waiting_ = next.waiting;
    busy_ = next.busy;
  }

  void reset() {
    rtl_->reset();
    model_->reset();
    used_ = waiting_ = 0;
    busy_ = false;
    deadline_ = 0;
  }

  [[nodiscard]] const Events& events() const { return events_; }

 private:
  /// The bound, and what has happened.
  void observe(const SpawnInputs& spawn, const SpawnOutputs& out) {
    const auto size = static_cast<unsigned>(std::popcount(spawn.spawn));
    // Warps that wait are of one mask, which is launched when the cycles of its bound are over.
    ASSERT_TRUE(out.waiting == 0 || cycle_ <= deadline_) << "cycle " << cycle_;
    if (size != 0) deadline_ = cycle_ + size - (out.waiting == 0 ? 1 : 0);
    const bool end_waits = spawn.end_valid && contains(out.waiting, spawn.end_warp);
    events_["a mask"] += size > 0 ? 1 : 0;
    events_["all slots in a mask"] += size == warps_ ? 1 : 0;
    events_["a mask of one"] += size == 1 && out.waiting == 0 ? 1 : 0;
    events_["a mask beside the last of another"] += size > 0 && out.waiting != 0 ? 1 : 0;
    events_["the end of a waiting warp beside a launch"] += end_waits && out.launch_valid ? 1 : 0;
    events_["the end of the only waiting warp"] += end_waits && !out.launch_valid ? 1 : 0;
    events_["that end beside a mask"] += end_waits && !out.launch_valid && size > 0 ? 1 : 0;
    events_["the end of a launched warp"] += out.end_valid ? 1 : 0;
  }

  void change_spell() {
    static constexpr unsigned kRates[] = {0, 1, 8};
    spawns_ = kRates[random_.below(3)];
    ends_ = kRates[random_.below(3)];
    prefers_waiting_ = random_.chance(50);
  }

  [[nodiscard]] WarpMask all() const { return ~WarpMask{0} >> (kMaxWarps - warps_); }

  unsigned warps_;
  RandomSource random_;
  std::unique_ptr<Spawn> rtl_, model_;
  WarpMask used_ = 0;     ///< spawned and not ended
  WarpMask waiting_ = 0;  ///< of these, those that are not launched
  bool busy_ = false;
  unsigned spawns_ = 4, ends_ = 0;  ///< eighths of the cycles
  bool prefers_waiting_ = false;
  std::uint64_t cycle_ = 0;
  std::uint64_t deadline_ = 0;  ///< last cycle in which a warp of the last mask may wait
  Events events_;
};

class SpawnLockstep : public testing::TestWithParam<unsigned> {};

TEST_P(SpawnLockstep, AgreesInFrontOfEveryScheduler) {
  const unsigned warps = GetParam();
  const RunLength run = begin_run(20'000);
  Events events;
  for (const std::string& name : scheduler_names()) {
    SchedulerConfig config;
    ASSERT_EQ(set_scheduler_name(config, name), std::nullopt);
    // Groups need numbers of their own; a group divides the warps.
    if (knows_groups(config) || has_fetch_groups(config)) continue;
    config.warps = warps;
    config.ready = 3;
    if (has_order(config)) config.compares = 2;  // this host enables every cycle
    const auto scheduler = make_model(config);
    Core core(warps, derive_seed(run.seed, name, warps));
    for (std::uint64_t cycle = 0; cycle < run.cycles; ++cycle) {
      if (cycle % 1000 == 999) {
        scheduler->reset();
        core.reset();
      }
      core.cycle(*scheduler);
      if (HasFatalFailure()) return;
    }
    for (const auto& [event, times] : core.events()) events[event] += times;
  }
  expect_each(events);
}

INSTANTIATE_TEST_SUITE_P(Warps, SpawnLockstep, testing::Values(5U, 24U, 64U));

TEST(Spawn, LaunchesTheLowestSlotFirst) {
  const auto spawn = make_spawn(8);
  std::string order;
  for (const WarpMask mask :
       {WarpMask{0b10100100}, WarpMask{0}, WarpMask{0b11}, WarpMask{0}, WarpMask{0}, WarpMask{0}}) {
    const SpawnOutputs out = spawn->decide({.spawn = mask});
    order += out.launch_valid ? std::to_string(out.launch_warp) : "-";
    order += out.busy ? "b " : " ";
    spawn->commit();
  }
  EXPECT_EQ(order, "2 5b 7 0b 1 - ");
}

TEST(Spawn, DropsAWarpThatEndsWhileItWaits) {
  const auto spawn = make_spawn(8);
  EXPECT_EQ(spawn->decide({.spawn = 0b111}).launch_warp, 0U);
  spawn->commit();
  const SpawnOutputs out = spawn->decide({.end_valid = true, .end_warp = 1});
  EXPECT_FALSE(out.end_valid);
  EXPECT_EQ(out.launch_warp, 2U);
  spawn->commit();
  EXPECT_FALSE(spawn->decide({}).launch_valid);
  EXPECT_TRUE(spawn->decide({.end_valid = true, .end_warp = 0}).end_valid);
}

TEST(Spawn, NoticesBrokenPromises) {
  const auto violation = [](const SpawnInputs& inputs) -> std::string {
    const auto spawn = make_spawn(8);
    spawn->decide({.spawn = 0b111});
    spawn->commit();
    spawn->decide(inputs);
    try {
      spawn->commit();
    } catch (const std::logic_error& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(violation({}), "none");
  EXPECT_EQ(violation({.spawn = 8}),
            "spawn: the host broke a promise: a mask while two or more warps wait");
  const auto empty = make_spawn(8);
  empty->decide({.spawn = 8, .end_valid = true, .end_warp = 3});
  EXPECT_THROW(empty->commit(), std::logic_error);
  empty->decide({.spawn = 1U << 8});
  EXPECT_THROW(empty->commit(), std::logic_error);
}

}  // namespace
}  // namespace paws
