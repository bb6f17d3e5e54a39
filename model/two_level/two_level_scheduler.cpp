// SPDX-License-Identifier: MIT
#include "model/two_level/two_level_scheduler.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "model/phase_field.h"
#include "model/warp_mask.h"

namespace paws {

TwoLevelScheduler::TwoLevelScheduler(const SchedulerConfig& config, ActiveOrder order,
                                     Admission admission)
    : config_(config), order_(std::move(order)), admission_(admission) {
  ready_.reserve(config_.warps);
  active_.reserve(config_.warps);
  collector_.reserve(config_.warps);
}

void TwoLevelScheduler::reset() {
  live_.clear();
  ready_.clear();
  ready_mask_ = 0;
  active_.clear();
  collector_.clear();
  pending_ = 0;
  issues_ = 0;
  inputs_ = {};
  outputs_ = {};
}

SchedulerOutputs TwoLevelScheduler::decide(const SchedulerInputs& inputs) {
  inputs_ = inputs;
  outputs_ = {};
  const std::optional<WarpId> warp = candidate();
  if (warp && inputs_.issue_en) {
    outputs_.issue_valid = true;
    outputs_.issue_warp = *warp;
  }
  outputs_.quiet = !inputs_.launch_valid && collector_.empty() && !promotes() && !warp &&
                   (ready_mask_ & inputs_.waits) == 0 && waking() == 0;
  return outputs_;
}

void TwoLevelScheduler::commit() {
  check_promises(config_, live_, inputs_);

  // What happens is read from the state before the edge...
  const bool promotion = promotes();
  const WarpMask woken = waking();
  const std::ptrdiff_t admitted = admissions();
  const Aging aging = this->aging();

  // ...and then takes effect. A promoted warp goes behind an issuer of the same cycle, and a warp
  // that enters active is neither the one that is promoted nor among those that become due.
  leave(ready_mask_ & inputs_.waits);
  if (outputs_.issue_valid) issue(outputs_.issue_warp, aging == Aging::relief);
  if (promotion) promote();
  age(aging);
  std::for_each_n(collector_.begin(), admitted, [this](WarpId warp) { enter_active(warp); });
  collector_.erase(collector_.begin(), collector_.begin() + admitted);
  wake(woken);
  if (inputs_.launch_valid) {
    const WarpId warp = inputs_.launch_warp;
    live_.launch(warp);
    length_[warp] = phase_key(config_, inputs_.phase[warp]);
    enter_active(warp);
  }
}

QueueSnapshot TwoLevelScheduler::snapshot() const {
  QueueSnapshot snapshot;
  snapshot.ready = ready_;
  for (const ActiveWarp& entry : active_) {
    snapshot.active.push_back(entry.warp);
    if (entry.due) snapshot.due |= mask_of(entry.warp);
  }
  snapshot.collector = collector_;
  snapshot.pending = pending_;
  return snapshot;
}

std::optional<WarpId> TwoLevelScheduler::candidate() const {
  if ((ready_mask_ & inputs_.issuable) == 0) return std::nullopt;
  return *std::ranges::find_if(ready_,
                               [&](WarpId warp) { return contains(inputs_.issuable, warp); });
}

bool TwoLevelScheduler::promotes() const {
  return !active_.empty() && ready_.size() < config_.ready;
}

WarpMask TwoLevelScheduler::waking() const {
  return pending_ & ~inputs_.long_outstanding & ~inputs_.waits;
}

std::ptrdiff_t TwoLevelScheduler::admissions() const {
  if (admission_ == Admission::all) return std::ssize(collector_);
  return collector_.empty() || inputs_.launch_valid ? 0 : 1;
}

TwoLevelScheduler::Aging TwoLevelScheduler::aging() const {
  if (config_.age_limit == 0 || !outputs_.issue_valid) return Aging::none;
  if (issues_ + 1 < config_.age_limit) return Aging::count;
  const bool any_due = !active_.empty() && active_.front().due;  // they stand first
  if (!any_due) return Aging::gather;
  return ready_.size() < config_.ready ? Aging::none : Aging::relief;
}

void TwoLevelScheduler::issue(WarpId warp, bool relieved) {
  const bool exits = contains(inputs_.exits, warp);
  if (relieved && !exits) {
    leave(mask_of(warp));
    return;
  }
  remove_from_ready(warp);
  if (exits) {
    live_.exit(warp);
  } else {
    append_to_ready(warp);
  }
}

void TwoLevelScheduler::leave(WarpMask leaving) {
  pending_ |= leaving;
  for_each_warp(leaving, [&](WarpId warp) {
    remove_from_ready(warp);
    length_[warp] = phase_key(config_, inputs_.phase[warp]);
  });
}

void TwoLevelScheduler::wake(WarpMask woken) {
  pending_ &= ~woken;
  while (woken != 0) {
    const WarpId warp = config_.wake_oldest ? live_.oldest(woken) : lowest(woken);
    collector_.push_back(warp);
    woken &= ~mask_of(warp);
  }
}

void TwoLevelScheduler::promote() {
  append_to_ready(active_.front().warp);
  active_.erase(active_.begin());
}

void TwoLevelScheduler::age(Aging aging) {
  if (aging == Aging::none) return;
  if (aging == Aging::count) {
    ++issues_;
    return;
  }
  issues_ = 0;
  if (aging == Aging::gather) {
    for (ActiveWarp& entry : active_) entry.due = true;
  }
}

void TwoLevelScheduler::enter_active(WarpId warp) {
  const ActiveWarp entry{
      .warp = warp, .launch_number = live_.launch_number(warp), .length = length_[warp]};
  const auto before = [this](const ActiveWarp& a, const ActiveWarp& b) {
    return a.due != b.due ? a.due : order_(a, b);
  };
  active_.insert(std::ranges::upper_bound(active_, entry, before), entry);
}

void TwoLevelScheduler::remove_from_ready(WarpId warp) {
  std::erase(ready_, warp);
  ready_mask_ &= ~mask_of(warp);
}

void TwoLevelScheduler::append_to_ready(WarpId warp) {
  ready_.push_back(warp);
  ready_mask_ |= mask_of(warp);
}

}  // namespace paws
