// SPDX-License-Identifier: MIT
#include "sim/gpu/l2_toucher.h"

namespace paws {

void L2Toucher::started(std::uint64_t index) {
  core_ = static_cast<std::uint32_t>(index % config_.cores);
  block_ = memory::LineOwner(first_block_ + index, 0);
}

void L2Toucher::executed(unsigned /*warp*/, std::uint32_t /*pc*/, const exec::Outcome& outcome) {
  if (!outcome.memory || outcome.space != ir::Space::global) return;
  core::coalesce(outcome, false, lines_);
  for (unsigned i = 0; i < lines_.count; ++i) {
    const core::Transaction& access = lines_.list[i];
    const bool sectored = config_.l1.sectored || outcome.store;
    const bool brought = memory_.touch(
        core_, block_, access.line, sectored ? access.sectors : memory::kAllSectors, outcome.store);
    brought_ += brought ? 1 : 0;
  }
}

}  // namespace paws
