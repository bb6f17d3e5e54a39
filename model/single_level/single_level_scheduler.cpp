// SPDX-License-Identifier: MIT
#include "model/single_level/single_level_scheduler.h"

#include <stdexcept>

#include "model/phase_field.h"
#include "model/warp_mask.h"

namespace paws {

SingleLevelScheduler::SingleLevelScheduler(const SchedulerConfig& config) : config_(config) {}

void SingleLevelScheduler::reset() {
  live_.clear();
  due_ = 0;
  issues_ = 0;
  promises_.clear();
  cycle_ = {};
  on_reset();
}

SchedulerOutputs SingleLevelScheduler::decide(const SchedulerInputs& inputs) {
  promises_.see(config_, live_, inputs);
  const WarpMask issuable = inputs.issuable;
  const bool launch = inputs.launch_valid;
  bool issue = false;
  WarpId warp = 0;
  if (inputs.issue_en && issuable != 0) {
    phases_ = &inputs.phase;
    const WarpMask first = due_ & issuable;
    issue = true;
    warp = pick(first != 0 ? first : issuable);
    phases_ = nullptr;
    cycle_.exits = contains(inputs.exits, warp);
  }
  cycle_.issuable = issuable;
  cycle_.issue = issue;
  cycle_.warp = warp;
  cycle_.launch = launch;
  cycle_.launch_warp = inputs.launch_warp;
  return {.issue_warp = warp, .issue_valid = issue, .quiet = !launch && issuable == 0};
}

void SingleLevelScheduler::commit() {
  promises_.check(config_, live_);
  if (cycle_.issue) {
    if (cycle_.exits) live_.exit(cycle_.warp);
    age(cycle_.warp);
    on_issue(cycle_.warp, cycle_.exits);
  }
  if (cycle_.launch) live_.launch(cycle_.launch_warp);
}

QueueSnapshot SingleLevelScheduler::snapshot() const {
  QueueSnapshot snapshot;
  snapshot.due = due_;
  snapshot.last_issued = last_issued();
  return snapshot;
}

void SingleLevelScheduler::age(WarpId issuer) {
  if (config_.age_limit == 0 || is_fair()) return;
  const bool by_turn = (due_ & cycle_.issuable) != 0;
  due_ &= ~mask_of(issuer);
  if (by_turn || ++issues_ < config_.age_limit) return;
  due_ |= cycle_.issuable & ~mask_of(issuer);
  issues_ = 0;
}

unsigned SingleLevelScheduler::distance(WarpId warp) const {
  if (phases_ == nullptr) throw std::logic_error("a phase distance is known in pick() alone");
  return phase_key(config_, (*phases_)[warp]);
}

WarpId SingleLevelScheduler::nearest(WarpMask candidates) const {
  WarpMask nearest = 0;
  unsigned least = ~0U;
  for_each_warp(candidates, [&](WarpId warp) {
    const unsigned here = distance(warp);
    if (here < least) {
      least = here;
      nearest = 0;
    }
    if (here == least) nearest |= mask_of(warp);
  });
  return live_.oldest(nearest);
}

}  // namespace paws
