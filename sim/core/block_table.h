// SPDX-License-Identifier: MIT
// The blocks that are resident on a core: block slots, and which warp slots are theirs.
//
// A block slot is used from start() until all warps of its block have ended and nothing that names
// one of their warp slots is under way any more; then it is free for the next block. The slot that
// has been free for longest is used first. Each slot says for itself which warp slots it has, so
// that the slots of a core may be of different sizes and kernels.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "sim/exec/resident_block.h"

namespace paws::core {

class BlockTable {
 public:
  struct Slot {
    std::unique_ptr<exec::ResidentBlock> block;
    std::uint32_t first_warp = 0;  ///< warp slots first_warp to first_warp + warps - 1
    std::uint32_t warps = 0;
    unsigned running = 0;  ///< warps that have not ended
    bool used = false;
  };

  /// A warp slot of the core.
  struct Warp {
    exec::ResidentBlock* block = nullptr;  ///< the last one that started here
    std::uint32_t in_block = 0;            ///< number of the warp within the block
    std::uint32_t block_slot = 0;
    std::uint32_t in_flight = 0;  ///< what is under way and will still name this slot
    bool live = false;            ///< launched on its scheduler and not ended

    [[nodiscard]] std::uint32_t pc() const { return block->pc(in_block); }
    [[nodiscard]] bool at_barrier() const { return block->at_barrier(in_block); }
  };

  /// No block slots, and `warps` warp slots without a warp.
  void begin(std::uint32_t warps);
  /// One more block slot, free, with `block` to be started in it and again. Its warp slots must be
  /// no other's.
  void add_slot(std::unique_ptr<exec::ResidentBlock> block, std::uint32_t first_warp,
                std::uint32_t warps);

  /// Block `index` of its grid takes up a slot. Its warps are not live before launch(). Throws
  /// std::logic_error when no slot is free.
  const Slot& start(std::uint64_t index);
  /// The warp reaches its scheduler.
  void launch(std::uint32_t warp) {
    warps_[warp].live = true;
    ++live_;
  }
  /// The warp, live, has ended.
  void end_warp(std::uint32_t warp) {
    warps_[warp].live = false;
    --live_;
    --slots_[warps_[warp].block_slot].running;
  }

  /// Something begins that will name the warp slot when it ends.
  void hold(std::uint32_t warp) { ++warps_[warp].in_flight; }
  /// It has ended. Returns the block slot if that has become free, else nullptr.
  const Slot* land(std::uint32_t warp) {
    Warp& landed = warps_[warp];
    --landed.in_flight;
    return landed.live || landed.in_flight > 0 ? nullptr : release_if_drained(landed.block_slot);
  }
  /// Frees the slot if its block has come to its end: returns it, else nullptr.
  const Slot* release_if_drained(std::uint32_t block_slot);

  [[nodiscard]] const Warp& operator[](std::uint32_t warp) const { return warps_[warp]; }
  [[nodiscard]] std::uint32_t warps() const { return static_cast<std::uint32_t>(warps_.size()); }
  [[nodiscard]] const Slot& slot(std::uint32_t block_slot) const { return slots_[block_slot]; }
  [[nodiscard]] unsigned live_warps() const { return live_; }
  /// No block is resident.
  [[nodiscard]] bool empty() const { return free_.size() == slots_.size(); }

 private:
  std::vector<Slot> slots_;
  std::vector<Warp> warps_;
  std::deque<std::uint32_t> free_;  ///< block slots, the one that has been free for longest first
  unsigned live_ = 0;
};

}  // namespace paws::core
