// SPDX-License-Identifier: MIT
// Cache-conscious wavefront scheduling: warps that lose their lines from the L1 keep others from
// loading.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/core.h"
#include "sim/core/issue_filter.h"
#include "sim/core/warp_slots.h"
#include "sim/throttle/lost_locality_score.h"
#include "sim/throttle/victim_tags.h"

namespace paws::throttle {

/// CCWS (Rogers et al., MICRO 2012), as its authors' source has it. Every live warp of the core has
/// a score, 100 at least. A load that misses the L1 and finds its line among those that the warp
/// has lost sets the warp's score to 8 H C / I: H and I are such hits and the issues of the live
/// warps, C is 100 for each of them. The score falls by one per cycle. By falling score, warps may
/// load until the scores add up to C; the others may issue all but loads from global and local
/// memory.
class CacheConscious final : public core::IssueFilter {
 public:
  void begin(const core::Core& core, const core::RunningKernels& running,
             std::uint64_t cycle) override;
  void block_started(std::uint64_t cycle, const core::BlockTable::Slot& slot) override;
  void block_ended(std::uint64_t /*cycle*/, const core::BlockTable::Slot& /*slot*/) override {}
  void issued(std::uint64_t cycle, std::uint32_t warp, std::uint32_t pc) override;
  void l1_accessed(const core::L1Access& access) override;
  void advance(std::uint64_t cycle) override;
  [[nodiscard]] WarpMask admit(unsigned scheduler, WarpMask issuable) const override {
    return issuable & ~held_[scheduler];
  }
  [[nodiscard]] std::uint64_t next_change(std::uint64_t cycle) const override;

 private:
  static constexpr std::uint64_t kBase = LostLocalityScore::kBase;
  static constexpr std::uint64_t kThrottle = 8;  ///< K of the paper

  struct Warp {
    VictimTags lost;
    LostLocalityScore score;
    std::uint64_t hits = 0;  ///< in `lost`
    std::uint64_t issues = 0;
  };

  /// Whether the warp's next instruction loads from global or local memory.
  [[nodiscard]] bool loads_next(const core::WarpView& view) const;

  const core::Core* core_ = nullptr;
  const core::RunningKernels* running_ = nullptr;
  core::WarpSlots slots_{1};
  std::vector<Warp> warps_;     ///< by warp slot of the core
  std::vector<WarpMask> held_;  ///< by scheduler
  bool falling_ = false;        ///< a score of a live warp is above the base
};

}  // namespace paws::throttle
