// SPDX-License-Identifier: MIT
// Two or more launches at once: one to a core, or mixed on every core.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/blocks/blocks_in_turn.h"
#include "sim/blocks/monitored_blocks.h"

namespace paws {

/// CKE (Lee et al., HPCA 2014, section 4.4): a core has blocks of one launch at a time. The cores
/// take the launches in turn, the first core the first launch; a core that is empty when its launch
/// has no block left takes the next one, cyclically, that has. Every launch has the limit that LCS
/// finds on its cores.
class ConcurrentBlocks final : public MonitoredBlocks {
 public:
  using MonitoredBlocks::MonitoredBlocks;

  void begin(std::span<const LaunchBlocks> launches, const core::Resources& core,
             std::uint64_t cycle) override;

 private:
  [[nodiscard]] std::optional<Choice> choose(std::uint32_t core,
                                             std::uint64_t cycle) const override;
  void gave(std::uint32_t core, const Choice& choice, std::uint64_t cycle) override;

  std::vector<std::uint32_t> launch_of_;  ///< by core
};

/// Mixed CKE (section 4.4): every core has blocks of all launches, of each at most as many as its
/// limit says, and gets them in turn. When a launch has no block left, the other keeps its limit. A
/// launch whose block needs more than the other leaves waits.
class MixedBlocks final : public BlocksInTurn {
 public:
  /// `limits`: of two launches. `expand`: when one of them has no block left, the other may have as
  /// many more as its limit was.
  MixedBlocks(std::uint32_t cores, std::uint64_t latency, std::vector<unsigned> limits, bool expand)
      : BlocksInTurn(cores, latency), limits_(std::move(limits)), expand_(expand) {}

  void begin(std::span<const LaunchBlocks> launches, const core::Resources& core,
             std::uint64_t cycle) override;
  [[nodiscard]] std::size_t most_launches() const override { return limits_.size(); }
  /// A limit that is no limit, and launches of which no core can have a block each.
  [[nodiscard]] std::optional<Refusal> refuses(std::span<const LaunchBlocks> launches,
                                               const core::Resources& core) const override;

 private:
  [[nodiscard]] std::optional<Choice> choose(std::uint32_t core,
                                             std::uint64_t cycle) const override;
  [[nodiscard]] unsigned limit(std::uint32_t core, std::uint32_t launch,
                               std::uint64_t cycle) const override;
  void gave(std::uint32_t core, const Choice& choice, std::uint64_t cycle) override;

  std::vector<unsigned> limits_;
  bool expand_;
  std::vector<std::uint32_t> next_;  ///< by core: the launch whose turn it is
};

}  // namespace paws
