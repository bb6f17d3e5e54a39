// SPDX-License-Identifier: MIT
// Dynamic block limits: a core takes fewer blocks while all its warps wait for memory, and more
// when it has nothing to do.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "sim/config/gpu_config.h"
#include "sim/core/core.h"
#include "sim/core/issue_filter.h"
#include "sim/core/warp_slots.h"

namespace paws::throttle {

/// DYNCTA (Kayiran et al., PACT 2013), as Lee et al. (HPCA 2014, section 5.4) compare with it. The
/// core has a limit of its own, n blocks. A launch begins with half as many as fit, rounded down,
/// but at least one. At the end of every sampling period:
///
/// * C_idle >= dyncta.idle: n + 1
/// * else C_mem < dyncta.memory_low: n + 1
/// * else C_mem >= dyncta.memory_high: n - 1
///
/// n stays between 1 and as many as fit. C_idle counts the cycles of the period in which no warp
/// has an instruction to issue, and none has a fetch or a branch under way: no warp is live, or all
/// stand at barriers. C_mem counts those in which every live warp waits for a result from memory or
/// at a barrier, and one at least for memory.
///
/// Of the resident blocks all but the n that started first are paused: a warp of theirs issues only
/// when no other warp of its scheduler can. The core asks for another block while it has fewer than
/// n, so paused blocks go on before new ones come.
///
/// A period is dyncta.period cycles long. One that ends while no block is resident goes on until
/// the next one starts.
class DynamicBlockLimit final : public core::IssueFilter {
 public:
  explicit DynamicBlockLimit(const DynctaSettings& settings) : settings_(settings) {}

  void begin(const core::Core& core, const core::RunningKernels& running,
             std::uint64_t cycle) override;
  void block_started(std::uint64_t cycle, const core::BlockTable::Slot& slot) override;
  void block_ended(std::uint64_t cycle, const core::BlockTable::Slot& slot) override;
  void issued(std::uint64_t /*cycle*/, std::uint32_t /*warp*/, std::uint32_t /*pc*/) override {}
  void l1_accessed(const core::L1Access& /*access*/) override {}
  void advance(std::uint64_t cycle) override;
  [[nodiscard]] WarpMask admit(unsigned scheduler, WarpMask issuable) const override {
    const WarpMask others = issuable & ~paused_[scheduler];
    return others != 0 ? others : issuable;
  }
  [[nodiscard]] std::uint64_t next_change(std::uint64_t /*cycle*/) const override {
    return blocks_.empty() ? std::numeric_limits<std::uint64_t>::max() : period_end_;
  }
  [[nodiscard]] unsigned block_limit() const override { return limit_; }
  [[nodiscard]] std::size_t most_launches() const override { return 1; }
  void end(CoreStatistics& statistics) override;

 private:
  enum class State : std::uint8_t { working, idle, waiting };

  /// Counts the cycles before `cycle` that are not counted, all of them in the same state.
  void count_until(std::uint64_t cycle);
  /// What the warps do in the present cycle.
  [[nodiscard]] State state() const;
  /// The period ends, and the next one begins.
  void decide();
  void pause();

  DynctaSettings settings_;
  const core::Core* core_ = nullptr;
  core::WarpSlots slots_{1};
  std::vector<std::vector<std::uint32_t>> blocks_;  ///< warp slots, in the order of their starts
  std::vector<WarpMask> paused_;                    ///< by scheduler
  unsigned most_ = 0;                               ///< blocks that fit
  unsigned limit_ = 0;                              ///< n
  std::uint64_t period_end_ = 0;
  std::uint64_t counted_ = 0;  ///< cycles below this one are counted
  State state_ = State::idle;  ///< from then on
  std::uint64_t idle_ = 0;     ///< C_idle of the period so far
  std::uint64_t waiting_ = 0;  ///< C_mem of the period so far
  DynctaCounts counts_;        ///< of the periods that have ended
};

}  // namespace paws::throttle
