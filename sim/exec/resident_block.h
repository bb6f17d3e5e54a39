// SPDX-License-Identifier: MIT
// What a core executes: the blocks that are resident on it, warp instruction by warp instruction.
//
// A core asks where each warp stands and says when it issues; what an instruction does is known
// only behind this interface. Block (sim/exec/warp_executor.h) executes a kernel for its values. A
// trace of machine code, which knows instructions, masks and addresses but no values, stands here
// as well (sim/sass/traced_block.h): a core needs no more than Outcome says. Nothing here knows of
// time, except what the program itself reads from its clock.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/exec/standing_block.h"
#include "sim/ir/kernel.h"

namespace paws::exec {

using LaneMask = std::uint32_t;

/// An operation of one lane on a barrier object that takes effect when asynchronous copies are
/// there (ir::Instruction::after_copies).
struct LateArrival {
  std::uint32_t pc = 0;
  std::uint32_t lane = 0;
  std::uint32_t object = 0;  ///< its address in shared memory
  std::uint32_t count = 0;   ///< arrivals or bytes
};

/// What one warp instruction did, as far as timing asks.
struct Outcome {
  LaneMask active = 0;         ///< lanes that executed it (after the guard)
  LaneMask path = 0;           ///< lanes on the SIMT path that it stands on (before the guard)
  bool memory = false;         ///< `addresses` is valid for the active lanes
  LaneMask reads_nothing = 0;  ///< active lanes whose asynchronous copy goes to no memory
  bool store = false;          ///< writes memory (st, atom, red)
  bool done = false;           ///< the warp has ended
  bool barrier = false;        ///< a block barrier was executed
  bool at_barrier = false;     ///< StandingBlock::at_barrier() of the warp from now on
  std::uint32_t pc = 0;        ///< StandingBlock::pc() of the warp from now on
  ir::Space space = ir::Space::none;  ///< resolved: a generic access to shared memory says shared;
                                      ///< generic only when its lanes are in several windows
  std::uint8_t bytes = 0;             ///< per lane, all vector elements together
  std::uint32_t released = 0;  ///< warps of the block that a completed barrier lets go on, one bit
                               ///< each; set by a bar, or by an exit that completes one
  /// Of a texture or surface access, while `memory`: the addresses of the texels that the lanes
  /// touch, the first ones of all lanes, then the second ones and so on; kNoTexel where a lane
  /// touches none (sim/exec/texel_sampler.h). Empty for other instructions.
  std::vector<std::array<std::uint64_t, ir::kWarpSize>> texels;
  /// What the warp has asked for and ResidentBlock::arrive() is to do.
  std::vector<LateArrival> arrivals;
  /// Of a bulk copy, while `memory`: bytes per lane.
  std::array<std::uint32_t, ir::kWarpSize> bulk_bytes;
  /// Per lane: addresses for global; offsets within the window for shared, constant, param and
  /// (the lane's own) local memory.
  std::array<std::uint64_t, ir::kWarpSize> addresses;
};

class DeferredAccesses;

/// One thread block in a block slot of a core. Warps are numbered within the block. Between start()
/// and the end of its last warp every answer holds until the next execute() of this block; a warp
/// changes only with its own execute(), or when Outcome::released names it. One host thread at a
/// time calls.
class ResidentBlock : public StandingBlock {
 public:
  /// The next instruction ends the warp. Asked only of an instruction that ends a path
  /// (TimedInstruction::ends_path) and whose operands are there.
  [[nodiscard]] virtual bool next_ends_warp(unsigned warp) const = 0;

  /// The warp, neither ended nor at a barrier, issues its next instruction in cycle `clock`. Fills
  /// all of `outcome` but the addresses of lanes that access no memory. With `later`, accesses to
  /// global memory may be put there, to be done at the end of the window (sim/exec/deferred.h).
  /// Throws InputError for an instruction that cannot be executed.
  virtual void execute(unsigned warp, std::uint64_t clock, Outcome& outcome,
                       DeferredAccesses* later) = 0;

  /// Does what `warp` asked for in Outcome::arrivals. Throws InputError when a barrier object does
  /// not expect it.
  virtual void arrive(unsigned warp, const LateArrival& arrival) = 0;
};

}  // namespace paws::exec
