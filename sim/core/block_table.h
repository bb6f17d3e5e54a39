// SPDX-License-Identifier: MIT
// The blocks that are resident on a core: block slots, which warp slots are theirs, and what else
// of the core they take.
//
// Every resident block belongs to a launch, and blocks of several launches may be resident at a
// time. A block starts when all that it needs is free (Resources), and holds it until all its warps
// have ended and nothing that names one of their warp slots is under way any more.
//
// A free block slot keeps its warp slots for the next block of the same launch; the one that has
// been free for longest is used first. A launch first takes new block slots, as many as it can have
// on a core of its own, with the lowest warp slots that no block slot keeps. When none are left and
// no block slot of the launch is free, the free ones of all launches give their warp slots back. So
// with one launch the n-th block slot has the n-th group of warp slots; with several, a block that
// the resources have room for always finds warp slots, though not always adjacent ones.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <vector>

#include "sim/core/resources.h"
#include "sim/exec/standing_block.h"

namespace paws::core {

class TimedKernel;

class BlockTable {
 public:
  /// In the place of a pair: the block belongs to none.
  static constexpr std::uint32_t kAlone = std::numeric_limits<std::uint32_t>::max();

  struct Slot {
    exec::StandingBlock* block = nullptr;  ///< the last one that started here
    std::uint32_t launch = 0;
    std::vector<std::uint32_t> warps;  ///< warp slots, by number of the warp within the block
    unsigned running = 0;              ///< warps that have not ended
    std::uint64_t number = 0;          ///< blocks that had started on the core before this one
    bool used = false;
    std::uint32_t pair = kAlone;  ///< as the block scheduler numbers pairs of blocks
  };

  /// A warp slot of the core.
  struct Warp {
    exec::StandingBlock* block = nullptr;  ///< the last one that started here
    const TimedKernel* kernel = nullptr;   ///< what it runs
    std::uint32_t launch = 0;
    std::uint32_t in_block = 0;  ///< number of the warp within the block
    std::uint32_t block_slot = 0;
    std::uint32_t in_flight = 0;  ///< what is under way and will still name this slot
    bool live = false;            ///< launched on its scheduler and not ended
    /// Where the warp stands, as its block last said: asked for far more often than it changes.
    bool at_barrier = false;
    std::uint32_t pc = 0;  ///< next instruction; void when the warp has ended
  };

  /// No launch, and a core of which nothing is taken.
  void begin(const Resources& core);
  /// One more launch of `kernel`, numbered from 0. Each of its blocks takes `needs`; `blocks`, as
  /// many as fit a core without others, are started again and again, the one that ended first as
  /// the first. Throws std::logic_error when there are not so many.
  void add_launch(const TimedKernel& kernel, const Resources& needs,
                  std::vector<std::unique_ptr<exec::StandingBlock>> blocks);

  /// Block `index` of the launch's grid takes up a slot. Its warps are not live before launch().
  /// Throws std::logic_error when the core lacks something for it. `pair`: of the slot.
  const Slot& start(std::uint32_t launch, std::uint64_t index, std::uint32_t pair = kAlone);
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

  /// The warp, not ended, has executed an instruction or was let go on.
  void moved(std::uint32_t number) {
    const Warp& warp = warps_[number];
    moved(number, warp.block->pc(warp.in_block), warp.block->at_barrier(warp.in_block));
  }
  /// The same for a caller that knows where it stands now.
  void moved(std::uint32_t number, std::uint32_t pc, bool at_barrier) {
    warps_[number].pc = pc;
    warps_[number].at_barrier = at_barrier;
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
  /// What no resident block has taken.
  [[nodiscard]] const Resources& free() const { return free_; }
  /// No block is resident.
  [[nodiscard]] bool empty() const { return resident_ == 0; }
  /// No block of any launch has room beside those that are resident.
  [[nodiscard]] bool full() const;

 private:
  struct Launch {
    const TimedKernel* kernel = nullptr;
    Resources needs;
    std::vector<std::unique_ptr<exec::StandingBlock>> blocks;
    /// Of `blocks`, the one that ended first in front: what it has put off (sim/exec/deferred.h)
    /// is done before it starts again.
    std::deque<exec::StandingBlock*> idle;
    std::size_t slots = 0;                 ///< block slots that it has, used or free
    std::deque<std::uint32_t> free_slots;  ///< the one that has been free for longest in front
  };

  /// A block slot for a block of `launch`, for which there is room.
  std::uint32_t take_slot(std::uint32_t launch);
  /// A block slot that is of no launch becomes one of `launch`.
  std::uint32_t make_slot(std::uint32_t launch);
  /// All free block slots are of no launch from now on, and their warp slots of no block slot.
  void give_back_free_slots();

  std::vector<Slot> slots_;
  std::vector<Warp> warps_;
  std::deque<Launch> launches_;
  std::vector<std::uint32_t> loose_slots_;  ///< block slots of no launch, in order
  std::vector<std::uint32_t> loose_warps_;  ///< warp slots of no block slot, in order
  Resources free_;
  unsigned resident_ = 0;
  std::uint64_t started_ = 0;  ///< blocks since begin()
  unsigned live_ = 0;
};

}  // namespace paws::core
