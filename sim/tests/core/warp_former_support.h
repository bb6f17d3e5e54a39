// SPDX-License-Identifier: MIT
// What tests of warp formers share: warps as text, on four lanes, and kernels with nothing but
// control flow.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/warp_former.h"

namespace paws::core {

/// "pc 7: 0 - 2 1": the row of lanes 0 to 3, a dash for an idle lane.
inline std::string text(const FormedWarp& warp) {
  std::string line = "pc " + std::to_string(warp.pc) + ":";
  for (unsigned lane = 0; lane < 4; ++lane) {
    const bool idle = (warp.lanes >> lane & 1) == 0;
    line += idle ? " -" : " " + std::to_string(warp.row[lane]);
  }
  return line;
}

/// A kernel of so many instructions, at some of which control flow meets again.
inline ir::Kernel kernel_of(unsigned pcs, const std::vector<std::uint32_t>& meets) {
  ir::Kernel kernel;
  kernel.code.resize(pcs + meets.size());
  for (std::size_t i = 0; i < meets.size(); ++i) {
    ir::Instruction& branch = kernel.code[pcs + i];
    branch.op = ir::Op::bra;
    branch.guard = 0;
    branch.reconverge = meets[i];
  }
  return kernel;
}

inline LargeWarpMask rows_of(unsigned rows, LaneBits lanes) {
  LargeWarpMask threads{};
  std::fill_n(threads.begin(), rows, lanes);
  return threads;
}

inline std::vector<std::string> texts(const std::vector<FormedWarp>& warps) {
  std::vector<std::string> lines;
  for (const FormedWarp& warp : warps) lines.push_back(text(warp));
  return lines;
}

}  // namespace paws::core
