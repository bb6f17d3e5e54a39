// SPDX-License-Identifier: MIT
// Functional execution of a block whose threads meet in warps that the hardware forms as it goes
// (dynamic warp formation: Fung et al., MICRO 2007). There is no stack: the caller knows where
// every thread stands, and is told where each goes next.
#pragma once

#include <cstdint>
#include <memory>

#include "sim/exec/resident_formed_block.h"
#include "sim/exec/warp_executor.h"

namespace paws::exec {

/// One thread block: registers, memory and values row by row as in Block, no control flow. Barriers
/// count threads, not warps, for the warps of the program are not there; for the same reason
/// nothing can watch it (sim/exec/block_observer.h).
class FormedWarpBlock final : public ResidentFormedBlock {
 public:
  /// `params` must outlive the launch. `core` is what %smid reads. Throws InputError for a block of
  /// no thread or of more than 1024, and, with its line, for the kernel's first warp-wide
  /// instruction (shfl, vote, activemask, match, redux, bar.warp.sync): the lanes that it speaks of
  /// need not be in one formed warp.
  FormedWarpBlock(const Executable& executable, const LaunchShape& shape, const std::byte* params,
                  DeviceMemory& memory, std::uint32_t core, std::uint32_t cores);
  ~FormedWarpBlock() override;
  FormedWarpBlock(FormedWarpBlock&&) noexcept;

  void start(std::uint64_t index) override;
  [[nodiscard]] std::uint64_t index() const override;
  [[nodiscard]] Dim3 coordinates() const override;
  [[nodiscard]] std::uint32_t pc(unsigned row) const override;
  [[nodiscard]] bool done(unsigned row) const override { return live()[row] == 0; }
  [[nodiscard]] bool at_barrier(unsigned row) const override { return waiting()[row] != 0; }
  [[nodiscard]] const LargeWarpMask& live() const override;
  [[nodiscard]] const LargeWarpMask& waiting() const override;
  void execute(const FormedWarp& warp, std::uint64_t clock, FormedOutcome& outcome,
               DeferredAccesses* later) override;
  [[nodiscard]] std::uint64_t executed() const override;
  [[nodiscard]] std::uint64_t executed_threads() const override;

  struct Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace paws::exec
