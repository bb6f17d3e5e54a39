// SPDX-License-Identifier: MIT
// Watching a core: traces, waves and sampled statistics attach here. A core without an observer
// pays nothing.
//
// An observer belongs to one core and is called by the host thread that steps that core, in the
// order of the core's cycles. It must not change anything, and it must not write to what another
// core's observer writes to.
#pragma once

#include <cstdint>

#include "model/scheduler.h"
#include "sim/stats/core_statistics.h"

namespace paws::core {

class Core;
class IssueLevels;
struct RunningKernels;

/// One scheduler in one stepped cycle, after its decision and before the clock edge: `scheduler`'s
/// snapshot() still shows the queues from which the decision came.
struct SchedulerView {
  std::uint64_t cycle = 0;
  unsigned number = 0;  ///< scheduler of the core
  const SchedulerInputs* inputs = nullptr;
  const SchedulerOutputs* outputs = nullptr;
  SchedulerState state = SchedulerState::no_instruction;
  const Scheduler* scheduler = nullptr;
  const IssueLevels* levels = nullptr;  ///< null: a barrel core has none
};

/// How the next instruction of a live warp stands.
enum class Standing : std::uint8_t {
  fetching,    ///< it is not in the i-buffer
  held,        ///< the warp stands at a barrier, or behind a branch that demotes
  memory,      ///< it waits for an operand of a long-latency operation
  arithmetic,  ///< it waits for anything else that makes a hazard
  clear        ///< it is in the buffer and has no hazard
};

class CoreObserver {
 public:
  /// `every_cycle`: decided() and stepped() are to come in every cycle that is stepped, and
  /// issued() with every instruction. Without it scoreboard cores may leave these three out.
  explicit CoreObserver(bool every_cycle = true) : every_cycle_(every_cycle) {}
  virtual ~CoreObserver() = default;

  [[nodiscard]] bool every_cycle() const { return every_cycle_; }

  /// Launches that run together start in `cycle`; core and launches stay as they are until end().
  virtual void begin(const Core& core, const RunningKernels& running, std::uint64_t cycle) = 0;
  /// Every scheduler of the core, in order, in every cycle that is stepped.
  virtual void decided(const SchedulerView& view) = 0;
  /// As decided(), of an enabled scheduler of two levels that sees one of the warps as issuable
  /// that the last call has returned, or any if one has since begun to wait, or ended. For
  /// observers that follow its ready queue. Barrel cores do not tell.
  virtual WarpMask queues(const SchedulerView& /*view*/) { return 0; }
  /// From `cycle` on, whenever the scheduler is enabled, `units` (a bit each) take nothing from it,
  /// and of warps whose unit takes something the issue filter bars these. It may be left out while
  /// no warp of the scheduler is clear. Barrel cores do not tell.
  virtual void closed(std::uint64_t /*cycle*/, unsigned /*scheduler*/, unsigned /*units*/,
                      WarpMask /*barred*/) {}
  /// A warp of `launch` (its place in RunningKernels::launches) is live in core slot `warp` from
  /// `cycle` on, and stands as `fetching`. Barrel cores do not tell.
  virtual void launched(std::uint64_t /*cycle*/, std::uint32_t /*warp*/, std::uint32_t /*launch*/) {
  }
  /// The next instruction of the live warp in core slot `warp`, that at `pc`, stands so from
  /// `cycle` on. A warp that issues stands as `clear`, with the instruction behind, until this says
  /// something else of it. It may come again with what holds, and several times for one cycle: the
  /// last one counts. It does not come between decided() and executed() of the warp's issue. Barrel
  /// cores do not tell.
  virtual void moved(std::uint64_t /*cycle*/, std::uint32_t /*warp*/, std::uint32_t /*pc*/,
                     Standing /*standing*/) {}
  /// The warp in core slot `warp` issued the instruction at `pc`; called after decided() of the
  /// same cycle, before the instruction executes.
  virtual void issued(std::uint64_t cycle, std::uint32_t warp, std::uint32_t pc) = 0;
  /// That instruction has been executed: `path` lanes were on the warp's path, `lanes` of them
  /// passed the guard. What it does to shared memory is in the core's statistics. Barrel cores do
  /// not tell.
  virtual void executed(std::uint64_t /*cycle*/, std::uint32_t /*warp*/, std::uint32_t /*pc*/,
                        unsigned /*path*/, unsigned /*lanes*/) {}
  /// The warp is not live from `cycle` on: it has issued its last instruction. Barrel cores do not
  /// tell.
  virtual void ended(std::uint64_t /*cycle*/, std::uint32_t /*warp*/) {}
  /// L1 or texture cache has looked up a transaction of the instruction at `pc` of `launch` (its
  /// place in RunningKernels::launches). Barrel cores do not tell.
  virtual void looked_up(std::uint32_t /*launch*/, std::uint32_t /*pc*/, bool /*missed*/) {}
  /// The cycle's last call: everything that the cycle does to the core has been done.
  virtual void stepped(std::uint64_t cycle) = 0;
  /// Cycles [from, to) pass in which nothing changes but time: each is as the last one stepped,
  /// issue_en aside.
  virtual void skipped(std::uint64_t from, std::uint64_t to) = 0;
  /// The launches have ended; `cycle` is the first one after them.
  virtual void end(std::uint64_t cycle) = 0;

 private:
  bool every_cycle_;
};

}  // namespace paws::core
