// SPDX-License-Identifier: MIT
// The catalogue of throttles: filters between what can issue and what the warp schedulers see.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/core/issue_filter.h"

namespace paws {

/// A throttle as `paws list` tells it.
struct Throttle {
  std::string name;       ///< as in --throttle
  std::string parameter;  ///< what follows a colon, for example "N"; empty: nothing does
  std::string rule;       ///< one sentence
};

/// In the order of the listing; the first one is the default.
const std::vector<Throttle>& throttles();

/// The default, by its name.
inline constexpr const char* kNoThrottle = "none";

/// Makes the filter of a core by what `name` says ("ccws", "swl:4"); null for "none". Throws
/// InputError that lists the names, or says what is wrong with the parameter.
std::function<std::unique_ptr<core::IssueFilter>(std::uint32_t core)> throttle_factory(
    const std::string& name);

}  // namespace paws
