// SPDX-License-Identifier: MIT
#include "sim/core/occupancy.h"

namespace paws::core {
namespace {

unsigned round_up(unsigned value, unsigned granule) {
  return (value + granule - 1) / granule * granule;
}

}  // namespace

Occupancy occupancy(const ir::Kernel& kernel, const exec::LaunchShape& shape,
                    const GpuConfig& config) {
  const CoreSettings& core = config.core;
  const frontend::RegisterFile& file = config.frontend.register_file;
  Occupancy result;
  const auto threads = static_cast<unsigned>(shape.block.count());
  result.warps_per_block = (threads + ir::kWarpSize - 1) / ir::kWarpSize;
  result.blocks = core.blocks;
  result.limit = "block slots";
  auto limit = [&](unsigned available, unsigned needed, const char* what) {
    if (needed == 0 || available / needed >= result.blocks) return;
    result.blocks = available / needed;
    result.limit = what;
  };
  limit(core.warps, result.warps_per_block, "warps");
  limit(file.threads, result.warps_per_block * ir::kWarpSize, "threads");
  const unsigned registers = shape.registers != 0 ? shape.registers : kernel.registers_per_thread;
  const unsigned per_warp = round_up(registers * ir::kWarpSize, file.granule);
  limit(file.registers, per_warp * result.warps_per_block, "registers");
  limit(core.shared_bytes,
        round_up(kernel.shared_bytes + shape.dynamic_shared, core.shared_granule), "shared memory");
  return result;
}

}  // namespace paws::core
