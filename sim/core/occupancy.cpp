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

Resources core_resources(const GpuConfig& config) {
  Resources all;
  all[Resource::block_slots] = config.core.blocks;
  all[Resource::warps] = config.warp_slots();
  all[Resource::threads] = config.frontend.register_file.threads;
  all[Resource::registers] = config.frontend.register_file.registers;
  all[Resource::shared_memory] = config.core.shared_bytes;
  return all;
}

Resources block_resources(const ir::Kernel& kernel, const exec::LaunchShape& shape,
                          const GpuConfig& config) {
  const RegisterFile& file = config.frontend.register_file;
  const std::uint64_t rows = (shape.block.count() + ir::kWarpSize - 1) / ir::kWarpSize;
  const std::uint64_t warps = (rows + config.core.warp_rows - 1) / config.core.warp_rows;
  const std::uint64_t registers = thread_registers(kernel, shape, file).held;
  Resources needs;
  needs[Resource::block_slots] = 1;
  needs[Resource::warps] = warps;
  needs[Resource::threads] = warps * config.core.warp_rows * ir::kWarpSize;
  needs[Resource::registers] = round_up(registers * ir::kWarpSize, file.granule) * rows;
  needs[Resource::shared_memory] = round_up(
      std::uint64_t{kernel.shared_bytes} + shape.dynamic_shared + config.core.shared_reserved,
      config.core.shared_granule);
  return needs;
}

Occupancy occupancy(const ir::Kernel& kernel, const exec::LaunchShape& shape,
                    const GpuConfig& config) {
  const Resources all = core_resources(config);
  const Resources needs = block_resources(kernel, shape, config);
  const Resources::Count count = all.count(needs);
  Occupancy result;
  result.warps_per_block = static_cast<unsigned>(needs[Resource::warps]);
  result.blocks = count.blocks;
  result.limit = name_of(count.limit);
  result.available = all[count.limit];
  result.needed = needs[count.limit];
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
           (config.core.shared_reserved == 0
                ? ""
                : fmt::format(", {} of the system (core.shared_reserved)",
                              config.core.shared_reserved)) +
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
