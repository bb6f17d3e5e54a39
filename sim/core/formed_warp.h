// SPDX-License-Identifier: MIT
// Warps of a core whose warps are not those of the program: the threads of one warp differ from
// instruction to instruction (dynamic_warp_formation.h).
//
// A thread has a home lane, which it never leaves, and a row of the core: the 32 threads whose
// registers lie together, as those of a warp do. A formed warp is at most one thread per lane, all
// at one pc, of any rows. Each thread is in one place: in a warp that waits to be selected, in one
// that executes, held at a barrier, or it has ended.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "model/large_warp.h"
#include "sim/ir/kernel.h"

namespace paws::core {

/// Threads that execute one instruction together.
struct FormedWarp {
  std::uint32_t launch = 0;  ///< threads of several launches are never in one warp
  std::uint32_t pc = 0;
  LaneBits lanes = 0;
  LaneRows row{};  ///< of the core, of each lane's thread; 0 for an idle lane
  bool operator==(const FormedWarp&) const = default;
};

inline unsigned lowest_lane(LaneBits lanes) {
  return static_cast<unsigned>(std::countr_zero(lanes));
}
inline unsigned count_lanes(LaneBits lanes) { return static_cast<unsigned>(std::popcount(lanes)); }
/// `lanes` of the warp, which has them, at `pc`.
FormedWarp part_of(const FormedWarp& warp, LaneBits lanes, std::uint32_t pc);
/// The warp's lanes whose thread is one of these: `threads[i]` are in row `rows[i]` of the core.
LaneBits lanes_among(const FormedWarp& warp, std::span<const std::uint32_t> rows,
                     const LargeWarpMask& threads);
/// Threads that execute it together may go on at several pcs.
bool can_diverge(const ir::Instruction& instruction);

}  // namespace paws::core
