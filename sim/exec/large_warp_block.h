// SPDX-License-Identifier: MIT
// Functional execution of a block that is divided into large warps (Narasiman et al., MICRO 2011).
#pragma once

#include <cstdint>
#include <memory>

#include "sim/exec/resident_large_block.h"
#include "sim/exec/warp_executor.h"

namespace paws::exec {

/// One thread block: registers, memory and values row by row as in Block, control flow by large
/// warp. Of two paths of a branch the taken one runs first, as in SimtStack. Rows, not large warps,
/// arrive at barriers: those of which a thread on the path passes the guard.
class LargeWarpBlock final : public ResidentLargeBlock {
 public:
  /// `rows` of a large warp: 1 to 32, else std::logic_error. `params` must outlive the launch.
  /// `core` is what %smid reads. Throws InputError for a block of no thread or of more than 1024.
  LargeWarpBlock(const Executable& executable, const LaunchShape& shape, unsigned rows,
                 const std::byte* params, DeviceMemory& memory, std::uint32_t core,
                 std::uint32_t cores);
  ~LargeWarpBlock() override;
  LargeWarpBlock(LargeWarpBlock&&) noexcept;

  /// The observer sees every block from the next start() on; its warps are rows of the block.
  void watch(std::unique_ptr<BlockObserver> observer);

  void start(std::uint64_t index) override;
  [[nodiscard]] std::uint64_t index() const override;
  [[nodiscard]] Dim3 coordinates() const override;
  [[nodiscard]] unsigned large_warps() const override;
  [[nodiscard]] std::uint32_t pc(unsigned large_warp) const override;
  [[nodiscard]] bool done(unsigned large_warp) const override;
  [[nodiscard]] bool at_barrier(unsigned large_warp) const override;
  [[nodiscard]] const LargeWarpMask& path(unsigned large_warp) const override;
  [[nodiscard]] LargeWarpMask guarded(unsigned large_warp) const override;
  [[nodiscard]] bool next_ends(unsigned large_warp) const override;
  [[nodiscard]] std::size_t stack_depth(unsigned large_warp) const override;
  void execute(unsigned large_warp, std::uint64_t clock, LargeOutcome& outcome,
               DeferredAccesses* later) override;
  /// The same with every access done at once.
  void execute(unsigned large_warp, std::uint64_t clock, LargeOutcome& outcome) {
    execute(large_warp, clock, outcome, nullptr);
  }
  [[nodiscard]] std::uint64_t executed() const override;
  [[nodiscard]] std::uint64_t executed_threads() const override;

  struct Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace paws::exec
