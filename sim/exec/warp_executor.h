// SPDX-License-Identifier: MIT
// Functional execution of a kernel, one warp instruction at a time, 32 lanes at once.
//
// Executable is a kernel prepared for execution (immutable, shared by all warps and threads).
// Block holds what a thread block shares; Warp the registers and the SIMT stack of one warp.
// execute() runs the warp's next instruction for its values, moves its pc (with reconvergence at
// immediate post-dominators), and reports what timing needs to know. It knows nothing of time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/exec/device_memory.h"
#include "sim/exec/resident_block.h"
#include "sim/ir/kernel.h"

namespace paws::exec {

struct LaunchShape {
  Dim3 grid, block;
  std::uint32_t dynamic_shared = 0;  ///< bytes
  std::uint32_t registers = 0;       ///< per thread; 0: what the kernel says
  std::uint32_t yield_after = 0;  ///< SimtStack::yield() after so many backward branches; 0: none
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
class ThreadAccesses;

/// One thread block: its shared memory, its warps (registers, local memory, SIMT stacks), its
/// barriers. Memory is allocated once and reused by start().
class Block final : public ResidentBlock {
 public:
  /// `params` must outlive the launch. `core` is what %smid reads.
  Block(const Executable& executable, const LaunchShape& shape, const std::byte* params,
        DeviceMemory& memory, std::uint32_t core, std::uint32_t cores);
  ~Block() override;
  Block(Block&&) noexcept;

  /// The observer sees every block from the next start() on.
  void watch(std::unique_ptr<BlockObserver> observer);
  /// What later blocks do to global memory is told there, which outlives the block.
  void tell(ThreadAccesses& accesses);

  /// What registers and shared memory are read for is zero until it is written.
  void start(std::uint64_t index) override;

  [[nodiscard]] unsigned warps() const;
  [[nodiscard]] std::uint64_t index() const override;
  [[nodiscard]] Dim3 coordinates() const override;

  [[nodiscard]] bool done(unsigned warp) const override;
  [[nodiscard]] bool at_barrier(unsigned warp) const override;
  [[nodiscard]] std::string endless(unsigned warp) const override;
  [[nodiscard]] std::uint32_t pc(unsigned warp) const override;
  [[nodiscard]] LaneMask active(unsigned warp) const;  ///< lanes on the current SIMT path
  /// An exit that all remaining lanes of the warp take.
  [[nodiscard]] bool next_ends_warp(unsigned warp) const override;

  /// `clock` is what %clock reads. Throws InputError with kernel, PTX file and line, block, warp,
  /// lane and address on an illegal access.
  ///
  /// With `later`, accesses to global memory are put there instead of being done: the outcome is
  /// the same, but loaded registers, memory and errors wait for perform() (sim/exec/deferred.h).
  void execute(unsigned warp, std::uint64_t clock, Outcome& outcome,
               DeferredAccesses* later) override;
  void arrive(unsigned warp, const LateArrival& arrival) override;

  /// What run() has executed.
  struct Run {
    unsigned instructions = 0;
    std::uint64_t threads = 0;  ///< that executed them, summed up
  };
  /// Executes instructions of the warp for their values alone, as execute() would one after the
  /// other: at most `most` (not 0) of them, and none from the first one on that only execute() can
  /// do. Not for a block with an observer.
  Run run(unsigned warp, unsigned most);
  /// The same with every access done at once.
  void execute(unsigned warp, std::uint64_t clock, Outcome& outcome) {
    execute(warp, clock, outcome, nullptr);
  }

  [[nodiscard]] std::uint64_t executed() const override;

  struct Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace paws::exec
