// SPDX-License-Identifier: MIT
// In which cycles a scheduler may issue, and in which of them to the units that all share.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/support/divisor.h"

namespace paws::core {

/// A scheduler is enabled in one of core.issue_interval cycles, its number decides in which. Those
/// that are enabled in the same cycle take turns at the shared units, so that no two of them can
/// hand an instruction to one unit: arbitration from the cycle's number alone.
class IssueTurns {
 public:
  IssueTurns(unsigned schedulers, unsigned interval)
      : schedulers_(schedulers), interval_(interval) {
    for (unsigned s = 0; s < schedulers; ++s) {
      offsets_.push_back(interval - 1 - interval_.remainder(s));
    }
  }

  [[nodiscard]] bool enabled(unsigned scheduler, std::uint64_t cycle) const {
    return interval_.remainder(cycle + offsets_[scheduler]) == interval_.value() - 1;
  }
  /// Cycles of [from, to) in which the scheduler is enabled.
  [[nodiscard]] std::uint64_t enabled_cycles(unsigned scheduler, std::uint64_t from,
                                             std::uint64_t to) const {
    return enabled_before(scheduler, to) - enabled_before(scheduler, from);
  }
  /// Cycles before `cycle` in which the scheduler is enabled.
  [[nodiscard]] std::uint64_t enabled_before(unsigned scheduler, std::uint64_t cycle) const {
    return interval_.quotient(cycle + offsets_[scheduler]);
  }
  /// Whether the scheduler, enabled in `cycle`, has the shared units in it.
  [[nodiscard]] bool owns_shared_units(unsigned scheduler, std::uint64_t cycle) const {
    const std::uint64_t interval = interval_.value();
    if (schedulers_ <= interval) return true;
    const std::uint64_t rivals = (schedulers_ + offsets_[scheduler]) / interval;
    return interval_.quotient(cycle) % rivals == scheduler / interval;
  }

 private:
  std::uint64_t schedulers_;
  Divisor interval_;
  /// Of each scheduler: so many cycles after one in which it is enabled, its interval is at its
  /// end.
  std::vector<std::uint64_t> offsets_;
};

}  // namespace paws::core
