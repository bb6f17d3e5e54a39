// SPDX-License-Identifier: MIT
#include "sim/core/occupancy.h"

#include <fmt/format.h>

#include <algorithm>

namespace paws::core {
namespace {

std::uint64_t round_up(std::uint64_t value, unsigned granule) {
  return (value + granule - 1) / granule * granule;
}

}  // namespace

ThreadRegisters thread_registers(const ir::Kernel& kernel, const exec::LaunchShape& shape,
                                 const RegisterFile& file) {
  if (shape.registers != 0) return {shape.registers, 0, {}};
  ThreadRegisters result{kernel.registers_per_thread, kernel.spilled_registers,
                         kernel.register_bound};
  const auto threads = static_cast<unsigned>(shape.block.count());
  const unsigned most = std::max(1U, most_registers(threads, 1, file));
  if (kernel.registers_given || result.held <= most) return result;
  result.spilled += result.held - most;
  result.held = most;
  result.bound = kBlockBound;
  return result;
}

Occupancy occupancy(const ir::Kernel& kernel, const exec::LaunchShape& shape,
                    const GpuConfig& config) {
  const CoreSettings& core = config.core;
  const RegisterFile& file = config.frontend.register_file;
  Occupancy result;
  const auto threads = static_cast<unsigned>(shape.block.count());
  result.warps_per_block = (threads + ir::kWarpSize - 1) / ir::kWarpSize;
  result.blocks = core.blocks;
  result.limit = "block slots";
  result.available = core.blocks;
  result.needed = 1;
  auto limit = [&](unsigned available, std::uint64_t needed, const char* what) {
    if (needed == 0 || available / needed >= result.blocks) return;
    result.blocks = static_cast<unsigned>(available / needed);
    result.limit = what;
    result.available = available;
    result.needed = needed;
  };
  limit(core.warps, result.warps_per_block, "warps");
  limit(file.threads, std::uint64_t{result.warps_per_block} * ir::kWarpSize, "threads");
  const std::uint64_t registers = thread_registers(kernel, shape, file).held;
  const std::uint64_t per_warp = round_up(registers * ir::kWarpSize, file.granule);
  limit(file.registers, per_warp * result.warps_per_block, "registers");
  limit(core.shared_bytes,
        round_up(std::uint64_t{kernel.shared_bytes} + shape.dynamic_shared, core.shared_granule),
        "shared memory");
  return result;
}

std::string why_no_block_fits(const ir::Kernel& kernel, const exec::LaunchShape& shape,
                              const GpuConfig& config) {
  const Occupancy occupancy = core::occupancy(kernel, shape, config);
  const std::string needed =
      fmt::format("a block of {} threads needs {} ", shape.block.count(), occupancy.needed);
  const auto core_has = [&occupancy](const char* keys) {
    return fmt::format(", a core has {} ({})", occupancy.available, keys);
  };
  if (occupancy.limit == "warps") return needed + "warp slots" + core_has("core.warps");
  if (occupancy.limit == "threads") return needed + "thread slots" + core_has("core.threads");
  if (occupancy.limit == "shared memory") {
    return needed +
           fmt::format("bytes of shared memory, {} static and {} dynamic", kernel.shared_bytes,
                       shape.dynamic_shared) +
           core_has("core.shared_bytes, beside l1.bytes in l1.array_bytes");
  }
  const char* given = "";
  if (shape.registers != 0) {
    given = " (registers of the launch)";
  } else if (kernel.registers_given) {
    given = " (frontend.registers_per_thread)";
  }
  return needed +
         fmt::format("registers, {} per thread{}",
                     thread_registers(kernel, shape, config.frontend.register_file).held, given) +
         core_has("core.registers, given to warps in multiples of core.register_granule");
}

}  // namespace paws::core
