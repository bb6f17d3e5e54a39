// SPDX-License-Identifier: MIT
#include "model/single_level/single_level_scheduler.h"

#include <stdexcept>

#include "model/phase_field.h"
#include "model/warp_mask.h"

namespace paws {

SingleLevelScheduler::SingleLevelScheduler(const SchedulerConfig& config)
    : config_(config),
      reads_more_(knows_waits(config) || knows_groups(config) || knows_yields(config)),
      watches_(has_order(config)),
      promises_(config) {}

void SingleLevelScheduler::reset() {
  live_.clear();
  due_ = 0;
  issues_ = 0;
  barred_ = 0;
  promises_.clear();
  cycle_ = {};
  on_reset();
}

SchedulerOutputs SingleLevelScheduler::decide(const SchedulerInputs& inputs) {
  promises_.see(config_, live_, inputs);
  const WarpMask candidates = inputs.issuable & ~barred_;
  const bool launch = inputs.launch_valid;
  bool issue = false;
  WarpId warp = 0;
  if (inputs.issue_en && candidates != 0) {
    inputs_ = &inputs;
    const WarpMask first = due_ & candidates;
    issue = true;
    warp = pick(first != 0 ? first : candidates);
    inputs_ = nullptr;
    cycle_.issued.warp = warp;
    cycle_.issued.exits = contains(inputs.exits, warp);
    if (reads_more_) read_more(inputs);
  }
  cycle_.candidates = candidates;
  cycle_.enabled = inputs.issue_en;
  cycle_.issue = issue;
  cycle_.launch = launch;
  cycle_.launch_warp = inputs.launch_warp;
  cycle_.end = inputs.end_valid;
  cycle_.end_warp = inputs.end_warp;
  // A bar ends by itself.
  bool quiet = !launch && !inputs.end_valid && inputs.issuable == 0 && barred_ == 0;
  if (watches_) quiet = watch(inputs) && quiet;
  return {.issue_warp = warp, .issue_valid = issue, .quiet = quiet};
}

void SingleLevelScheduler::read_more(const SchedulerInputs& inputs) {
  Issue& issued = cycle_.issued;
  issued.yields = contains(inputs.yields, issued.warp);
  issued.second = contains(inputs.second, issued.warp);
  issued.pair = inputs.pair[issued.warp];
  issued.row = inputs.row[issued.warp];
  issued.waits = inputs.waits;
}

void SingleLevelScheduler::commit() {
  promises_.check(config_, live_);
  const WarpMask barred = barred_;
  if (cycle_.enabled) barred_ = 0;
  if (cycle_.issue) {
    const Issue& issued = cycle_.issued;
    age(issued.warp);
    on_issue(issued);
    if (issued.exits) live_.exit(issued.warp);
  }
  if (cycle_.end) end(cycle_.end_warp);
  if (cycle_.launch) live_.launch(cycle_.launch_warp);
  if (watches_) end_watched(barred);
}

void SingleLevelScheduler::end_watched(WarpMask barred) {
  const WarpId issuer = cycle_.issued.warp;
  promises_.end_cycle(cycle_.issue, issuer);
  barred_ = on_edge(barred, cycle_.issue ? std::optional(issuer) : std::nullopt);
}

QueueSnapshot SingleLevelScheduler::snapshot() const {
  QueueSnapshot snapshot;
  snapshot.due = due_;
  snapshot.last_issued = last_issued();
  snapshot.barred = barred_;
  snapshot.group = group();
  snapshot.group_run = group_run();
  return snapshot;
}

void SingleLevelScheduler::bar(WarpId warp) { barred_ = mask_of(warp); }

void SingleLevelScheduler::age(WarpId issuer) {
  if (config_.age_limit == 0 || is_fair()) return;
  const bool by_turn = (due_ & cycle_.candidates) != 0;
  due_ &= ~mask_of(issuer);
  if (by_turn || ++issues_ < config_.age_limit) return;
  due_ |= cycle_.candidates & ~mask_of(issuer);
  issues_ = 0;
}

void SingleLevelScheduler::end(WarpId warp) {
  live_.exit(warp);
  due_ &= ~mask_of(warp);
  barred_ &= ~mask_of(warp);
  on_late_end(warp);
}

const SchedulerInputs& SingleLevelScheduler::inputs() const {
  if (inputs_ == nullptr) throw std::logic_error("the inputs are known in pick() alone");
  return *inputs_;
}

unsigned SingleLevelScheduler::distance(WarpId warp) const {
  return phase_key(config_, inputs().phase[warp]);
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
