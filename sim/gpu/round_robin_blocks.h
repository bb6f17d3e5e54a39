// SPDX-License-Identifier: MIT
// Blocks to cores in turn: the block scheduler of a GPU that is told nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <tuple>
#include <vector>

#include "sim/gpu/block_scheduler.h"

namespace paws {

/// Round robin: in every cycle each core that has room, as far as the scheduler knows, gets the
/// next block, at most one, the core with the lowest number first. That a block has ended takes
/// `latency` cycles there and back, so a block starts at the earliest so many cycles after the one
/// whose place it takes; at the start of a launch all is known to be free.
///
/// Of several launches the first one with a block that fits goes first: a later launch gets what
/// earlier ones leave.
class RoundRobinBlocks final : public BlockScheduler {
 public:
  RoundRobinBlocks(std::uint32_t cores, std::uint64_t latency);

  void begin(std::span<const LaunchBlocks> launches, const core::Resources& core,
             std::uint64_t cycle) override;
  void freed(std::uint32_t core, std::uint32_t launch, std::uint64_t cycle) override;
  void hand_out(std::uint64_t end, const HandOut& to) override;

  [[nodiscard]] std::uint64_t started() const override { return started_; }
  [[nodiscard]] std::uint64_t blocks() const override { return blocks_; }
  [[nodiscard]] std::uint64_t next_start() const override;

 private:
  /// A core may have room from `cycle` on.
  struct Chance {
    std::uint64_t cycle = 0;
    std::uint32_t core = 0;
    std::optional<std::uint32_t> ended;  ///< launch of the block that has made the room

    bool operator>(const Chance& other) const {
      return std::tie(cycle, core, ended) > std::tie(other.cycle, other.core, other.ended);
    }
  };
  struct Core {
    core::Resources free;         ///< as is known in the cycle of the last hand-out
    std::uint64_t free_from = 0;  ///< first cycle in which it takes a block
  };
  struct Launch {
    LaunchBlocks blocks;
    std::uint64_t next = 0;  ///< place of the next block
  };

  /// The launch whose block is next for `core`.
  [[nodiscard]] Launch* next_launch(const Core& core);

  std::uint64_t latency_;
  std::uint64_t blocks_ = 0;
  std::uint64_t started_ = 0;
  std::vector<Launch> launches_;
  std::vector<Core> cores_;
  std::priority_queue<Chance, std::vector<Chance>, std::greater<>> chances_;
};

}  // namespace paws
