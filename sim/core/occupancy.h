// SPDX-License-Identifier: MIT
// How many registers a thread gets, and how many blocks of a kernel fit on a core.
#pragma once

#include <cstdint>
#include <string>

#include "sim/config/gpu_config.h"
#include "sim/core/resources.h"
#include "sim/exec/warp_executor.h"
#include "sim/ir/kernel.h"

namespace paws::core {

/// 32-bit registers of a thread in one launch.
struct ThreadRegisters {
  unsigned held = 0;
  unsigned spilled = 0;  ///< that the estimate has beyond
  std::string bound;     ///< what allows no more, as Kernel::register_bound; empty: nothing spilled
};

/// What the launch says, else the kernel's own number. An estimate is capped so that one block
/// fits, for blocks larger than the front-end knew of; a number that was given is not.
ThreadRegisters thread_registers(const ir::Kernel& kernel, const exec::LaunchShape& shape,
                                 const RegisterFile& file);

/// What a core has when no block is resident.
Resources core_resources(const GpuConfig& config);

/// What one block of the launch takes: warps whole, also large ones that its threads do not fill;
/// registers per 32 threads in granules; shared memory, static and dynamic, in granules.
Resources block_resources(const ir::Kernel& kernel, const exec::LaunchShape& shape,
                          const GpuConfig& config);

struct Occupancy {
  unsigned warps_per_block = 0;
  unsigned blocks = 0;          ///< resident blocks per core, 0 when not even one fits
  std::string limit;            ///< what limits them (name_of)
  std::uint64_t available = 0;  ///< of what limits them, on a core
  std::uint64_t needed = 0;     ///< per block
};

/// Of a core that has blocks of this launch only.
Occupancy occupancy(const ir::Kernel& kernel, const exec::LaunchShape& shape,
                    const GpuConfig& config);

/// Why not one block of the launch fits on a core, in figures, and the keys that decide it.
std::string why_no_block_fits(const ir::Kernel& kernel, const exec::LaunchShape& shape,
                              const GpuConfig& config);

}  // namespace paws::core
