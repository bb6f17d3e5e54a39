// SPDX-License-Identifier: MIT
// SCA in the simulator: which groups its schedulers see of pairs of blocks and of blocks alone, and
// what is refused.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "sim/blocks/block_policies.h"
#include "sim/tests/gpu/support.h"

namespace paws {
namespace {

/// What a scheduler has seen of a live warp.
struct Member {
  unsigned scheduler = 0;
  unsigned pair = 0;
  unsigned row = 0;
  bool second = false;
  auto operator<=>(const Member&) const = default;
};
/// By core, block and number of the warp within the block.
using Seen = std::map<std::tuple<std::uint32_t, std::uint64_t, std::uint32_t>, Member>;

class GroupWatch final : public core::CoreObserver {
 public:
  explicit GroupWatch(Seen& seen) : seen_(seen) {}

  void begin(const core::Core& core, const core::RunningKernels& /*running*/,
             std::uint64_t /*cycle*/) override {
    core_ = &core;
  }
  void decided(const core::SchedulerView& view) override {
    if (!view.outputs->issue_valid) return;
    note(view, view.outputs->issue_warp);
    if (!view.inputs->launch_valid) return;
    std::set<Member> taken;
    for (WarpId slot = 0; slot < core_->warps() / core_->schedulers(); ++slot) {
      if (!core_->view(slot * core_->schedulers() + view.number).live) continue;
      EXPECT_TRUE(taken.insert(member(view, slot)).second) << "two warps in one place";
    }
  }
  void issued(std::uint64_t /*cycle*/, std::uint32_t /*warp*/, std::uint32_t /*pc*/) override {}
  void stepped(std::uint64_t /*cycle*/) override {}
  void skipped(std::uint64_t /*from*/, std::uint64_t /*to*/) override {}
  void end(std::uint64_t /*cycle*/) override {}

 private:
  static Member member(const core::SchedulerView& view, WarpId slot) {
    const SchedulerInputs& inputs = *view.inputs;
    return {view.number, inputs.pair[slot], inputs.row[slot], (inputs.second >> slot & 1U) != 0};
  }
  /// The warp, live, has kept its place.
  void note(const core::SchedulerView& view, WarpId slot) {
    const core::WarpView warp = core_->view(slot * core_->schedulers() + view.number);
    const auto [known, is_new] =
        seen_.try_emplace({core_->number(), warp.block, warp.in_block}, member(view, slot));
    EXPECT_EQ(known->second, member(view, slot)) << "a place has changed";
  }

  Seen& seen_;
  const core::Core* core_ = nullptr;
};

constexpr unsigned kGrid = 35;  // blocks: more than two cores hold, and an odd number

/// Two-dimensional blocks of four warps on two cores.
GpuRun run_with(const std::string& blocks, Seen& seen,
                exec::LaunchShape shape = {{kGrid, 1, 1}, {32, 4, 1}}) {
  GpuRun run;
  run.config.cores = 2;
  run.scheduler = "single:sca";
  run.shape = shape;
  run.buffer_bytes = 16384;
  run.options.observe = [&seen](std::uint32_t) { return std::make_unique<GroupWatch>(seen); };
  run.options.block_scheduler = block_scheduler(blocks, run.config.distributor);
  run.run(kBusyKernel);
  return run;
}

TEST(WarpGroups, WarpsOfOneNumberInAPairAreAGroup) {
  Seen seen;
  run_with("bcs", seen);
  ASSERT_EQ(seen.size(), kGrid * 4U);
  for (const auto& [of, member] : seen) {
    const auto& [core, block, in_block] = of;
    EXPECT_EQ(member.scheduler, in_block % 2);
    if (block == kGrid - 1) {
      EXPECT_EQ(member.row, 0U) << "the odd last block is alone: two warps on each scheduler";
      EXPECT_EQ(member.second, in_block / 2 == 1);
      continue;
    }
    EXPECT_EQ(member.row, in_block / 2);
    EXPECT_EQ(member.second, block % 2 == 1) << "block " << block;
    const auto partner = seen.find({core, block ^ 1U, in_block});
    ASSERT_NE(partner, seen.end()) << "block " << block;
    EXPECT_EQ(partner->second.pair, member.pair);
    EXPECT_EQ(partner->second.scheduler, member.scheduler);
  }
}

TEST(WarpGroups, WithoutPairsTwoWarpsOfABlockAreAGroup) {
  for (const char* blocks : {"rr", "lcs"}) {
    Seen seen;
    run_with(blocks, seen, {{kGrid, 1, 1}, {96, 1, 1}});  // three warps: one is without a partner
    ASSERT_EQ(seen.size(), kGrid * 3U);
    std::set<unsigned> pairs;
    for (const auto& [of, member] : seen) {
      const std::uint32_t in_block = std::get<2>(of);
      pairs.insert(member.pair);
      EXPECT_EQ(member.row, 0U);
      // Warps 0 and 2 share a scheduler.
      EXPECT_EQ(member.second, in_block == 2);
    }
    EXPECT_EQ(pairs.size(), 8U) << "as many blocks as a core has slots";
  }
}

TEST(WarpGroups, ResultsAreThoseOfOtherSchedulers) {
  for (const char* blocks : {"rr", "bcs", "lcs+bcs"}) {
    Seen seen;
    const GpuRun sca = run_with(blocks, seen);
    GpuRun gto;
    gto.config.cores = 2;
    gto.scheduler = "single:gto";
    gto.shape = sca.shape;
    gto.buffer_bytes = sca.buffer_bytes;
    gto.options.block_scheduler = block_scheduler(blocks, gto.config.distributor);
    gto.run(kBusyKernel);
    EXPECT_EQ(sca.statistics.cores.warp_instructions(), gto.statistics.cores.warp_instructions());
    EXPECT_NE(sca.statistics.cycles, gto.statistics.cycles);
  }
}

TEST(WarpGroups, PartnersOnDifferentSchedulersAreRefused) {
  Seen seen;
  EXPECT_EQ(error_of([&] { run_with("bcs", seen, {{8, 1, 1}, {32, 3, 1}}); }),
            "test.ptx:4: kernel 'test': 3 warps per block do not divide by the 2 schedulers of a "
            "core, so the warps that take turns under SCA in a pair of blocks (--blocks) would be "
            "on different schedulers");
  EXPECT_TRUE(seen.empty()) << "nothing has run";
  EXPECT_EQ(error_of([&] { run_with("rr", seen, {{8, 1, 1}, {32, 3, 1}}); }), "");
  EXPECT_EQ(error_of([&] { run_with("bcs", seen, {{8, 1, 1}, {96, 1, 1}}); }), "")
      << "blocks in one dimension are in no pair";
}

TEST(WarpGroups, TheWidthOfAPairIsThatOfTheBlockSlots) {
  GpuConfig config = small_gpu();
  for (const auto& [blocks, bits] :
       std::map<unsigned, unsigned>{{1, 3}, {8, 3}, {9, 4}, {16, 4}, {17, 5}, {32, 5}}) {
    config.core.blocks = blocks;
    EXPECT_EQ(scheduler_config(config, "single:sca").pair_bits, bits) << blocks;
  }
  config.core.blocks = 33;
  EXPECT_EQ(error_of([&] { scheduler_config(config, "single:sca"); }),
            "core.blocks is 33, but single:sca tells 32 blocks of a core apart at most");
  EXPECT_EQ(error_of([&] { scheduler_config(config, "single:gto"); }), "");
}

}  // namespace
}  // namespace paws
