// SPDX-License-Identifier: MIT
// Functional execution of a block whose threads meet in warps that the hardware forms as it goes
// (dynamic warp formation: Fung et al., MICRO 2007). There is no stack: the caller knows where
// every thread stands, and is told where each goes next.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "model/large_warp.h"
#include "sim/exec/resident_block.h"
#include "sim/exec/warp_executor.h"

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

/// One thread block: registers, memory and values row by row as in Block, no control flow. Barriers
/// count threads, not warps, for the warps of the program are not there; for the same reason
/// nothing can watch it (sim/exec/block_observer.h).
class FormedWarpBlock final {
 public:
  /// `params` must outlive the launch. `core` is what %smid reads. Throws InputError for a block of
  /// no thread or of more than 1024, and, with its line, for the kernel's first warp-wide
  /// instruction (shfl, vote, activemask, match, redux, bar.warp.sync): the lanes that it speaks of
  /// need not be in one formed warp.
  FormedWarpBlock(const Executable& executable, const LaunchShape& shape, const std::byte* params,
                  DeviceMemory& memory, std::uint32_t core, std::uint32_t cores);
  ~FormedWarpBlock();
  FormedWarpBlock(FormedWarpBlock&&) noexcept;

  /// Takes up block `index` of the grid: every thread at pc 0, nothing left of the block before.
  void start(std::uint64_t index);
  [[nodiscard]] std::uint64_t index() const;
  [[nodiscard]] Dim3 coordinates() const;
  [[nodiscard]] const LargeWarpMask& live() const;     ///< threads that have not ended
  [[nodiscard]] const LargeWarpMask& waiting() const;  ///< threads at a barrier

  /// Executes the warp's instruction in cycle `clock`, row after row, lowest row first. Its threads
  /// have not ended, do not wait, and stand at its pc (the caller's promise). With `later`,
  /// accesses to global memory may be put there (sim/exec/deferred.h). Throws InputError for an
  /// instruction that cannot be executed.
  void execute(const FormedWarp& warp, std::uint64_t clock, FormedOutcome& outcome,
               DeferredAccesses* later);

  /// Since start(): instructions of formed warps, and the threads in them.
  [[nodiscard]] std::uint64_t executed() const;
  [[nodiscard]] std::uint64_t executed_threads() const;

  struct Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace paws::exec
