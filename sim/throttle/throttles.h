// SPDX-License-Identifier: MIT
// The catalogue of throttles: filters between what can issue and what the warp schedulers see.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/config/gpu_config.h"
#include "sim/core/issue_filter.h"
#include "sim/support/named_choice.h"

namespace paws {

/// In the order of the listing; the first one is the default. Names as in --throttle.
const std::vector<NamedChoice>& throttles();

/// The default, by its name.
inline constexpr const char* kNoThrottle = "none";

/// Makes the filter of a core.
using ThrottleFactory = std::function<std::unique_ptr<core::IssueFilter>(std::uint32_t core)>;

/// What `name` says ("ccws", "swl:4"), with the keys of `config`; empty for "none". Throws
/// InputError that lists the names, or says what is wrong with the parameter.
ThrottleFactory throttle_factory(const std::string& name, const GpuConfig& config);

}  // namespace paws
