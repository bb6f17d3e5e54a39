// SPDX-License-Identifier: MIT
// The policies that the golden model knows.
//
// Every policy is one file under model/single_level/ or model/two_level/ and one line in
// model/CMakeLists.txt. The file <folder>/<name>.cpp defines `Policy <folder>_<name>()`;
// CMake writes the table behind policies() from its list, so that a policy can neither be lost
// when libraries are linked nor change its place from one build to the next.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/scheduler.h"

namespace paws {

struct Policy {
  Level level;
  std::string name;  ///< SchedulerConfig::policy
  bool in_rtl;       ///< false: it lives in the model alone
  /// A scheduler after reset, for a configuration that check() accepts.
  std::unique_ptr<Scheduler> (*make)(const SchedulerConfig& config);
};

/// Every policy in the order of model/CMakeLists.txt.
const std::vector<Policy>& policies();

/// The policy of `config`, or nullptr.
const Policy* find_policy(const SchedulerConfig& config);

}  // namespace paws
