// SPDX-License-Identifier: MIT
// A SIMT core whose warps issue while their earlier instructions are under way; a scoreboard holds
// what is pending. Its parts stand in files of their own: blocks and warps (block_table.h), fetch
// and instruction buffers (fetch_stage.h), scoreboard (scoreboard.h), operand collection
// (operand_collector.h), load-store unit (load_store_unit.h) with the L1 (l1_data_cache.h), bulk
// copy engine (bulk_copy_unit.h), what waits for copies (late_arrivals.h) or counts blocks
// (block_monitor_feed.h), and the levels that a scheduler sees (issue_levels.h). What
// stands here is how they go together: the cycle, issue, execution units and accounts.
//
// Timing and values are separate: an instruction is executed for its values when it issues; the
// scoreboard holds its destinations until the cycle in which they would be written.
//
// A cycle: write-backs and fetched instructions that are due, one step of the load-store unit, one
// fetch, one step of the bulk copy engine, then every scheduler decides from the state so reached,
// then the issued instructions execute. What an issue causes is therefore seen by every scheduler
// in the next cycle.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/block_monitor.h"
#include "model/scheduler.h"
#include "sim/config/gpu_config.h"
#include "sim/core/block_monitor_feed.h"
#include "sim/core/block_table.h"
#include "sim/core/bulk_copy_unit.h"
#include "sim/core/core.h"
#include "sim/core/event_wheel.h"
#include "sim/core/fetch_stage.h"
#include "sim/core/issue_filter.h"
#include "sim/core/issue_levels.h"
#include "sim/core/late_arrivals.h"
#include "sim/core/load_store_unit.h"
#include "sim/core/observer.h"
#include "sim/core/operand_collector.h"
#include "sim/core/running_kernels.h"
#include "sim/core/scoreboard.h"
#include "sim/core/timed_kernel.h"
#include "sim/core/warp_groups.h"
#include "sim/core/warp_slots.h"
#include "sim/exec/resident_block.h"
#include "sim/memory/port.h"

namespace paws::core {

class ScoreboardCore final : public Core, private LoadStoreClient, private BulkCopyClient {
 public:
  /// `observer`, `filter` and `monitor` may be null. The blocks that RunningKernel::make_block
  /// gives it are exec::ResidentBlock.
  ScoreboardCore(const GpuConfig& config, const SchedulerConfig& scheduler,
                 const SchedulerFactory& factory, std::uint32_t number, memory::Port& crossbar,
                 std::unique_ptr<CoreObserver> observer = {},
                 std::unique_ptr<IssueFilter> filter = {},
                 std::unique_ptr<BlockMonitor> monitor = {});

  void begin(const RunningKernels& running, std::uint64_t cycle) override;
  void end(std::uint64_t cycle) override;
  [[nodiscard]] WarpView view(std::uint32_t warp) const override;
  void run(std::uint64_t sure, std::uint64_t end) override;
  [[nodiscard]] std::uint64_t next_activity() const override;
  [[nodiscard]] bool idle() const override;
  /// That can run together under the issue filter.
  [[nodiscard]] std::size_t most_launches() const override {
    return filter_ ? filter_->most_launches() : Core::most_launches();
  }
  [[nodiscard]] std::optional<std::string> stuck_warp() const override;

 private:
  /// What keeps warps that are clear from issuing.
  struct Closed {
    unsigned units = 0;   ///< that take nothing from the scheduler, a bit each
    WarpMask barred = 0;  ///< warps that the filter holds back; their units take something
    bool operator==(const Closed&) const = default;
  };

  /// One warp scheduler.
  struct SchedulerPort {
    std::unique_ptr<Scheduler> scheduler;
    IssueLevels levels;
    std::deque<std::uint32_t> launches;  ///< warp slots of the core that wait to be launched
    /// First cycle in which a unit is free that is this scheduler's own.
    std::array<std::uint64_t, kUnits> busy{};
    SchedulerOutputs outputs;
    SchedulerState state = SchedulerState::no_instruction;
    bool held = false;  ///< the state is operand, and no warp has a decoded instruction
    // For an observer, which there must be:
    SchedulerView view;               ///< of this port; cycle and state as it was last told
    Closed closed;                    ///< in the last cycle with a warp that is clear
    Closed told;                      ///< the same as the observer knows it
    WarpMask watched = ~WarpMask{0};  ///< as the observer's queues() has said
  };

  enum class EventKind : std::uint8_t { write_back, copied, fetched, may_fetch };
  struct Event {
    EventKind kind;
    std::uint32_t warp;
    std::uint32_t operand;  ///< write_back: pc; copied: number of the copy; fetched: instructions
  };

  /// A load whose data has come from the memory system. Its warp slot may have gone to another
  /// launch when it is booked.
  struct Arrival {
    const TimedKernel* kernel;
    std::uint32_t warp;
    std::uint32_t pc;
  };

  void load_done(std::uint32_t warp, std::uint32_t pc, std::uint32_t delay) override;
  void copy_done(std::uint32_t warp, std::uint32_t copy, std::uint32_t delay) override;
  void store_done(std::uint32_t warp) override;
  void bulk_done(std::uint32_t warp, ir::CopyKind kind, std::uint32_t copy) override;

  void start_block(const Start& start);
  /// The warp reaches its scheduler in `cycle`.
  void launch_warp(std::uint32_t warp, std::uint64_t cycle);
  /// Cycle `cycle`, up to the load-store unit. Cycles between two steps are accounted as the core
  /// was left.
  void begin_step(std::uint64_t cycle);
  /// The rest of it.
  void finish_step(std::uint64_t cycle);
  /// A cycle in which nothing but the load-store unit has anything to do, in the place of both
  /// unless the others learn of it. False: in the place of begin_step().
  bool step_memory(std::uint64_t cycle, std::uint64_t end);
  /// The next cycle in which the load-store unit has, if nothing else happens before; signals up to
  /// `end` are known.
  [[nodiscard]] std::uint64_t next_of_memory(std::uint64_t cycle, std::uint64_t end) const;
  /// Asks the filter for the cycle.
  void advance_filter(std::uint64_t cycle);
  /// The next cycle in which anything but the load-store unit has something to do; UINT64_MAX when
  /// only that unit, the memory system or a new block can wake the core.
  [[nodiscard]] std::uint64_t next_of_others(std::uint64_t cycle) const;
  /// Accounts the cycles up to and without `cycle` in which nothing happened.
  void account_until(std::uint64_t cycle);
  void handle(const Event& event);
  void write_back(std::uint32_t warp, std::uint32_t pc);
  void finish_copy(std::uint32_t warp, ir::CopyKind kind, std::uint32_t copy);
  /// Keeps what the instruction that the warp has just executed asks for until its copies are
  /// there.
  void await_copies(std::uint32_t warp, ir::CopyKind kind);
  /// Does what waits for copies of `warp` that are there by now.
  void arrive(std::uint32_t warp);
  void arrive(std::uint32_t warp, const std::vector<exec::LateArrival>& lanes);
  /// Whether it is of the load-store unit.
  bool respond(const memory::Response& response);
  void fetch(std::uint64_t cycle);
  /// What a step of the fetch stage has brought.
  void begin_fetch(std::uint64_t cycle, const FetchStage::Fetch& fetch);
  /// Puts what the scheduler sees in `cycle` to its port. False: it decides as before.
  bool gather(std::uint64_t cycle, unsigned scheduler, SchedulerPort& port);
  void issue(std::uint64_t cycle, unsigned scheduler, WarpId local);
  /// `start` is the cycle in which the operands are collected.
  void execute_memory(std::uint32_t warp, std::uint32_t pc, const exec::Outcome& outcome,
                      std::uint64_t start);
  void release(std::uint32_t block_slot, std::uint32_t released);
  void end_warp(std::uint32_t warp, std::uint64_t cycle);
  void land(std::uint32_t warp);
  /// `slot` has become free; null: none has.
  void block_ended(const BlockTable::Slot* slot);
  /// Works out the levels of `warp`, live, anew after its next instruction or its scoreboard
  /// changed.
  void refresh(std::uint32_t warp);
  /// Tells the observer, which there must be, how the warp stands.
  void tell_standing(std::uint32_t warp, std::uint32_t pc, const WarpLevels& levels);
  /// Tells the observer, which there must be, what it is to learn of the scheduler in `cycle`.
  void tell(std::uint64_t cycle, SchedulerPort& port);
  /// Tells it from which cycle on something else keeps warps from issuing, if it does not know.
  void tell_closed(std::uint64_t cycle, SchedulerPort& port);
  /// Whether the levels of `warp` can change with the result of an instruction that it has issued:
  /// they can if its next instruction has a hazard, or long operations outstanding are counted.
  [[nodiscard]] bool awaits(std::uint32_t warp, const TimedInstruction& timed) const;
  [[nodiscard]] SchedulerState classify(const SchedulerPort& port) const;
  /// Units that take nothing from the scheduler, a bit each.
  [[nodiscard]] unsigned closed_units(unsigned scheduler, const SchedulerPort& port,
                                      std::uint64_t cycle) const;
  [[nodiscard]] SchedulerPort& port_of(std::uint32_t warp) {
    return ports_[slots_.scheduler(warp)];
  }
  [[nodiscard]] static exec::ResidentBlock& resident(const BlockTable::Warp& warp) {
    return static_cast<exec::ResidentBlock&>(*warp.block);
  }
  /// Whether every scheduler has a unit of this kind; else all share one.
  [[nodiscard]] bool is_own(Unit unit) const {
    return unit == Unit::alu || unit == Unit::tensor || sub_cores_;
  }
  /// Adds `cycles` enabled cycles in the port's state.
  void account_scheduler(const SchedulerPort& port, std::uint64_t cycles);
  /// Adds `cycles` cycles in the state that the last step left.
  void account_state(std::uint64_t cycles);

  std::unique_ptr<IssueFilter> filter_;
  BlockMonitorFeed monitor_;
  bool tell_all_;     ///< there is an observer, of every cycle
  bool tell_queues_;  ///< there is an observer, and queues
  bool keys_move_;    ///< keys change while warps run
  bool affinity_;     ///< the schedulers look at blocks
  bool may_sleep_;    ///< nobody looks at every step of the load-store unit
  LoadStoreUnit load_store_;
  BulkCopyUnit bulk_;
  FetchStage fetch_;
  OperandCollector collector_;
  Scoreboard scoreboard_;
  LateArrivals late_arrivals_;
  std::uint64_t others_ = 0;      ///< next_of_others() as the last step left it
  std::vector<Arrival> arrived_;  ///< since the last step, to be booked in the register banks
  EventWheel<Event> wheel_;
  WarpSlots slots_;
  WarpGroups groups_;
  std::vector<SchedulerPort> ports_;
  /// With core.launch_interval: the warps of all `launches`, in the order in which they start.
  std::deque<std::uint32_t> launch_order_;
  std::uint64_t launch_free_ = 0;                  ///< first cycle in which the next one may start
  bool sub_cores_;                                 ///< core.sub_cores
  std::array<std::uint64_t, kUnits> unit_busy_{};  ///< first free cycle of those that all share
  /// Memory instructions completed and requests answered since the last step. A response comes
  /// before the cycles that the core slept are accounted, so these leave the counts in step().
  unsigned memory_landed_ = 0;
  unsigned outstanding_loads_ = 0;   ///< requests without reply as the last step left them
  unsigned outstanding_stores_ = 0;  ///< the same of stores and reductions
  unsigned outstanding_lines_ = 0;   ///< the same of instruction lines
  exec::Outcome outcome_;
};

}  // namespace paws::core
