// SPDX-License-Identifier: MIT
// Schedulers whose policy can change while they run, between RR and GTO of a level
// (docs/reference/adaptive_scheduling.md, "Switching").
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "model/scheduler.h"

namespace paws {

enum class SwitchedPolicy : std::uint8_t { rr, gto };
inline constexpr unsigned kSwitchedPolicies = 2;

/// What a scheduler of make_switching() is besides a Scheduler.
class PolicySwitch {
 public:
  virtual ~PolicySwitch() = default;
  /// Between two cycles: from the next one on the policy is this one.
  virtual void change_policy(SwitchedPolicy policy) = 0;
};

/// The policy of `config` among those of a switching scheduler, if it is one of them.
std::optional<SwitchedPolicy> switched_policy(const SchedulerConfig& config);

/// The golden model of a scheduler with both policies; it is a PolicySwitch too. The policy of
/// `config` is the one at first and after reset. Throws std::invalid_argument as make_model(), for
/// a policy that is neither of the two, and for an age limit.
std::unique_ptr<Scheduler> make_switching(const SchedulerConfig& config);

}  // namespace paws
