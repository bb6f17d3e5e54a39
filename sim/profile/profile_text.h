// SPDX-License-Identifier: MIT
// A profile by line for people at a terminal.
#pragma once

#include <string>

#include "sim/profile/profile_table.h"

namespace paws::profile {

/// The `shown` lines at which warps waited longest. Of several schedulers a column for each.
std::string to_text(const ProfileTable& table, std::size_t shown = 10);

/// The reasons for which warps waited, `most` of them: "memory 71 %, not selected 12 %".
std::string in_words(const observe::LineCounts& counts, std::size_t most);

/// 0 of nothing.
double percent(std::uint64_t part, std::uint64_t whole);

/// Threads that executed, per issue.
double lanes_of(const observe::LineCounts& counts);

}  // namespace paws::profile
