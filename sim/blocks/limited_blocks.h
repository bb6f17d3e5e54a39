// SPDX-License-Identifier: MIT
// Round robin with a limit to the blocks of a core: a fixed one, or the one that LCS finds.
#pragma once

#include <algorithm>

#include "sim/blocks/blocks_in_turn.h"
#include "sim/blocks/monitored_blocks.h"

namespace paws {

/// No core gets more than so many blocks of a launch at a time: the points of the limit sweep (Lee
/// et al., HPCA 2014, Fig. 4), the best of which is their OPT.
class FixedLimit final : public BlocksInTurn {
 public:
  FixedLimit(std::uint32_t cores, std::uint64_t latency, unsigned limit)
      : BlocksInTurn(cores, latency), limit_(limit) {}

 private:
  [[nodiscard]] unsigned limit(std::uint32_t core, std::uint32_t launch,
                               std::uint64_t cycle) const override {
    return std::min(limit_, BlocksInTurn::limit(core, launch, cycle));
  }

  unsigned limit_;
};

/// Lazy CTA scheduling (Lee et al., HPCA 2014, section 4.1): every launch starts with all blocks
/// that fit. When the first block has ended, the block monitor says how many are enough; a core
/// gets another one only while it has fewer, to the end of the launch. Those beyond go on.
class LazyBlocks final : public MonitoredBlocks {
 public:
  using MonitoredBlocks::MonitoredBlocks;

  /// A core's monitor counts the blocks of all launches that it has.
  [[nodiscard]] std::size_t most_launches() const override { return 1; }
};

}  // namespace paws
