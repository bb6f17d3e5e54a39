// SPDX-License-Identifier: MIT
#include "model/host_promises.h"

#include <stdexcept>
#include <string>

#include "model/warp_mask.h"

namespace paws {
namespace {

[[noreturn]] void fail_at(const SchedulerConfig& config, const std::string& what, WarpId warp) {
  throw std::logic_error(scheduler_name(config) + ": the host broke a promise: " + what +
                         ", slot " + std::to_string(warp));
}

}  // namespace

void HostPromises::remember(bool broken, const SchedulerInputs& inputs) {
  broken_.reset();
  if (broken) broken_ = inputs;
  if (sees_groups_) groups_.see(inputs);
}

void HostPromises::check_doubtful(const SchedulerConfig& config, const LiveWarps& live) {
  if (broken_) fail(config, live);
  if (const auto broken = groups_.check(config, live)) fail_at(config, broken->what, broken->warp);
}

void HostPromises::fail(const SchedulerConfig& config, const LiveWarps& live) const {
  const SchedulerInputs& inputs = *broken_;
  const WarpMask waits = inputs.waits & seen_waits_;
  std::string what = "launch into a slot that holds a warp";
  WarpId warp = inputs.launch_warp;
  if (resting_ && inputs.issue_en) {
    what = "enabled in the cycle after an issue (with scheduler.compares = 1)";
    warp = issuer_;
  } else if (const WarpMask both = inputs.issuable & waits; both != 0) {
    what = "issuable and waiting at once";
    warp = lowest(both);
  } else if (const WarpMask issuable = inputs.issuable & ~live.mask(); issuable != 0) {
    what = "issuable without a warp";
    warp = lowest(issuable);
  } else if (const WarpMask waiting = waits & ~live.mask(); waiting != 0) {
    what = "waiting without a warp";
    warp = lowest(waiting);
  } else if (inputs.launch_valid && inputs.launch_warp >= config.warps) {
    what = "launch into a slot that does not exist";
  } else if (inputs.end_valid && !can_end(config, live, inputs)) {
    warp = inputs.end_warp;
    what = "late end of a slot that does not exist";
    if (warp < config.warps) {
      what = contains(inputs.issuable, warp) ? "late end of an issuable warp"
                                             : "late end of a slot without a warp";
    }
  }
  fail_at(config, what, warp);
}

}  // namespace paws
