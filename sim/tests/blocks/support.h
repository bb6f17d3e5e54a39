// SPDX-License-Identifier: MIT
// Block schedulers driven by hand.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "sim/blocks/block_scheduler.h"

namespace paws {

/// A hand-out; the cores that it fills are not compared.
struct Started {
  std::uint32_t core = 0;
  std::uint32_t launch = 0;
  std::uint64_t place = 0;
  std::uint64_t cycle = 0;
  std::uint32_t pair = BlockScheduler::kAlone;
  bool operator==(const Started&) const = default;
};
using Starts = std::vector<Started>;
inline constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
inline constexpr std::uint32_t kAlone = BlockScheduler::kAlone;

inline core::Resources resources(std::uint64_t block_slots, std::uint64_t registers = 0) {
  core::Resources made;
  made[core::Resource::block_slots] = block_slots;
  made[core::Resource::registers] = registers;
  return made;
}

/// One launch of `blocks`, of which `slots` fit a core.
inline void begin(BlockScheduler& scheduler, std::uint64_t blocks, unsigned slots,
                  std::uint64_t cycle, bool two_dimensional = false) {
  const LaunchBlocks launch{blocks, resources(1), two_dimensional};
  scheduler.begin({&launch, 1}, resources(slots), cycle);
}

inline Starts hand_out(BlockScheduler& scheduler, std::uint64_t end) {
  Starts starts;
  scheduler.hand_out(end, [&](const BlockScheduler::Start& start) {
    starts.push_back({start.core, start.launch, start.place, start.cycle, start.pair});
  });
  EXPECT_GE(scheduler.next_start(), end);
  return starts;
}

/// Places of the blocks in `starts` on `core`.
inline std::vector<std::uint64_t> places_on(const Starts& starts, std::uint32_t core) {
  std::vector<std::uint64_t> places;
  for (const Started& start : starts) {
    if (start.core == core) places.push_back(start.place);
  }
  return places;
}

}  // namespace paws
