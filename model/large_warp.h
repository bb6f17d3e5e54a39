// SPDX-License-Identifier: MIT
// Large warps (Narasiman et al., MICRO 2011): the mask of one, row by row.
//
// A large warp has up to 32 rows of up to 32 columns. Thread i stands in row i / columns and column
// i mod columns, and never leaves its column: each column is a lane of the machine.
#pragma once

#include <array>
#include <cstdint>

namespace paws {

inline constexpr unsigned kMaxLanes = 32;
inline constexpr unsigned kMaxRows = 32;

/// One bit per lane, lane 0 in bit 0.
using LaneBits = std::uint32_t;
/// Threads of a large warp: word r is row r. Rows that the machine lacks are 0.
using LargeWarpMask = std::array<LaneBits, kMaxRows>;
/// The row of each lane's thread; 0 for an idle lane.
using LaneRows = std::array<std::uint8_t, kMaxLanes>;

}  // namespace paws
