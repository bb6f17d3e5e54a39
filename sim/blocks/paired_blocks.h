// SPDX-License-Identifier: MIT
// Block CTA scheduling: consecutive blocks of two-dimensional launches go to a core in pairs.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "sim/blocks/block_order.h"
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
class PairedBlocks : public MonitoredBlocks {
 public:
  struct PairRules {
    /// No pair crosses a row of the grid: the last block of an odd row goes alone, in a pair's
    /// place.
    bool row = false;
    /// The last place of an odd limit takes blocks one by one. It is the next pair that is split:
    /// its second block goes to the next such place, or alone when no pair is left.
    bool single = false;
  };

  PairedBlocks(std::uint32_t cores, std::uint64_t latency, const std::optional<LimitRules>& limits,
               const PairRules& rules)
      : MonitoredBlocks(cores, latency, limits), rules_(rules) {}

  void begin(std::span<const LaunchBlocks> launches, const core::Resources& core,
             std::uint64_t cycle) override;
  /// One with LCS: a core's monitor counts the blocks of all launches that it has.
  [[nodiscard]] std::size_t most_launches() const override {
    return monitors() ? 1 : BlocksInTurn::most_launches();
  }
  /// Odd rows stay together as a whole, if pairs must not cross them.
  [[nodiscard]] unsigned together(std::uint32_t launch) const override;
  [[nodiscard]] bool pairs(std::uint32_t launch) const override { return pairs_up(launch); }
  /// Of launches in pairs whole pairs.
  [[nodiscard]] std::vector<BlockLimit> limits() const override;

 protected:
  [[nodiscard]] bool pairs_up(std::uint32_t number) const {
    return launch(number).blocks.two_dimensional && launch(number).most > 1;
  }

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

  /// Whether blocks next to each other in the grid are not those of a pair.
  [[nodiscard]] virtual bool renumbers() const { return rules_.row; }
  [[nodiscard]] std::optional<Choice> choose(std::uint32_t core,
                                             std::uint64_t cycle) const override;
  [[nodiscard]] unsigned limit(std::uint32_t core, std::uint32_t launch,
                               std::uint64_t cycle) const override;
  void gave(std::uint32_t core, const Choice& choice, std::uint64_t cycle) override;
  void ended(std::uint32_t core, std::uint32_t pair) override;

  /// `limit` in whole pairs of a launch that pairs_up().
  [[nodiscard]] unsigned in_pairs(std::uint32_t number, unsigned limit) const {
    return std::min(launch(number).most / 2, (limit + 1) / 2) * 2;
  }
  /// The block at this place, the first one of a pair or alone, has no second one.
  [[nodiscard]] bool alone(std::uint32_t launch, std::uint64_t place) const;
  /// Of the launch on the core.
  struct Held {
    unsigned pairs = 0;
    unsigned alone = 0;  ///< blocks
  };
  [[nodiscard]] Held held(std::uint32_t core, std::uint32_t number) const;
  /// The core has room and places for so many more: a block alone takes the last place of an odd
  /// limit, else that of a pair.
  [[nodiscard]] bool has_place(std::uint32_t core, std::uint32_t number, std::uint64_t cycle,
                               const Held& more) const;
  /// A block of `launch` at this place for the core; the others are left from `next` on.
  [[nodiscard]] Choice block(std::uint32_t launch, std::uint64_t place, std::uint64_t next,
                             std::uint32_t pair) const;
  /// A pair of `launch` for the core, or a block that has no second one.
  [[nodiscard]] std::optional<Choice> pair_for(std::uint32_t core, std::uint32_t launch,
                                               std::uint64_t cycle) const;
  /// A block of `launch` for the last place of an odd limit, if the core has one that is free.
  [[nodiscard]] std::optional<Choice> single_for(std::uint32_t core, std::uint32_t launch,
                                                 std::uint64_t cycle) const;

  PairRules rules_;
  std::vector<Pairs> pairs_;  ///< by core
  /// By launch: the place of the second block of a pair that is split.
  std::vector<std::optional<std::uint64_t>> halves_;
};

/// Negative control of BCS: as BCS in all but which blocks are a pair. They are drawn at random
/// from as many consecutive blocks as all cores together hold, so that at any time about the same
/// blocks are on the GPU. For every launch anew.
class RandomPairs final : public PairedBlocks {
 public:
  RandomPairs(std::uint32_t cores, std::uint64_t latency, unsigned seed)
      : PairedBlocks(cores, latency, {}, {}), seed_(seed) {}

  void begin(std::span<const LaunchBlocks> launches, const core::Resources& core,
             std::uint64_t cycle) override;

 private:
  [[nodiscard]] std::uint64_t place_of(std::uint32_t launch, std::uint64_t place) override;
  [[nodiscard]] bool renumbers() const override { return true; }

  unsigned seed_;
  std::uint64_t first_ = 0;         ///< number of the first of the launches in the run
  std::vector<BlockOrder> orders_;  ///< by launch
};

}  // namespace paws
