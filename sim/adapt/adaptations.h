// SPDX-License-Identifier: MIT
// The catalogue of what changes the policy of schedulers while they run.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "model/scheduler.h"
#include "sim/config/gpu_config.h"
#include "sim/core/policy_control.h"
#include "sim/support/named_choice.h"

namespace paws {

/// In the order of the listing; the first one is the default. Names as in --adapt.
const std::vector<NamedChoice>& adaptations();

/// The default, by its name.
inline constexpr const char* kNoAdaptation = "none";

/// Makes the adaptation of a GPU with so many cores.
using AdaptationFactory = std::function<std::unique_ptr<core::Adaptation>(unsigned cores)>;

/// What `name` says, with the keys of `config`; empty for "none". It begins with the policy of
/// `scheduler`. Throws InputError that lists the names, or says that the scheduler cannot change.
AdaptationFactory adaptation_factory(const std::string& name, const GpuConfig& config,
                                     const SchedulerConfig& scheduler);

}  // namespace paws
