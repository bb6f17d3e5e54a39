// SPDX-License-Identifier: MIT
// What the host promises about its inputs (docs/reference/microarchitecture.md, "Promises of the
// host"), checked at the end of every cycle.
#pragma once

#include <optional>

#include "model/group_promises.h"
#include "model/live_warps.h"
#include "model/scheduler.h"

namespace paws {

/// Inputs are large and promises are kept: of a cycle in which none is broken nothing is copied.
class HostPromises {
 public:
  explicit HostPromises(const SchedulerConfig& config)
      : seen_waits_(knows_waits(config) ? ~WarpMask{0} : 0),
        sees_groups_(knows_groups(config)),
        rests_(rests_after_issue(config)) {}

  void clear() {
    doubtful_ = false;
    broken_.reset();
    resting_ = false;
    groups_.clear();
  }

  /// The inputs of a decide() while `live` are the live warps; those of the last one count.
  void see(const SchedulerConfig& config, const LiveWarps& live, const SchedulerInputs& inputs) {
    const WarpMask waits = inputs.waits & seen_waits_;
    const WarpMask wrong = (inputs.issuable & waits) | ((inputs.issuable | waits) & ~live.mask());
    const bool broken =
        wrong != 0 || (inputs.launch_valid && !can_launch(config, live, inputs.launch_warp)) ||
        (inputs.end_valid && !can_end(config, live, inputs)) || (resting_ && inputs.issue_en);
    doubtful_ = broken || sees_groups_;
    if (doubtful_) remember(broken, inputs);
  }

  /// Throws std::logic_error if the inputs seen last break a promise.
  void check(const SchedulerConfig& config, const LiveWarps& live) {
    if (doubtful_) check_doubtful(config, live);
  }

  /// A cycle ends, in which `issuer` issued if there was an `issue`.
  void end_cycle(bool issue, WarpId issuer) {
    resting_ = rests_ && issue;
    issuer_ = issuer;
  }

 private:
  static bool can_launch(const SchedulerConfig& config, const LiveWarps& live, WarpId warp) {
    return warp < config.warps && (live.mask() >> warp & 1U) == 0;
  }
  static bool can_end(const SchedulerConfig& config, const LiveWarps& live,
                      const SchedulerInputs& inputs) {
    const WarpMask may_end = live.mask() & ~inputs.issuable;
    return inputs.end_warp < config.warps && (may_end >> inputs.end_warp & 1U) != 0;
  }
  void remember(bool broken, const SchedulerInputs& inputs);
  void check_doubtful(const SchedulerConfig& config, const LiveWarps& live);
  [[noreturn]] void fail(const SchedulerConfig& config, const LiveWarps& live) const;

  WarpMask seen_waits_;  ///< all slots, or none if the scheduler does not look at `waits`
  bool sees_groups_;
  bool rests_;            ///< no enable may follow an issue at once
  bool resting_ = false;  ///< `issuer_` issued in the cycle before
  WarpId issuer_ = 0;
  bool doubtful_ = false;  ///< check() has to look closer
  GroupPromises groups_;
  std::optional<SchedulerInputs> broken_;
};

}  // namespace paws
