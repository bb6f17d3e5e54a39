// SPDX-License-Identifier: MIT
#include "model/single_level/sequential_cta_aware.h"

#include "model/warp_mask.h"

namespace paws {

WarpMask SequentialCtaAware::members(WarpMask among, unsigned pair, unsigned row) const {
  WarpMask found = 0;
  for_each_warp(among, [&](WarpId warp) {
    if (inputs().pair[warp] == pair && inputs().row[warp] == row) found |= mask_of(warp);
  });
  return found;
}

WarpId SequentialCtaAware::first_of(WarpMask candidates) const {
  const WarpMask first = candidates & ~inputs().second;
  return lowest(first != 0 ? first : candidates);
}

std::optional<WarpId> SequentialCtaAware::stay(WarpMask candidates) const {
  const WarpMask group = members(live().mask(), turn_->pair, turn_->row);
  // The member that issued last has the turn again if its partner has ended.
  const WarpMask others = group & (turn_->last_second ? ~inputs().second : inputs().second);
  const WarpMask turn = others != 0 ? others : group;
  if ((turn & candidates) != 0) return lowest(turn & candidates);
  if (leave_ == Leave::on_both_stalls && (group & candidates) != 0) {
    return lowest(group & candidates);
  }
  return std::nullopt;
}

WarpMask SequentialCtaAware::next_group(WarpMask candidates) const {
  const unsigned rows = group_rows(config());
  for (unsigned step = 1; step <= rows; ++step) {
    const WarpMask group = members(candidates, turn_->pair, (turn_->row + step) % rows);
    if (group != 0) return group;
  }
  return 0;
}

WarpId SequentialCtaAware::pick(WarpMask candidates) const {
  if (turn_) {
    if (const auto warp = stay(candidates)) return *warp;
    if (const WarpMask next = next_group(candidates); next != 0) return first_of(next);
  }
  const WarpId oldest = live().oldest(candidates);
  return first_of(members(candidates, inputs().pair[oldest], inputs().row[oldest]));
}

void SequentialCtaAware::on_issue(const Issue& issue) {
  turn_ = {.pair = issue.pair, .row = issue.row, .last_second = issue.second};
}

}  // namespace paws
