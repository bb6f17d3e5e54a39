// SPDX-License-Identifier: MIT
// How many blocks of a kernel fit on a core.
#pragma once

#include <string>

#include "sim/config/gpu_config.h"
#include "sim/exec/warp_executor.h"
#include "sim/ir/kernel.h"

namespace paws::core {

struct Occupancy {
  unsigned warps_per_block = 0;
  unsigned blocks = 0;  ///< resident blocks per core, 0 when not even one fits
  std::string limit;    ///< what limits them: "registers", "shared memory", "warps", "threads",
                        ///< "block slots"
};

/// Blocks limited by block slots, warps, threads, registers (allocated per warp in granules) and
/// shared memory (static and dynamic, in granules).
Occupancy occupancy(const ir::Kernel& kernel, const exec::LaunchShape& shape,
                    const GpuConfig& config);

}  // namespace paws::core
