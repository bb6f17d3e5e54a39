// SPDX-License-Identifier: MIT
// Block CTA scheduling: consecutive blocks of two-dimensional launches go to a core in pairs.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "sim/blocks/monitored_blocks.h"

namespace paws {

/// BCS (Lee et al., HPCA 2014, section 4.2). Of a launch whose blocks have threads in y, the blocks
/// at places 2p and 2p + 1 start on one core in consecutive cycles, pair by pair in turn; an odd
/// last block goes alone. A core holds half as many pairs as blocks fit, an odd place stays empty,
/// and a pair goes to a core when both blocks of another one have ended there. Launches of which
/// one block fits a core, and those in one dimension, are handed out as by round robin.
///
/// With LCS (section 4.3) the limit holds for both kinds of launches; an odd one is rounded up to
/// whole pairs: a block too many costs less than a place that never fills.
class PairedBlocks final : public MonitoredBlocks {
 public:
  using MonitoredBlocks::MonitoredBlocks;

  void begin(std::span<const LaunchBlocks> launches, const core::Resources& core,
             std::uint64_t cycle) override;
  /// One with LCS: a core's monitor counts the blocks of all launches that it has.
  [[nodiscard]] std::size_t most_launches() const override {
    return monitors() ? 1 : BlocksInTurn::most_launches();
  }
  [[nodiscard]] unsigned together(std::uint32_t launch) const override {
    return pairs_up(launch) ? 2 : 1;
  }
  /// Of launches in pairs whole pairs.
  [[nodiscard]] std::vector<BlockLimit> limits() const override;

 private:
  /// The pairs of a core.
  struct Pair {
    std::uint32_t launch = 0;
    unsigned blocks = 0;  ///< resident; 0: there is no pair
  };
  struct Pairs {
    std::vector<Pair> resident;    ///< by number of the pair
    std::optional<Choice> second;  ///< of the pair whose first block has started, but for `next`
  };

  [[nodiscard]] std::optional<Choice> choose(std::uint32_t core,
                                             std::uint64_t cycle) const override;
  [[nodiscard]] unsigned limit(std::uint32_t core, std::uint32_t launch,
                               std::uint64_t cycle) const override;
  void gave(std::uint32_t core, const Choice& choice, std::uint64_t cycle) override;
  void ended(std::uint32_t core, std::uint32_t pair) override;

  [[nodiscard]] bool pairs_up(std::uint32_t number) const {
    return launch(number).blocks.two_dimensional && launch(number).most > 1;
  }
  /// `limit` in whole pairs of a launch that pairs_up().
  [[nodiscard]] unsigned in_pairs(std::uint32_t number, unsigned limit) const {
    return std::min(launch(number).most / 2, (limit + 1) / 2) * 2;
  }
  /// A pair of `launch` for the core, or its odd last block.
  [[nodiscard]] std::optional<Choice> pair_for(std::uint32_t core, std::uint32_t launch,
                                               std::uint64_t cycle) const;

  std::vector<Pairs> pairs_;  ///< by core
};

}  // namespace paws
