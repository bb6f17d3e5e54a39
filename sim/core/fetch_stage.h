// SPDX-License-Identifier: MIT
// The fetch stage of a core: instruction buffers, and which warp is fetched for next.
//
// A live warp wants a fetch when its instruction buffer (core.ibuffer) has room for all that a
// fetch can bring: with the smallest buffer, when it is empty. A warp has one fetch under way at
// most. One begins per cycle: the schedulers in turn, their warps as core.fetch says. A warp behind
// a branch wants none until the branch is resolved; there is no speculation, and what a fetch under
// way brings is void then. A fetch that misses in the instruction cache comes back when its line
// does, and such a line goes before the next look-up.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "model/scheduler.h"
#include "sim/config/gpu_config.h"
#include "sim/core/instruction_cache.h"
#include "sim/core/timed_kernel.h"
#include "sim/core/warp_slots.h"
#include "sim/memory/port.h"
#include "sim/stats/core_statistics.h"

namespace paws::core {

/// Values of core.fetch: which warp of a scheduler is fetched for, of those that want it.
enum class FetchOrder : std::uint8_t {
  round_robin,      ///< the next slot after the last one fetched for
  greedy_youngest,  ///< the warp that issued last, else the youngest (Huerta et al., MICRO
                    ///< 2025, 5.2)
  greedy_oldest     ///< the warp that issued last, else the oldest
};
inline constexpr unsigned kFetchOrders = 3;

class FetchStage {
 public:
  /// What step() did.
  struct Fetch {
    enum class Kind : std::uint8_t {
      none,
      missed,  ///< begun; it comes back as `served`
      hit,     ///< begun, and its instructions arrive
      served   ///< begun earlier; its instructions arrive
    };
    Kind kind = Kind::none;
    std::uint32_t warp = 0;
    std::uint64_t arrives = 0;  ///< hit, served: cycle in which the caller is to call arrived()
  };

  FetchStage(const GpuConfig& config, memory::Port& port, CoreStatistics& statistics)
      : config_(config),
        slots_(config.core.schedulers),
        icache_(config, port, statistics),
        schedulers_(config.core.schedulers),
        buffered_(config.core.warps),
        launched_(config.core.warps) {}

  /// No warp is live, every buffer is empty. Whose scheduler's turn it is stays, and so do the
  /// lines of the cache.
  void begin();

  /// The fetch of `cycle`. `address_of(warp)` is the address of the first instruction of the warp
  /// behind those in its buffer.
  template <typename AddressOf>
  Fetch step(std::uint64_t cycle, AddressOf&& address_of) {
    take_lines(cycle);
    if (icache_.has_served()) {
      return {Fetch::Kind::served, icache_.next_served(), cycle + config_.core.fetch_latency};
    }
    for (unsigned i = 0; i < slots_.schedulers(); ++i) {
      const unsigned scheduler = wrapped(turn_ + i);
      if (schedulers_[scheduler].wants == 0) continue;
      const std::uint32_t warp = choose(scheduler);
      return look_up(warp, address_of(warp), cycle);
    }
    return {};
  }

  /// The warp starts, as the youngest of its scheduler.
  void start(std::uint32_t warp) {
    launched_[warp] = ++launches_;
    want(warp);
  }
  /// The fetch of the warp, which is live, brings `instructions`; 0: the code has no more.
  void arrived(std::uint32_t warp, unsigned instructions);
  /// The warp issues the first instruction of its buffer and goes on behind it.
  void issued(std::uint32_t warp) {
    of(warp).issued_last = slots_.bit(warp);
    if (--buffered_[warp] == 0 || has_room(warp)) want_more(warp);
  }
  /// The warp issues a branch: what stands behind it, in the buffer or on its way, is void.
  void branched(std::uint32_t warp);
  /// The branch is resolved.
  void resolved(std::uint32_t warp) {
    of(warp).unresolved &= ~slots_.bit(warp);
    want_more(warp);
  }
  /// The warp has ended. If a fetch of it is under way, nobody is told of its arrival.
  void stop(std::uint32_t warp);
  /// A line of the instruction cache has come from the L2.
  void respond(const memory::Response& response);

  /// Instructions in the buffer of the warp.
  [[nodiscard]] unsigned buffered(std::uint32_t warp) const { return buffered_[warp]; }
  /// From a branch until the instructions behind it have arrived.
  [[nodiscard]] bool behind_branch(std::uint32_t warp) const {
    return (schedulers_[slots_.scheduler(warp)].behind_branch & slots_.bit(warp)) != 0;
  }
  /// Whether step() has anything to do; if not, only a call of the others changes that.
  [[nodiscard]] bool busy() const {
    for (const Warps& warps : schedulers_) {
      if (warps.wants != 0) return true;
    }
    return icache_.has_served();
  }
  /// Whether step() does anything in `cycle`.
  [[nodiscard]] bool due(std::uint64_t cycle) const {
    return busy() || icache_.next_line() <= cycle;
  }
  /// Cycle in which step() has a line of the second level to take; UINT64_MAX when none is coming.
  [[nodiscard]] std::uint64_t next_line() const { return icache_.next_line(); }
  /// Requests to the L2 without a reply.
  [[nodiscard]] unsigned outstanding() const { return icache_.outstanding(); }
  /// Lines on their way, from whichever level.
  [[nodiscard]] std::size_t lines() const { return icache_.lines(); }

 private:
  /// Of one scheduler; a bit per slot of it.
  struct Warps {
    WarpMask wants = 0;     ///< live, room in the buffer, no fetch and no branch under way
    WarpMask blocked = 0;   ///< would want, but the instruction cache takes no miss now
    WarpMask fetching = 0;  ///< a fetch is under way
    WarpMask voided = 0;    ///< of these: what it brings is void
    WarpMask behind_branch = 0;
    WarpMask at_end = 0;       ///< the buffer holds the last instructions of the code
    WarpMask unresolved = 0;   ///< behind a branch that is not resolved
    WarpMask issued_last = 0;  ///< live warp that issued last; empty: none
    unsigned last = 0;         ///< slot that was fetched for last
  };

  /// `scheduler`, below twice their number, modulo their number.
  [[nodiscard]] unsigned wrapped(unsigned scheduler) const {
    return scheduler < slots_.schedulers() ? scheduler : scheduler - slots_.schedulers();
  }
  Warps& of(std::uint32_t warp) { return schedulers_[slots_.scheduler(warp)]; }
  void want(std::uint32_t warp) { of(warp).wants |= slots_.bit(warp); }
  /// As want(), if no fetch of the warp is under way.
  void want_more(std::uint32_t warp) {
    if ((of(warp).fetching & slots_.bit(warp)) == 0) want(warp);
  }
  /// For all that a fetch can bring, and the code goes on.
  [[nodiscard]] bool has_room(std::uint32_t warp) const {
    return buffered_[warp] + kFetchWidth <= config_.core.ibuffer &&
           (schedulers_[slots_.scheduler(warp)].at_end & slots_.bit(warp)) == 0;
  }
  /// The slot to fetch for, of the scheduler's warps that want it.
  [[nodiscard]] WarpId next_slot(unsigned scheduler) const;
  /// The turn goes to a warp of `scheduler`, which has one that wants it.
  std::uint32_t choose(unsigned scheduler);
  Fetch look_up(std::uint32_t warp, std::uint64_t address, std::uint64_t cycle);
  /// Takes the lines that have come from the second level by `cycle`.
  void take_lines(std::uint64_t cycle) {
    while (icache_.next_line() <= cycle) {
      icache_.take_line();
      unblock();
    }
  }
  /// A line has come: what the cache refused it may take now.
  void unblock();

  const GpuConfig& config_;
  WarpSlots slots_;
  InstructionCache icache_;
  std::vector<Warps> schedulers_;
  std::vector<unsigned> buffered_;       ///< by warp slot
  std::vector<std::uint64_t> launched_;  ///< number of the launch, by warp slot
  std::uint64_t launches_ = 0;
  unsigned turn_ = 0;  ///< scheduler whose warps are looked at first
};

}  // namespace paws::core
