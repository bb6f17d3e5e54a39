// SPDX-License-Identifier: MIT
// Functional execution of a kernel, one warp instruction at a time, 32 lanes at once.
//
// Executable is a kernel prepared for execution (immutable, shared by all warps and threads).
// Block holds what a thread block shares; Warp the registers and the SIMT stack of one warp.
// execute() runs the warp's next instruction for its values, moves its pc (with reconvergence at
// immediate post-dominators), and reports what timing needs to know. It knows nothing of time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/exec/device_memory.h"
#include "sim/ir/kernel.h"

namespace paws::exec {

using LaneMask = std::uint32_t;

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  [[nodiscard]] std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

struct LaunchShape {
  Dim3 grid, block;
  std::uint32_t dynamic_shared = 0;  ///< bytes
  std::uint32_t registers = 0;       ///< per thread; 0: what the kernel says
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

/// A kernel prepared for execution: registers laid out, a handler chosen per instruction.
/// Immutable; shared by every warp of a launch and by every host thread.
class Executable {
 public:
  explicit Executable(const ir::Kernel& kernel);
  ~Executable();
  [[nodiscard]] const ir::Kernel& kernel() const;

  struct Impl;
  [[nodiscard]] const Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

class BlockObserver;
struct DeferredAccess;
class DeferredAccesses;

/// One thread block: its shared memory, its warps (registers, local memory, SIMT stacks), its
/// barriers. Memory is allocated once and reused by start().
class Block {
 public:
  /// `params` must outlive the launch. `core` is what %smid reads.
  Block(const Executable& executable, const LaunchShape& shape, const std::byte* params,
        DeviceMemory& memory, std::uint32_t core, std::uint32_t cores);
  ~Block();
  Block(Block&&) noexcept;

  /// The observer sees every block from the next start() on.
  void watch(std::unique_ptr<BlockObserver> observer);

  /// Makes this the block `index` of the grid, linear, x fastest: every warp at its first
  /// instruction, registers and shared memory zero.
  void start(std::uint64_t index);

  [[nodiscard]] unsigned warps() const;
  [[nodiscard]] std::uint64_t index() const;
  [[nodiscard]] Dim3 coordinates() const;

  [[nodiscard]] bool done(unsigned warp) const;         ///< the warp has ended
  [[nodiscard]] bool at_barrier(unsigned warp) const;   ///< stands at a barrier, must not execute
  [[nodiscard]] std::uint32_t pc(unsigned warp) const;  ///< next instruction
  [[nodiscard]] LaneMask active(unsigned warp) const;   ///< lanes on the current SIMT path
  /// The next instruction is an exit that ends the warp (all its remaining lanes take it).
  [[nodiscard]] bool next_ends_warp(unsigned warp) const;

  /// Executes the warp's next instruction. `clock` is what %clock reads. Throws InputError with
  /// kernel, PTX file and line, block, warp, lane and address on an illegal access.
  ///
  /// With `later`, accesses to global memory are put there instead of being done: the outcome is
  /// the same, but loaded registers, memory and errors wait for perform().
  void execute(unsigned warp, std::uint64_t clock, Outcome& outcome,
               DeferredAccesses* later = nullptr);
  /// Does an access that execute() of this block has put off; `operands` are the captured ones.
  void perform(const DeferredAccess& access, std::byte* operands);

  /// Warp instructions executed since start().
  [[nodiscard]] std::uint64_t executed() const;

  struct Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace paws::exec
