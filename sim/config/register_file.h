// SPDX-License-Identifier: MIT
// What a core has for the registers of its threads, and how many of them a thread may have.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/ir/kernel.h"

namespace paws {

/// Kernel::register_bound of a kernel whose registers are bounded so that a block fits on a core.
inline constexpr const char* kBlockBound = "block size";

struct RegisterFile {
  unsigned registers = 32768;  ///< 32-bit, per core
  unsigned granule = 64;       ///< a warp gets a multiple of so many
  unsigned per_thread = 63;    ///< most that an instruction can name
  unsigned threads = 1536;     ///< resident per core at most
};

/// 32-bit registers that a thread may have at most so that `blocks` blocks of `threads` threads fit
/// on a core at once; 0 when not even a granule per warp is there. No bound but `per_thread` when
/// either is 0 (not known), or when so many threads fit no core however few registers they have.
inline unsigned most_registers(unsigned threads, unsigned blocks, const RegisterFile& file) {
  const unsigned warps = (threads + ir::kWarpSize - 1) / ir::kWarpSize;
  const std::uint64_t resident = std::uint64_t{warps} * blocks;
  if (resident == 0 || resident * ir::kWarpSize > file.threads) return file.per_thread;
  const auto per_warp = static_cast<unsigned>(file.registers / resident);
  return std::min(file.per_thread, per_warp / file.granule * file.granule / ir::kWarpSize);
}

}  // namespace paws
