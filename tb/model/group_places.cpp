// SPDX-License-Identifier: MIT
#include "tb/model/group_places.h"

#include <array>

#include "model/warp_mask.h"

namespace paws::test {

GroupPlaces::GroupPlaces(const SchedulerConfig& config, std::uint64_t seed)
    : config_(config), random_(seed ^ 0x5ca5ca5ca5ca5ca5U) {}

void GroupPlaces::change_weather() {
  static constexpr std::array<unsigned, 5> kDensities{0, 1, 4, 7, 8};
  weather_left_ = 20 + below(400);
  style_ = static_cast<Style>(below(static_cast<unsigned>(Style::styles)));
  pairs_ = below(2) == 0 ? 1 : 1 + below(1U << config_.pair_bits);
  rows_ = 1 + below(group_rows(config_));
  yield_ = kDensities[below(kDensities.size())];
  changes_ = kDensities[below(kDensities.size())];
  ended_stay_ = below(2) == 0;
}

GroupPlaces::Place GroupPlaces::place_of(const SchedulerInputs& inputs, WarpId warp) const {
  return {inputs.pair[warp], inputs.row[warp], contains(inputs.second, warp)};
}

void GroupPlaces::put(SchedulerInputs& inputs, WarpId warp, const Place& place) {
  inputs.pair[warp] = static_cast<std::uint8_t>(place.pair);
  inputs.row[warp] = static_cast<std::uint8_t>(place.row);
  inputs.second &= ~mask_of(warp);
  if (place.second) inputs.second |= mask_of(warp);
}

bool GroupPlaces::taken(const SchedulerInputs& inputs, const Place& place) const {
  bool found = false;
  for_each_warp(live_, [&](WarpId warp) { found |= place_of(inputs, warp) == place; });
  return found;
}

GroupPlaces::Place GroupPlaces::any_place() { return {below(pairs_), below(rows_), below(2) == 0}; }

GroupPlaces::Place GroupPlaces::draw(const SchedulerInputs& inputs) {
  Place place = any_place();
  if (style_ == Style::partner && live_ != 0) {
    WarpMask rest = live_;
    for (unsigned skip = below(static_cast<unsigned>(std::popcount(live_))); skip > 0; --skip) {
      rest &= rest - 1;
    }
    place = place_of(inputs, lowest(rest));
    place.second = !place.second;
  }
  if (style_ == Style::lone) {
    Place partner = place;
    partner.second = !partner.second;
    if (taken(inputs, partner)) place = partner;  // taken: the next draw
  }
  if (style_ == Style::same) place = last_ended_;
  return place;
}

GroupPlaces::Place GroupPlaces::free_place(const SchedulerInputs& inputs) {
  constexpr unsigned kDraws = 8;
  for (unsigned i = 0; i < kDraws; ++i) {
    const Place place = draw(inputs);
    if (!taken(inputs, place)) return place;
  }
  // There are as many places in one pair as warp slots, or more.
  const unsigned rows = group_rows(config_);
  Place place{below(1U << config_.pair_bits), below(rows), below(2) == 0};
  while (taken(inputs, place)) {
    place.second = !place.second;
    if (!place.second) place.row = (place.row + 1) % rows;
  }
  return place;
}

void GroupPlaces::set(SchedulerInputs& inputs, WarpMask live) {
  if (weather_left_-- == 0) change_weather();
  const WarpMask before = live_;
  for_each_warp(before & ~live, [&](WarpId warp) { last_ended_ = place_of(inputs, warp); });
  live_ &= live;
  for_each_warp(live & ~before, [&](WarpId warp) {
    put(inputs, warp, free_place(inputs));
    live_ |= mask_of(warp);
  });
  if (below(8) >= changes_) return;
  for (WarpId warp = 0; warp < config_.warps; ++warp) {
    const bool means_nothing = !contains(live, warp) || !knows_groups(config_);
    if (means_nothing && !ended_stay_) {
      put(inputs, warp,
          {below(1U << config_.pair_bits), below(group_rows(config_)), below(2) == 0});
    }
    inputs.yields &= ~mask_of(warp);
    if (below(8) < yield_) inputs.yields |= mask_of(warp);
  }
}

}  // namespace paws::test
