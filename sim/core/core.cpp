// SPDX-License-Identifier: MIT
#include "sim/core/core.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>
#include <utility>

#include "sim/stats/conservation.h"

namespace paws::core {
namespace {

constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

bool get_bit(const std::vector<std::uint64_t>& bits, ir::RegId reg) {
  return (bits[reg / 64] >> reg % 64 & 1U) != 0;
}
void set_bit(std::vector<std::uint64_t>& bits, ir::RegId reg) {
  bits[reg / 64] |= std::uint64_t{1} << reg % 64;
}
void clear_bit(std::vector<std::uint64_t>& bits, ir::RegId reg) {
  bits[reg / 64] &= ~(std::uint64_t{1} << reg % 64);
}

constexpr WarpMask bit_of(WarpId local) { return WarpMask{1} << local; }

}  // namespace

Core::Core(const GpuConfig& config, const SchedulerConfig& scheduler,
           const SchedulerFactory& factory, std::uint32_t number, memory::Port& crossbar,
           std::unique_ptr<CoreObserver> observer)
    : config_(config),
      number_(number),
      observer_(std::move(observer)),
      phase_keys_(config, scheduler.level == Level::single || config.scheduler.remaining_distance),
      crossbar_(crossbar),
      load_store_(config, crossbar, *this, statistics_),
      icache_(config, crossbar, statistics_),
      collector_(config),
      warps_(config.core.warps),
      ports_(config.core.schedulers) {
  for (SchedulerPort& port : ports_) port.scheduler = factory(scheduler);
}

void Core::begin(const RunningKernel& running, std::uint64_t cycle) {
  running_ = running;
  phase_keys_.begin(*running.timed, warps());
  load_store_.invalidate();
  const std::size_t words = (running.executable->kernel().registers.size() + 63) / 64;
  for (WarpSlot& warp : warps_) {
    warp = WarpSlot{};
    warp.pending.assign(words, 0);
    warp.pending_long.assign(words, 0);
  }
  for (SchedulerPort& port : ports_) {
    port.scheduler->reset();
    std::unique_ptr<Scheduler> kept = std::move(port.scheduler);
    port = SchedulerPort{};
    port.scheduler = std::move(kept);
  }
  blocks_.clear();
  free_blocks_.clear();
  for (unsigned i = 0; i < running.blocks; ++i) {
    blocks_.emplace_back();
    blocks_.back().block =
        std::make_unique<exec::Block>(*running.executable, running.shape, running.params,
                                      *running.memory, number_, config_.cores);
    if (running.observe != nullptr && *running.observe) {
      blocks_.back().block->watch((*running.observe)());
    }
    free_blocks_.push_back(i);
  }
  starts_.clear();
  freed_.clear();
  deferred_.clear();
  wake_ = running.skip_idle_cycles ? kNever : cycle;
  last_active_ = cycle;
  if (observer_) observer_->begin(*this, running_, cycle);
}

void Core::end(std::uint64_t cycle) {
  run(cycle, cycle);
  account_until(cycle);
  check_drained(number_,
                {alu_in_flight_, memory_in_flight_, load_store_.outstanding_loads(),
                 load_store_.outstanding_stores(), load_store_.mshrs(), icache_.outstanding()});
  if (observer_) observer_->end(cycle);
}

WarpView Core::view(std::uint32_t number) const {
  const WarpSlot& warp = warps_[number];
  if (!warp.live) return {};
  const SchedulerPort& port = ports_[number % ports_.size()];
  const WarpMask bit = bit_of(static_cast<WarpId>(number / ports_.size()));
  WarpView view;
  view.live = true;
  view.block = warp.block->index();
  view.in_block = warp.in_block;
  view.pc = warp.block->pc(warp.in_block);
  view.at_barrier = warp.block->at_barrier(warp.in_block);
  view.decoded = (port.decoded & bit) != 0;
  view.clear = (port.clear & bit) != 0;
  view.in_flight = warp.in_flight;
  return view;
}

void Core::start_block(std::uint64_t index) {
  const std::uint32_t block_slot = free_blocks_.front();
  free_blocks_.pop_front();
  BlockSlot& slot = blocks_[block_slot];
  slot.block->start(index);
  slot.used = true;
  ++statistics_.blocks_started;
  slot.running = running_.warps_per_block;
  for (std::uint32_t i = 0; i < running_.warps_per_block; ++i) {
    const std::uint32_t number = block_slot * running_.warps_per_block + i;
    WarpSlot& warp = warps_[number];
    warp.block = slot.block.get();
    warp.in_block = i;
    warp.block_slot = block_slot;
    phase_keys_.started(number);
    warp.decoded = 0;
    ports_[number % ports_.size()].launches.push_back(number);
  }
}

bool Core::idle() const {
  return free_blocks_.size() == blocks_.size() && starts_.empty() &&
         load_store_.outstanding_stores() == 0 && !load_store_.busy();
}

std::uint64_t Core::next_cycle() const {
  const std::uint64_t start = starts_.empty() ? kNever : starts_.front().cycle;
  return std::min({wake_, start, crossbar_.next_response()});
}

std::uint64_t Core::next_activity() const { return idle() ? kNever : next_cycle(); }

void Core::run(std::uint64_t sure, std::uint64_t end) {
  for (;;) {
    const std::uint64_t cycle = next_cycle();
    const bool idling = idle();
    if (cycle >= (idling ? sure : end)) return;
    if (cycle < accounted_) throw std::logic_error("a core learns of something in its past");
    if (!idling) last_active_ = cycle;
    now_ = cycle;
    if (!starts_.empty() && starts_.front().cycle == cycle) {
      account_until(cycle);
      start_block(starts_.front().block);
      starts_.pop_front();
    }
    while (crossbar_.next_response() == cycle) respond(crossbar_.take_response());
    step(cycle);
    wake_ = running_.skip_idle_cycles ? next_step(cycle) : cycle + 1;
  }
}

bool Core::enabled(unsigned scheduler, std::uint64_t cycle) const {
  return cycle % config_.core.issue_interval == scheduler % config_.core.issue_interval;
}

std::uint64_t Core::enabled_cycles(unsigned scheduler, std::uint64_t from, std::uint64_t to) const {
  const std::uint64_t interval = config_.core.issue_interval;
  const std::uint64_t phase = scheduler % interval;
  auto below = [&](std::uint64_t cycle) { return (cycle + interval - 1 - phase) / interval; };
  return below(to) - below(from);
}

bool Core::owns_shared_units(unsigned scheduler, std::uint64_t cycle) const {
  // Schedulers that are enabled in the same cycle take turns, so that no two of them can hand an
  // instruction to one unit: arbitration from registered state alone.
  const std::uint64_t interval = config_.core.issue_interval;
  const std::uint64_t rivals = (ports_.size() - scheduler % interval + interval - 1) / interval;
  return cycle / interval % rivals == scheduler / interval;
}

WarpMask Core::issuable(unsigned scheduler, std::uint64_t cycle) const {
  const SchedulerPort& port = ports_[scheduler];
  if (port.clear == 0) return 0;
  WarpMask mask = 0;
  auto unit = [&](Unit which) { return port.unit[static_cast<std::size_t>(which)]; };
  auto free = [&](Unit which) { return unit_busy_[static_cast<std::size_t>(which)] <= cycle; };
  if (port.alu_busy <= cycle) mask |= unit(Unit::alu);
  if (owns_shared_units(scheduler, cycle)) {
    if (free(Unit::sfu)) mask |= unit(Unit::sfu);
    if (free(Unit::fp64)) mask |= unit(Unit::fp64);
    if (free(Unit::memory) && load_store_.has_room()) mask |= unit(Unit::memory);
  }
  return mask;
}

SchedulerState Core::classify(const SchedulerPort& port) const {
  if (port.outputs.issue_valid) return SchedulerState::issued;
  if (port.inputs.issuable != 0) return SchedulerState::outside_ready;
  if (port.clear != 0) return SchedulerState::pipeline;
  if (port.decoded != 0 || port.inputs.waits != 0) return SchedulerState::operand;
  return SchedulerState::no_instruction;
}

inline void Core::account_scheduler(const SchedulerPort& port, std::uint64_t cycles) {
  statistics_.scheduler_cycles[static_cast<std::size_t>(port.state)] += cycles;
  statistics_.held_cycles += port.held ? cycles : 0;
}

inline void Core::account_state(std::uint64_t cycles) {
  const unsigned flight = (alu_in_flight_ > 0 ? kComputing : kNothing) |
                          (memory_in_flight_ > 0 ? kAccessing : kNothing);
  statistics_.flight_cycles[live_warps_ > 0 ? 1 : 0][flight] += cycles;
  statistics_.warp_cycles += live_warps_ * cycles;
  statistics_.alu_cycles += alu_in_flight_ * cycles;
  statistics_.memory_cycles += memory_in_flight_ * cycles;
  statistics_.outstanding_cycles += outstanding_loads_ * cycles;
  statistics_.fetching_cycles += outstanding_lines_ * cycles;
  statistics_.unacknowledged_cycles += outstanding_stores_ * cycles;
}

void Core::account_until(std::uint64_t cycle) {
  if (cycle <= accounted_) return;
  if (observer_) observer_->skipped(accounted_, cycle);
  for (unsigned s = 0; s < ports_.size(); ++s) {
    account_scheduler(ports_[s], enabled_cycles(s, accounted_, cycle));
  }
  account_state(cycle - accounted_);
  accounted_ = cycle;
}

void Core::step(std::uint64_t cycle) {
  if (cycle > accounted_) account_until(cycle);
  wheel_.drain(cycle, [this](const Event& event) { handle(event); });
  for (const Arrival& load : arrived_) {
    collector_.write_back(*running_.timed, (*running_.timed)[load.pc], load.warp, cycle);
  }
  arrived_.clear();
  load_store_.step(cycle);
  fetch(cycle);
  decide(cycle);
  for (unsigned s = 0; s < ports_.size(); ++s) {
    SchedulerPort& port = ports_[s];
    port.state = classify(port);
    port.held = port.state == SchedulerState::operand && port.decoded == 0;
    if (enabled(s, cycle)) account_scheduler(port, 1);
    if (observer_) {
      observer_->decided({cycle, s, &port.inputs, &port.outputs, port.state, port.scheduler.get()});
    }
  }
  accounted_ = cycle + 1;
  for (unsigned s = 0; s < ports_.size(); ++s) {
    SchedulerPort& port = ports_[s];
    // A quiet scheduler keeps its state: quiet_o of docs/microarchitecture.md, "Ports".
    if (!port.outputs.quiet) port.scheduler->commit();
    if (port.inputs.launch_valid) {
      const std::uint32_t number = port.launches.front();
      port.launches.pop_front();
      warps_[number].live = true;
      ++live_warps_;
      port.wants_fetch |= bit_of(port.inputs.launch_warp);
    }
    if (port.outputs.issue_valid) issue(cycle, s, port.outputs.issue_warp);
  }
  memory_in_flight_ -= std::exchange(memory_landed_, 0);
  outstanding_loads_ = load_store_.outstanding_loads();
  outstanding_stores_ = load_store_.outstanding_stores();
  outstanding_lines_ = icache_.outstanding();
  account_state(1);
  if (observer_) observer_->stepped(cycle);
}

std::uint64_t Core::next_step(std::uint64_t cycle) const {
  if (load_store_.busy() || icache_.has_served()) return cycle + 1;
  std::uint64_t next = wheel_.next(cycle);
  for (const SchedulerPort& port : ports_) {
    if (!port.outputs.quiet || !port.launches.empty() || port.wants_fetch != 0) return cycle + 1;
    if (port.clear == 0) continue;
    // What could issue waits for a unit, or for its scheduler's turn at the shared ones.
    if (ports_.size() > config_.core.issue_interval) return cycle + 1;
    if (port.alu_busy > cycle) next = std::min(next, port.alu_busy);
    for (std::uint64_t busy : unit_busy_) {
      if (busy > cycle) next = std::min(next, busy);
    }
  }
  return next;
}

void Core::decide(std::uint64_t cycle) {
  for (unsigned s = 0; s < ports_.size(); ++s) {
    SchedulerPort& port = ports_[s];
    SchedulerInputs& inputs = port.inputs;
    inputs.issue_en = enabled(s, cycle);
    inputs.issuable = issuable(s, cycle);
    inputs.launch_valid = !port.launches.empty();
    if (inputs.launch_valid) {
      const std::uint32_t number = port.launches.front();
      inputs.launch_warp = number / static_cast<std::uint32_t>(ports_.size());
      inputs.phase[inputs.launch_warp] = phase_keys_[0];
    } else {
      inputs.launch_warp = 0;
    }
    port.outputs = port.scheduler->decide(inputs);
  }
}

void Core::fetch(std::uint64_t cycle) {
  if (icache_.has_served()) {
    // A line that has come goes before the next look-up.
    wheel_.schedule(cycle, cycle + config_.core.fetch_latency,
                    {EventKind::fetched, icache_.next_served(), 0});
    return;
  }
  for (unsigned i = 0; i < ports_.size(); ++i) {
    const unsigned s = (fetch_turn_ + i) % static_cast<unsigned>(ports_.size());
    SchedulerPort& port = ports_[s];
    if (port.wants_fetch == 0) continue;
    const WarpMask later = port.wants_fetch & ~((bit_of(port.fetched_last) << 1) - 1);
    const auto local = static_cast<WarpId>(std::countr_zero(later != 0 ? later : port.wants_fetch));
    port.wants_fetch &= ~bit_of(local);
    port.fetched_last = local;
    fetch_turn_ = (s + 1) % static_cast<unsigned>(ports_.size());
    const std::uint32_t number = slot_of(s, local);
    WarpSlot& warp = warps_[number];
    const std::uint64_t address = running_.timed->address(warp.block->pc(warp.in_block));
    switch (icache_.fetch(address, number, cycle)) {
      case InstructionCache::Result::hit:
        ++warp.in_flight;
        wheel_.schedule(cycle, cycle + config_.icache.latency + config_.core.fetch_latency,
                        {EventKind::fetched, number, 0});
        return;
      case InstructionCache::Result::miss:
        ++warp.in_flight;
        return;
      case InstructionCache::Result::full:
        port.fetch_blocked |= bit_of(local);
        return;
      case InstructionCache::Result::port_busy:
        port.wants_fetch |= bit_of(local);
        return;
    }
  }
}

void Core::handle(const Event& event) {
  WarpSlot& warp = warps_[event.warp];
  SchedulerPort& port = ports_[event.warp % ports_.size()];
  const auto local = static_cast<WarpId>(event.warp / ports_.size());
  switch (event.kind) {
    case EventKind::write_back:
      collector_.write_back(*running_.timed, (*running_.timed)[event.pc], event.warp, now_);
      write_back(event.warp, event.pc);
      return;
    case EventKind::may_fetch:
      --alu_in_flight_;
      if (warp.live) port.wants_fetch |= bit_of(local);
      break;
    case EventKind::fetched:
      if (warp.live) {
        warp.decoded = (*running_.timed)[warp.block->pc(warp.in_block)].fetched;
        port.after_branch &= ~bit_of(local);
        refresh(event.warp);
      }
      break;
  }
  land(event.warp);
}

void Core::write_back(std::uint32_t number, std::uint32_t pc) {
  WarpSlot& warp = warps_[number];
  const TimedInstruction& timed = (*running_.timed)[pc];
  for (unsigned i = 0; i < timed.written; ++i) {
    clear_bit(warp.pending, timed.write[i]);
    if (timed.long_op) clear_bit(warp.pending_long, timed.write[i]);
  }
  if (timed.long_op) --warp.long_loads;
  if (timed.memory) {
    ++memory_landed_;
  } else {
    --alu_in_flight_;
  }
  if (warp.live) refresh(number);
  land(number);
}

void Core::load_done(std::uint32_t warp, std::uint32_t pc, std::uint32_t delay) {
  if (delay == 0) {
    arrived_.push_back({warp, pc});
    write_back(warp, pc);
  } else {
    wheel_.schedule(now_, now_ + delay, {EventKind::write_back, warp, pc});
  }
}

void Core::store_done(std::uint32_t warp) {
  ++memory_landed_;
  --warps_[warp].stores;
  if (warps_[warp].live && warps_[warp].stores == 0) refresh(warp);
}

void Core::respond(const memory::Response& response) {
  if (response.kind != memory::RequestKind::instruction) {
    load_store_.respond(response);
    return;
  }
  icache_.respond(response);
  for (SchedulerPort& port : ports_) {
    port.wants_fetch |= port.fetch_blocked;
    port.fetch_blocked = 0;
  }
}

std::uint64_t Core::local_base(std::uint32_t warp) const {
  const std::uint64_t bytes =
      (running_.executable->kernel().local_bytes + 3) / 4 * std::uint64_t{memory::kLineBytes};
  return ir::kLocalWindow + (std::uint64_t{number_} * config_.core.warps + warp) * bytes;
}

void Core::issue(std::uint64_t cycle, unsigned scheduler, WarpId local) {
  SchedulerPort& port = ports_[scheduler];
  const std::uint32_t number = slot_of(scheduler, local);
  WarpSlot& warp = warps_[number];
  const std::uint32_t pc = warp.block->pc(warp.in_block);
  const TimedInstruction& timed = (*running_.timed)[pc];
  if (observer_) observer_->issued(cycle, number, pc);
  phase_keys_.issued(number, pc, cycle);
  const OperandCollector::Booking booking =
      collector_.issue(*running_.timed, timed, number, scheduler, cycle);
  statistics_.operand_conflict_cycles += booking.conflicts;
  if (timed.unit == Unit::alu) {
    port.alu_busy = booking.accepts;
  } else {
    unit_busy_[static_cast<std::size_t>(timed.unit)] = booking.accepts;
  }

  warp.block->execute(warp.in_block, cycle, outcome_, &deferred_);
  const auto lanes = static_cast<std::size_t>(std::popcount(outcome_.active));
  ++statistics_.lanes[lanes];
  ++statistics_.path_lanes[outcome_.path == outcome_.active
                               ? lanes
                               : static_cast<std::size_t>(std::popcount(outcome_.path))];
  --warp.decoded;

  for (unsigned i = 0; i < timed.written; ++i) {
    set_bit(warp.pending, timed.write[i]);
    if (timed.long_op) set_bit(warp.pending_long, timed.write[i]);
  }
  if (timed.long_op) ++warp.long_loads;
  if (timed.memory) {
    ++memory_in_flight_;
    execute_memory(number, pc, outcome_, booking.start);
  } else if (timed.written > 0) {
    ++alu_in_flight_;
    ++warp.in_flight;
    wheel_.schedule(cycle, booking.start + timed.latency, {EventKind::write_back, number, pc});
  }

  if (outcome_.done) {
    end_warp(number);
  } else if (timed.changes_path) {
    // No speculation: what stands behind a branch is fetched once it is resolved.
    warp.decoded = 0;
    if (config_.scheduler.branch_demotes) port.after_branch |= bit_of(local);
    ++alu_in_flight_;
    ++warp.in_flight;
    wheel_.schedule(cycle, cycle + config_.core.branch_latency, {EventKind::may_fetch, number, 0});
  } else if (warp.decoded == 0) {
    port.wants_fetch |= bit_of(local);
  }
  refresh(number);
  if (outcome_.released != 0) release(warp.block_slot, outcome_.released);
  if (outcome_.done) finish_block_if_drained(warp.block_slot);
}

void Core::execute_memory(std::uint32_t number, std::uint32_t pc, const exec::Outcome& outcome,
                          std::uint64_t start) {
  const ir::Instruction& instruction = running_.executable->kernel().code[pc];
  const bool returns = instruction.op == ir::Op::ld || instruction.op == ir::Op::atom;
  if (returns) ++warps_[number].in_flight;
  if (outcome.space == ir::Space::param || outcome.space == ir::Space::constant) {
    // A generic address that turned out to be in the constant bank.
    load_done(number, pc,
              static_cast<std::uint32_t>(start - now_) + config_.core.pipeline_latency +
                  config_.core.constant_latency);
    return;
  }
  LoadStoreUnit::Kind kind = LoadStoreUnit::Kind::load;
  if (instruction.op == ir::Op::st) kind = LoadStoreUnit::Kind::store;
  if (instruction.op == ir::Op::atom) kind = LoadStoreUnit::Kind::atomic;
  if (instruction.op == ir::Op::red) kind = LoadStoreUnit::Kind::reduction;
  if (kind == LoadStoreUnit::Kind::store || kind == LoadStoreUnit::Kind::reduction) {
    ++warps_[number].stores;  // a fence waits from the issue on
  }
  load_store_.push(number, pc, kind, (*running_.timed)[pc].bypass_l1, outcome, local_base(number),
                   start);
}

void Core::release(std::uint32_t block_slot, std::uint32_t released) {
  for (std::uint32_t rest = released; rest != 0; rest &= rest - 1) {
    const auto in_block = static_cast<std::uint32_t>(std::countr_zero(rest));
    const std::uint32_t number = block_slot * running_.warps_per_block + in_block;
    if (warps_[number].live) refresh(number);
  }
}

void Core::end_warp(std::uint32_t number) {
  WarpSlot& warp = warps_[number];
  warp.live = false;
  warp.decoded = 0;
  --live_warps_;
  --blocks_[warp.block_slot].running;
}

void Core::land(std::uint32_t number) {
  WarpSlot& warp = warps_[number];
  --warp.in_flight;
  if (!warp.live && warp.in_flight == 0) finish_block_if_drained(warp.block_slot);
}

void Core::finish_block_if_drained(std::uint32_t block_slot) {
  BlockSlot& slot = blocks_[block_slot];
  if (!slot.used || slot.running > 0) return;
  for (std::uint32_t i = 0; i < running_.warps_per_block; ++i) {
    if (warps_[block_slot * running_.warps_per_block + i].in_flight > 0) return;
  }
  slot.used = false;
  free_blocks_.push_back(block_slot);
  freed_.push_back(now_);
  ++statistics_.blocks;
  statistics_.executed += slot.block->executed();
}

void Core::refresh(std::uint32_t number) {
  WarpSlot& warp = warps_[number];
  SchedulerPort& port = ports_[number % ports_.size()];
  const auto local = static_cast<WarpId>(number / ports_.size());
  const WarpMask bit = bit_of(local);
  SchedulerInputs& inputs = port.inputs;
  auto assign = [bit](WarpMask& mask, bool value) { mask = value ? mask | bit : mask & ~bit; };

  port.decoded &= ~bit;
  port.clear &= ~bit;
  for (WarpMask& unit : port.unit) unit &= ~bit;
  inputs.waits &= ~bit;
  inputs.exits &= ~bit;
  assign(inputs.long_outstanding, warp.live && warp.long_loads > 0);
  if (!warp.live) {
    port.wants_fetch &= ~bit;
    port.after_branch &= ~bit;
    return;
  }

  const std::uint32_t pc = warp.block->pc(warp.in_block);
  const TimedInstruction& next = (*running_.timed)[pc];
  inputs.phase[local] = phase_keys_[pc];
  if (warp.block->at_barrier(warp.in_block) || (port.after_branch & bit) != 0) {
    inputs.waits |= bit;
    return;
  }
  if (warp.decoded == 0) return;
  port.decoded |= bit;
  bool hazard = next.fence && warp.stores > 0;
  bool waits = false;
  for (unsigned i = 0; i < next.checked; ++i) {
    hazard |= get_bit(warp.pending, next.check[i]);
    waits |= get_bit(warp.pending_long, next.check[i]);
  }
  assign(inputs.waits, waits);
  if (hazard) return;
  port.clear |= bit;
  port.unit[static_cast<std::size_t>(next.unit)] |= bit;
  assign(inputs.exits, next.ends_path && warp.block->next_ends_warp(warp.in_block));
}

std::optional<std::string> Core::stuck_warp() const {
  for (std::uint32_t number = 0; number < warps_.size(); ++number) {
    const WarpSlot& warp = warps_[number];
    if (warp.block == nullptr || !blocks_[warp.block_slot].used ||
        warp.block->done(warp.in_block)) {
      continue;
    }
    const ir::Kernel& kernel = running_.executable->kernel();
    const exec::Dim3 block = warp.block->coordinates();
    const std::uint32_t pc = warp.block->pc(warp.in_block);
    const bool held = warp.block->at_barrier(warp.in_block);
    // A warp at a barrier has its pc behind it.
    const std::uint32_t line = kernel.code[held && pc > 0 ? pc - 1 : pc].line;
    return fmt::format("{}:{}: kernel '{}', block ({},{},{}), warp {} {}", kernel.file, line,
                       kernel.name, block.x, block.y, block.z, warp.in_block,
                       held ? "stands at a barrier" : "is still running");
  }
  return std::nullopt;
}

}  // namespace paws::core
