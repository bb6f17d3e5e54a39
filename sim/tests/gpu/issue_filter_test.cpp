// SPDX-License-Identifier: MIT
// Warps held back between what can issue and what the schedulers see.
#include "sim/core/issue_filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "sim/core/warp_slots.h"
#include "sim/tests/gpu/support.h"

namespace paws {
namespace {

/// A small throttle made of all that a filter learns. A warp that misses the L1 is held for a
/// while, longer when it evicts another warp's line. While more than one block is resident the
/// youngest one issues only in every other epoch, or when no other warp of its scheduler can issue.
class Throttle final : public core::IssueFilter {
 public:
  static constexpr std::uint64_t kMissCycles = 61;
  static constexpr std::uint64_t kVictimCycles = 230;
  static constexpr std::uint64_t kEpoch = 173;

  explicit Throttle(std::uint64_t& advanced) : advanced_(advanced) {}

  void begin(const core::Core& core, const core::RunningKernels& /*running*/,
             std::uint64_t /*cycle*/) override {
    slots_ = core::WarpSlots(core.schedulers());
    held_until_.assign(core.warps(), 0);
    blocks_.clear();
  }
  void block_started(std::uint64_t /*cycle*/, const core::BlockTable::Slot& slot) override {
    blocks_.push_back(slot.warps);
    for (const std::uint32_t warp : slot.warps) held_until_[warp] = 0;
  }
  void block_ended(std::uint64_t /*cycle*/, const core::BlockTable::Slot& slot) override {
    blocks_.erase(std::find(blocks_.begin(), blocks_.end(), slot.warps));
  }
  void issued(std::uint64_t cycle, std::uint32_t warp, std::uint32_t pc) override {
    if (pc % 16 == 3) hold(warp, cycle + 9);
  }
  void l1_accessed(const core::L1Access& access) override {
    if (access.result != memory::TagArray::Result::miss) return;
    const bool other = access.replaced && access.victim_owner != access.warp;
    hold(access.warp, access.cycle + (other ? kVictimCycles : kMissCycles));
  }
  void advance(std::uint64_t cycle) override {
    cycle_ = cycle;
    ++advanced_;
  }
  [[nodiscard]] WarpMask admit(unsigned scheduler, WarpMask issuable) const override {
    WarpMask admitted = issuable;
    for (WarpId local = 0; local < kMaxWarps; ++local) {
      const std::uint32_t warp = slots_.slot(scheduler, local);
      if (warp < held_until_.size() && held_until_[warp] > cycle_) {
        admitted &= ~(WarpMask{1} << local);
      }
    }
    const WarpMask others = admitted & ~paused(scheduler);
    return others != 0 ? others : admitted;
  }
  [[nodiscard]] std::uint64_t next_change(std::uint64_t cycle) const override {
    std::uint64_t next = cycle / kEpoch * kEpoch + kEpoch;
    for (const std::uint64_t until : held_until_) {
      if (until > cycle) next = std::min(next, until);
    }
    return next;
  }

 private:
  void hold(std::uint32_t warp, std::uint64_t until) {
    held_until_[warp] = std::max(held_until_[warp], until);
  }
  [[nodiscard]] WarpMask paused(unsigned scheduler) const {
    if (blocks_.size() < 2 || cycle_ / kEpoch % 2 == 0) return 0;
    WarpMask mask = 0;
    for (const std::uint32_t warp : blocks_.back()) {
      if (slots_.scheduler(warp) == scheduler) mask |= slots_.bit(warp);
    }
    return mask;
  }

  std::uint64_t& advanced_;
  core::WarpSlots slots_{1};
  std::vector<std::uint64_t> held_until_;           ///< by warp slot
  std::vector<std::vector<std::uint32_t>> blocks_;  ///< warp slots of each, the oldest first
  std::uint64_t cycle_ = 0;
};

/// Holds every warp back for ever.
class HoldAll final : public core::IssueFilter {
 public:
  void begin(const core::Core& /*core*/, const core::RunningKernels& /*running*/,
             std::uint64_t /*cycle*/) override {}
  void block_started(std::uint64_t /*cycle*/, const core::BlockTable::Slot& /*slot*/) override {}
  void block_ended(std::uint64_t /*cycle*/, const core::BlockTable::Slot& /*slot*/) override {}
  void issued(std::uint64_t /*cycle*/, std::uint32_t /*warp*/, std::uint32_t /*pc*/) override {}
  void l1_accessed(const core::L1Access& /*access*/) override {}
  void advance(std::uint64_t /*cycle*/) override {}
  [[nodiscard]] WarpMask admit(unsigned /*scheduler*/, WarpMask /*issuable*/) const override {
    return 0;
  }
  [[nodiscard]] std::uint64_t next_change(std::uint64_t /*cycle*/) const override {
    return UINT64_MAX;
  }
};

class IssueFilterTest : public testing::TestWithParam<const char*> {
 protected:
  struct Result {
    GpuStatistics statistics;
    std::vector<std::uint32_t> words;
    std::uint64_t advanced = 0;  ///< cycles in which the filters were called
  };

  static void expect_same(const Result& result, const Result& reference) {
    EXPECT_EQ(result.statistics.cycles, reference.statistics.cycles);
    EXPECT_EQ(result.statistics.cores, reference.statistics.cores);
    EXPECT_EQ(result.statistics.memory, reference.statistics.memory);
    EXPECT_EQ(result.words, reference.words);
  }

  [[nodiscard]] static Result run(bool throttled, bool skip, unsigned longest_window = 0,
                                  unsigned threads = 1) {
    constexpr unsigned kCores = 2;
    std::vector<std::uint64_t> advanced(kCores, 0);
    GpuRun run;
    run.config = small_gpu(kCores);
    run.config.l1.bytes = 2048;  // so that lines are evicted
    run.scheduler = GetParam();
    run.shape = {{14, 1, 1}, {96, 1, 1}};
    run.buffer_bytes = 16384;
    run.launches = 2;
    run.options.skip_idle_cycles = skip;
    run.options.longest_window = longest_window;
    run.options.threads = threads;
    if (throttled) {
      run.options.filter = [&](std::uint32_t core) {
        return std::make_unique<Throttle>(advanced.at(core));
      };
    }
    run.run(kBusyKernel);
    return {run.statistics, run.words, advanced[0] + advanced[1]};
  }
};

TEST_P(IssueFilterTest, SkippingIdleCyclesStaysExact) {
  const Result skipping = run(true, true);
  const Result stepping = run(true, false);
  expect_same(skipping, stepping);
  EXPECT_LT(skipping.advanced, stepping.advanced) << "nothing has been skipped";
  EXPECT_NE(skipping.statistics.cycles, run(false, true).statistics.cycles)
      << "nothing has been held back";
}

TEST_P(IssueFilterTest, WindowsAndThreadsChangeNothing) {
  const Result reference = run(true, true);
  for (const unsigned window : {1U, 5U}) {
    SCOPED_TRACE(window);
    expect_same(run(true, true, window, 2), reference);
  }
}

INSTANTIATE_TEST_SUITE_P(Schedulers, IssueFilterTest,
                         testing::Values("single:rr", "single:gto", "two-level:paws"));

TEST(IssueFilter, AKernelThatIsNeverLetIssueIsADeadlock) {
  GpuRun run;
  run.shape = {{1, 1, 1}, {32, 1, 1}};
  run.options.filter = [](std::uint32_t /*core*/) { return std::make_unique<HoldAll>(); };
  EXPECT_NE(error_of([&] { run.run("ret;"); }).find("no warp can ever issue again"),
            std::string::npos);
}

}  // namespace
}  // namespace paws
