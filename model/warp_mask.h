// SPDX-License-Identifier: MIT
// Sets of warp slots as bit masks.
#pragma once

#include <bit>

#include "model/scheduler.h"

namespace paws {

constexpr WarpMask mask_of(WarpId warp) { return WarpMask{1} << warp; }

constexpr bool contains(WarpMask mask, WarpId warp) { return ((mask >> warp) & 1U) != 0; }

/// The lowest slot of a set that is not empty.
constexpr WarpId lowest(WarpMask mask) { return static_cast<WarpId>(std::countr_zero(mask)); }

/// Whether a set has a slot beyond the first `warps`.
constexpr bool beyond(WarpMask mask, unsigned warps) {
  return warps < kMaxWarps && mask >> warps != 0;
}

/// Calls `visit(warp)` for every slot of `mask`, slot 0 first.
template <typename Visit>
constexpr void for_each_warp(WarpMask mask, Visit visit) {
  for (; mask != 0; mask &= mask - 1) visit(lowest(mask));
}

/// Slots in which two arrays of a value per slot differ.
template <typename Array>
WarpMask differences(const Array& a, const Array& b) {
  if (a == b) return 0;
  WarpMask mask = 0;
  for (WarpId warp = 0; warp < a.size(); ++warp) {
    if (a[warp] != b[warp]) mask |= mask_of(warp);
  }
  return mask;
}

}  // namespace paws
