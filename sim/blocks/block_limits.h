// SPDX-License-Identifier: MIT
// Limits to the blocks of a core that a user gives.
#pragma once

#include <optional>
#include <string>

#include "sim/blocks/block_scheduler.h"

namespace paws {

/// Why a core cannot have a limit of so many blocks of the launch; nothing if it can.
std::optional<std::string> above_most(unsigned limit, const LaunchBlocks& launch,
                                      const core::Resources& core);

/// Why not one block of each can be on a core at a time; nothing if they can. Of each alone one
/// fits.
std::optional<std::string> no_room_together(const LaunchBlocks& first, const LaunchBlocks& second,
                                            const core::Resources& core);

}  // namespace paws
