// SPDX-License-Identifier: MIT
// One SIMT core. Its parts stand in files of their own: blocks and warps (block_table.h), fetch and
// instruction buffers (fetch_stage.h), scoreboard (scoreboard.h), operand collection
// (operand_collector.h), load-store unit (load_store_unit.h) with the L1 (l1_data_cache.h), and the
// levels that a scheduler sees (issue_levels.h). What stands here is how they go together: the
// cycle, issue, execution units and accounts.
//
// Timing and values are separate: an instruction is executed for its values when it issues; the
// scoreboard holds its destinations until the cycle in which they would be written.
//
// A cycle: write-backs and fetched instructions that are due, one step of the load-store unit, one
// fetch, then every scheduler decides from the state so reached, then the issued instructions
// execute. What an issue causes is therefore seen by every scheduler in the next cycle.
//
// A core runs on its own for a window of cycles: what others do reaches it through its port and its
// block starts, each with a cycle, and its accesses to global memory are put off to the window's
// end (docs/reference/simulator.md, "Windows").
//
// Every resident block has its own launch (block_table.h), and so has every warp: kernel, phase
// keys, place of local memory and counts are those of the launch. Schedulers, caches and units are
// shared by all.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/block_monitor.h"
#include "model/scheduler.h"
#include "sim/config/gpu_config.h"
#include "sim/core/block_table.h"
#include "sim/core/event_wheel.h"
#include "sim/core/fetch_stage.h"
#include "sim/core/issue_filter.h"
#include "sim/core/issue_levels.h"
#include "sim/core/issue_turns.h"
#include "sim/core/launch_parts.h"
#include "sim/core/load_store_unit.h"
#include "sim/core/observer.h"
#include "sim/core/operand_collector.h"
#include "sim/core/phase_keys.h"
#include "sim/core/running_kernels.h"
#include "sim/core/scoreboard.h"
#include "sim/core/timed_kernel.h"
#include "sim/core/warp_groups.h"
#include "sim/core/warp_slots.h"
#include "sim/exec/deferred.h"
#include "sim/exec/resident_block.h"
#include "sim/memory/line_owner.h"
#include "sim/memory/port.h"
#include "sim/stats/core_statistics.h"

namespace paws::core {

using SchedulerFactory = std::function<std::unique_ptr<Scheduler>(const SchedulerConfig&)>;

/// A warp slot as an observer sees it.
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

class Core : private LoadStoreClient {
 public:
  /// `observer`, `filter` and `monitor` may be null.
  Core(const GpuConfig& config, const SchedulerConfig& scheduler, const SchedulerFactory& factory,
       std::uint32_t number, memory::Port& crossbar, std::unique_ptr<CoreObserver> observer = {},
       std::unique_ptr<IssueFilter> filter = {}, std::unique_ptr<BlockMonitor> monitor = {});

  /// Makes the core ready for launches that start in `cycle`: L1 and schedulers as after reset.
  /// `running` must outlive them.
  void begin(const RunningKernels& running, std::uint64_t cycle);
  /// Ends the launches: `cycle` is the first one after them. Throws std::logic_error when something
  /// is still under way.
  void end(std::uint64_t cycle);

  [[nodiscard]] std::uint32_t number() const { return number_; }
  [[nodiscard]] unsigned schedulers() const { return static_cast<unsigned>(ports_.size()); }
  /// Warp slots of the core (WarpSlots).
  [[nodiscard]] std::uint32_t warps() const { return config_.core.warps; }
  [[nodiscard]] WarpView view(std::uint32_t warp) const;
  /// Live warps, and instructions in flight (CoreStatistics), as the last cycle left them.
  [[nodiscard]] unsigned live_warps() const { return blocks_.live_warps(); }
  [[nodiscard]] unsigned alu_in_flight() const { return alu_in_flight_; }
  [[nodiscard]] unsigned memory_in_flight() const { return memory_in_flight_; }
  /// Cycles of [from, to) in which the scheduler may issue.
  [[nodiscard]] std::uint64_t enabled_cycles(unsigned scheduler, std::uint64_t from,
                                             std::uint64_t to) const {
    return turns_.enabled_cycles(scheduler, from, to);
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
  void run(std::uint64_t sure, std::uint64_t end);

  /// The next cycle in which the core can do anything that others see, as far as is known;
  /// UINT64_MAX when there is none.
  [[nodiscard]] std::uint64_t next_activity() const;
  /// Whether run(sure, end) has anything to do.
  [[nodiscard]] bool due(std::uint64_t sure, std::uint64_t end) const {
    return next_cycle() < sure || next_activity() < end;
  }

  /// No block resident or coming, and no store under way.
  [[nodiscard]] bool idle() const;
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
  [[nodiscard]] std::size_t most_launches() const {
    return filter_ ? filter_->most_launches() : std::numeric_limits<std::size_t>::max();
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
  [[nodiscard]] std::optional<std::string> stuck_warp() const;

 private:
  /// One warp scheduler.
  struct SchedulerPort {
    std::unique_ptr<Scheduler> scheduler;
    IssueLevels levels;
    std::deque<std::uint32_t> launches;  ///< warp slots of the core that wait to be launched
    std::uint64_t alu_busy = 0;  ///< first cycle in which this scheduler's ALU group is free
    SchedulerOutputs outputs;
    SchedulerState state = SchedulerState::no_instruction;
    bool held = false;  ///< the state is operand, and no warp has a decoded instruction
  };

  enum class EventKind : std::uint8_t { write_back, fetched, may_fetch };
  struct Event {
    EventKind kind;
    std::uint32_t warp;
    std::uint32_t operand;  ///< write_back: pc; fetched: instructions
  };

  /// A load whose data has come from the memory system. Its warp slot may have gone to another
  /// launch when it is booked.
  struct Arrival {
    const TimedKernel* kernel;
    std::uint32_t warp;
    std::uint32_t pc;
  };

  /// A launch on this core.
  struct Launch {
    explicit Launch(PhaseKeys phase_keys) : keys(std::move(phase_keys)) {}

    PhaseKeys keys;
    std::uint64_t local_first = 0;  ///< where its local memory begins, of all cores
    std::uint64_t local_bytes = 0;  ///< of a warp slot
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

  void load_done(std::uint32_t warp, std::uint32_t pc, std::uint32_t delay) override;
  void store_done(std::uint32_t warp) override;

  /// A block that is to start.
  struct Start {
    std::uint64_t cycle = 0;
    std::uint64_t block = 0;
    std::uint64_t number = 0;  ///< of the block in its launch
    std::uint32_t launch = 0;
    std::uint32_t pair = BlockTable::kAlone;
    bool fills = false;
  };

  [[nodiscard]] std::uint64_t next_cycle() const;
  void start_block(const Start& start);
  /// The warp reaches its scheduler in `cycle`.
  void launch_warp(std::uint32_t warp, std::uint64_t cycle);
  /// Cycle `cycle`. Cycles between two calls are accounted as the core was left.
  void step(std::uint64_t cycle);
  /// Asks the filter for the cycle.
  void advance_filter(std::uint64_t cycle);
  /// The next cycle in which step() must be called; UINT64_MAX when only the memory system or a new
  /// block can wake the core.
  [[nodiscard]] std::uint64_t next_step(std::uint64_t cycle) const;
  /// Accounts the cycles up to and without `cycle` in which nothing happened.
  void account_until(std::uint64_t cycle);
  void handle(const Event& event);
  void write_back(std::uint32_t warp, std::uint32_t pc);
  void respond(const memory::Response& response);
  void fetch(std::uint64_t cycle);
  /// The decision of one scheduler, whose port is `port`.
  void decide(std::uint64_t cycle, unsigned scheduler, SchedulerPort& port);
  void issue(std::uint64_t cycle, unsigned scheduler, WarpId local);
  /// `start` is the cycle in which the operands are collected.
  void execute_memory(std::uint32_t warp, std::uint32_t pc, const exec::Outcome& outcome,
                      std::uint64_t start);
  void release(std::uint32_t block_slot, std::uint32_t released);
  void end_warp(std::uint32_t warp, std::uint64_t cycle);
  /// The block monitor counts blocks of `launch` from now on.
  void restart_monitor(std::uint32_t launch);
  /// Tells the block monitor what the cycle has brought.
  void monitor(std::uint64_t cycle);
  void land(std::uint32_t warp);
  /// `slot` has become free; null: none has.
  void block_ended(const BlockTable::Slot* slot);
  /// Works out the levels of `warp`, live, anew after its next instruction or its scoreboard
  /// changed.
  void refresh(std::uint32_t warp);
  /// Whether the levels of `warp` can change with the result of an instruction that it has issued:
  /// they can if its next instruction has a hazard, or long operations outstanding are counted.
  [[nodiscard]] bool awaits(std::uint32_t warp, const TimedInstruction& timed) const;
  [[nodiscard]] SchedulerState classify(const SchedulerPort& port) const;
  [[nodiscard]] WarpMask issuable(unsigned scheduler, const SchedulerPort& port,
                                  std::uint64_t cycle) const;
  [[nodiscard]] SchedulerPort& port_of(std::uint32_t warp) {
    return ports_[slots_.scheduler(warp)];
  }
  [[nodiscard]] std::uint64_t local_base(std::uint32_t warp) const;
  /// Ends the parts of the launches that are over before `cycle`, up to which the core is
  /// accounted.
  void end_parts(std::uint64_t cycle);
  /// The counts since the last part ended are of the present one, which ends before `cycle`.
  void end_part(std::uint64_t cycle);
  /// Adds `cycles` enabled cycles in the port's state.
  void account_scheduler(const SchedulerPort& port, std::uint64_t cycles);
  /// Adds `cycles` cycles in the state that the last step left.
  void account_state(std::uint64_t cycles);

  const GpuConfig& config_;
  std::uint32_t number_;
  std::unique_ptr<CoreObserver> observer_;
  std::unique_ptr<IssueFilter> filter_;
  std::unique_ptr<BlockMonitor> monitor_;
  BlockMonitorInputs monitor_inputs_;  ///< of the cycle
  std::vector<Monitored> monitored_;
  std::optional<std::uint32_t> monitor_launch_;  ///< whose blocks it counts
  bool monitoring_ = false;                      ///< it counts
  bool remaining_distance_;                      ///< phase keys are distances
  bool keys_move_;                               ///< keys change while warps run
  bool skip_idle_cycles_ = true;
  std::vector<Launch> launches_;
  LaunchParts parts_;
  PartCounts parted_;  ///< what had been counted when the last part ended
  CoreStatistics statistics_;
  memory::Port& crossbar_;
  LoadStoreUnit load_store_;
  FetchStage fetch_;
  OperandCollector collector_;
  Scoreboard scoreboard_;
  std::vector<memory::LineOwner> owners_;  ///< by warp slot, as the caches know its warp
  std::vector<Arrival> arrived_;  ///< since the last step, to be booked in the register banks
  EventWheel<Event> wheel_;
  WarpSlots slots_;
  IssueTurns turns_;
  WarpGroups groups_;
  BlockTable blocks_;
  std::deque<Start> starts_;
  std::vector<Freed> freed_;
  unsigned block_limit_ = IssueFilter::kNoBlockLimit;
  std::vector<LimitChange> limit_changes_;
  exec::DeferredAccesses deferred_;
  std::vector<SchedulerPort> ports_;
  std::array<std::uint64_t, kUnits> unit_busy_{};  ///< first free cycle; ALU is per scheduler
  std::uint64_t now_ = 0;          ///< cycle of the step under way or of the last one
  std::uint64_t wake_ = 0;         ///< cycle of the next step, whatever others do
  std::uint64_t last_active_ = 0;  ///< latest cycle that the core began without being idle
  std::uint64_t accounted_ = 0;    ///< cycles below this one are in the statistics
  unsigned alu_in_flight_ = 0;
  unsigned memory_in_flight_ = 0;
  /// Memory instructions completed and requests answered since the last step. A response comes
  /// before the cycles that the core slept are accounted, so these leave the counts in step().
  unsigned memory_landed_ = 0;
  unsigned outstanding_loads_ = 0;   ///< requests without reply as the last step left them
  unsigned outstanding_stores_ = 0;  ///< the same of stores and reductions
  unsigned outstanding_lines_ = 0;   ///< the same of instruction lines
  exec::Outcome outcome_;
};

}  // namespace paws::core
