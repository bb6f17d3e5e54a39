// SPDX-License-Identifier: MIT
#include "sim/gpu/round_robin_blocks.h"

#include <limits>

namespace paws {

RoundRobinBlocks::RoundRobinBlocks(std::uint32_t cores, std::uint64_t latency)
    : latency_(latency), cores_(cores) {}

void RoundRobinBlocks::begin(std::span<const LaunchBlocks> launches, const core::Resources& core,
                             std::uint64_t cycle) {
  blocks_ = 0;
  started_ = 0;
  launches_.clear();
  for (const LaunchBlocks& launch : launches) {
    launches_.push_back({launch, 0});
    blocks_ += launch.blocks;
  }
  chances_ = {};
  for (std::uint32_t number = 0; number < cores_.size(); ++number) {
    cores_[number] = {core, cycle};
    chances_.push({cycle, number, {}});
  }
}

void RoundRobinBlocks::freed(std::uint32_t core, std::uint32_t launch, std::uint64_t cycle) {
  chances_.push({cycle + latency_, core, launch});
}

RoundRobinBlocks::Launch* RoundRobinBlocks::next_launch(const Core& core) {
  for (Launch& launch : launches_) {
    if (launch.next < launch.blocks.blocks && core.free.hold(launch.blocks.needs)) return &launch;
  }
  return nullptr;
}

void RoundRobinBlocks::hand_out(std::uint64_t end, const HandOut& to) {
  while (next_start() < end) {
    const Chance chance = chances_.top();
    chances_.pop();
    Core& core = cores_[chance.core];
    if (chance.ended) core.free += launches_[*chance.ended].blocks.needs;
    if (core.free_from > chance.cycle) {
      chances_.push({core.free_from, chance.core, {}});
      continue;
    }
    Launch* const launch = next_launch(core);
    if (launch == nullptr) continue;
    core.free -= launch->blocks.needs;
    core.free_from = chance.cycle + 1;
    ++started_;
    const auto number = static_cast<std::uint32_t>(launch - launches_.data());
    to({chance.core, number, launch->next++, chance.cycle});
    if (next_launch(core) != nullptr) chances_.push({core.free_from, chance.core, {}});
  }
}

std::uint64_t RoundRobinBlocks::next_start() const {
  if (started_ == blocks_ || chances_.empty()) return std::numeric_limits<std::uint64_t>::max();
  return chances_.top().cycle;
}

}  // namespace paws
