// SPDX-License-Identifier: MIT
#include "sim/blocks/paired_blocks.h"

#include <algorithm>

namespace paws {

void PairedBlocks::begin(std::span<const LaunchBlocks> launches, const core::Resources& core,
                         std::uint64_t cycle) {
  MonitoredBlocks::begin(launches, core, cycle);
  pairs_.assign(cores(), {});
}

unsigned PairedBlocks::limit(std::uint32_t core, std::uint32_t number, std::uint64_t cycle) const {
  const unsigned limit = MonitoredBlocks::limit(core, number, cycle);
  return pairs_up(number) ? in_pairs(number, limit) : limit;
}

std::optional<BlocksInTurn::Choice> PairedBlocks::pair_for(std::uint32_t core, std::uint32_t number,
                                                           std::uint64_t cycle) const {
  const Launch& of = launch(number);
  const bool odd = of.next + 1 == of.blocks.blocks;
  core::Resources needs = of.blocks.needs;
  if (!odd) needs += of.blocks.needs;
  const std::vector<Pair>& resident = pairs_[core].resident;
  const auto used = static_cast<unsigned>(std::count_if(
      resident.begin(), resident.end(),
      [number](const Pair& pair) { return pair.blocks > 0 && pair.launch == number; }));
  if (2 * used >= limit(core, number, cycle) || !this->core(core).free.hold(needs) ||
      !below_cap(core)) {
    return std::nullopt;
  }
  const auto free = std::find_if(resident.begin(), resident.end(),
                                 [](const Pair& pair) { return pair.blocks == 0; });
  return Choice{number, of.next, of.next + (odd ? 1 : 2),
                static_cast<std::uint32_t>(free - resident.begin())};
}

std::optional<BlocksInTurn::Choice> PairedBlocks::choose(std::uint32_t core,
                                                         std::uint64_t cycle) const {
  if (std::optional<Choice> second = pairs_[core].second) {
    second->next = launch(second->launch).next;
    return second;
  }
  for (std::uint32_t number = 0; number < launches(); ++number) {
    if (launch(number).exhausted()) continue;
    if (pairs_up(number)) {
      if (const auto pair = pair_for(core, number, cycle)) return pair;
    } else if (fits(core, number, cycle)) {
      return next_of(number);
    }
  }
  return std::nullopt;
}

void PairedBlocks::gave(std::uint32_t core, const Choice& choice, std::uint64_t cycle) {
  MonitoredBlocks::gave(core, choice, cycle);
  if (choice.pair == kAlone) return;
  Pairs& pairs = pairs_[core];
  if (choice.pair == pairs.resident.size()) pairs.resident.emplace_back();
  pairs.resident[choice.pair].launch = choice.launch;
  ++pairs.resident[choice.pair].blocks;
  if (pairs.second) {
    pairs.second.reset();
  } else if (choice.next == choice.place + 2) {
    pairs.second = Choice{choice.launch, choice.place + 1, 0, choice.pair};
  }
}

void PairedBlocks::ended(std::uint32_t core, std::uint32_t pair) {
  if (pair != kAlone) --pairs_[core].resident[pair].blocks;
}

std::vector<BlockLimit> PairedBlocks::limits() const {
  std::vector<BlockLimit> found = MonitoredBlocks::limits();
  for (BlockLimit& limit : found) {
    if (pairs_up(limit.launch)) limit.limit = in_pairs(limit.launch, limit.limit);
  }
  return found;
}

}  // namespace paws
