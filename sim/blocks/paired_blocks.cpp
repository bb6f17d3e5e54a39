// SPDX-License-Identifier: MIT
#include "sim/blocks/paired_blocks.h"

#include <algorithm>

namespace paws {

void PairedBlocks::begin(std::span<const LaunchBlocks> launches, const core::Resources& core,
                         std::uint64_t cycle) {
  MonitoredBlocks::begin(launches, core, cycle);
  pairs_.assign(cores(), {});
  halves_.assign(this->launches(), {});
}

unsigned PairedBlocks::together(std::uint32_t number) const {
  if (!pairs_up(number)) return 1;
  const std::uint64_t row = launch(number).blocks.row;
  return rules_.row && row % 2 != 0 ? static_cast<unsigned>(row) : 2;
}

unsigned PairedBlocks::limit(std::uint32_t core, std::uint32_t number, std::uint64_t cycle) const {
  const unsigned limit = MonitoredBlocks::limit(core, number, cycle);
  return pairs_up(number) && !rules_.single ? in_pairs(number, limit) : limit;
}

bool PairedBlocks::alone(std::uint32_t number, std::uint64_t place) const {
  const LaunchBlocks& blocks = launch(number).blocks;
  return place + 1 == blocks.blocks || (rules_.row && (place + 1) % blocks.row == 0);
}

BlocksInTurn::Choice PairedBlocks::block(std::uint32_t number, std::uint64_t place,
                                         std::uint64_t next, std::uint32_t pair) const {
  Choice made{number, place, next, pair};
  if (!renumbers()) return made;
  made.number = place;
  if (rules_.row) {
    // Every row begins with an even number.
    const std::uint64_t row = launch(number).blocks.row;
    made.number = place / row * (row + row % 2) + place % row;
  }
  return made;
}

PairedBlocks::Held PairedBlocks::held(std::uint32_t core, std::uint32_t number) const {
  Held held;
  held.alone = this->core(core).resident[number];
  for (const Pair& pair : pairs_[core].resident) {
    if (pair.blocks == 0 || pair.launch != number) continue;
    ++held.pairs;
    held.alone -= pair.blocks;
  }
  return held;
}

bool PairedBlocks::has_place(std::uint32_t core, std::uint32_t number, std::uint64_t cycle,
                             const Held& more) const {
  core::Resources needs;
  for (unsigned i = 0; i < 2 * more.pairs + more.alone; ++i) needs += launch(number).blocks.needs;
  if (!this->core(core).free.hold(needs) || !below_cap(core)) return false;
  const unsigned limit = this->limit(core, number, cycle);
  const Held held = this->held(core, number);
  const unsigned alone = held.alone + more.alone;
  const unsigned single = limit % 2;  // places; without the rule limits are even
  return held.pairs + more.pairs + (alone > single ? alone - single : 0) <= limit / 2;
}

std::optional<BlocksInTurn::Choice> PairedBlocks::pair_for(std::uint32_t core, std::uint32_t number,
                                                           std::uint64_t cycle) const {
  const Launch& of = launch(number);
  if (of.exhausted()) {
    if (!has_place(core, number, cycle, {0, 1})) return std::nullopt;
    return block(number, *halves_[number], of.next, kAlone);
  }
  if (alone(number, of.next)) {
    if (!has_place(core, number, cycle, {0, 1})) return std::nullopt;
    return block(number, of.next, of.next + 1, kAlone);
  }
  if (!has_place(core, number, cycle, {1, 0})) return std::nullopt;
  const std::vector<Pair>& resident = pairs_[core].resident;
  const auto free = std::find_if(resident.begin(), resident.end(),
                                 [](const Pair& pair) { return pair.blocks == 0; });
  return block(number, of.next, of.next + 2, static_cast<std::uint32_t>(free - resident.begin()));
}

std::optional<BlocksInTurn::Choice> PairedBlocks::single_for(std::uint32_t core,
                                                             std::uint32_t number,
                                                             std::uint64_t cycle) const {
  const Launch& of = launch(number);
  if (limit(core, number, cycle) % 2 == 0 || held(core, number).alone > 0 ||
      !has_place(core, number, cycle, {0, 1})) {
    return std::nullopt;
  }
  if (halves_[number]) return block(number, *halves_[number], of.next, kAlone);
  return block(number, of.next, of.next + 2, kAlone);
}

std::optional<BlocksInTurn::Choice> PairedBlocks::choose(std::uint32_t core,
                                                         std::uint64_t cycle) const {
  if (std::optional<Choice> second = pairs_[core].second) {
    second->next = launch(second->launch).next;
    return second;
  }
  for (std::uint32_t number = 0; number < launches(); ++number) {
    if (launch(number).exhausted() && !halves_[number]) continue;
    if (pairs_up(number)) {
      if (const auto pair = pair_for(core, number, cycle)) return pair;
      if (!rules_.single) continue;
      if (const auto single = single_for(core, number, cycle)) return single;
    } else if (fits(core, number, cycle)) {
      return next_of(number);
    }
  }
  return std::nullopt;
}

void PairedBlocks::gave(std::uint32_t core, const Choice& choice, std::uint64_t cycle) {
  MonitoredBlocks::gave(core, choice, cycle);
  Pairs& pairs = pairs_[core];
  const bool half = halves_[choice.launch] == choice.place;
  const bool first = !half && !pairs.second && choice.next == choice.place + 2;
  if (half) halves_[choice.launch].reset();
  if (choice.pair == kAlone) {
    if (first) halves_[choice.launch] = choice.place + 1;
    return;
  }
  if (choice.pair == pairs.resident.size()) pairs.resident.emplace_back();
  pairs.resident[choice.pair].launch = choice.launch;
  ++pairs.resident[choice.pair].blocks;
  pairs.second.reset();
  if (first) pairs.second = block(choice.launch, choice.place + 1, 0, choice.pair);
}

void PairedBlocks::ended(std::uint32_t core, std::uint32_t pair) {
  if (pair != kAlone) --pairs_[core].resident[pair].blocks;
}

std::vector<BlockLimit> PairedBlocks::limits() const {
  std::vector<BlockLimit> found = MonitoredBlocks::limits();
  for (BlockLimit& limit : found) {
    if (pairs_up(limit.launch) && !rules_.single) {
      limit.limit = in_pairs(limit.launch, limit.limit);
    }
  }
  return found;
}

void RandomPairs::begin(std::span<const LaunchBlocks> launches, const core::Resources& core,
                        std::uint64_t cycle) {
  first_ += this->launches();
  PairedBlocks::begin(launches, core, cycle);
  orders_.clear();
  for (std::uint32_t i = 0; i < this->launches(); ++i) {
    NoiseSettings shuffle;
    shuffle.seed = seed_;
    shuffle.blocks = cores() * (launch(i).most / 2 * 2);
    orders_.emplace_back(shuffle).begin(first_ + i, launches[i].blocks);
  }
}

std::uint64_t RandomPairs::place_of(std::uint32_t launch, std::uint64_t place) {
  return pairs_up(launch) ? orders_[launch].at(place) : place;
}

}  // namespace paws
