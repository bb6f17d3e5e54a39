// SPDX-License-Identifier: MIT
// What changes the policy of a core's warp schedulers while they run: adaptive scheduling attaches
// here (docs/reference/adaptive_scheduling.md).
//
// A policy control belongs to one core, is called by the host thread that runs that core, and
// learns what that core does in the order in which it happens. In one cycle these come, any of them
// or none: blocks that start; advance(), then policy() for every scheduler; admit() for every one
// with something to issue; decided() for every scheduler; then what issues and ends with it. What
// follows advance() counts for the policies of the next cycle.
//
// The simulator does not step cycles in which nothing can happen: skipped() says how many they
// were, and the control says when time alone changes its answer (next_change()). Cycles, statistics
// and memory are then the same as when every cycle is stepped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "model/scheduler.h"
#include "model/switching.h"
#include "sim/stats/core_statistics.h"

namespace paws::core {

class Core;
struct RunningKernels;

/// Warps are warp slots of the core, those in masks are a scheduler's own slots (WarpSlots).
class PolicyControl {
 public:
  virtual ~PolicyControl() = default;
  /// Launches that run together start in `cycle`; core and launches stay as they are until their
  /// end. What the control knows of warps and blocks is void.
  virtual void begin(const Core& core, const RunningKernels& running, std::uint64_t cycle) = 0;

  /// A block takes up the slot. Its warps are not live yet.
  virtual void block_started(std::uint32_t /*block_slot*/) {}
  /// What the scheduler sees in this cycle, and does.
  virtual void decided(unsigned /*scheduler*/, const SchedulerInputs& /*inputs*/,
                       const SchedulerOutputs& /*outputs*/) {}
  /// So many cycles without an issue, in which the scheduler was enabled, have gone by as the last
  /// decided() told.
  virtual void skipped(unsigned /*scheduler*/, std::uint64_t /*cycles*/) {}
  /// A warp of the block in the slot has issued.
  virtual void issued(unsigned /*scheduler*/, std::uint32_t /*warp*/,
                      std::uint32_t /*block_slot*/) {}
  /// With the instruction that it has just issued the warp ends; `last`: of its block.
  virtual void warp_ended(std::uint32_t /*warp*/, std::uint32_t /*block_slot*/, bool /*last*/) {}

  /// It is `cycle` now. Called once in each cycle that is stepped, and for every cycle that
  /// next_change() has named: for those in which the core was idle, before the next one that is
  /// stepped.
  virtual void advance(std::uint64_t cycle) = 0;
  /// Of the scheduler, from the cycle of the last begin() or advance() on.
  [[nodiscard]] virtual SwitchedPolicy policy(unsigned scheduler) const = 0;
  /// Of `issuable`, not empty, the warps that the scheduler may see in the cycle of the last
  /// advance(): not empty, and `issuable` itself under both policies proper.
  [[nodiscard]] virtual WarpMask admit(unsigned /*scheduler*/, WarpMask issuable) const {
    return issuable;
  }
  /// The first cycle after `cycle`, which is that of the last call, in which policy() or admit()
  /// may answer otherwise, or advance() wants to be called, if nothing else is told until then;
  /// UINT64_MAX when there is none. May be too early, never too late.
  [[nodiscard]] virtual std::uint64_t next_change(std::uint64_t cycle) const = 0;
  /// The launches have ended before `cycle`. Adds what only the control counts.
  virtual void end(std::uint64_t /*cycle*/, AdaptCounts& /*counts*/) {}
};

/// What a core has done so far, at the end of an epoch of all cores.
struct CoreActivity {
  std::uint64_t issues = 0;  ///< warp instructions since the start of the simulation
  unsigned live_warps = 0;
};

/// The controls of all cores, and what they tell one another.
class Adaptation {
 public:
  virtual ~Adaptation() = default;
  /// The control of a core, once for each core; it may refer to the Adaptation, which lives longer.
  virtual std::unique_ptr<PolicyControl> control(std::uint32_t core) = 0;
  /// Launches that run together start in `cycle`, before their cores begin, which have done these
  /// things. `kernel` tells kernels apart.
  virtual void begin(const void* /*kernel*/, std::uint64_t /*cycle*/,
                     std::span<const CoreActivity> /*cores*/) {}
  /// The cycle before which the present epoch ends; UINT64_MAX: it has none.
  [[nodiscard]] virtual std::uint64_t epoch_end() const { return UINT64_MAX; }
  /// All cores have come to epoch_end(), none is beyond it, and these things they have done. What
  /// follows reaches a core distributor.latency cycles later, not before. Called between windows.
  virtual void end_epoch(std::span<const CoreActivity> /*cores*/) {}
};

}  // namespace paws::core
