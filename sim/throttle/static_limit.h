// SPDX-License-Identifier: MIT
// Static warp limiting: only the oldest warps of a scheduler may issue.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/issue_filter.h"
#include "sim/core/warp_slots.h"

namespace paws::throttle {

/// SWL (Rogers et al., MICRO 2012, section 5.3): of every scheduler the `limit` oldest warps that
/// have not ended. While the youngest of these stands at a barrier all warps may issue, since those
/// that it waits for may be beyond the limit.
class StaticLimit final : public core::IssueFilter {
 public:
  explicit StaticLimit(unsigned limit) : limit_(limit) {}

  void begin(const core::Core& core, const core::RunningKernels& running,
             std::uint64_t cycle) override;
  void block_started(std::uint64_t cycle, const core::BlockTable::Slot& slot) override;
  void block_ended(std::uint64_t /*cycle*/, const core::BlockTable::Slot& /*slot*/) override {}
  void issued(std::uint64_t /*cycle*/, std::uint32_t /*warp*/, std::uint32_t /*pc*/) override {}
  void l1_accessed(const core::L1Access& /*access*/) override {}
  void advance(std::uint64_t cycle) override;
  [[nodiscard]] WarpMask admit(unsigned scheduler, WarpMask issuable) const override {
    return issuable & admitted_[scheduler];
  }
  [[nodiscard]] std::uint64_t next_change(std::uint64_t cycle) const override;

 private:
  struct Warp {
    std::uint32_t slot = 0;
    bool seen = false;  ///< it has been live, so that it has ended when it no longer is
  };

  unsigned limit_;
  const core::Core* core_ = nullptr;
  core::WarpSlots slots_{1};
  std::vector<std::vector<Warp>> warps_;  ///< by scheduler, the oldest first
  std::vector<WarpMask> admitted_;        ///< by scheduler
};

}  // namespace paws::throttle
