// SPDX-License-Identifier: MIT
#include "sim/throttle/static_limit.h"

#include <algorithm>
#include <limits>

#include "sim/core/core.h"

namespace paws::throttle {

void StaticLimit::begin(const core::Core& core, const core::RunningKernels& /*running*/,
                        std::uint64_t /*cycle*/) {
  core_ = &core;
  slots_ = core::WarpSlots(core.schedulers());
  warps_.assign(core.schedulers(), {});
  admitted_.assign(core.schedulers(), 0);
}

void StaticLimit::block_started(std::uint64_t /*cycle*/, const core::BlockTable::Slot& slot) {
  for (const std::uint32_t number : slot.warps) {
    std::vector<Warp>& warps = warps_[slots_.scheduler(number)];
    // A warp that has come and gone between two steps was never seen.
    std::erase_if(warps, [number](const Warp& warp) { return warp.slot == number; });
    warps.push_back({number, false});
  }
}

void StaticLimit::advance(std::uint64_t /*cycle*/) {
  for (unsigned scheduler = 0; scheduler < warps_.size(); ++scheduler) {
    std::vector<Warp>& warps = warps_[scheduler];
    std::erase_if(warps, [this](Warp& warp) {
      const bool live = core_->view(warp.slot).live;
      const bool ended = warp.seen && !live;
      warp.seen = live;
      return ended;
    });
    WarpMask& admitted = admitted_[scheduler];
    if (warps.size() <= limit_ || core_->view(warps[limit_ - 1].slot).at_barrier) {
      admitted = ~WarpMask{0};
      continue;
    }
    admitted = 0;
    for (std::size_t i = 0; i < limit_; ++i) admitted |= slots_.bit(warps[i].slot);
  }
}

std::uint64_t StaticLimit::next_change(std::uint64_t /*cycle*/) const {
  return std::numeric_limits<std::uint64_t>::max();
}

}  // namespace paws::throttle
