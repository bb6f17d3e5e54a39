// SPDX-License-Identifier: MIT
// Masks and sub-warps as text, lane 0 left, for messages.
#pragma once

#include <string>

#include "model/large_warp.h"

namespace paws {

/// One character for each lane.
inline std::string lanes_text(LaneBits lanes, unsigned count) {
  std::string text;
  for (unsigned lane = 0; lane < count; ++lane) text += (lanes >> lane & 1U) != 0 ? '1' : '0';
  return text;
}

/// One line for each row, row 0 first.
inline std::string mask_text(const LargeWarpMask& mask, unsigned rows, unsigned lanes) {
  std::string text;
  for (unsigned row = 0; row < rows; ++row) text += "    " + lanes_text(mask[row], lanes) + '\n';
  return text;
}

/// The mask of a sub-warp, and the row of each lane, idle ones included.
inline std::string subwarp_text(LaneBits mask, const LaneRows& row, unsigned lanes) {
  std::string text = "  lanes " + lanes_text(mask, lanes) + ", rows";
  for (unsigned lane = 0; lane < lanes; ++lane) text += ' ' + std::to_string(row[lane]);
  return text + '\n';
}

}  // namespace paws
