// SPDX-License-Identifier: MIT
#include "model/live_warps.h"

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

WarpId LiveWarps::youngest(WarpMask candidates) const {
  WarpId youngest = lowest(candidates);
  for_each_warp(candidates, [&](WarpId warp) {
    if (launch_number(warp) > launch_number(youngest)) youngest = warp;
  });
  return youngest;
}

}  // namespace paws
