// SPDX-License-Identifier: MIT
// The instruction cache of a core, with a second level behind it where the machine has one.
//
// A miss is looked up in the second level, and what misses there travels as a request of its own
// kind through crossbar, L2 and DRAM. One outstanding line serves every warp that waits for it;
// when the line comes, its warps are served from it one after another, whether or not it is still
// in the cache, so that no warp can miss for ever. A fetch may bring the lines behind its own: a
// sequential prefetch, for which nobody waits until a warp gets there. Machine code does not
// change, so both levels keep their lines from one kernel to the next.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <limits>

#include "sim/config/gpu_config.h"
#include "sim/memory/non_blocking_cache.h"
#include "sim/memory/port.h"
#include "sim/memory/tag_array.h"
#include "sim/stats/core_statistics.h"

namespace paws::core {

class InstructionCache {
 public:
  enum class Result : std::uint8_t {
    hit,
    miss,      ///< the warp waits; it comes out of next_served() later
    full,      ///< no MSHR or no way: nothing changes before the next line comes
    port_busy  ///< the core's port is backed up, or the line's slice takes nothing: try again
  };

  InstructionCache(const GpuConfig& config, memory::Port& port, CoreStatistics& statistics);

  /// Looks up the line that holds `address` for `warp`.
  Result fetch(std::uint64_t address, std::uint32_t warp, std::uint64_t cycle) {
    const std::uint64_t line = address & line_mask_;
    if (!perfect_ && line != latest_) return look_up(line, warp, cycle);
    ++statistics_.icache_accesses;
    ++statistics_.icache_hits;
    return Result::hit;
  }

  /// Whether fetch() of `address` would hit now.
  [[nodiscard]] bool holds(std::uint64_t address) const {
    const std::uint64_t line = address & line_mask_;
    return perfect_ || line == latest_ || cache_.tags().holds(line);
  }

  /// A line has come from the L2; its warps are to be served.
  void respond(const memory::Response& response);
  /// Cycle in which the next line comes from the second level; UINT64_MAX when none is on its way.
  [[nodiscard]] std::uint64_t next_line() const {
    return coming_.empty() ? std::numeric_limits<std::uint64_t>::max() : coming_.front().cycle;
  }
  /// The line of next_line() has come; its warps are to be served.
  void take_line();

  /// Requests to the L2 without a reply.
  [[nodiscard]] unsigned outstanding() const { return outstanding_; }
  /// Lines on their way, from whichever level.
  [[nodiscard]] std::size_t lines() const { return cache_.mshrs().lines(); }
  [[nodiscard]] bool has_served() const { return !served_.empty(); }
  /// The warp that next_served() would take; there must be one.
  [[nodiscard]] std::uint32_t next_to_serve() const { return served_.front(); }
  /// Takes the next warp whose line has come, in the order in which they began to wait.
  std::uint32_t next_served();

 private:
  static constexpr unsigned kSettled = 32;
  struct Settled {
    std::uint64_t line = std::numeric_limits<std::uint64_t>::max();  ///< none
    std::uint64_t changes = 0;
  };
  /// A line on its way from the second level.
  struct Coming {
    std::uint64_t cycle = 0;
    std::uint64_t line = 0;
  };

  /// fetch() of a line that is not the one used last.
  Result look_up(std::uint64_t line, std::uint32_t warp, std::uint64_t cycle);
  /// Whether `line` could be asked for now: it is in the second level, or its request can go.
  [[nodiscard]] bool may_ask(std::uint64_t line, std::uint64_t cycle);
  /// Asks the next level for `line`.
  void ask(std::uint64_t line, std::uint64_t cycle);
  void prefetch_behind(std::uint64_t line, std::uint64_t cycle);
  void arrived(std::uint64_t line);

  const GpuConfig& config_;
  memory::Port& port_;
  CoreStatistics& statistics_;
  bool perfect_;       ///< icache.bytes is 0
  bool second_level_;  ///< icache.l15_bytes is not 0
  std::uint64_t line_mask_;
  unsigned line_shift_;
  std::uint64_t latest_;            ///< the line used last: another hit on it changes nothing
  memory::NonBlockingCache cache_;  ///< of warps
  std::uint64_t changes_ = 0;       ///< how often the lines in it or on their way have changed
  /// By the line's lowest digits: lines behind which all lines to prefetch were there or on their
  /// way after so many changes. Warps look up the same few lines in turn.
  std::array<Settled, kSettled> settled_{};
  memory::TagArray l15_;
  std::deque<Coming> coming_;  ///< in the order of their cycles: each takes the same time
  std::deque<std::uint32_t> served_;
  unsigned outstanding_ = 0;
};

}  // namespace paws::core
