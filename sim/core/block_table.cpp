// SPDX-License-Identifier: MIT
#include "sim/core/block_table.h"

#include <stdexcept>
#include <utility>

namespace paws::core {

void BlockTable::begin(std::uint32_t warps) {
  slots_.clear();
  free_.clear();
  warps_.assign(warps, {});
  live_ = 0;
}

void BlockTable::add_slot(std::unique_ptr<exec::ResidentBlock> block, std::uint32_t first_warp,
                          std::uint32_t warps) {
  free_.push_back(static_cast<std::uint32_t>(slots_.size()));
  slots_.push_back({std::move(block), first_warp, warps, 0, false});
}

const BlockTable::Slot& BlockTable::start(std::uint64_t index) {
  if (free_.empty()) throw std::logic_error("a block is given to a core without a free slot");
  const std::uint32_t number = free_.front();
  free_.pop_front();
  Slot& slot = slots_[number];
  slot.block->start(index);
  slot.used = true;
  slot.running = slot.warps;
  for (std::uint32_t i = 0; i < slot.warps; ++i) {
    Warp& warp = warps_[slot.first_warp + i];
    warp.block = slot.block.get();
    warp.in_block = i;
    warp.block_slot = number;
  }
  return slot;
}

const BlockTable::Slot* BlockTable::release_if_drained(std::uint32_t block_slot) {
  Slot& slot = slots_[block_slot];
  if (!slot.used || slot.running > 0) return nullptr;
  for (std::uint32_t i = 0; i < slot.warps; ++i) {
    if (warps_[slot.first_warp + i].in_flight > 0) return nullptr;
  }
  slot.used = false;
  free_.push_back(block_slot);
  return &slot;
}

}  // namespace paws::core
