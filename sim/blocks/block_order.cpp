// SPDX-License-Identifier: MIT
#include "sim/blocks/block_order.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/support/random.h"

namespace paws {

void BlockOrder::begin(std::uint64_t launch, std::uint64_t blocks) {
  launch_ = launch;
  blocks_ = blocks;
  within_.clear();
}

std::uint64_t BlockOrder::at(std::uint64_t place) {
  if (noise_.seed == 0) return place;
  const std::uint64_t group = place / in_group_;
  const std::uint64_t first = group * in_group_;
  if (within_.empty() || group != group_) {
    group_ = group;
    within_.resize(std::max<std::uint64_t>(
        1, std::min<std::uint64_t>(in_group_, blocks_ - first) / together_));
    std::iota(within_.begin(), within_.end(), 0U);
    const std::uint64_t seed = scramble(noise_.seed, launch_, group);
    for (std::uint64_t last = within_.size() - 1; last > 0; --last) {
      std::swap(within_[last], within_[scramble(seed, last, 0) % (last + 1)]);
    }
  }
  const std::uint64_t unit = (place - first) / together_;
  if (unit >= within_.size()) return place;
  return first + std::uint64_t{within_[unit]} * together_ + (place - first) % together_;
}

}  // namespace paws
