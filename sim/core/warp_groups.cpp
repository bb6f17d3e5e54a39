// SPDX-License-Identifier: MIT
#include "sim/core/warp_groups.h"

#include <algorithm>

namespace paws::core {

void WarpGroups::begin(std::size_t blocks) {
  numbers_.assign(blocks, {});
  number_of_.assign(blocks, 0);
}

bool WarpGroups::join(std::uint32_t pair, std::uint32_t block_slot) {
  auto number = std::find_if(numbers_.begin(), numbers_.end(), [pair](const Number& other) {
    return pair != BlockTable::kAlone && other.blocks > 0 && other.pair == pair;
  });
  const bool joins = number != numbers_.end();
  if (!joins) {
    number = std::find_if(numbers_.begin(), numbers_.end(),
                          [](const Number& other) { return other.blocks == 0; });
    number->pair = pair;
  }
  ++number->blocks;
  number_of_[block_slot] = static_cast<std::size_t>(number - numbers_.begin());
  return joins;
}

}  // namespace paws::core
