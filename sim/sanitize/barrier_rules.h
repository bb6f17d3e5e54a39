// SPDX-License-Identifier: MIT
// Whether the threads of a block meet at a barrier together.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "sim/exec/block_observer.h"

namespace paws::sanitize {

/// A barrier that not all threads execute that should. Threads that have ended need not ("CUDA C++
/// Programming Guide", __syncthreads(): all non-exited threads of the block).
struct Divergence {
  enum class Cause : std::uint8_t {
    lanes_missing,  ///< threads of the warp, not ended, do not execute it
    other_barrier   ///< another warp waits for the same barrier at another instruction
  };
  Cause cause{};
  std::uint32_t pc = 0;
  unsigned warp = 0;           ///< that executed it
  unsigned lane = 0;           ///< the first that did
  exec::LaneMask missing = 0;  ///< lanes_missing
  unsigned other_warp = 0;     ///< other_barrier
  std::uint32_t other_pc = 0;  ///< other_barrier
};

class BarrierRules {
 public:
  void start();
  struct Arrival {
    unsigned barrier = 0;
    bool whole = false;  ///< no number of threads is given: all of the block
  };
  /// The warp is about to execute a barrier; nothing for a barrier that does not exist.
  static std::optional<Arrival> arrival(const exec::PendingInstruction& instruction);

  std::optional<Divergence> arrive(const exec::PendingInstruction& instruction,
                                   const Arrival& arrival);
  /// The barrier at which these warps wait opens.
  std::optional<Divergence> release(exec::BlockWarpMask warps);
  /// The barrier at which the warp waits or has waited last.
  [[nodiscard]] unsigned barrier_of(unsigned warp) const { return waits_[warp].barrier; }

 private:
  struct Wait {
    unsigned barrier = 0;
    bool whole = false;
    std::uint32_t pc = 0;
    unsigned lane = 0;
  };
  std::array<Wait, 8 * sizeof(exec::BlockWarpMask)> waits_{};
};

}  // namespace paws::sanitize
