// SPDX-License-Identifier: MIT
// A profile by line as a page for a browser: the source with a bar at each line.
#pragma once

#include <string>

#include "sim/profile/profile_table.h"
#include "sim/run/provenance.h"

namespace paws::profile {

/// HTML that needs nothing else: no other file, no network. Without scripts all is there but the
/// sorting.
std::string to_html(const ProfileTable& table, const Provenance& made_by);

}  // namespace paws::profile
