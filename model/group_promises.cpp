// SPDX-License-Identifier: MIT
#include "model/group_promises.h"

#include "model/warp_mask.h"

namespace paws {

bool GroupPromises::Places::has_at(WarpId warp, const Places& others, WarpId other) const {
  return pair[warp] == others.pair[other] && row[warp] == others.row[other] &&
         contains(second, warp) == contains(others.second, other);
}

std::optional<GroupPromises::Broken> GroupPromises::check(const SchedulerConfig& config,
                                                          const LiveWarps& live) {
  if (known_ == live.mask() && seen_ == fixed_) return std::nullopt;  // as nearly always
  known_ &= live.mask();
  for (WarpMask rest = live.mask(); rest != 0; rest &= rest - 1) {
    const WarpId warp = lowest(rest);
    if (seen_.pair[warp] >> config.pair_bits != 0) return Broken{"pair too large", warp};
    if (seen_.row[warp] >= group_rows(config)) return Broken{"row too large", warp};
    if (contains(known_, warp) && !seen_.has_at(warp, fixed_, warp)) {
      return Broken{"pair, row or second changed while the warp lives", warp};
    }
    for (WarpMask others = rest & (rest - 1); others != 0; others &= others - 1) {
      if (seen_.has_at(warp, seen_, lowest(others))) {
        return Broken{"pair, row and second of another warp too", warp};
      }
    }
  }
  fixed_ = seen_;
  known_ = live.mask();
  return std::nullopt;
}

}  // namespace paws
