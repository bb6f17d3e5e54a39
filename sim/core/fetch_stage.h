// SPDX-License-Identifier: MIT
// The fetch stage of a core: instruction buffers, and which warp is fetched for next.
//
// A live warp whose instruction buffer (core.ibuffer) is empty wants a fetch; with a buffer of more
// than two instructions it wants one whenever an entry is neither filled nor on its way. One fetch
// begins per cycle, or one of each scheduler (core.sub_cores): the schedulers in turn, their warps
// as core.fetch says. A warp behind a branch wants none until the branch is resolved. There is no
// speculation: what fetches under way bring is void then. A fetch that misses in the instruction
// cache comes back when its line does, and such a line goes before the next look-up; until then the
// warp wants no other.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "model/scheduler.h"
#include "model/warp_mask.h"
#include "sim/config/gpu_config.h"
#include "sim/core/instruction_cache.h"
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
    unsigned instructions = 0;  ///< hit, served: that arrive
  };
  /// What a fetch can bring.
  struct Code {
    std::uint64_t address = 0;
    unsigned instructions = 0;  ///< from there on; 0: there are none
  };

  FetchStage(const GpuConfig& config, memory::Port& port, CoreStatistics& statistics)
      : config_(config),
        refills_early_(config.core.ibuffer > kSmallestBuffer),
        round_robin_(static_cast<FetchOrder>(config.core.fetch) == FetchOrder::round_robin),
        slots_(config.core.schedulers),
        icache_(config, port, statistics),
        schedulers_(config.core.schedulers),
        buffers_(config.core.warps) {}

  /// No warp is live, every buffer is empty. Whose scheduler's turn it is stays, and so do the
  /// lines of the cache.
  void begin();

  /// The fetch of `cycle`. `code_of(warp, ahead)` is the code that the warp comes to when it has
  /// issued `ahead` instructions without a branch.
  template <typename CodeOf>
  Fetch step(std::uint64_t cycle, CodeOf&& code_of) {
    take_lines(cycle);
    if (icache_.has_served()) return serve(cycle);
    for (unsigned i = 0; i < slots_.schedulers(); ++i) {
      const unsigned scheduler = wrapped(turn_ + i);
      if (choose(scheduler, code_of)) {
        turn_ = wrapped(scheduler + 1);
        return look_up(chosen_.warp, chosen_.code, cycle);
      }
    }
    return {};
  }

  /// The same of a core in which each scheduler has a fetch of its own (core.sub_cores): that of
  /// `scheduler`. Lines that have come are served in their order, each by the scheduler of its
  /// warp.
  template <typename CodeOf>
  Fetch step(std::uint64_t cycle, unsigned scheduler, CodeOf&& code_of) {
    take_lines(cycle);
    if (icache_.has_served() && slots_.scheduler(icache_.next_to_serve()) == scheduler) {
      return serve(cycle);
    }
    return choose(scheduler, code_of) ? look_up(chosen_.warp, chosen_.code, cycle) : Fetch{};
  }

  /// The warp starts, as the youngest of its scheduler.
  void start(std::uint32_t warp) {
    buffers_[warp].launched = ++launches_;
    want(warp);
  }
  /// A fetch of the warp, which is live, brings so many instructions. Those of one warp come in the
  /// order in which they began.
  void arrived(std::uint32_t warp, unsigned instructions) {
    Buffer& buffer = buffers_[warp];
    --buffer.fetches;
    if (buffer.voided > 0) {
      --buffer.voided;
      return;
    }
    buffer.instructions += instructions;
    buffer.on_way -= instructions;
    of(warp).behind_branch &= ~slots_.bit(warp);
  }
  /// The warp issues the first instruction of its buffer and goes on behind it.
  void issued(std::uint32_t warp) {
    of(warp).issued_last = slots_.bit(warp);
    const bool empty = --buffers_[warp].instructions == 0;
    if (refills_early_) {
      want_more(warp);
    } else if (empty) {
      want(warp);  // no fetch was under way beside the instructions, so nothing speaks against it
    }
  }
  /// The warp issues a branch: what stands behind it, in the buffer or on its way, is void.
  void branched(std::uint32_t warp);
  /// The branch is resolved.
  void resolved(std::uint32_t warp) {
    of(warp).unresolved &= ~slots_.bit(warp);
    want_more(warp);
  }
  /// The warp has ended. If fetches of it are under way, nobody is told of their arrival.
  void stop(std::uint32_t warp);
  /// A line of the instruction cache has come from the L2.
  void respond(const memory::Response& response);

  /// Instructions in the buffer of the warp.
  [[nodiscard]] unsigned buffered(std::uint32_t warp) const { return buffers_[warp].instructions; }
  /// From a branch until the instructions behind it have arrived.
  [[nodiscard]] bool behind_branch(std::uint32_t warp) const {
    return (schedulers_[slots_.scheduler(warp)].behind_branch & slots_.bit(warp)) != 0;
  }
  /// Whether step() has anything to do; if not, only a call of the others changes that.
  [[nodiscard]] bool busy() const { return any_wants_ || icache_.has_served(); }
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
  static constexpr unsigned kSmallestBuffer = 2;  ///< instructions

  /// Of one scheduler; a bit per slot of it.
  struct Warps {
    WarpMask wants = 0;
    WarpMask blocked = 0;  ///< would want, but the instruction cache takes no miss now
    WarpMask missed = 0;   ///< a fetch waits for its line
    WarpMask at_end = 0;   ///< no code is left behind what is in the buffer or on its way
    WarpMask behind_branch = 0;
    WarpMask unresolved = 0;   ///< behind a branch that is not resolved
    WarpMask issued_last = 0;  ///< the live warp that issued last; empty: none
    unsigned last = 0;         ///< slot that was fetched for last
  };
  /// Of one warp.
  struct Buffer {
    unsigned instructions = 0;
    unsigned on_way = 0;         ///< instructions, without those that are void
    unsigned fetches = 0;        ///< under way
    unsigned voided = 0;         ///< the first so many of them bring what is void
    unsigned missed = 0;         ///< instructions that the fetch brings that waits for its line
    std::uint64_t launched = 0;  ///< number of the launch: a larger one is younger
  };

  /// Whose code is looked up.
  struct Chosen {
    std::uint32_t warp = 0;
    Code code;
  };

  /// The warp of the scheduler that is fetched for now, in chosen_; false if none is.
  template <typename CodeOf>
  bool choose(unsigned scheduler, CodeOf&& code_of) {
    Warps& warps = schedulers_[scheduler];
    while (warps.wants != 0) {
      const WarpId local = next_slot(scheduler);
      const std::uint32_t warp = slots_.slot(scheduler, local);
      const Code code = code_of(warp, refills_early_ ? filled(warp) : 0);
      unwant(warp);
      if (code.instructions == 0) {
        warps.at_end |= slots_.bit(warp);
        continue;
      }
      warps.last = local;
      chosen_ = {warp, code};
      return true;
    }
    return false;
  }
  /// `scheduler`, below twice their number, modulo their number.
  [[nodiscard]] unsigned wrapped(unsigned scheduler) const {
    return scheduler < slots_.schedulers() ? scheduler : scheduler - slots_.schedulers();
  }
  Warps& of(std::uint32_t warp) { return schedulers_[slots_.scheduler(warp)]; }
  void want(std::uint32_t warp) {
    of(warp).wants |= slots_.bit(warp);
    any_wants_ = true;
  }
  void unwant(std::uint32_t warp) {
    of(warp).wants &= ~slots_.bit(warp);
    any_wants_ = false;
    for (const Warps& warps : schedulers_) any_wants_ = any_wants_ || warps.wants != 0;
  }
  /// Entries of the buffer that are filled or will be.
  [[nodiscard]] unsigned filled(std::uint32_t warp) const {
    return buffers_[warp].instructions + buffers_[warp].on_way;
  }
  /// The warp, live, wants a fetch if nothing speaks against it.
  void want_more(std::uint32_t warp);
  /// The slot to fetch for, of the scheduler's warps that want it.
  [[nodiscard]] WarpId next_slot(unsigned scheduler) const {
    if (!round_robin_) return next_greedy(scheduler);
    const Warps& warps = schedulers_[scheduler];
    const WarpMask later = warps.wants & ~((WarpMask{2} << warps.last) - 1);
    return lowest(later != 0 ? later : warps.wants);
  }
  /// The same for an order that is greedy.
  [[nodiscard]] WarpId next_greedy(unsigned scheduler) const;
  Fetch look_up(std::uint32_t warp, const Code& code, std::uint64_t cycle) {
    const unsigned room = refills_early_ ? config_.core.ibuffer - filled(warp) : kSmallestBuffer;
    const unsigned instructions = std::min(code.instructions, room);
    const InstructionCache::Result result = icache_.fetch(code.address, warp, cycle);
    if (result != InstructionCache::Result::hit) return not_hit(warp, instructions, result);
    begin_fetch(warp, instructions);
    if (refills_early_) want_more(warp);
    return {Fetch::Kind::hit, warp, cycle + config_.icache.latency + config_.core.fetch_latency,
            instructions};
  }
  /// The end of a look-up that is no hit.
  Fetch not_hit(std::uint32_t warp, unsigned instructions, InstructionCache::Result result);
  /// A fetch begins that will fill so many entries.
  void begin_fetch(std::uint32_t warp, unsigned instructions) {
    buffers_[warp].on_way += instructions;
    ++buffers_[warp].fetches;
  }
  /// A fetch whose line has come.
  Fetch serve(std::uint64_t cycle);
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
  bool refills_early_;  ///< a warp wants a fetch before its buffer is empty
  bool round_robin_;    ///< core.fetch
  WarpSlots slots_;
  InstructionCache icache_;
  std::vector<Warps> schedulers_;
  bool any_wants_ = false;       ///< a warp wants a fetch; asked for in every cycle
  std::vector<Buffer> buffers_;  ///< by warp slot
  std::uint64_t launches_ = 0;
  Chosen chosen_;
  unsigned turn_ = 0;  ///< scheduler whose warps are looked at first
};

}  // namespace paws::core
