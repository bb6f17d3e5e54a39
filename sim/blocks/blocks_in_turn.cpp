// SPDX-License-Identifier: MIT
#include "sim/blocks/blocks_in_turn.h"

#include <limits>
#include <numeric>
#include <utility>

namespace paws {

BlocksInTurn::BlocksInTurn(std::uint32_t cores, std::uint64_t latency)
    : latency_(latency), cores_(cores) {}

void BlocksInTurn::begin(std::span<const LaunchBlocks> launches, const core::Resources& core,
                         std::uint64_t cycle) {
  blocks_ = 0;
  started_ = 0;
  launches_.clear();
  for (const LaunchBlocks& launch : launches) {
    launches_.push_back({launch, core.count(launch.needs).blocks, 0});
    blocks_ += launch.blocks;
  }
  chances_ = {};
  for (std::uint32_t number = 0; number < cores_.size(); ++number) {
    cores_[number] = {core, cycle, std::vector<unsigned>(launches.size())};
    chances_.push({cycle, number, {}, {}});
  }
}

void BlocksInTurn::freed(std::uint32_t core, std::uint32_t launch, std::uint32_t pair,
                         std::uint64_t cycle) {
  chances_.push({cycle + latency_, core, Ended{launch, pair}, {}});
}

void BlocksInTurn::cap(std::uint32_t core, unsigned blocks, std::uint64_t cycle) {
  chances_.push({cycle, core, {}, blocks});
}

unsigned BlocksInTurn::limit(std::uint32_t /*core*/, std::uint32_t launch,
                             std::uint64_t /*cycle*/) const {
  return launches_[launch].most;
}

bool BlocksInTurn::below_cap(std::uint32_t core) const {
  const std::vector<unsigned>& resident = cores_[core].resident;
  return std::accumulate(resident.begin(), resident.end(), 0U) < cores_[core].cap;
}

bool BlocksInTurn::fits(std::uint32_t core, std::uint32_t launch, std::uint64_t cycle) const {
  const Launch& of = launches_[launch];
  const Core& on = cores_[core];
  return !of.exhausted() && on.resident[launch] < limit(core, launch, cycle) &&
         on.free.hold(of.blocks.needs) && below_cap(core);
}

std::optional<BlocksInTurn::Choice> BlocksInTurn::choose(std::uint32_t core,
                                                         std::uint64_t cycle) const {
  for (std::uint32_t launch = 0; launch < launches_.size(); ++launch) {
    if (fits(core, launch, cycle)) return next_of(launch);
  }
  return std::nullopt;
}

void BlocksInTurn::hand_out(std::uint64_t end, const HandOut& to) {
  while (next_start() < end) {
    const Chance chance = chances_.top();
    chances_.pop();
    Core& core = cores_[chance.core];
    if (chance.ended) {
      core.free += launches_[chance.ended->launch].blocks.needs;
      --core.resident[chance.ended->launch];
      ended(chance.core, chance.ended->pair);
    }
    if (chance.cap) {
      const bool raised = *chance.cap > std::exchange(core.cap, *chance.cap);
      if (!raised) continue;
    }
    if (core.free_from > chance.cycle) {
      chances_.push({core.free_from, chance.core, {}, {}});
      continue;
    }
    const std::optional<Choice> choice = choose(chance.core, chance.cycle);
    if (!choice) continue;
    core.free -= launches_[choice->launch].blocks.needs;
    ++core.resident[choice->launch];
    launches_[choice->launch].next = choice->next;
    core.free_from = chance.cycle + 1;
    ++started_;
    gave(chance.core, *choice, chance.cycle);
    const bool more = choose(chance.core, core.free_from).has_value();
    if (more) chances_.push({core.free_from, chance.core, {}, {}});
    to({chance.core, choice->launch, place_of(choice->launch, choice->place), chance.cycle,
        choice->pair, !more, choice->number});
  }
}

std::uint64_t BlocksInTurn::next_start() const {
  if (started_ == blocks_ || chances_.empty()) return std::numeric_limits<std::uint64_t>::max();
  return chances_.top().cycle;
}

}  // namespace paws
