// SPDX-License-Identifier: MIT
#include "sim/blocks/block_limits.h"

#include <fmt/format.h>

namespace paws {

std::optional<std::string> above_most(unsigned limit, const LaunchBlocks& launch,
                                      const core::Resources& core) {
  const core::Resources::Count most = core.count(launch.needs);
  if (limit <= most.blocks) return std::nullopt;
  return fmt::format("a limit of {} blocks per core (--blocks), but {} fit: a core has no more {}",
                     limit, most.blocks, core::name_of(most.limit));
}

std::optional<std::string> no_room_together(const LaunchBlocks& first, const LaunchBlocks& second,
                                            const core::Resources& core) {
  core::Resources both = first.needs;
  both += second.needs;
  const auto lacking = core.lacking(both);
  if (!lacking) return std::nullopt;
  return fmt::format(
      "a block of it and one of the other launch fit no core together (--blocks): they need {} {}, "
      "a core has {}",
      both[*lacking], core::name_of(*lacking), core[*lacking]);
}

}  // namespace paws
