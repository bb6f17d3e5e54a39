// SPDX-License-Identifier: MIT
// A profile by line, and warps over time, as they go from process to process and into the JSON of a
// run, from which `paws report` makes its page. For other files see sim/profile.
#pragma once

#include <nlohmann/json.hpp>

#include "sim/observe/line_profile.h"
#include "sim/observe/warp_series.h"

namespace paws {

nlohmann::json to_json(const observe::Profile& profile);

nlohmann::json to_json(const observe::WarpSeries& warps);

/// The inverses. Throw nlohmann::json::exception.
observe::Profile profile_from(const nlohmann::json& json);
observe::WarpSeries warps_from(const nlohmann::json& json);

}  // namespace paws
