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
      : sees_waits_(knows_waits(config)), sees_groups_(knows_groups(config)) {}

  void clear() {
    broken_.reset();
    groups_.clear();
  }

  /// The inputs of a decide() while `live` are the live warps; those of the last one count.
  void see(const SchedulerConfig& config, const LiveWarps& live, const SchedulerInputs& inputs) {
    const WarpMask waits = seen_waits(inputs);
    const WarpMask wrong = (inputs.issuable & waits) | ((inputs.issuable | waits) & ~live.mask());
    const bool launch = inputs.launch_valid && !can_launch(config, live, inputs.launch_warp);
    if (wrong != 0 || launch) {
      broken_ = inputs;
    } else if (broken_) {
      broken_.reset();
    }
    if (sees_groups_) groups_.see(inputs);
  }

  /// Throws std::logic_error if the inputs seen last break a promise.
  void check(const SchedulerConfig& config, const LiveWarps& live) {
    if (broken_) fail(config, live);
    if (sees_groups_) check_groups(config, live);
  }

 private:
  [[nodiscard]] WarpMask seen_waits(const SchedulerInputs& inputs) const {
    return sees_waits_ ? inputs.waits : 0;
  }
  static bool can_launch(const SchedulerConfig& config, const LiveWarps& live, WarpId warp) {
    return warp < config.warps && (live.mask() >> warp & 1U) == 0;
  }
  [[noreturn]] void fail(const SchedulerConfig& config, const LiveWarps& live) const;
  void check_groups(const SchedulerConfig& config, const LiveWarps& live);

  bool sees_waits_;
  bool sees_groups_;
  GroupPromises groups_;
  std::optional<SchedulerInputs> broken_;
};

}  // namespace paws
