// SPDX-License-Identifier: MIT
#include "sim/gpu/round_robin_blocks.h"

#include <algorithm>
#include <limits>

namespace paws {

RoundRobinBlocks::RoundRobinBlocks(std::uint32_t cores, std::uint64_t latency)
    : latency_(latency), free_from_(cores) {}

void RoundRobinBlocks::begin(std::uint64_t blocks, unsigned slots, std::uint64_t cycle) {
  blocks_ = blocks;
  next_block_ = 0;
  slots_ = {};
  for (std::uint32_t core = 0; core < free_from_.size(); ++core) {
    for (unsigned slot = 0; slot < slots; ++slot) slots_.push({cycle + slot, core});
    free_from_[core] = cycle + slots;
  }
}

void RoundRobinBlocks::freed(std::uint32_t core, std::uint64_t cycle) {
  const std::uint64_t start = std::max(cycle + latency_, free_from_[core]);
  free_from_[core] = start + 1;
  slots_.push({start, core});
}

void RoundRobinBlocks::hand_out(std::uint64_t end, const HandOut& to) {
  while (next_start() < end) {
    const auto [cycle, core] = slots_.top();
    slots_.pop();
    to(core, next_block_++, cycle);
  }
}

std::uint64_t RoundRobinBlocks::next_start() const {
  if (next_block_ == blocks_ || slots_.empty()) return std::numeric_limits<std::uint64_t>::max();
  return slots_.top().first;
}

}  // namespace paws
