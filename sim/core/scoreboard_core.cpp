// SPDX-License-Identifier: MIT
#include "sim/core/scoreboard_core.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>
#include <utility>

#include "sim/core/occupancy.h"
#include "sim/stats/conservation.h"

namespace paws::core {

ScoreboardCore::ScoreboardCore(const GpuConfig& config, const SchedulerConfig& scheduler,
                               const SchedulerFactory& factory, std::uint32_t number,
                               memory::Port& crossbar, std::unique_ptr<CoreObserver> observer,
                               std::unique_ptr<IssueFilter> filter,
                               std::unique_ptr<BlockMonitor> monitor)
    : Core(config, scheduler.level == Level::single || config.scheduler.remaining_distance, number,
           crossbar, std::move(observer)),
      filter_(std::move(filter)),
      monitor_(std::move(monitor)),
      tell_all_(observer_ && observer_->every_cycle()),
      tell_queues_(observer_ && scheduler.level == Level::two_level),
      keys_move_(PhaseKeys::move(config)),
      affinity_(scheduler.affinity != Affinity::none),
      may_sleep_(!filter_ && !observer_ && !affinity_),
      load_store_(config, crossbar, *this, statistics_, filter_.get(), observer_.get()),
      bulk_(config, crossbar, *this, statistics_),
      fetch_(config, crossbar, statistics_),
      collector_(config),
      slots_(config.core.schedulers),
      groups_(config.core.schedulers),
      ports_(config.core.schedulers),
      sub_cores_(config.core.sub_cores) {
  for (SchedulerPort& port : ports_) port.scheduler = factory(scheduler);
  deferred_ = exec::DeferredAccesses(true);
}

void ScoreboardCore::begin(const RunningKernels& running, std::uint64_t cycle) {
  load_store_.invalidate();
  fetch_.begin();
  for (unsigned s = 0; s < ports_.size(); ++s) {
    SchedulerPort& port = ports_[s];
    port.scheduler->reset();
    std::unique_ptr<Scheduler> kept = std::move(port.scheduler);
    port = SchedulerPort{};
    port.scheduler = std::move(kept);
    port.view = {
        0, s, &port.levels.inputs(), &port.outputs, port.state, port.scheduler.get(), &port.levels};
  }
  launch_order_.clear();
  begin_launches(running, cycle);
  groups_.begin(core_resources(config_)[Resource::block_slots]);
  std::size_t registers = 0;
  for (const RunningKernel& launch : running.launches) {
    registers = std::max(registers, launch.timed->kernel().registers.size());
  }
  scoreboard_.begin(warps(), registers);
  late_arrivals_.begin(warps());
  monitor_.begin();
  if (filter_) {
    filter_->begin(*this, running, cycle);
    block_limit_ = filter_->block_limit();
  }
  others_ = 0;
  wake_ = cycle;
  if (skip_idle_cycles_) wake_ = filter_ ? filter_->next_change(cycle) : kNever;
  if (observer_) observer_->begin(*this, running, cycle);
}

void ScoreboardCore::end(std::uint64_t cycle) {
  run(cycle, cycle);
  account_until(cycle);
  end_parts(cycle);
  end_part(cycle);
  check_drained(number_, {alu_in_flight_, memory_in_flight_,
                          load_store_.outstanding_loads() + bulk_.outstanding_loads(),
                          load_store_.outstanding_stores() + bulk_.outstanding_stores(),
                          load_store_.mshrs(), fetch_.lines()});
  if (filter_) filter_->end(statistics_);
  if (observer_) observer_->end(cycle);
}

WarpView ScoreboardCore::view(std::uint32_t number) const {
  const BlockTable::Warp& warp = blocks_[number];
  if (!warp.live) return {};
  const IssueLevels& levels = ports_[slots_.scheduler(number)].levels;
  const WarpMask bit = slots_.bit(number);
  WarpView view;
  view.live = true;
  view.launch = warp.launch;
  view.block = warp.block->index();
  view.in_block = warp.in_block;
  view.pc = warp.pc;
  view.at_barrier = warp.at_barrier;
  view.decoded = (levels.decoded() & bit) != 0;
  view.clear = (levels.clear() & bit) != 0;
  view.waits_for_memory = (levels.inputs().waits & levels.decoded() & bit) != 0;
  view.in_flight = warp.in_flight;
  return view;
}

void ScoreboardCore::start_block(const Start& start) {
  const bool empty = blocks_.empty();
  const BlockTable::Slot& slot = take_block(start);
  for (const std::uint32_t number : slot.warps) {
    port_of(number).launches.push_back(number);
    if (config_.core.launch_interval != 0) launch_order_.push_back(number);
  }
  const std::uint32_t block_slot = blocks_[slot.warps.front()].block_slot;
  groups_.started(slot, block_slot, [this](std::uint32_t warp, const WarpGroups::Place& place) {
    port_of(warp).levels.place(slots_.local(warp), place);
  });
  if (affinity_) {
    for (const std::uint32_t number : slot.warps) {
      port_of(number).levels.join_block(slots_.local(number),
                                        static_cast<std::uint8_t>(block_slot));
    }
  }
  monitor_.starts(start.launch, block_slot, empty);
  if (filter_) filter_->block_started(now_, slot);
}

void ScoreboardCore::launch_warp(std::uint32_t number, std::uint64_t cycle) {
  enter_warp(number, cycle);
  fetch_.start(number);
  if (observer_) observer_->launched(cycle + 1, number, blocks_[number].launch);
}

bool ScoreboardCore::idle() const {
  return blocks_.empty() && starts_.empty() && load_store_.outstanding_stores() == 0 &&
         !load_store_.busy() && !bulk_.busy() && bulk_.outstanding_stores() == 0 &&
         fetch_.lines() == 0;
}

std::uint64_t ScoreboardCore::next_activity() const { return idle() ? kNever : next_cycle(); }

void ScoreboardCore::run(std::uint64_t sure, std::uint64_t end) {
  for (;;) {
    const std::uint64_t cycle = next_cycle();
    const bool idling = idle();
    if (cycle >= (idling ? sure : end)) return;
    if (cycle < accounted_) throw std::logic_error("a core learns of something in its past");
    if (!idling) last_active_ = cycle;
    now_ = cycle;
    // Whether nothing but the load-store unit has anything to do.
    bool alone = may_sleep_ && cycle < std::min(others_, parts_.end()) && arrived_.empty();
    if (!starts_.empty() && starts_.front().cycle == cycle) {
      account_until(cycle);
      start_block(starts_.front());
      starts_.pop_front();
      alone = false;
    }
    while (crossbar_.next_response() == cycle) {
      alone = respond(crossbar_.take_response()) && alone;
    }
    if (alone && memory_landed_ == 0) {
      if (step_memory(cycle, end)) continue;
    } else {
      begin_step(cycle);
    }
    finish_step(cycle);
    others_ = skip_idle_cycles_ ? next_of_others(cycle) : cycle + 1;
    wake_ = std::min(others_, next_of_memory(cycle, end));
    // For schedulers that are not enabled now and will be while the core sleeps.
    if (observer_ && wake_ != cycle + 1) {
      for (SchedulerPort& port : ports_) tell_closed(cycle + 1, port);
    }
  }
}

inline unsigned ScoreboardCore::closed_units(unsigned scheduler, const SchedulerPort& port,
                                             std::uint64_t cycle) const {
  constexpr auto bit = [](Unit unit) { return 1U << static_cast<unsigned>(unit); };
  // No branch: which units are busy is hard to predict.
  auto busy = [cycle, bit](const std::array<std::uint64_t, kUnits>& until, auto... units) {
    return ((cycle < until[static_cast<std::size_t>(units)] ? bit(units) : 0U) | ...);
  };
  unsigned closed = busy(port.busy, Unit::alu, Unit::tensor);
  if (sub_cores_) {
    closed |= busy(port.busy, Unit::fma, Unit::sfu, Unit::fp64, Unit::memory);
    // Every scheduler may issue to the load-store unit in one cycle.
    return load_store_.has_room(schedulers()) ? closed : closed | bit(Unit::memory);
  }
  if (!turns_.owns_shared_units(scheduler, cycle)) {
    return closed | bit(Unit::sfu) | bit(Unit::fp64) | bit(Unit::memory);
  }
  closed |= busy(unit_busy_, Unit::sfu, Unit::fp64, Unit::memory);
  return load_store_.has_room() ? closed : closed | bit(Unit::memory);
}

inline bool ScoreboardCore::awaits(std::uint32_t number, const TimedInstruction& timed) const {
  if (timed.long_op || keys_move_) return true;
  const IssueLevels& levels = ports_[slots_.scheduler(number)].levels;
  return (levels.decoded() & ~levels.clear() & slots_.bit(number)) != 0;
}

inline SchedulerState ScoreboardCore::classify(const SchedulerPort& port) const {
  const IssueLevels& levels = port.levels;
  if (port.outputs.issue_valid) return SchedulerState::issued;
  if (levels.inputs().issuable != 0) return SchedulerState::outside_ready;
  if (levels.clear() != 0) return SchedulerState::pipeline;
  if (levels.decoded() != 0 || levels.inputs().waits != 0) return SchedulerState::operand;
  return SchedulerState::no_instruction;
}

inline void ScoreboardCore::account_scheduler(const SchedulerPort& port, std::uint64_t cycles) {
  statistics_.scheduler_cycles[static_cast<std::size_t>(port.state)] += cycles;
  statistics_.held_cycles += port.held ? cycles : 0;
}

inline void ScoreboardCore::account_state(std::uint64_t cycles) {
  account_flight(cycles);
  statistics_.outstanding_cycles += outstanding_loads_ * cycles;
  statistics_.fetching_cycles += outstanding_lines_ * cycles;
  statistics_.unacknowledged_cycles += outstanding_stores_ * cycles;
}

void ScoreboardCore::account_until(std::uint64_t cycle) {
  if (cycle <= accounted_) return;
  if (observer_) observer_->skipped(accounted_, cycle);
  for (unsigned s = 0; s < ports_.size(); ++s) {
    account_scheduler(ports_[s], enabled_cycles(s, accounted_, cycle));
  }
  account_state(cycle - accounted_);
  accounted_ = cycle;
}

void ScoreboardCore::begin_step(std::uint64_t cycle) {
  if (cycle > accounted_) account_until(cycle);
  if (cycle >= parts_.end()) end_parts(cycle);
  wheel_.drain(cycle, [this](const Event& event) { handle(event); });
  for (const Arrival& load : arrived_) {
    collector_.write_back(*load.kernel, (*load.kernel)[load.pc], load.warp, cycle);
  }
  arrived_.clear();
  load_store_.step(cycle);
}

bool ScoreboardCore::step_memory(std::uint64_t cycle, std::uint64_t end) {
  account_until(cycle);
  const unsigned issuers = sub_cores_ ? schedulers() : 1;  // in one cycle
  const bool room = load_store_.has_room(issuers);
  load_store_.step(cycle);
  if (memory_landed_ != 0 || room != load_store_.has_room(issuers)) return false;
  outstanding_loads_ = load_store_.outstanding_loads() + bulk_.outstanding_loads();
  outstanding_stores_ = load_store_.outstanding_stores() + bulk_.outstanding_stores();
  others_ = std::min(others_, wheel_.next(cycle));
  wake_ = std::min(others_, next_of_memory(cycle, end));
  return true;
}

inline std::uint64_t ScoreboardCore::next_of_memory(std::uint64_t cycle, std::uint64_t end) const {
  return may_sleep_ ? load_store_.next_step_alone(cycle, end) : load_store_.next_step(cycle);
}

void ScoreboardCore::finish_step(std::uint64_t cycle) {
  if (fetch_.due(cycle)) fetch(cycle);
  // Behind the fetch: all send through one port, and a long queue of copies would fill it up before
  // every instruction line. Before the schedulers: they see what has been read.
  bulk_.step(cycle);
  if (filter_) advance_filter(cycle);
  const unsigned schedulers = this->schedulers();
  for (unsigned s = 0; s < schedulers; ++s) {
    SchedulerPort& port = ports_[s];
    if (gather(cycle, s, port)) port.outputs = port.scheduler->decide(port.levels.inputs());
    port.state = classify(port);
    port.held = port.state == SchedulerState::operand && port.levels.decoded() == 0;
    if (port.levels.inputs().issue_en) account_scheduler(port, 1);
    if (tell_all_ || tell_queues_) tell(cycle, port);
  }
  accounted_ = cycle + 1;
  for (unsigned s = 0; s < schedulers; ++s) {
    SchedulerPort& port = ports_[s];
    // A quiet scheduler keeps its state: quiet_o of docs/reference/microarchitecture.md, "Ports".
    if (!port.outputs.quiet) port.scheduler->commit();
    if (port.levels.inputs().launch_valid) {
      const std::uint32_t number = port.launches.front();
      port.launches.pop_front();
      if (!launch_order_.empty()) {
        launch_order_.pop_front();
        launch_free_ = cycle + config_.core.launch_interval;
      }
      launch_warp(number, cycle);
    }
    if (port.outputs.issue_valid) issue(cycle, s, port.outputs.issue_warp);
  }
  if (const auto limit = monitor_.clock(cycle)) monitored_.push_back(*limit);
  memory_in_flight_ -= std::exchange(memory_landed_, 0);
  outstanding_loads_ = load_store_.outstanding_loads() + bulk_.outstanding_loads();
  outstanding_stores_ = load_store_.outstanding_stores() + bulk_.outstanding_stores();
  outstanding_lines_ = fetch_.outstanding();
  account_state(1);
  if (tell_all_) observer_->stepped(cycle);
}

void ScoreboardCore::advance_filter(std::uint64_t cycle) {
  filter_->advance(cycle);
  const unsigned limit = filter_->block_limit();
  if (limit == block_limit_) return;
  block_limit_ = limit;
  limit_changes_.push_back({cycle, limit});
}

std::uint64_t ScoreboardCore::next_of_others(std::uint64_t cycle) const {
  if (fetch_.busy()) return cycle + 1;
  for (const SchedulerPort& port : ports_) {
    if (!port.outputs.quiet || !port.launches.empty()) return cycle + 1;
  }
  std::uint64_t next = wheel_.next(cycle);
  if (next == cycle + 1) return next;
  next = std::min({next, bulk_.next_step(cycle), fetch_.next_line()});
  if (filter_) {
    const std::uint64_t change = filter_->next_change(cycle);
    if (change <= cycle) throw std::logic_error("the next change of an issue filter is past");
    next = std::min(next, change);
  }
  const auto is_clear = [](const SchedulerPort& port) { return port.levels.clear() != 0; };
  if (std::ranges::none_of(ports_, is_clear)) return next;
  // What could issue waits for a unit, or for its scheduler's turn at the shared ones.
  if (!sub_cores_ && ports_.size() > config_.core.issue_interval) return cycle + 1;
  const auto see = [cycle, &next](const std::array<std::uint64_t, kUnits>& until) {
    for (const std::uint64_t busy : until) {
      if (busy > cycle) next = std::min(next, busy);
    }
  };
  for (const SchedulerPort& port : ports_) {
    if (is_clear(port)) see(port.busy);
  }
  see(unit_busy_);
  return next;
}

inline bool ScoreboardCore::gather(std::uint64_t cycle, unsigned scheduler, SchedulerPort& port) {
  if (affinity_) port.levels.set_more(parts_.blocks_wait(cycle));
  SchedulerInputs& inputs = port.levels.inputs();
  inputs.issue_en = turns_.enabled(scheduler, cycle);
  WarpMask may_issue = 0;
  if (port.levels.clear() != 0) {
    const unsigned closed = closed_units(scheduler, port, cycle);
    const WarpMask takers = port.levels.clear_without(closed);
    may_issue = takers;
    if (filter_ && takers != 0) may_issue &= filter_->admit(scheduler, takers);
    if (observer_) {
      port.closed = {closed, takers & ~may_issue};
      if (inputs.issue_en) tell_closed(cycle, port);
    }
  }
  const bool launch = !port.launches.empty() &&
                      (launch_order_.empty() ||
                       (launch_order_.front() == port.launches.front() && cycle >= launch_free_));
  const bool same = !port.levels.take_changed() && may_issue == inputs.issuable && !launch &&
                    !inputs.launch_valid;
  // A quiet scheduler with the inputs that it has seen keeps its outputs: quiet_o of
  // docs/reference/microarchitecture.md, "Ports".
  if (same && port.outputs.quiet) return false;
  inputs.issuable = may_issue;
  inputs.launch_valid = launch;
  inputs.launch_warp = 0;
  if (launch) {
    const std::uint32_t number = port.launches.front();
    inputs.launch_warp = slots_.local(number);
    inputs.phase[inputs.launch_warp] = launches_[blocks_[number].launch].keys.of(number, 0);
  }
  return true;
}

void ScoreboardCore::fetch(std::uint64_t cycle) {
  auto code_of = [this](std::uint32_t number, unsigned ahead) -> FetchStage::Code {
    const BlockTable::Warp& warp = blocks_[number];
    const std::uint32_t pc = warp.pc + ahead;
    if (pc >= warp.kernel->instructions()) return {};
    return {warp.kernel->address(pc), (*warp.kernel)[pc].fetched};
  };
  if (!sub_cores_) {
    begin_fetch(cycle, fetch_.step(cycle, code_of));
    return;
  }
  for (unsigned s = 0; s < schedulers(); ++s) begin_fetch(cycle, fetch_.step(cycle, s, code_of));
}

void ScoreboardCore::begin_fetch(std::uint64_t cycle, const FetchStage::Fetch& fetch) {
  using Kind = FetchStage::Fetch::Kind;
  if (fetch.kind == Kind::none) return;
  if (fetch.kind != Kind::served) blocks_.hold(fetch.warp);
  if (fetch.kind != Kind::missed) {
    wheel_.schedule(cycle, fetch.arrives, {EventKind::fetched, fetch.warp, fetch.instructions});
  }
}

void ScoreboardCore::handle(const Event& event) {
  const BlockTable::Warp& warp = blocks_[event.warp];
  switch (event.kind) {
    case EventKind::write_back:
      collector_.write_back(*warp.kernel, (*warp.kernel)[event.operand], event.warp, now_);
      write_back(event.warp, event.operand);
      return;
    case EventKind::copied:
      finish_copy(event.warp, ir::CopyKind::simple, event.operand);
      return;
    case EventKind::may_fetch:
      --alu_in_flight_;
      if (warp.live) fetch_.resolved(event.warp);
      break;
    case EventKind::fetched:
      if (warp.live) {
        // Behind an instruction that is there already, others change nothing.
        const bool first = fetch_.buffered(event.warp) == 0;
        fetch_.arrived(event.warp, event.operand);
        if (first || keys_move_) refresh(event.warp);
      }
      break;
  }
  land(event.warp);
}

void ScoreboardCore::write_back(std::uint32_t number, std::uint32_t pc) {
  const BlockTable::Warp& warp = blocks_[number];
  const TimedInstruction& timed = (*warp.kernel)[pc];
  scoreboard_.written(number, timed);
  if (timed.memory) {
    ++memory_landed_;
  } else {
    --alu_in_flight_;
  }
  if (warp.live && awaits(number, timed)) refresh(number);
  land(number);
}

void ScoreboardCore::load_done(std::uint32_t warp, std::uint32_t pc, std::uint32_t delay) {
  if (delay == 0) {
    arrived_.push_back({blocks_[warp].kernel, warp, pc});
    write_back(warp, pc);
  } else {
    wheel_.schedule(now_, now_ + delay, {EventKind::write_back, warp, pc});
  }
}

void ScoreboardCore::finish_copy(std::uint32_t number, ir::CopyKind kind, std::uint32_t copy) {
  const BlockTable::Warp& warp = blocks_[number];
  scoreboard_.copied(number, kind, copy);
  if (warp.live) refresh(number);
  if (kind == ir::CopyKind::bulk_read) return;  // it is on its way yet
  arrive(number);
  ++memory_landed_;
  land(number);
}

void ScoreboardCore::bulk_done(std::uint32_t warp, ir::CopyKind kind, std::uint32_t copy) {
  finish_copy(warp, kind, copy);
}

void ScoreboardCore::await_copies(std::uint32_t number, ir::CopyKind kind) {
  if (outcome_.active == 0) return;
  const std::uint32_t last = scoreboard_.last_copy(number, kind);
  if (LateArrivals::are_there(scoreboard_, number, kind, last)) {
    arrive(number, outcome_.arrivals);
    return;
  }
  blocks_.hold(number);
  late_arrivals_.await(number, kind, last, outcome_.arrivals);
}

void ScoreboardCore::arrive(std::uint32_t number, const std::vector<exec::LateArrival>& lanes) {
  const BlockTable::Warp& warp = blocks_[number];
  for (const exec::LateArrival& lane : lanes) resident(warp).arrive(warp.in_block, lane);
}

void ScoreboardCore::arrive(std::uint32_t number) {
  late_arrivals_.settle(number, scoreboard_, [&](const LateArrivals::Lanes& lanes) {
    arrive(number, lanes);
    land(number);
  });
}

void ScoreboardCore::copy_done(std::uint32_t warp, std::uint32_t copy, std::uint32_t delay) {
  if (delay == 0) {
    finish_copy(warp, ir::CopyKind::simple, copy);
  } else {
    wheel_.schedule(now_, now_ + delay, {EventKind::copied, warp, copy});
  }
}

void ScoreboardCore::store_done(std::uint32_t warp) {
  ++memory_landed_;
  if (scoreboard_.store_done(warp) && blocks_[warp].live) refresh(warp);
}

bool ScoreboardCore::respond(const memory::Response& response) {
  if (response.kind == memory::RequestKind::instruction) {
    fetch_.respond(response);
  } else if (BulkCopyUnit::owns(response)) {
    bulk_.respond(response);
  } else {
    load_store_.respond(response);
    return true;
  }
  return false;
}

void ScoreboardCore::issue(std::uint64_t cycle, unsigned scheduler, WarpId local) {
  SchedulerPort& port = ports_[scheduler];
  const std::uint32_t number = slots_.slot(scheduler, local);
  const BlockTable::Warp& warp = blocks_[number];
  const std::uint32_t pc = warp.pc;
  const TimedInstruction& timed = (*warp.kernel)[pc];
  Launch& launch = launches_[warp.launch];
  if (tell_all_) observer_->issued(cycle, number, pc);
  if (filter_) filter_->issued(cycle, number, pc);
  monitor_.issued(scheduler, warp.block_slot);
  launch.keys.issued(number, pc, cycle);
  const OperandCollector::Booking booking =
      collector_.issue(*warp.kernel, timed, number, scheduler, cycle);
  statistics_.operand_conflict_cycles += booking.conflicts;
  auto& busy = is_own(timed.unit) ? port.busy : unit_busy_;
  busy[static_cast<std::size_t>(timed.unit)] = booking.accepts;

  resident(warp).execute(warp.in_block, cycle, outcome_, &deferred_);
  const std::size_t lanes = count_lanes(outcome_.active);
  ++statistics_.lanes[lanes];
  ++launch.counts.warp_instructions;
  launch.counts.thread_instructions += lanes;
  const std::size_t path = outcome_.path == outcome_.active ? lanes : count_lanes(outcome_.path);
  ++statistics_.path_lanes[path];

  scoreboard_.issued(number, timed);
  if (timed.arrives_late) await_copies(number, timed.copy_kind);
  if (timed.memory) {
    ++memory_in_flight_;
    outcome_.active &= ~outcome_.reads_nothing;
    execute_memory(number, pc, outcome_, booking.start);
  } else if (timed.written > 0) {
    ++alu_in_flight_;
    blocks_.hold(number);
    wheel_.schedule(cycle, booking.start + timed.latency, {EventKind::write_back, number, pc});
  }
  if (observer_) {
    observer_->executed(cycle, number, pc, static_cast<unsigned>(path),
                        static_cast<unsigned>(lanes));
  }

  if (outcome_.done) {
    end_warp(number, cycle);
  } else if (timed.changes_path) {
    // No speculation: what stands behind a branch is fetched once it is resolved.
    fetch_.branched(number);
    ++alu_in_flight_;
    blocks_.hold(number);
    wheel_.schedule(cycle, cycle + config_.core.branch_latency, {EventKind::may_fetch, number, 0});
  } else {
    fetch_.issued(number);
  }
  if (!outcome_.done) {
    blocks_.moved(number, outcome_.pc, outcome_.at_barrier);
    refresh(number);
    // Without a branch, where one path ends and the warp goes on with another.
    if (observer_ && outcome_.pc != pc + 1 && (port.levels.clear() & slots_.bit(number)) != 0) {
      observer_->moved(cycle + 1, number, outcome_.pc, Standing::clear);
    }
  }
  if (outcome_.released != 0) release(warp.block_slot, outcome_.released);
  if (outcome_.done) block_ended(blocks_.release_if_drained(warp.block_slot));
}

void ScoreboardCore::execute_memory(std::uint32_t number, std::uint32_t pc,
                                    const exec::Outcome& outcome, std::uint64_t start) {
  const TimedKernel& timed = *blocks_[number].kernel;
  const ir::Instruction& instruction = timed.kernel().code[pc];
  const bool stores = ir::stores_data(instruction.op);
  const bool returns = !stores && instruction.op != ir::Op::red;
  if (returns) blocks_.hold(number);
  if (instruction.op == ir::Op::copy_bulk) {
    bulk_.push(owners_[number], instruction.copies,
               scoreboard_.last_copy(number, instruction.copies), outcome);
    return;
  }
  if (outcome.space == ir::Space::param || outcome.space == ir::Space::constant) {
    // A generic address that turned out to be in the constant bank.
    load_done(number, pc,
              static_cast<std::uint32_t>(start - now_) + config_.core.pipeline_latency +
                  config_.core.constant_latency);
    return;
  }
  LoadStoreUnit::Kind kind = LoadStoreUnit::Kind::load;
  if (stores) kind = LoadStoreUnit::Kind::store;
  if (instruction.op == ir::Op::atom || instruction.op == ir::Op::mbarrier) {
    kind = LoadStoreUnit::Kind::atomic;
  }
  if (instruction.op == ir::Op::red) kind = LoadStoreUnit::Kind::reduction;
  if (instruction.op == ir::Op::copy_async) kind = LoadStoreUnit::Kind::copy;
  if (instruction.op == ir::Op::tex && config_.texture.bytes != 0) {
    kind = LoadStoreUnit::Kind::fetch;
  }
  if (kind == LoadStoreUnit::Kind::store || kind == LoadStoreUnit::Kind::reduction) {
    scoreboard_.store_issued(number);  // a fence waits from the issue on
  }
  const bool copies = kind == LoadStoreUnit::Kind::copy;
  load_store_.push(owners_[number],
                   copies ? scoreboard_.last_copy(number, ir::CopyKind::simple) : pc,
                   {blocks_[number].launch, pc}, kind, timed[pc].bypass_l1, outcome,
                   local_base(launches_[blocks_[number].launch], number), start);
}

void ScoreboardCore::release(std::uint32_t block_slot, std::uint32_t released) {
  for (std::uint32_t rest = released; rest != 0; rest &= rest - 1) {
    const auto in_block = static_cast<std::uint32_t>(std::countr_zero(rest));
    const std::uint32_t number = blocks_.slot(block_slot).warps[in_block];
    blocks_.moved(number);
    if (blocks_[number].live) refresh(number);
  }
}

void ScoreboardCore::end_warp(std::uint32_t number, std::uint64_t cycle) {
  leave_warp(number, cycle);
  fetch_.stop(number);
  if (observer_) {
    port_of(number).watched = ~WarpMask{0};
    observer_->ended(cycle + 1, number);
  }
  port_of(number).levels.reset(slots_.local(number));
  const std::uint32_t block_slot = blocks_[number].block_slot;
  if (affinity_) {
    const BlockTable::Slot& slot = blocks_.slot(block_slot);
    if (slot.running + 1 == slot.warps.size()) {  // the first one
      for (const std::uint32_t mate : slot.warps)
        port_of(mate).levels.lose_mate(slots_.local(mate));
    }
  }
  if (blocks_.slot(block_slot).running == 0) monitor_.ended(block_slot);
}

void ScoreboardCore::land(std::uint32_t number) { block_ended(blocks_.land(number)); }

void ScoreboardCore::block_ended(const BlockTable::Slot* slot) {
  if (slot == nullptr) return;
  groups_.ended(blocks_[slot->warps.front()].block_slot);
  count_block(*slot);
  if (filter_) filter_->block_ended(now_, *slot);
}

void ScoreboardCore::refresh(std::uint32_t number) {
  const BlockTable::Warp& warp = blocks_[number];
  const std::uint32_t pc = warp.pc;
  const TimedInstruction& next = (*warp.kernel)[pc];
  WarpLevels levels;
  levels.long_outstanding = scoreboard_.long_outstanding(number);
  levels.held =
      warp.at_barrier || (config_.scheduler.branch_demotes && fetch_.behind_branch(number));
  levels.decoded = fetch_.buffered(number) > 0;
  if (levels.decoded && !levels.held) {
    levels.hazards = scoreboard_.check(number, next);
    levels.unit = next.unit;
    levels.ends_warp =
        !levels.hazards.any && next.ends_path && resident(warp).next_ends_warp(warp.in_block);
  }
  PhaseKeys& keys = launches_[warp.launch].keys;
  if (levels.held || levels.hazards.long_load) keys.waits(number);
  levels.phase = keys.of(number, pc);
  const bool moved = port_of(number).levels.set(slots_.local(number), levels);
  if (observer_ && moved) tell_standing(number, pc, levels);
}

inline void ScoreboardCore::tell_standing(std::uint32_t number, std::uint32_t pc,
                                          const WarpLevels& levels) {
  Standing standing = Standing::clear;
  if (levels.held) {
    standing = Standing::held;
  } else if (!levels.decoded) {
    standing = Standing::fetching;
  } else if (levels.hazards.any) {
    standing = levels.hazards.long_load ? Standing::memory : Standing::arithmetic;
  }
  // It leaves the ready queue, and another can enter.
  if (standing == Standing::held || standing == Standing::memory) {
    port_of(number).watched = ~WarpMask{0};
  }
  // Before the schedulers of the cycle have decided it is for them, later for the next cycle.
  observer_->moved(std::max(accounted_, now_), number, pc, standing);
}

inline void ScoreboardCore::tell(std::uint64_t cycle, SchedulerPort& port) {
  const SchedulerInputs& inputs = port.levels.inputs();
  const bool queues = tell_queues_ && inputs.issue_en && (inputs.issuable & port.watched) != 0;
  if (!queues && !tell_all_) return;
  port.view.cycle = cycle;
  port.view.state = port.state;
  if (tell_all_) observer_->decided(port.view);
  if (queues) port.watched = observer_->queues(port.view);
}

inline void ScoreboardCore::tell_closed(std::uint64_t cycle, SchedulerPort& port) {
  if (port.told == port.closed) return;
  port.told = port.closed;
  observer_->closed(cycle, port.view.number, port.closed.units, port.closed.barred);
}

std::optional<std::string> ScoreboardCore::stuck_warp() const {
  std::optional<std::string> first;
  for (std::uint32_t number = 0; number < warps(); ++number) {
    const BlockTable::Warp& warp = blocks_[number];
    if (warp.block == nullptr || !blocks_.slot(warp.block_slot).used ||
        warp.block->done(warp.in_block)) {
      continue;
    }
    const ir::Kernel& kernel = warp.kernel->kernel();
    const exec::Dim3 block = warp.block->coordinates();
    const std::uint32_t pc = warp.pc;
    const bool held = warp.at_barrier;
    // A warp at a barrier has its pc behind it.
    const std::uint32_t line = kernel.code[held && pc > 0 ? pc - 1 : pc].line;
    const std::string endless = held ? "" : warp.block->endless(warp.in_block);
    if (first && endless.empty()) continue;
    std::string text =
        fmt::format("{}:{}: kernel '{}', block ({},{},{}), warp {} {}{}", kernel.file, line,
                    kernel.name, block.x, block.y, block.z, warp.in_block,
                    held ? "stands at a barrier" : "is still running", endless);
    // One that says why comes before the others.
    if (!endless.empty()) return text;
    first = std::move(text);
  }
  return first;
}

}  // namespace paws::core
