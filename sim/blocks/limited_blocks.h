// SPDX-License-Identifier: MIT
// Round robin with a limit to the blocks of a core: a fixed one, or the one that LCS finds.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "sim/blocks/block_limits.h"
#include "sim/blocks/blocks_in_turn.h"
#include "sim/blocks/monitored_blocks.h"
#include "sim/support/random.h"

namespace paws {

/// No core gets more than so many blocks of a launch at a time: the points of the limit sweep (Lee
/// et al., HPCA 2014, Fig. 4), the best of which is their OPT.
class FixedLimit final : public BlocksInTurn {
 public:
  FixedLimit(std::uint32_t cores, std::uint64_t latency, unsigned limit)
      : BlocksInTurn(cores, latency), limit_(limit) {}

  /// A limit that is no limit, because not so many fit.
  [[nodiscard]] std::optional<Refusal> refuses(std::span<const LaunchBlocks> launches,
                                               const core::Resources& core) const override {
    for (std::uint32_t i = 0; i < launches.size(); ++i) {
      if (auto why = above_most(limit_, launches[i], core)) return Refusal{i, *why};
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] unsigned limit(std::uint32_t /*core*/, std::uint32_t /*launch*/,
                               std::uint64_t /*cycle*/) const override {
    return limit_;
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

/// Negative control of LCS: as LCS in all but the limit, which is drawn at random from 1 to as many
/// as fit, for every launch and core anew.
class RandomLimit final : public MonitoredBlocks {
 public:
  RandomLimit(std::uint32_t cores, std::uint64_t latency, const LimitRules& rules, unsigned seed)
      : MonitoredBlocks(cores, latency, rules), seed_(seed) {}

  void begin(std::span<const LaunchBlocks> launches, const core::Resources& core,
             std::uint64_t cycle) override {
    first_ += this->launches();
    MonitoredBlocks::begin(launches, core, cycle);
  }
  void monitored(const Monitored& found) override {
    Monitored drawn = found;
    drawn.limit = static_cast<unsigned>(1 + scramble(seed_, first_ + found.launch, found.core) %
                                                launch(found.launch).most);
    MonitoredBlocks::monitored(drawn);
  }
  [[nodiscard]] std::size_t most_launches() const override { return 1; }

 private:
  unsigned seed_;
  std::uint64_t first_ = 0;  ///< number of the first of the launches in the run
};

}  // namespace paws
