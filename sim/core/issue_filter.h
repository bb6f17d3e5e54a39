// SPDX-License-Identifier: MIT
// A filter between what can issue and what the scheduler sees: throttling attaches here.
//
// In every cycle the core works out which warps of a scheduler could issue; a filter may hold some
// of them back, and the scheduler sees the rest as its input `issuable`. Schedulers know nothing of
// it: all other inputs stay as they are, so that a warp that is held back neither waits nor leaves
// a ready queue. A core without a filter pays nothing.
//
// A filter belongs to one core, is called by the host thread that runs that core, and learns what
// that core does in the order in which it happens. In one cycle these come, any of them or none:
// blocks that start; blocks that end because the last of their loads has come; L1 accesses; then
// advance(), then admit() for every scheduler with something to hold back; then instructions that
// issue, and blocks that end with them. What follows advance() is seen by the schedulers in the
// next cycle.
//
// The simulator does not step cycles in which nothing can happen, so a filter must say when time
// alone changes its answer (next_change()). Cycles, statistics and memory are then the same as when
// every cycle is stepped.
//
// In the statistics, a scheduler whose warps are all held back is in the state of one whose units
// are busy (SchedulerState::pipeline).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "model/scheduler.h"
#include "sim/core/block_table.h"
#include "sim/core/l1_data_cache.h"
#include "sim/stats/core_statistics.h"

namespace paws::core {

class Core;
struct RunningKernels;

/// Warps are warp slots of the core, those in masks are a scheduler's own slots (WarpSlots).
class IssueFilter : public L1Listener {
 public:
  /// Launches that run together start in `cycle`; core and launches stay as they are until their
  /// end. What the filter knows of warps and blocks is void. Core::view() says where each warp
  /// stands.
  virtual void begin(const Core& core, const RunningKernels& running, std::uint64_t cycle) = 0;

  /// A block starts: its warps reach their schedulers from this cycle on.
  virtual void block_started(std::uint64_t cycle, const BlockTable::Slot& slot) = 0;
  /// Its last warp has ended and nothing of it is under way; its warp slots are free.
  virtual void block_ended(std::uint64_t cycle, const BlockTable::Slot& slot) = 0;
  /// The warp issued the instruction at `pc`.
  virtual void issued(std::uint64_t cycle, std::uint32_t warp, std::uint32_t pc) = 0;

  /// It is `cycle` now. Called once in each cycle that is stepped, and in every cycle that
  /// next_change() has named while the core is not idle. Cycles in between have brought nothing;
  /// Core::statistics() covers all cycles before this one.
  virtual void advance(std::uint64_t cycle) = 0;
  /// Of `issuable`, not empty, the warps of `scheduler` that it may see in the cycle of the last
  /// advance(). Depends on nothing but that cycle, what has been told so far, and `issuable`.
  [[nodiscard]] virtual WarpMask admit(unsigned scheduler, WarpMask issuable) const = 0;
  /// The first cycle after `cycle`, which is that of the last call, in which admit() may answer
  /// otherwise than in `cycle`, or advance() wants to be called, if nothing else is told until
  /// then; UINT64_MAX when there is none. May be too early, never too late.
  [[nodiscard]] virtual std::uint64_t next_change(std::uint64_t cycle) const = 0;

  /// So many blocks the core wants at most, of all launches, as of begin() or the last advance().
  /// The block scheduler learns of a change distributor.latency cycles later (BlockScheduler::cap);
  /// blocks that are resident stay.
  [[nodiscard]] virtual unsigned block_limit() const { return kNoBlockLimit; }
  static constexpr unsigned kNoBlockLimit = std::numeric_limits<unsigned>::max();
  /// So many launches can run together.
  [[nodiscard]] virtual std::size_t most_launches() const {
    return std::numeric_limits<std::size_t>::max();
  }
  /// The launches have ended. Adds what only the filter counts.
  virtual void end(CoreStatistics& /*statistics*/) {}
};

}  // namespace paws::core
