// SPDX-License-Identifier: MIT
#include "sim/core/barrel_core.h"

#include <stdexcept>
#include <utility>

#include "sim/stats/conservation.h"

namespace paws::core {

BarrelCore::BarrelCore(const GpuConfig& config, bool distance, std::uint32_t number,
                       memory::Port& crossbar, std::unique_ptr<CoreObserver> observer,
                       std::uint32_t waiters)
    : Core(config, distance, number, crossbar, std::move(observer)),
      back_end_(config, crossbar, statistics_, waiters),
      icache_(config, crossbar, statistics_) {}

void BarrelCore::begin(const RunningKernels& running, std::uint64_t cycle) {
  back_end_.begin();
  begin_launches(running, cycle);
  begin_front();
  state_ = SchedulerState::no_instruction;
  wake_ = skip_idle_cycles_ ? kNever : cycle;
  if (observer_) observer_->begin(*this, running, cycle);
}

void BarrelCore::end(std::uint64_t cycle) {
  run(cycle, cycle);
  account_until(cycle);
  end_parts(cycle);
  end_part(cycle);
  const L1DataCache& l1 = back_end_.l1();
  check_drained(number_, {alu_in_flight_, memory_in_flight_, l1.outstanding_loads(),
                          l1.outstanding_stores(), l1.outstanding_lines(), icache_.lines()});
  if (observer_) observer_->end(cycle);
}

bool BarrelCore::idle() const {
  return blocks_.empty() && starts_.empty() && back_end_.empty() &&
         back_end_.l1().outstanding_stores() == 0 && icache_.lines() == 0;
}

void BarrelCore::run(std::uint64_t sure, std::uint64_t end) {
  for (;;) {
    const std::uint64_t cycle = next_cycle();
    const bool idling = idle();
    if (cycle >= (idling ? sure : end)) return;
    if (cycle < accounted_) throw std::logic_error("a core learns of something in its past");
    if (!idling) last_active_ = cycle;
    now_ = cycle;
    account_until(cycle);
    if (!starts_.empty() && starts_.front().cycle == cycle) {
      block_started(take_block(starts_.front()));
      starts_.pop_front();
    }
    if (cycle >= parts_.end()) end_parts(cycle);
    while (crossbar_.next_response() == cycle) respond(crossbar_.take_response());
    step(cycle);
    wake_ = skip_idle_cycles_ ? next_step(cycle) : cycle + 1;
  }
}

void BarrelCore::respond(const memory::Response& response) {
  if (response.kind == memory::RequestKind::instruction) {
    icache_.respond(response);
  } else {
    back_end_.respond(response, [this](std::uint32_t waiter) { wait_ended(waiter); });
  }
}

void BarrelCore::step(std::uint64_t cycle) {
  while (icache_.next_line() <= cycle) icache_.take_line();
  while (icache_.has_served()) line_came(icache_.next_served());
  const bool frozen = back_end_.step(cycle);
  for (const std::uint32_t waiter : back_end_.begun()) wait_begun(waiter);
  back_end_.begun().clear();
  if (const SubWarp* const leaving = back_end_.leaving()) leave(*leaving);
  const bool taken = decode(frozen);
  const bool stalled = !frozen && forming();
  statistics_.barrel.frozen_cycles += frozen ? 1 : 0;
  statistics_.barrel.forming_cycles += stalled ? 1 : 0;
  state_ = taken ? SchedulerState::issued : frozen ? SchedulerState::pipeline : idle_state();
  decide(cycle, !frozen && !stalled, state_);
  const SchedulerState state = state_;
  accounted_ = cycle + 1;
  select(cycle);
  account(state, 1);
  if (observer_) observer_->stepped(cycle);
}

std::uint64_t BarrelCore::next_step(std::uint64_t cycle) const {
  if (active() || !back_end_.empty() || state_ != idle_state()) return cycle + 1;
  return icache_.next_line();
}

void BarrelCore::account_until(std::uint64_t cycle) {
  if (cycle <= accounted_) return;
  if (observer_) observer_->skipped(accounted_, cycle);
  account(idle_state(), cycle - accounted_);
  accounted_ = cycle;
}

void BarrelCore::account(SchedulerState state, std::uint64_t cycles) {
  statistics_.scheduler_cycles[static_cast<std::size_t>(state)] += cycles;
  if (state == SchedulerState::operand && held()) statistics_.held_cycles += cycles;
  account_flight(cycles);
  statistics_.outstanding_cycles += back_end_.l1().outstanding_loads() * cycles;
  statistics_.unacknowledged_cycles += back_end_.l1().outstanding_stores() * cycles;
  statistics_.fetching_cycles += icache_.outstanding() * cycles;
}

bool BarrelCore::fetch(std::uint64_t address, std::uint32_t waiter, std::uint64_t cycle,
                       bool& waits) {
  const InstructionCache::Result result = icache_.fetch(address, waiter, cycle);
  waits = result == InstructionCache::Result::miss;
  if (result == InstructionCache::Result::hit) return true;
  ++statistics_.barrel.lost_fetches;
  return false;
}

void BarrelCore::end_block(const BlockTable::Slot* slot) {
  if (slot == nullptr) return;
  count_block(*slot);
  block_ended(*slot);
}

}  // namespace paws::core
