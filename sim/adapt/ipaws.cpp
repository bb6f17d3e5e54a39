// SPDX-License-Identifier: MIT
#include "sim/adapt/ipaws.h"

#include <algorithm>

#include "model/warp_mask.h"
#include "sim/core/core.h"
#include "sim/core/warp_slots.h"

namespace paws::adapt {

void Ipaws::begin(const core::Core& core, const core::RunningKernels& /*running*/,
                  std::uint64_t cycle) {
  core_ = &core;
  warps_.assign(core.warps(), {});
  state_ = State::adapting;
  ended_ = false;
  behind_ = 0;
  counted_ = cycle;
}

void Ipaws::decided(unsigned scheduler, const SchedulerInputs& inputs,
                    const SchedulerOutputs& /*outputs*/) {
  if (!inputs.launch_valid) return;
  Warp& warp = warps_[core::WarpSlots(core_->schedulers()).slot(scheduler, inputs.launch_warp)];
  warp = {};
  warp.live = true;
}

void Ipaws::issued(unsigned /*scheduler*/, std::uint32_t number, std::uint32_t /*block_slot*/) {
  Warp& warp = warps_[number];
  ++warp.issues;
  if (warp.behind && warp.issues >= most_) {
    warp.behind = false;
    --behind_;
  }
}

void Ipaws::warp_ended(std::uint32_t number, std::uint32_t /*block_slot*/, bool /*last*/) {
  Warp& warp = warps_[number];
  if (warp.behind) --behind_;
  warp.behind = false;
  if (state_ != State::adapting) {
    warp.live = false;
    return;
  }
  ended_ = true;  // it still counts when the next cycle judges
}

void Ipaws::advance(std::uint64_t cycle) {
  if (state_ == State::adapting) {
    for (std::uint32_t i = 0; i < warps_.size(); ++i) {
      if (warps_[i].live && core_->view(i).at_barrier) warps_[i].waited += cycle - counted_;
    }
    counted_ = cycle;
    if (ended_) judge(cycle);
  }
  if (state_ == State::recovering && (behind_ == 0 || cycle >= recovered_)) stop_recovering(cycle);
}

void Ipaws::judge(std::uint64_t cycle) {
  std::uint64_t sum = 0;
  std::uint64_t largest = 0;
  std::uint64_t live = 0;
  most_ = 0;
  for (const Warp& warp : warps_) {
    if (!warp.live) continue;
    ++live;
    sum += warp.issues + warp.waited;
    largest = std::max(largest, warp.issues + warp.waited);
    most_ = std::max(most_, warp.issues);
  }
  if (2 * sum < live * largest) {
    state_ = State::concave;
    ++counts_.locks;
    return;
  }
  if (!recovers_) {
    state_ = State::round_robin;
    return;
  }
  state_ = State::recovering;
  began_ = cycle;
  recovered_ = cycle + settings_.recover;
  for (std::uint32_t i = 0; i < warps_.size(); ++i) {
    Warp& warp = warps_[i];
    warp.live = core_->view(i).live;
    warp.behind = warp.live && warp.issues < most_;
    if (warp.behind) ++behind_;
  }
}

WarpMask Ipaws::admit(unsigned scheduler, WarpMask issuable) const {
  if (state_ != State::recovering) return issuable;
  const core::WarpSlots slots(core_->schedulers());
  std::uint64_t fewest = UINT64_MAX;
  WarpMask first = 0;
  for_each_warp(issuable, [&](WarpId local) {
    const Warp& warp = warps_[slots.slot(scheduler, local)];
    if (!warp.behind || warp.issues > fewest) return;
    if (warp.issues < fewest) first = 0;
    fewest = warp.issues;
    first |= mask_of(local);
  });
  return first != 0 ? first : issuable;
}

void Ipaws::stop_recovering(std::uint64_t cycle) {
  state_ = State::round_robin;
  counts_.recoveries += cycle - began_;
}

void Ipaws::end(std::uint64_t cycle, AdaptCounts& counts) {
  if (state_ == State::recovering) stop_recovering(cycle);
  counts += counts_;
  counts_ = {};
}

}  // namespace paws::adapt
