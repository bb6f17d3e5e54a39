// SPDX-License-Identifier: MIT
// The instruction cache of a core.
//
// Misses travel as requests of their own kind through crossbar, L2 and DRAM. One outstanding miss
// serves every warp that waits for its line; when the line comes, its warps are served from it one
// after another, whether or not it is still in the cache, so that no warp can miss for ever.
// Machine code does not change, so the cache keeps its lines from one kernel to the next.
#pragma once

#include <cstdint>
#include <deque>

#include "sim/config/gpu_config.h"
#include "sim/memory/non_blocking_cache.h"
#include "sim/memory/port.h"
#include "sim/stats/core_statistics.h"

namespace paws::core {

class InstructionCache {
 public:
  enum class Result : std::uint8_t {
    hit,
    miss,      ///< the warp waits; it comes out of next_served() later
    full,      ///< no MSHR or no way: nothing changes before the next response
    port_busy  ///< the core's port is backed up, or the line's slice takes nothing: try again
  };

  InstructionCache(const GpuConfig& config, memory::Port& port, CoreStatistics& statistics);

  /// Looks up the line that holds `address` for `warp`.
  Result fetch(std::uint64_t address, std::uint32_t warp, std::uint64_t cycle);

  /// A line has come; its warps are to be served.
  void respond(const memory::Response& response);

  /// Requests without a reply.
  [[nodiscard]] unsigned outstanding() const {
    return static_cast<unsigned>(statistics_.icache_misses - answered_);
  }
  [[nodiscard]] bool has_served() const { return !served_.empty(); }
  /// Takes the next warp whose line has come, in the order in which they began to wait.
  std::uint32_t next_served();

 private:
  const GpuConfig& config_;
  memory::Port& port_;
  CoreStatistics& statistics_;
  bool perfect_;  ///< icache.bytes is 0
  std::uint64_t line_mask_;
  std::uint64_t latest_;            ///< the line used last: another hit on it changes nothing
  memory::NonBlockingCache cache_;  ///< of warps
  std::deque<std::uint32_t> served_;
  std::uint64_t answered_ = 0;  ///< of the misses
};

}  // namespace paws::core
