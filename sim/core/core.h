// SPDX-License-Identifier: MIT
// A SIMT core as the GPU, its observers and its throttle know it, and what all kinds of cores have
// in common: blocks that start and end, the accounts of launches and of the parts of launches, and
// the accesses to global memory that are put off.
//
// There are two kinds. In one, warps issue while their earlier instructions are under way
// (scoreboard_core.h). In the other, a warp, large or not, issues only when its instruction before
// is done: a barrel (barrel_core.h). The key core.pipeline_stages says which one a GPU has.
//
// A core runs on its own for a window of cycles: what others do reaches it through its port and its
// block starts, each with a cycle, and its accesses to global memory are put off to the window's
// end (docs/reference/simulator.md, "Windows").
//
// Every resident block has its own launch (block_table.h), and so has every warp: kernel, phase
// keys, place of local memory and counts are those of the launch. Schedulers, caches and units are
// shared by all.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/scheduler.h"
#include "sim/config/gpu_config.h"
#include "sim/core/block_table.h"
#include "sim/core/block_tails.h"
#include "sim/core/issue_turns.h"
#include "sim/core/launch_parts.h"
#include "sim/core/observer.h"
#include "sim/core/phase_keys.h"
#include "sim/core/running_kernels.h"
#include "sim/exec/deferred.h"
#include "sim/memory/line_owner.h"
#include "sim/memory/port.h"
#include "sim/stats/core_statistics.h"

namespace paws::core {

using SchedulerFactory = std::function<std::unique_ptr<Scheduler>(const SchedulerConfig&)>;

/// A warp slot as an observer sees it. On a core with large warps it is that of a large warp.
struct WarpView {
  bool live = false;           ///< launched on its scheduler and not ended; else the rest is void
  std::uint32_t launch = 0;    ///< place in RunningKernels::launches
  std::uint64_t block = 0;     ///< linear index in the grid
  std::uint32_t in_block = 0;  ///< warp number within the block
  std::uint32_t pc = 0;        ///< next instruction
  bool at_barrier = false;
  bool decoded = false;           ///< the next instruction is in the i-buffer
  bool clear = false;             ///< decoded, and its operands are there
  bool waits_for_memory = false;  ///< decoded, and an operand waits for a long operation
  std::uint32_t in_flight = 0;    ///< results, fetches and branches of the warp under way
};

class Core {
 public:
  virtual ~Core() = default;
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  /// Makes the core ready for launches that start in `cycle`: L1 and schedulers as after reset.
  /// `running` must outlive them.
  virtual void begin(const RunningKernels& running, std::uint64_t cycle) = 0;
  /// Ends the launches: `cycle` is the first one after them. Throws std::logic_error when something
  /// is still under way.
  virtual void end(std::uint64_t cycle) = 0;

  [[nodiscard]] std::uint32_t number() const { return number_; }
  [[nodiscard]] unsigned schedulers() const { return config_.core.schedulers; }
  /// Warp slots of the core (WarpSlots).
  [[nodiscard]] std::uint32_t warps() const { return config_.warp_slots(); }
  [[nodiscard]] virtual WarpView view(std::uint32_t warp) const = 0;
  /// Live warps, and instructions in flight (CoreStatistics), as the last cycle left them.
  [[nodiscard]] unsigned live_warps() const { return blocks_.live_warps(); }
  [[nodiscard]] unsigned alu_in_flight() const { return alu_in_flight_; }
  [[nodiscard]] unsigned memory_in_flight() const { return memory_in_flight_; }
  /// Cycles of [from, to), and those before `cycle`, in which the scheduler may issue.
  [[nodiscard]] std::uint64_t enabled_cycles(unsigned scheduler, std::uint64_t from,
                                             std::uint64_t to) const {
    return turns_.enabled_cycles(scheduler, from, to);
  }
  [[nodiscard]] std::uint64_t enabled_before(unsigned scheduler, std::uint64_t cycle) const {
    return turns_.enabled_before(scheduler, cycle);
  }

  /// Block `index` of the grid of `launch` (its place in RunningKernels::launches) will start in
  /// `cycle`; its warps reach their schedulers from then on, one per scheduler and cycle, in warp
  /// order. Cycles must not go back. What the block needs must be free by then: run() throws
  /// std::logic_error if not. `pair`: BlockTable::Slot. `fills`: the core gets no other block
  /// for now, even if it has room.
  /// `number`: of the block in its launch, if it is not `index` (RunningKernel::first_block).
  void add_block(std::uint32_t launch, std::uint64_t index, std::uint64_t cycle,
                 std::uint32_t pair = BlockTable::kAlone, bool fills = false,
                 std::optional<std::uint64_t> number = {}) {
    starts_.push_back({cycle, index, number.value_or(index), launch, pair, fills});
  }
  /// The last block that waited for a core starts in `cycle`, which the core has not come to.
  void grid_exhausted(std::uint64_t cycle) { parts_.exhausted(cycle); }

  /// Runs the cycles before `end` in which something happens; of those from `sure` on none once the
  /// core is idle, for they may come after the launch's last one.
  virtual void run(std::uint64_t sure, std::uint64_t end) = 0;

  /// The next cycle in which the core can do anything that others see, as far as is known;
  /// UINT64_MAX when there is none.
  [[nodiscard]] virtual std::uint64_t next_activity() const = 0;
  /// Whether run(sure, end) has anything to do.
  [[nodiscard]] bool due(std::uint64_t sure, std::uint64_t end) const {
    return next_cycle() < sure || next_activity() < end;
  }

  /// No block resident or coming, and no store under way.
  [[nodiscard]] virtual bool idle() const = 0;
  /// The cycle in which the core became idle, if it is.
  [[nodiscard]] std::uint64_t idle_since() const { return last_active_; }
  /// The cycle that run() is in, or was in last.
  [[nodiscard]] std::uint64_t now() const { return now_; }
  /// A block has ended, and what it needed is free.
  struct Freed {
    std::uint64_t cycle = 0;
    std::uint32_t launch = 0;
    std::uint32_t pair = BlockTable::kAlone;
    bool operator==(const Freed&) const = default;
  };
  /// Those since the list was last cleared, in order.
  [[nodiscard]] std::vector<Freed>& freed() { return freed_; }
  /// What the block monitor has found.
  struct Monitored {
    std::uint64_t cycle = 0;  ///< in which the monitor is done, later than now
    std::uint32_t launch = 0;
    unsigned limit = 0;  ///< blocks
  };
  /// Those since the list was last cleared: one for each launch of which a block has ended, of
  /// those that have started when the core had none.
  [[nodiscard]] std::vector<Monitored>& monitored() { return monitored_; }
  /// The issue filter's block limit has changed (IssueFilter::block_limit).
  struct LimitChange {
    std::uint64_t cycle = 0;
    unsigned blocks = 0;
  };
  /// Those since the list was last cleared, in order.
  [[nodiscard]] std::vector<LimitChange>& limit_changes() { return limit_changes_; }
  /// The issue filter's block limit, and the launches that can run together under it.
  [[nodiscard]] unsigned block_limit() const { return block_limit_; }
  [[nodiscard]] virtual std::size_t most_launches() const {
    return std::numeric_limits<std::size_t>::max();
  }
  /// What no resident block has taken.
  [[nodiscard]] const Resources& free() const { return blocks_.free(); }
  /// The accesses to global memory that wait to be done.
  [[nodiscard]] exec::DeferredAccesses& deferred() { return deferred_; }
  [[nodiscard]] const CoreStatistics& statistics() const { return statistics_; }
  /// What the launch has had of this core; valid when no warp of it is live.
  [[nodiscard]] const LaunchCounts& counts(std::uint32_t launch) const {
    return launches_[launch].counts;
  }

  /// Where the first unfinished warp stands, for the message about a deadlock or a spin.
  [[nodiscard]] virtual std::optional<std::string> stuck_warp() const = 0;

 protected:
  /// A launch on this core.
  struct Launch {
    explicit Launch(PhaseKeys phase_keys) : keys(std::move(phase_keys)) {}

    PhaseKeys keys;
    std::uint64_t local_first = 0;  ///< where its local memory begins, of all cores
    std::uint64_t local_bytes = 0;  ///< of 32 threads
    std::uint64_t first_block = 0;  ///< RunningKernel::first_block
    LaunchCounts counts;
    unsigned live = 0;        ///< warps
    std::uint64_t since = 0;  ///< first cycle of the live warps that is not counted
    PartCounts parted;        ///< what had been counted when the last part ended

    /// Counts the live warps up to and without `cycle`.
    void count_warps(std::uint64_t cycle) {
      counts.warp_cycles += live * (cycle - since);
      counts.active_cycles += live > 0 ? cycle - since : 0;
      since = cycle;
    }
  };

  /// A block that is to start.
  struct Start {
    std::uint64_t cycle = 0;
    std::uint64_t block = 0;
    std::uint64_t number = 0;  ///< of the block in its launch
    std::uint32_t launch = 0;
    std::uint32_t pair = BlockTable::kAlone;
    bool fills = false;
  };

  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

  /// `observer` may be null. `distance`: phase keys are distances (PhaseKeys).
  Core(const GpuConfig& config, bool distance, std::uint32_t number, memory::Port& crossbar,
       std::unique_ptr<CoreObserver> observer);

  /// Mostly all: counting bits is a function call on the baseline instruction set.
  [[nodiscard]] static unsigned count_lanes(std::uint32_t lanes) {
    return lanes == ~std::uint32_t{0} ? ir::kWarpSize : static_cast<unsigned>(std::popcount(lanes));
  }
  /// The part of begin() that all kinds of cores have.
  void begin_launches(const RunningKernels& running, std::uint64_t cycle);
  /// The first cycle in which the core has anything to do.
  [[nodiscard]] std::uint64_t next_cycle() const {
    const std::uint64_t start = starts_.empty() ? kNever : starts_.front().cycle;
    return std::min({wake_, start, crossbar_.next_response()});
  }
  /// The block takes up a slot; its warps are not live yet.
  const BlockTable::Slot& take_block(const Start& start);
  /// The warp is live from now on, or ends.
  void enter_warp(std::uint32_t warp, std::uint64_t cycle);
  void leave_warp(std::uint32_t warp, std::uint64_t cycle);
  /// `slot` has become free.
  void count_block(const BlockTable::Slot& slot);
  /// Where the local memory of 32 threads lies: those with number `warp` on the core.
  [[nodiscard]] std::uint64_t local_base(const Launch& launch, std::uint32_t warp) const {
    return launch.local_first +
           (std::uint64_t{number_} * config_.core.warps + warp) * launch.local_bytes;
  }
  /// Ends the parts of the launches that are over before `cycle`, up to which the core is
  /// accounted.
  void end_parts(std::uint64_t cycle);
  /// The counts since the last part ended are of the present one, which ends before `cycle`.
  void end_part(std::uint64_t cycle);
  /// Adds `cycles` cycles with the present warps and instructions in flight.
  void account_flight(std::uint64_t cycles) {
    const unsigned flight = (alu_in_flight_ > 0 ? kComputing : kNothing) |
                            (memory_in_flight_ > 0 ? kAccessing : kNothing);
    statistics_.flight_cycles[live_warps() > 0 ? 1 : 0][flight] += cycles;
    statistics_.warp_cycles += live_warps() * cycles;
    statistics_.alu_cycles += alu_in_flight_ * cycles;
    statistics_.memory_cycles += memory_in_flight_ * cycles;
  }

  const GpuConfig& config_;
  std::uint32_t number_;
  std::unique_ptr<CoreObserver> observer_;
  bool distance_;  ///< phase keys are distances
  memory::Port& crossbar_;
  IssueTurns turns_;
  std::vector<Launch> launches_;
  LaunchParts parts_;
  PartCounts parted_;  ///< what had been counted when the last part ended
  CoreStatistics statistics_;
  std::vector<memory::LineOwner> owners_;  ///< by warp slot, as the caches know its warp
  BlockTable blocks_;
  BlockTails tails_;
  std::deque<Start> starts_;
  std::vector<Freed> freed_;
  std::vector<Monitored> monitored_;
  unsigned block_limit_ = std::numeric_limits<unsigned>::max();  ///< IssueFilter::kNoBlockLimit
  std::vector<LimitChange> limit_changes_;
  exec::DeferredAccesses deferred_;
  bool skip_idle_cycles_ = true;
  std::uint64_t now_ = 0;          ///< cycle of the step under way or of the last one
  std::uint64_t wake_ = 0;         ///< cycle of the next step, whatever others do
  std::uint64_t last_active_ = 0;  ///< latest cycle that the core began without being idle
  std::uint64_t accounted_ = 0;    ///< cycles below this one are in the statistics
  unsigned alu_in_flight_ = 0;
  unsigned memory_in_flight_ = 0;
};

}  // namespace paws::core
