// SPDX-License-Identifier: MIT
// How pages for a browser draw the reasons for which warps wait.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "sim/observe/line_profile.h"

namespace paws::profile {

/// in_words(), of which no line ends before a %.
std::string words(const observe::LineCounts& counts, std::size_t most);

/// The waits by reason, as long as `counts.waited()` of `whole`.
std::string reason_bar(const observe::LineCounts& counts, std::uint64_t whole);
/// Issues and waits by reason, as long as `counts.warp_cycles()` of `whole`.
std::string warp_cycle_bar(const observe::LineCounts& counts, std::uint64_t whole);

/// What each reason means, with its colour: elements of a list.
std::string reason_legend();

}  // namespace paws::profile
