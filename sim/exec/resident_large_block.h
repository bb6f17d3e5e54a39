// SPDX-License-Identifier: MIT
// What a core with large warps executes: as sim/exec/resident_block.h, with large warps in place of
// warps (Narasiman et al., MICRO 2011, section 3.1; model/large_warp.h).
//
// The threads of a block are rows of 32, thread i in row i / 32. A large warp is so many
// consecutive rows of one block; it has one path, one pc and one stack. The last large warp of a
// block may lack rows, and the last row of a block may lack lanes: they never execute. Values do
// not depend on how timing forms sub-warps: an instruction executes whole, row after row, lowest
// row first.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "model/large_warp.h"
#include "sim/exec/resident_block.h"
#include "sim/ir/kernel.h"

namespace paws::exec {

/// What one instruction of a large warp did, as far as timing asks. Rows are those of the large
/// warp; masks of rows that it lacks are 0.
struct LargeOutcome {
  LargeWarpMask path{};    ///< threads on the path that it stands on (before the guard)
  LargeWarpMask active{};  ///< threads that executed it (after the guard)
  LargeWarpMask taken{};   ///< with `branch`: those of the path that jump; the others fall through
  bool branch = false;     ///< bra, conditional or not (brx, which has more than two ways, is none)
  bool memory = false;     ///< `addresses` is valid for the active threads
  bool store = false;      ///< writes memory (st, atom, red)
  bool done = false;       ///< the large warp has ended
  bool barrier = false;    ///< a row has come to a block barrier and may now stand at it
  ir::Space space = ir::Space::none;  ///< resolved: a generic access to shared memory says shared;
                                      ///< generic only when its threads are in several windows
  std::uint8_t bytes = 0;             ///< per thread, all vector elements together
  std::uint32_t released = 0;  ///< large warps of the block that completed barriers let go on, one
                               ///< bit each, this one included; set by a bar, or by an exit
  /// Per row and lane: addresses for global; offsets within the window for shared, constant, param
  /// and (the thread's own) local memory; generic addresses if `space` is generic.
  std::array<std::array<std::uint64_t, ir::kWarpSize>, kMaxRows> addresses;

  /// The part of a sub-warp: the threads at `row` in the lanes of `mask`, as if they were one
  /// warp's. `released`, `done` and `barrier`, which belong to the whole, are not set.
  void gather(LaneBits mask, const LaneRows& row, Outcome& to) const {
    to.active = 0;
    to.path = 0;
    to.memory = memory;
    to.reads_nothing = 0;
    to.store = store;
    to.done = false;
    to.barrier = false;
    to.space = space;
    to.bytes = bytes;
    to.released = 0;
    for (LaneBits left = mask; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      const LaneBits bit = left & -left;
      const unsigned from = row[lane];
      to.path |= path[from] & bit;
      to.active |= active[from] & bit;
      to.addresses[lane] = addresses[from][lane];
    }
  }
};

/// One thread block in a block slot of a core with large warps. Large warps are numbered within the
/// block. Answers hold until the next execute() of this block; a large warp changes only with its
/// own execute(), or when LargeOutcome::released names it. One host thread at a time calls.
class ResidentLargeBlock : public StandingBlock {
 public:
  [[nodiscard]] virtual unsigned large_warps() const = 0;

  /// Threads on the path that executes next, of which sub-warps are formed; none when it has ended.
  [[nodiscard]] virtual const LargeWarpMask& path(unsigned large_warp) const = 0;
  /// Those of them that pass the next instruction's guard. Asked only when its operands are there.
  [[nodiscard]] virtual LargeWarpMask guarded(unsigned large_warp) const = 0;
  /// The next instruction ends the large warp; asked as guarded() is.
  [[nodiscard]] virtual bool next_ends(unsigned large_warp) const = 0;
  /// Paths that run or wait on the large warp's stack.
  [[nodiscard]] virtual std::size_t stack_depth(unsigned large_warp) const = 0;

  /// The large warp, neither ended nor at a barrier, executes its next instruction, selected in
  /// cycle `clock`. Fills all of `outcome` but the addresses of threads that access no memory. With
  /// `later`, accesses to global memory may be put there, to be done at the end of the window, in
  /// the order of the rows (sim/exec/deferred.h). Throws InputError for an instruction that cannot
  /// be executed, and for a barrier that cannot complete since it lacks rows of a large warp that
  /// waits at it.
  virtual void execute(unsigned large_warp, std::uint64_t clock, LargeOutcome& outcome,
                       DeferredAccesses* later) = 0;

  /// Since start(), over all executed instructions of large warps: the threads of the path.
  [[nodiscard]] virtual std::uint64_t executed_threads() const = 0;
};

}  // namespace paws::exec
