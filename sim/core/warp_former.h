// SPDX-License-Identifier: MIT
// Forms the warps of a core whose warps are not those of the program: the threads of one warp
// differ from instruction to instruction.
//
// A thread has a home lane, which it never leaves, and a row of the core: the 32 threads whose
// registers lie together, as those of a warp do. A formed warp is at most one thread per lane, all
// at one pc, of any rows. Each thread is in one place: in a warp that waits to be selected, in one
// that executes, held at a barrier, or it has ended.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

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

class WarpFormer {
 public:
  using NextPcs = std::array<std::uint32_t, kMaxLanes>;

  virtual ~WarpFormer() = default;

  /// No launch and no thread.
  virtual void begin() = 0;
  /// One more launch, numbered from 0, of `kernel`, which must outlive it.
  virtual void add_launch(const ir::Kernel& kernel) = 0;
  /// A block starts at pc 0. Its row i, of which these threads exist, is row `rows[i]` of the core,
  /// where no other block has threads that have not ended.
  virtual void start(std::uint32_t launch, std::span<const std::uint32_t> rows,
                     const LargeWarpMask& threads) = 0;

  /// A warp that was selected has executed: of its lanes, threads of `ended` have ended; those of
  /// `held` wait at a barrier, behind which the warp stands; each of the others goes to its lane's
  /// next pc.
  virtual void retire(const FormedWarp& warp, const NextPcs& next, LaneBits ended,
                      LaneBits held) = 0;
  /// A warp that was selected has not executed: it waits again.
  virtual void put_back(const FormedWarp& warp) = 0;
  /// The threads of a block, given as for start(), go on from the barrier that they are held at.
  virtual void release(std::span<const std::uint32_t> rows, const LargeWarpMask& threads) = 0;

  /// No warp waits.
  [[nodiscard]] virtual bool empty() const = 0;
  /// The warp of highest priority waits no more. There must be one.
  virtual FormedWarp select() = 0;

  /// The warps that wait, the oldest first.
  [[nodiscard]] virtual std::vector<FormedWarp> waiting() const = 0;
  /// Threads that are held at barriers, at the pc behind: as they came, the first ones first.
  [[nodiscard]] virtual std::vector<FormedWarp> held() const = 0;
};

}  // namespace paws::core
