// SPDX-License-Identifier: MIT
#include "model/live_warps.h"

#include <stdexcept>
#include <string>

#include "model/warp_mask.h"

namespace paws {

void LiveWarps::clear() {
  mask_ = 0;
  launches_ = 0;
}

void LiveWarps::launch(WarpId warp) {
  mask_ |= mask_of(warp);
  launch_number_[warp] = launches_++;
}

void LiveWarps::exit(WarpId warp) { mask_ &= ~mask_of(warp); }

WarpId LiveWarps::oldest(WarpMask candidates) const {
  WarpId oldest = lowest(candidates);
  for_each_warp(candidates, [&](WarpId warp) {
    if (launch_number(warp) < launch_number(oldest)) oldest = warp;
  });
  return oldest;
}

void check_promises(const SchedulerConfig& config, const LiveWarps& live,
                    const SchedulerInputs& inputs) {
  const auto broken = [&](const std::string& what, WarpId warp) {
    throw std::logic_error(scheduler_name(config) + ": the host broke a promise: " + what +
                           std::to_string(warp));
  };
  const WarpMask waits = config.level == Level::two_level ? inputs.waits : 0;  // no port otherwise
  if (const WarpMask both = inputs.issuable & waits; both != 0) {
    broken("issuable and waiting at once, slot ", lowest(both));
  }
  if (const WarpMask free = inputs.issuable & ~live.mask(); free != 0) {
    broken("issuable without a warp, slot ", lowest(free));
  }
  if (const WarpMask free = waits & ~live.mask(); free != 0) {
    broken("waiting without a warp, slot ", lowest(free));
  }
  if (inputs.launch_valid && inputs.launch_warp >= config.warps) {
    broken("launch into a slot that does not exist, slot ", inputs.launch_warp);
  }
  if (inputs.launch_valid && contains(live.mask(), inputs.launch_warp)) {
    broken("launch into a slot that holds a warp, slot ", inputs.launch_warp);
  }
}

}  // namespace paws
