// SPDX-License-Identifier: MIT
// A profile by line for people at a terminal.
#pragma once

#include <string>

#include "sim/profile/profile_table.h"

namespace paws::profile {

/// The `shown` lines at which warps waited longest. Of several schedulers a column for each.
std::string to_text(const ProfileTable& table, std::size_t shown = 10);

}  // namespace paws::profile
