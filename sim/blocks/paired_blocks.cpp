// SPDX-License-Identifier: MIT
#include "sim/blocks/paired_blocks.h"

#include <algorithm>

namespace paws {

PairedBlocks::PairedBlocks(std::uint32_t cores, std::uint64_t latency,
                           std::optional<LimitScope> scope)
    : BlocksInTurn(cores, latency),
      lazy_(scope.has_value()),
      limits_(scope.value_or(LimitScope::first_core), latency) {}

void PairedBlocks::begin(std::span<const LaunchBlocks> launches, const core::Resources& core,
                         std::uint64_t cycle) {
  BlocksInTurn::begin(launches, core, cycle);
  limits_.begin(this->launches());
  pairs_.assign(cores(), {});
}

unsigned PairedBlocks::limit(std::uint32_t core, std::uint32_t number, std::uint64_t cycle) const {
  const unsigned most = launch(number).most;
  const unsigned limit = limits_.limit(core, number, cycle).value_or(most);
  if (!pairs_up(number)) return limit;
  return in_pairs(number, limit);
}

std::optional<BlocksInTurn::Choice> PairedBlocks::pair_for(std::uint32_t core, std::uint32_t number,
                                                           std::uint64_t cycle) const {
  const Launch& of = launch(number);
  core::Resources needs = of.blocks.needs;
  if (of.next + 1 < of.blocks.blocks) needs += of.blocks.needs;
  const std::vector<Pair>& resident = pairs_[core].resident;
  const auto used = static_cast<unsigned>(std::count_if(
      resident.begin(), resident.end(),
      [number](const Pair& pair) { return pair.blocks > 0 && pair.launch == number; }));
  if (2 * used >= limit(core, number, cycle) || !this->core(core).free.hold(needs)) {
    return std::nullopt;
  }
  const auto free = std::find_if(resident.begin(), resident.end(),
                                 [](const Pair& pair) { return pair.blocks == 0; });
  return Choice{number, of.next, static_cast<std::uint32_t>(free - resident.begin())};
}

std::optional<BlocksInTurn::Choice> PairedBlocks::choose(std::uint32_t core,
                                                         std::uint64_t cycle) const {
  if (pairs_[core].second) return pairs_[core].second;
  for (std::uint32_t number = 0; number < launches(); ++number) {
    if (launch(number).exhausted()) continue;
    if (pairs_up(number)) {
      if (const auto pair = pair_for(core, number, cycle)) return pair;
    } else if (fits(core, number, cycle)) {
      return Choice{number, launch(number).next};
    }
  }
  return std::nullopt;
}

void PairedBlocks::gave(std::uint32_t core, const Choice& choice, std::uint64_t cycle) {
  limits_.gave(core, choice.launch, cycle);
  if (choice.pair == kAlone) {
    BlocksInTurn::gave(core, choice, cycle);
    return;
  }
  Pairs& pairs = pairs_[core];
  if (choice.pair == pairs.resident.size()) pairs.resident.emplace_back();
  pairs.resident[choice.pair].launch = choice.launch;
  ++pairs.resident[choice.pair].blocks;
  if (pairs.second) {
    pairs.second.reset();
    return;
  }
  const bool odd = choice.place + 1 == launch(choice.launch).blocks.blocks;
  if (!odd) pairs.second = {choice.launch, choice.place + 1, choice.pair};
  take_before(choice.launch, choice.place + (odd ? 1 : 2));
}

void PairedBlocks::ended(std::uint32_t core, std::uint32_t pair) {
  if (pair != kAlone) --pairs_[core].resident[pair].blocks;
}

std::vector<BlockLimit> PairedBlocks::limits() const {
  std::vector<BlockLimit> found = limits_.found();
  for (BlockLimit& limit : found) {
    if (pairs_up(limit.launch)) limit.limit = in_pairs(limit.launch, limit.limit);
  }
  return found;
}

}  // namespace paws
