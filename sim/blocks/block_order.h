// SPDX-License-Identifier: MIT
// Which block of the grid is handed out at which place: in the order of the grid, or perturbed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/config/gpu_config.h"

namespace paws {

/// With noise.seed 0 the order of the grid. Else each noise.blocks consecutive blocks change places
/// among themselves at random, so that neighbours, which share rows of DRAM and lines, stay near
/// each other while cores and their slots get other ones. Blocks that go to a core together
/// (BlockScheduler::together()) change places together.
class BlockOrder {
 public:
  explicit BlockOrder(const NoiseSettings& noise, unsigned together = 1)
      : noise_(noise),
        together_(together),
        in_group_(std::max(together, noise.blocks / together * together)) {}

  /// Launch number `launch` of the run has so many blocks.
  void begin(std::uint64_t launch, std::uint64_t blocks);
  /// The block at this place, below `blocks`; every block stands at one place.
  [[nodiscard]] std::uint64_t at(std::uint64_t place);

 private:
  NoiseSettings noise_;
  unsigned together_;
  unsigned in_group_;  ///< blocks
  std::uint64_t launch_ = 0;
  std::uint64_t blocks_ = 0;
  std::uint64_t group_ = 0;  ///< whose order is held
  /// The group's order of what goes together; empty: none is held. What is left over at the grid's
  /// end keeps its places.
  std::vector<std::uint32_t> within_;
};

}  // namespace paws
