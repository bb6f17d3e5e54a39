// SPDX-License-Identifier: MIT
// The policies that the golden model knows.
//
// Every policy is an entry of model/policies.toml and one file under model/single_level/ or
// model/two_level/. The file <folder>/<name>.cpp defines
// `std::unique_ptr<Scheduler> <folder>_<name>(const SchedulerConfig& config)`.
// CMake writes the table behind policies() from the entries, so that a policy can neither be lost
// when libraries are linked nor change its place from one build to the next.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/scheduler.h"

namespace paws {

/// A number that a policy of the golden model alone takes, from the catalogue.
struct PolicyParameter {
  std::string name;   ///< key of SchedulerConfig::parameters
  unsigned standard;  ///< its value where the configuration gives none
  unsigned smallest, largest;
  std::string meaning;  ///< one sentence, with the unit
};

/// Which inputs a policy looks at that not every policy of its level does; the others mean nothing.
struct PolicyReads {
  bool lengths = false;  ///< SchedulerInputs::phase
  bool waits = false;    ///< SchedulerInputs::waits; every two-level one does
  bool groups = false;   ///< SchedulerInputs::pair, row and second
  bool yields = false;   ///< SchedulerInputs::yields
};

struct Policy {
  Level level;
  std::string name;  ///< SchedulerConfig::policy
  /// Single level: the warp that issues. Two-level: the order of the active queue.
  std::string rule;
  PolicyReads reads;
  std::vector<PolicyParameter> parameters;
  /// Value of policy_i and bit of POLICIES; none if no module has it among others.
  std::optional<unsigned> rtl_code;
  /// The module of the RTL that is this policy alone, and so has no policy_i; empty if none is.
  std::string rtl_module;
  /// A scheduler after reset, for a configuration that check() accepts.
  std::unique_ptr<Scheduler> (*make)(const SchedulerConfig& config);

  [[nodiscard]] bool in_rtl() const { return rtl_code.has_value() || !rtl_module.empty(); }
};

/// Every policy in the order of model/policies.toml.
const std::vector<Policy>& policies();

/// The policy of `config`, or nullptr.
const Policy* find_policy(const SchedulerConfig& config);

}  // namespace paws
