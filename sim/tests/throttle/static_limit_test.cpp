// SPDX-License-Identifier: MIT
#include "sim/throttle/static_limit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "sim/tests/gpu/support.h"
#include "sim/throttle/throttles.h"

namespace paws {
namespace {

/// Passes a filter on, and notes which warps issue in which order.
class Noting final : public core::IssueFilter {
 public:
  Noting(std::unique_ptr<core::IssueFilter> filter, std::vector<std::uint32_t>& issues)
      : filter_(std::move(filter)), issues_(issues) {}
  void begin(const core::Core& core, const core::RunningKernels& running,
             std::uint64_t cycle) override {
    filter_->begin(core, running, cycle);
  }
  void block_started(std::uint64_t cycle, const core::BlockTable::Slot& slot) override {
    filter_->block_started(cycle, slot);
  }
  void block_ended(std::uint64_t cycle, const core::BlockTable::Slot& slot) override {
    filter_->block_ended(cycle, slot);
  }
  void issued(std::uint64_t cycle, std::uint32_t warp, std::uint32_t pc) override {
    issues_.push_back(warp);
    filter_->issued(cycle, warp, pc);
  }
  void l1_accessed(const core::L1Access& access) override { filter_->l1_accessed(access); }
  void advance(std::uint64_t cycle) override { filter_->advance(cycle); }
  [[nodiscard]] WarpMask admit(unsigned scheduler, WarpMask issuable) const override {
    return filter_->admit(scheduler, issuable);
  }
  [[nodiscard]] std::uint64_t next_change(std::uint64_t cycle) const override {
    return filter_->next_change(cycle);
  }

 private:
  std::unique_ptr<core::IssueFilter> filter_;
  std::vector<std::uint32_t>& issues_;
};

/// The warps that issue, one core, one scheduler, blocks of `threads` threads.
std::vector<std::uint32_t> issues(unsigned limit, const std::string& body, unsigned threads,
                                  unsigned blocks) {
  std::vector<std::uint32_t> order;
  GpuRun run;
  set_key(run.config, "core.schedulers=1");
  run.config.core.warps = 24;
  run.scheduler = "single:rr";
  run.shape = {{blocks, 1, 1}, {threads, 1, 1}};
  run.options.filter = [&](std::uint32_t /*core*/) {
    return std::make_unique<Noting>(std::make_unique<throttle::StaticLimit>(limit), order);
  };
  run.run(body);
  return order;
}

/// Warps that are between their first and their last issue at the same time, at most.
unsigned most_at_once(const std::vector<std::uint32_t>& order) {
  std::map<std::uint32_t, std::size_t> last;
  for (std::size_t i = 0; i < order.size(); ++i) last[order[i]] = i;
  std::map<std::uint32_t, bool> begun;
  unsigned now = 0;
  unsigned most = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (!begun[order[i]]) {
      begun[order[i]] = true;
      most = std::max(most, ++now);
    }
    if (last[order[i]] == i) --now;
  }
  return most;
}

/// Long enough for all warps to be launched meanwhile.
const char* const kLoads = R"(
  mul.wide.u32 %rd1, %r0, 4;
  add.u64 %rd2, %rd0, %rd1;
  ld.global.u32 %r1, [%rd2];
  add.u32 %r1, %r1, 1;
  st.global.u32 [%rd2], %r1;
  ret;
)";

TEST(StaticLimit, SoManyWarpsAtATime) {
  EXPECT_EQ(most_at_once(issues(1, kLoads, 32, 6)), 1U);
  EXPECT_EQ(most_at_once(issues(2, kLoads, 32, 6)), 2U);
  EXPECT_EQ(most_at_once(issues(64, kLoads, 32, 6)), 6U);
}

TEST(StaticLimit, WarpsThatWaitAtABarrierLetTheOthersCome) {
  const std::vector<std::uint32_t> order = issues(1, R"(
  add.u32 %r1, %r0, 1;
  bar.sync 0;
  add.u32 %r1, %r1, 1;
  ret;
)",
                                                  128, 1);
  EXPECT_EQ(most_at_once(order), 4U) << "four warps of one block";
}

}  // namespace
}  // namespace paws
