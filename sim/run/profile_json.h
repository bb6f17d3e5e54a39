// SPDX-License-Identifier: MIT
// A profile by line as it goes from process to process. For files see sim/profile.
#pragma once

#include <nlohmann/json.hpp>

#include "sim/observe/line_profile.h"

namespace paws {

nlohmann::json to_json(const observe::Profile& profile);

/// The inverse. Throws nlohmann::json::exception.
observe::Profile profile_from(const nlohmann::json& json);

}  // namespace paws
