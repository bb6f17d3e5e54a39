// SPDX-License-Identifier: MIT
#include "model/two_level/two_level_scheduler.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "model/phase_field.h"
#include "model/warp_mask.h"

namespace paws {

TwoLevelScheduler::TwoLevelScheduler(const SchedulerConfig& config, WarpOrder order,
                                     WarpOrder ready_order)
    : config_(config),
      order_(std::move(order)),
      ready_order_(std::move(ready_order)),
      promises_(config) {
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
  promises_.clear();
  cycle_ = {};
}

SchedulerOutputs TwoLevelScheduler::decide(const SchedulerInputs& inputs) {
  promises_.see(config_, live_, inputs);
  const WarpMask issuable = inputs.issuable & ready_mask_;
  const WarpMask leaving = inputs.waits & ready_mask_;
  const WarpMask woken = pending_ & ~inputs.long_outstanding & ~inputs.waits;
  const bool launch = inputs.launch_valid;
  const bool issue = inputs.issue_en && issuable != 0;
  cycle_.late_end.reset();
  if (inputs.end_valid) cycle_.late_end = inputs.end_warp;
  const bool quiet = !launch && !inputs.end_valid && collector_.empty() && !promotes() &&
                     (issuable | leaving) == 0 && woken == 0;
  if (config_.affinity != Affinity::none) {
    cycle_.tail = inputs.more ? inputs.tail : 0;
    cycle_.promoted = inputs.more && promotes() ? preferred(cycle_.tail) : 0;
  }
  WarpId warp = 0;
  if (issue) {
    warp = first_of_ready(issuable);
    cycle_.exits = contains(inputs.exits, warp);
    if (config_.age_limit != 0) sample(warp, inputs);
  }
  if (launch) {
    cycle_.launch_warp = inputs.launch_warp;
    if (inputs.launch_warp < kMaxWarps) {
      sample(inputs.launch_warp, inputs);
      cycle_.launch_block = inputs.block[inputs.launch_warp];
    }
  }
  for_each_warp(leaving, [&](WarpId each) { sample(each, inputs); });
  if (ready_order_ && promotes()) {
    for (const WarpId each : ready_) sample(each, inputs);
  }
  cycle_.leaving = leaving;
  cycle_.woken = woken;
  cycle_.issue = issue;
  cycle_.warp = warp;
  cycle_.launch = launch;
  return {.issue_warp = warp, .issue_valid = issue, .quiet = quiet};
}

void TwoLevelScheduler::commit() {
  promises_.check(config_, live_);

  // What happens is read from the state before the edge...
  const bool promotion = promotes();
  const bool admission = admits();
  const Aging aging = this->aging();

  // ...and then takes effect. A promoted warp goes behind an issuer of the same cycle, and a warp
  // that enters active is neither the one that is promoted nor among those that become due.
  if (cycle_.leaving != 0) leave(cycle_.leaving);
  if (cycle_.issue) issue(cycle_.warp, aging == Aging::relief);
  if (promotion) promote();
  age(aging);
  if (admission) {
    enter_active(collector_.front());
    collector_.erase(collector_.begin());
  }
  if (cycle_.woken != 0) wake(cycle_.woken);
  if (cycle_.launch) {
    const WarpId warp = cycle_.launch_warp;
    const WarpMask others = live_.mask();
    live_.launch(warp);
    if (config_.affinity != Affinity::none) {
      blocks_.launch(warp, cycle_.launch_block, live_.launch_number(warp), others);
    }
    length_[warp] = sampled_[warp];
    enter_active(warp);
  }
  if (cycle_.late_end) end(*cycle_.late_end);
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

WarpId TwoLevelScheduler::first_of_ready(WarpMask issuable) const {
  return *std::ranges::find_if(ready_, [&](WarpId warp) { return contains(issuable, warp); });
}

void TwoLevelScheduler::sample(WarpId warp, const SchedulerInputs& inputs) {
  sampled_[warp] = phase_key(config_, inputs.phase[warp]);
}

bool TwoLevelScheduler::promotes() const {
  return !active_.empty() && ready_.size() < config_.ready && !ends_in_active();
}

std::size_t TwoLevelScheduler::preferred(WarpMask tail) const {
  // Due warps stand first, in the policy's order.
  if (active_.front().due) return 0;
  const auto first_by = [this](auto rank) {
    const auto best = std::ranges::min_element(active_, {}, rank);
    return static_cast<std::size_t>(best - active_.begin());
  };
  const auto finished = [&](const ActiveWarp& entry) { return contains(tail, entry.warp) ? 0 : 2; };
  switch (config_.affinity) {
    case Affinity::finish:
      return first_by(finished);
    case Affinity::group:
    case Affinity::finish_group: {
      const ResidentBlocks::Set ready = blocks_.blocks_of(ready_);
      const bool both = config_.affinity == Affinity::finish_group;
      return first_by([&](const ActiveWarp& entry) {
        return (both ? finished(entry) : 0) + (ready[blocks_.block(entry.warp)] ? 0 : 1);
      });
    }
    case Affinity::block_age:
      return first_by([&](const ActiveWarp& entry) { return blocks_.birth(entry.warp); });
    case Affinity::none:
    case Affinity::finish_at_entry:
      break;
  }
  return 0;
}

bool TwoLevelScheduler::admits() const {
  return !collector_.empty() && !cycle_.launch && !ends_in_collector();
}

TwoLevelScheduler::Aging TwoLevelScheduler::aging() const {
  if (config_.age_limit == 0 || !cycle_.issue) return Aging::none;
  if (issues_ + 1 < config_.age_limit) return Aging::count;
  const bool any_due = !active_.empty() && active_.front().due;  // they stand first
  if (!any_due) return Aging::gather;
  return ready_.size() < config_.ready ? Aging::none : Aging::relief;
}

void TwoLevelScheduler::issue(WarpId warp, bool relieved) {
  if (relieved && !cycle_.exits) {
    leave(mask_of(warp));
    return;
  }
  if (cycle_.exits) {
    remove_from_ready(warp);
    live_.exit(warp);
  } else {
    const auto place = std::ranges::find(ready_, warp);
    std::rotate(place, place + 1, ready_.end());
  }
}

void TwoLevelScheduler::leave(WarpMask leaving) {
  pending_ |= leaving;
  for_each_warp(leaving, [&](WarpId warp) {
    remove_from_ready(warp);
    length_[warp] = sampled_[warp];
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
  const auto place = active_.begin() + static_cast<std::ptrdiff_t>(cycle_.promoted);
  append_to_ready(place->warp);
  sampled_[place->warp] = place->length;
  active_.erase(place);
  if (ready_order_) sort_ready();
}

void TwoLevelScheduler::sort_ready() {
  std::ranges::stable_sort(ready_, ready_order_, [this](WarpId warp) {
    return ActiveWarp{
        .warp = warp, .launch_number = live_.launch_number(warp), .length = sampled_[warp]};
  });
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
      .warp = warp,
      .launch_number = live_.launch_number(warp),
      .length = length_[warp],
      .tail = config_.affinity == Affinity::finish_at_entry && contains(cycle_.tail, warp)};
  const auto before = [this](const ActiveWarp& a, const ActiveWarp& b) {
    if (a.due != b.due) return a.due;
    return a.tail != b.tail ? a.tail : order_(a, b);
  };
  // As the sorters do it, behind so many as it does not go before: active need not be in order,
  // as the order may have changed.
  const auto ahead = std::ranges::count_if(
      active_, [&](const ActiveWarp& member) { return !before(entry, member); });
  active_.insert(active_.begin() + ahead, entry);
}

void TwoLevelScheduler::end(WarpId warp) {
  remove_from_ready(warp);
  std::erase_if(active_, [warp](const ActiveWarp& entry) { return entry.warp == warp; });
  std::erase(collector_, warp);
  pending_ &= ~mask_of(warp);
  live_.exit(warp);
}

bool TwoLevelScheduler::ends_in_active() const {
  return cycle_.late_end &&
         std::ranges::find(active_, *cycle_.late_end, &ActiveWarp::warp) != active_.end();
}

bool TwoLevelScheduler::ends_in_collector() const {
  return cycle_.late_end && std::ranges::find(collector_, *cycle_.late_end) != collector_.end();
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
