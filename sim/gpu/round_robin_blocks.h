// SPDX-License-Identifier: MIT
// Blocks to cores in turn: the block scheduler of a GPU that is told nothing else.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "sim/gpu/block_scheduler.h"

namespace paws {

/// Round robin: in every cycle each core with a free slot that the scheduler knows of gets the
/// next block of the grid, at most one, the core with the lowest number first. That a slot has
/// become free takes `latency` cycles there and back, so a block starts at the earliest so many
/// cycles after its slot's last one has ended; at the start of a launch all slots are known.
class RoundRobinBlocks final : public BlockScheduler {
 public:
  RoundRobinBlocks(std::uint32_t cores, std::uint64_t latency);

  void begin(std::uint64_t blocks, unsigned slots, std::uint64_t cycle) override;
  void freed(std::uint32_t core, std::uint64_t cycle) override;
  void hand_out(std::uint64_t end, const HandOut& to) override;

  [[nodiscard]] std::uint64_t started() const override { return next_block_; }
  [[nodiscard]] std::uint64_t blocks() const override { return blocks_; }
  [[nodiscard]] std::uint64_t next_start() const override;

 private:
  using Slot = std::pair<std::uint64_t, std::uint32_t>;  // first cycle that can use it, core

  std::uint64_t latency_;
  std::uint64_t blocks_ = 0;
  std::uint64_t next_block_ = 0;
  std::vector<std::uint64_t> free_from_;  ///< by core: first cycle that has not got a block
  std::priority_queue<Slot, std::vector<Slot>, std::greater<>> slots_;
};

}  // namespace paws
