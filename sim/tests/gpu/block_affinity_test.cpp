// SPDX-License-Identifier: MIT
// Thread-block affinity in the simulator: what its schedulers see of blocks, that runs are the same
// however they are simulated, and what is refused.

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "sim/tests/gpu/support.h"

namespace paws {
namespace {

constexpr unsigned kUnevenBlocks = 30;

/// Warps of a block that end one after another, with a load in every turn.
const std::string kUnevenKernel = R"(
  shr.u32 %r1, %r0, 5;
  mad.lo.u32 %r1, %r1, 3, 2;
LOOP:
  ld.volatile.global.u32 %r2, [%rd0];
  add.u32 %r3, %r3, %r2;
  sub.u32 %r1, %r1, 1;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra LOOP;
  st.global.u32 [%rd0], %r3;
  ret;
)";

/// Checks block, tail and more of every decision against the warps that the core shows.
class BlockWatch final : public core::CoreObserver {
 public:
  struct Counts {
    unsigned tails = 0;    ///< live warps in tails, summed over decisions
    unsigned whole = 0;    ///< the same of the others
    unsigned waiting = 0;  ///< decisions while blocks wait
    unsigned drained = 0;  ///< the other ones
  };

  explicit BlockWatch(Counts& counts) : counts_(counts) {}

  void begin(const core::Core& core, const core::RunningKernels& /*running*/,
             std::uint64_t /*cycle*/) override {
    core_ = &core;
  }
  void decided(const core::SchedulerView& view) override {
    if (view.number == 0) look();
    const SchedulerInputs& inputs = *view.inputs;
    std::map<unsigned, std::uint64_t> block_of_number;
    for (std::uint32_t warp = view.number; warp < core_->warps(); warp += core_->schedulers()) {
      const core::WarpView seen = core_->view(warp);
      if (!seen.live) continue;
      const std::uint32_t slot = warp / core_->schedulers();
      const auto known = block_of_number.try_emplace(inputs.block[slot], seen.block).first;
      EXPECT_EQ(known->second, seen.block) << "two blocks have one number";
      EXPECT_EQ(number_of_.try_emplace(seen.block, inputs.block[slot]).first->second,
                inputs.block[slot])
          << "a block has two numbers";
      const bool tail = (inputs.tail >> slot & 1U) != 0;
      EXPECT_EQ(tail, lost_.contains(seen.block)) << "block " << seen.block;
      ++(tail ? counts_.tails : counts_.whole);
    }
    EXPECT_EQ(inputs.more, core_->statistics().blocks_started < kUnevenBlocks);
    ++(inputs.more ? counts_.waiting : counts_.drained);
  }
  void issued(std::uint64_t /*cycle*/, std::uint32_t /*warp*/, std::uint32_t /*pc*/) override {}
  void stepped(std::uint64_t /*cycle*/) override {}
  void skipped(std::uint64_t /*from*/, std::uint64_t /*to*/) override {}
  void end(std::uint64_t /*cycle*/) override {}

 private:
  using Warp = std::pair<std::uint64_t, std::uint32_t>;  ///< block, number in it

  /// Which blocks have lost a warp that was live.
  void look() {
    std::set<Warp> live;
    for (std::uint32_t warp = 0; warp < core_->warps(); ++warp) {
      const core::WarpView seen = core_->view(warp);
      if (seen.live) live.emplace(seen.block, seen.in_block);
    }
    for (const Warp& warp : live_) {
      if (!live.contains(warp)) lost_.insert(warp.first);
    }
    live_ = std::move(live);
  }

  Counts& counts_;
  const core::Core* core_ = nullptr;
  std::set<Warp> live_;
  std::set<std::uint64_t> lost_;
  std::map<std::uint64_t, unsigned> number_of_;
};

GpuRun uneven_run(const std::string& affinity, const std::string& scheduler = "two-level:paws") {
  GpuRun run;
  run.scheduler = scheduler;
  run.shape.block = {128, 1, 1};
  run.shape.grid = {kUnevenBlocks, 1, 1};
  set_key(run.config, "scheduler.affinity=" + affinity);
  set_key(run.config, "scheduler.ready=3");
  return run;
}

TEST(BlockAffinity, SchedulersSeeBlocksTailsAndWhetherBlocksWait) {
  BlockWatch::Counts counts;
  GpuRun run = uneven_run("finish");
  run.options.observe = [&](std::uint32_t) { return std::make_unique<BlockWatch>(counts); };
  run.run(kUnevenKernel);
  EXPECT_GT(counts.tails, 100U);
  EXPECT_GT(counts.whole, 100U);
  EXPECT_GT(counts.waiting, 100U);
  EXPECT_GT(counts.drained, 100U);
}

TEST(BlockAffinity, SkippedCyclesChangeNothing) {
  for (const std::string_view affinity : affinity_names()) {
    for (const char* scheduler : {"two-level:rr", "two-level:gto", "two-level:paws"}) {
      GpuRun skipping = uneven_run(std::string(affinity), scheduler);
      GpuRun stepping = skipping;
      stepping.options.skip_idle_cycles = false;
      GpuRun short_windows = skipping;
      short_windows.options.longest_window = 1;
      skipping.run(kUnevenKernel);
      stepping.run(kUnevenKernel);
      short_windows.run(kUnevenKernel);
      EXPECT_EQ(skipping.statistics.cycles, stepping.statistics.cycles) << affinity;
      EXPECT_EQ(skipping.statistics.cores, stepping.statistics.cores) << affinity;
      EXPECT_EQ(skipping.statistics.cores, short_windows.statistics.cores) << affinity;
    }
  }
}

TEST(BlockAffinity, TailsAreOfTheBlocksThatMakeRoom) {
  GpuRun run = uneven_run("none");
  run.run(kUnevenKernel);
  const CoreStatistics& cores = run.statistics.cores;
  constexpr unsigned kResident = 8;  // blocks of an m2090 core
  EXPECT_GE(cores.tails.blocks, kUnevenBlocks - kResident);
  EXPECT_LT(cores.tails.blocks, kUnevenBlocks);
  EXPECT_GT(cores.tails.tail_cycles, 0U);
  EXPECT_GT(cores.tails.lost_warp_cycles, cores.tails.tail_cycles);
  EXPECT_LT(cores.tails.lost_warp_cycles, cores.tails.warp_slot_cycles);
  GpuRun one_round = uneven_run("none");
  one_round.shape.grid = {kResident, 1, 1};
  one_round.run(kUnevenKernel);
  EXPECT_EQ(one_round.statistics.cores.tails, BlockTailCounts{}) << "no block waits";
}

TEST(BlockAffinity, BarrelCoresRefuseIt) {
  GpuRun run = uneven_run("group");
  run.config = load_gpu("lwm2011");
  set_key(run.config, "scheduler.affinity=group");
  EXPECT_EQ(error_of([&] { run.run(kUnevenKernel); }),
            "scheduler.affinity is group: a barrel core (core.pipeline_stages) does not tell its "
            "scheduler about blocks");
}

}  // namespace
}  // namespace paws
