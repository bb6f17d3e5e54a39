// SPDX-License-Identifier: MIT
#include "sim/frontend/register_file.h"

#include <algorithm>
#include <cstdint>

#include "sim/ir/kernel.h"

namespace paws::frontend {

unsigned most_registers(unsigned threads, unsigned blocks, const RegisterFile& file) {
  const unsigned warps = (threads + ir::kWarpSize - 1) / ir::kWarpSize;
  const std::uint64_t resident = std::uint64_t{warps} * blocks;
  if (resident == 0 || resident * ir::kWarpSize > file.threads) return file.per_thread;
  const auto per_warp = static_cast<unsigned>(file.registers / resident);
  return std::min(file.per_thread, per_warp / file.granule * file.granule / ir::kWarpSize);
}

}  // namespace paws::frontend
