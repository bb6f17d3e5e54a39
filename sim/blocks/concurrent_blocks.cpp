// SPDX-License-Identifier: MIT
#include "sim/blocks/concurrent_blocks.h"

#include <algorithm>

#include "sim/blocks/block_limits.h"

namespace paws {

void ConcurrentBlocks::begin(std::span<const LaunchBlocks> launches, const core::Resources& core,
                             std::uint64_t cycle) {
  MonitoredBlocks::begin(launches, core, cycle);
  launch_of_.resize(cores());
  for (std::uint32_t i = 0; i < cores(); ++i) launch_of_[i] = i % this->launches();
}

std::optional<BlocksInTurn::Choice> ConcurrentBlocks::choose(std::uint32_t core,
                                                             std::uint64_t cycle) const {
  const std::vector<unsigned>& resident = this->core(core).resident;
  std::uint32_t number = launch_of_[core];
  if (std::all_of(resident.begin(), resident.end(), [](unsigned blocks) { return blocks == 0; })) {
    for (std::uint32_t i = 0; i < launches() && launch(number).exhausted(); ++i) {
      number = (number + 1) % launches();
    }
  }
  if (!fits(core, number, cycle)) return std::nullopt;
  return next_of(number);
}

void ConcurrentBlocks::gave(std::uint32_t core, const Choice& choice, std::uint64_t cycle) {
  MonitoredBlocks::gave(core, choice, cycle);
  launch_of_[core] = choice.launch;
}

void MixedBlocks::begin(std::span<const LaunchBlocks> launches, const core::Resources& core,
                        std::uint64_t cycle) {
  BlocksInTurn::begin(launches, core, cycle);
  next_.assign(cores(), 0);
}

std::optional<BlockScheduler::Refusal> MixedBlocks::refuses(std::span<const LaunchBlocks> launches,
                                                            const core::Resources& core) const {
  for (std::uint32_t i = 0; i < launches.size(); ++i) {
    if (auto why = above_most(limits_[i], launches[i], core)) return Refusal{i, *why};
  }
  if (launches.size() < 2) return std::nullopt;
  if (auto why = no_room_together(launches[0], launches[1], core)) return Refusal{1, *why};
  return std::nullopt;
}

unsigned MixedBlocks::limit(std::uint32_t /*core*/, std::uint32_t number,
                            std::uint64_t /*cycle*/) const {
  unsigned most = limits_[number];
  for (std::uint32_t other = 0; expand_ && other < launches(); ++other) {
    if (other != number && launch(other).exhausted()) most += limits_[other];
  }
  return most;
}

std::optional<BlocksInTurn::Choice> MixedBlocks::choose(std::uint32_t core,
                                                        std::uint64_t cycle) const {
  for (std::uint32_t i = 0; i < launches(); ++i) {
    const std::uint32_t number = (next_[core] + i) % launches();
    if (fits(core, number, cycle)) return next_of(number);
  }
  return std::nullopt;
}

void MixedBlocks::gave(std::uint32_t core, const Choice& choice, std::uint64_t /*cycle*/) {
  next_[core] = (choice.launch + 1) % launches();
}

}  // namespace paws
