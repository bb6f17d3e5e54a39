// SPDX-License-Identifier: MIT
// What a core executes whose warps are formed anew from instruction to instruction
// (sim/core/formed_warp.h): as sim/exec/resident_block.h, with formed warps in place of warps. The
// block has no control flow of its own: the core knows where every thread stands, and is told where
// each goes next.
#pragma once

#include <array>
#include <cstdint>

#include "model/large_warp.h"
#include "sim/exec/resident_block.h"

namespace paws::exec {

/// Threads of one block that execute one instruction together, at most one per lane. A thread keeps
/// its lane for life: thread i of the block is in lane i mod 32, row i / 32.
struct FormedWarp {
  std::uint32_t pc = 0;
  LaneBits lanes = 0;  ///< that have a thread; not 0
  LaneRows row{};      ///< of each lane's thread, in the block
};

/// What it did. Fields that are per lane are filled for the lanes of the warp alone.
struct FormedOutcome {
  /// As of a warp (sim/exec/resident_block.h); `path` is the whole warp; `done` and `released` are
  /// not set. With `barrier`, the lanes of `active` have come to a barrier.
  Outcome warp;
  bool branch = false;  ///< bra or brx
  LaneBits taken = 0;   ///< with `branch`: lanes that jump; the others fall through
  LaneBits ended = 0;   ///< lanes whose thread has ended
  LaneBits waits = 0;   ///< lanes whose thread now stands at a barrier
  std::array<std::uint32_t, ir::kWarpSize> next{};  ///< pc, of lanes that have not ended
  /// Threads of the block that stood at a barrier before this instruction, and now may go on.
  LargeWarpMask released{};
};

/// One thread block in a block slot of a core. The warps of StandingBlock are its rows of 32
/// threads, which have no pc of their own: pc() is void. A row is done when all its threads have
/// ended, and at a barrier when one of them waits there. Answers hold until the next execute() of
/// this block. One host thread at a time calls.
class ResidentFormedBlock : public StandingBlock {
 public:
  [[nodiscard]] virtual const LargeWarpMask& live() const = 0;     ///< threads that have not ended
  [[nodiscard]] virtual const LargeWarpMask& waiting() const = 0;  ///< threads at a barrier

  /// Executes the warp's instruction in cycle `clock`, row after row, lowest row first. Its threads
  /// have not ended, do not wait, and stand at its pc (the caller's promise). With `later`,
  /// accesses to global memory may be put there (sim/exec/deferred.h). Throws InputError for an
  /// instruction that cannot be executed.
  virtual void execute(const FormedWarp& warp, std::uint64_t clock, FormedOutcome& outcome,
                       DeferredAccesses* later) = 0;

  /// Since start(), over all executed instructions: the threads of the warps.
  [[nodiscard]] virtual std::uint64_t executed_threads() const = 0;
};

}  // namespace paws::exec
