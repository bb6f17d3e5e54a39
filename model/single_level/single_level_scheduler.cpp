// SPDX-License-Identifier: MIT
#include "model/single_level/single_level_scheduler.h"

#include "model/phase_field.h"
#include "model/warp_mask.h"

namespace paws {

SingleLevelScheduler::SingleLevelScheduler(const SchedulerConfig& config) : config_(config) {}

void SingleLevelScheduler::reset() {
  live_.clear();
  due_ = 0;
  issues_ = 0;
  inputs_ = {};
  outputs_ = {};
  on_reset();
}

SchedulerOutputs SingleLevelScheduler::decide(const SchedulerInputs& inputs) {
  inputs_ = inputs;
  outputs_ = {};
  if (inputs_.issue_en && inputs_.issuable != 0) {
    outputs_.issue_valid = true;
    outputs_.issue_warp = pick(due_issuable() != 0 ? due_issuable() : inputs_.issuable);
  }
  outputs_.quiet = !inputs_.launch_valid && inputs_.issuable == 0;
  return outputs_;
}

void SingleLevelScheduler::commit() {
  check_promises(config_, live_, inputs_);
  if (outputs_.issue_valid) {
    const WarpId warp = outputs_.issue_warp;
    const bool exits = contains(inputs_.exits, warp);
    if (exits) live_.exit(warp);
    age(warp);
    on_issue(warp, exits);
  }
  if (inputs_.launch_valid) live_.launch(inputs_.launch_warp);
}

QueueSnapshot SingleLevelScheduler::snapshot() const {
  QueueSnapshot snapshot;
  snapshot.due = due_;
  snapshot.last_issued = last_issued();
  return snapshot;
}

void SingleLevelScheduler::age(WarpId issuer) {
  if (config_.age_limit == 0 || is_fair()) return;
  const bool by_turn = due_issuable() != 0;
  due_ &= ~mask_of(issuer);
  if (by_turn || ++issues_ < config_.age_limit) return;
  due_ |= inputs_.issuable & ~mask_of(issuer);
  issues_ = 0;
}

unsigned SingleLevelScheduler::distance(WarpId warp) const {
  return phase_key(config_, inputs_.phase[warp]);
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
