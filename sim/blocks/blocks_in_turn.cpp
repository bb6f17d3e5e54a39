// SPDX-License-Identifier: MIT
#include "sim/blocks/blocks_in_turn.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace paws {
namespace {

constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

}  // namespace

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
  waiting_.clear();
  free_ = cycle;
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

std::uint64_t BlocksInTurn::next_turn() const {
  if (waiting_.empty()) return kNever;
  return std::max(free_, waiting_.front().since);
}

bool BlocksInTurn::learn(const Chance& chance) {
  Core& core = cores_[chance.core];
  if (chance.ended) {
    core.free += launches_[chance.ended->launch].blocks.needs;
    --core.resident[chance.ended->launch];
    ended(chance.core, chance.ended->pair);
  }
  if (!chance.cap) return true;
  return *chance.cap > std::exchange(core.cap, *chance.cap);
}

void BlocksInTurn::give(std::uint32_t number, std::uint64_t cycle, const HandOut& to) {
  Core& core = cores_[number];
  if (core.free_from > cycle) {
    chances_.push({core.free_from, number, {}, {}});
    return;
  }
  const std::optional<Choice> choice = choose(number, cycle);
  if (!choice) return;
  core.free -= launches_[choice->launch].blocks.needs;
  ++core.resident[choice->launch];
  launches_[choice->launch].next = choice->next;
  core.free_from = cycle + 1;
  free_ = std::max(free_, cycle) + interval_;
  ++started_;
  gave(number, *choice, cycle);
  const std::optional<Choice> more = choose(number, core.free_from);
  if (more) {
    const bool second = choice->pair != kAlone && more->pair == choice->pair;
    chances_.push({core.free_from, number, {}, {}, second});
  }
  to({number, choice->launch, place_of(choice->launch, choice->place), cycle, choice->pair, !more,
      choice->number});
}

void BlocksInTurn::hand_out(std::uint64_t end, const HandOut& to) {
  while (next_start() < end) {
    // What becomes known in a cycle counts for its turn.
    const std::uint64_t turn = next_turn();
    if (chances_.empty() || turn < chances_.top().cycle) {
      const std::uint32_t core = waiting_.front().core;
      waiting_.pop_front();
      give(core, turn, to);
      continue;
    }
    const Chance chance = chances_.top();
    chances_.pop();
    if (!learn(chance)) continue;
    if (interval_ == 0 || chance.second) {
      give(chance.core, chance.cycle, to);
    } else {
      waiting_.push_back({chance.cycle, chance.core});
    }
  }
}

std::uint64_t BlocksInTurn::next_start() const {
  if (started_ == blocks_) return kNever;
  return std::min(next_turn(), chances_.empty() ? kNever : chances_.top().cycle);
}

}  // namespace paws
