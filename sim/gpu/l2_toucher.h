// SPDX-License-Identifier: MIT
// Lets blocks that run without timing leave their lines in the L2.
#pragma once

#include <cstdint>

#include "sim/config/gpu_config.h"
#include "sim/core/coalescer.h"
#include "sim/exec/execution_listener.h"
#include "sim/memory/memory_system.h"

namespace paws {

/// Every access to global memory, textures included, touches its lines in the L2, as if no L1 were
/// in front of it. Not those of bulk copies, nor of local memory, whose place is that of a warp
/// slot, which such a block does not have.
class L2Toucher final : public exec::ExecutionListener {
 public:
  /// `first_block`: RunningKernel::first_block. Adds to `brought` the lines that were not there.
  L2Toucher(const GpuConfig& config, memory::MemorySystem& memory, std::uint64_t first_block,
            std::uint64_t& brought)
      : config_(config), memory_(memory), first_block_(first_block), brought_(brought) {}

  void started(std::uint64_t index) override;
  void executed(unsigned warp, std::uint32_t pc, const exec::Outcome& outcome) override;
  void ended() override {}

 private:
  const GpuConfig& config_;
  memory::MemorySystem& memory_;
  std::uint64_t first_block_;
  std::uint64_t& brought_;
  std::uint32_t core_ = 0;  ///< that of the block: each has its share of them
  memory::LineOwner block_;
  core::Transactions lines_;
};

}  // namespace paws
