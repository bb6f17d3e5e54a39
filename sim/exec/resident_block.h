// SPDX-License-Identifier: MIT
// What a core executes: the blocks that are resident on it, warp instruction by warp instruction.
//
// A core asks where each warp stands and says when it issues; what an instruction does is known
// only behind this interface. Block (sim/exec/warp_executor.h) executes a kernel for its values. A
// recorded trace, which knows instructions, masks and addresses but no values, can stand here as
// well: a core needs no more than Outcome says. Nothing here knows of time, except what the program
// itself reads from its clock.
#pragma once

#include <array>
#include <cstdint>

#include "sim/ir/kernel.h"

namespace paws::exec {

using LaneMask = std::uint32_t;

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  [[nodiscard]] std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

/// What one warp instruction did, as far as timing asks.
struct Outcome {
  LaneMask active = 0;   ///< lanes that executed it (after the guard)
  LaneMask path = 0;     ///< lanes on the SIMT path that it stands on (before the guard)
  bool memory = false;   ///< `addresses` is valid for the active lanes
  bool store = false;    ///< writes memory (st, atom, red)
  bool done = false;     ///< the warp has ended
  bool barrier = false;  ///< a block barrier was executed; the warp may now stand at it
  ir::Space space = ir::Space::none;  ///< resolved: a generic access to shared memory says shared;
                                      ///< generic only when its lanes are in several windows
  std::uint8_t bytes = 0;             ///< per lane, all vector elements together
  std::uint32_t released = 0;  ///< warps of the block that a completed barrier lets go on, one bit
                               ///< each; set by a bar, or by an exit that completes one
  /// Per lane: addresses for global; offsets within the window for shared, constant, param and
  /// (the lane's own) local memory.
  std::array<std::uint64_t, ir::kWarpSize> addresses;
};

class DeferredAccesses;

/// One thread block in a block slot of a core. Warps are numbered within the block. Between start()
/// and the end of its last warp every answer holds until the next execute() of this block; a warp
/// changes only with its own execute(), or when Outcome::released names it. One host thread at a
/// time calls.
class ResidentBlock {
 public:
  virtual ~ResidentBlock() = default;

  /// Takes up block `index` of the grid, linear, x fastest: every warp at its first instruction,
  /// nothing left of the block before.
  virtual void start(std::uint64_t index) = 0;

  [[nodiscard]] virtual std::uint64_t index() const = 0;
  [[nodiscard]] virtual Dim3 coordinates() const = 0;  ///< of the block, for messages

  /// The warp's next instruction: an index into the kernel's code, by which timing knows it. Void
  /// when the warp has ended.
  [[nodiscard]] virtual std::uint32_t pc(unsigned warp) const = 0;
  [[nodiscard]] virtual bool done(unsigned warp) const = 0;  ///< the warp has ended
  /// The warp stands at a barrier and must not execute. Its pc is behind the barrier.
  [[nodiscard]] virtual bool at_barrier(unsigned warp) const = 0;
  /// The next instruction ends the warp. Asked only of an instruction that ends a path
  /// (TimedInstruction::ends_path) and whose operands are there.
  [[nodiscard]] virtual bool next_ends_warp(unsigned warp) const = 0;

  /// The warp, neither ended nor at a barrier, issues its next instruction in cycle `clock`. Fills
  /// all of `outcome` but the addresses of lanes that access no memory. With `later`, accesses to
  /// global memory may be put there, to be done at the end of the window (sim/exec/deferred.h).
  /// Throws InputError for an instruction that cannot be executed.
  virtual void execute(unsigned warp, std::uint64_t clock, Outcome& outcome,
                       DeferredAccesses* later) = 0;

  /// Warp instructions executed since start().
  [[nodiscard]] virtual std::uint64_t executed() const = 0;
};

}  // namespace paws::exec
