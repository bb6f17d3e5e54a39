// SPDX-License-Identifier: MIT
#include "sim/core/operand_collector.h"

#include <algorithm>

namespace paws::core {

OperandCollector::OperandCollector(const GpuConfig& config)
    : banks_(config.core.register_banks),
      schedulers_(config.core.schedulers),
      bank_free_(banks_, 0) {
  if (banks_ == 0) return;
  auto add = [this](unsigned collectors) {
    units_.emplace_back();
    units_.back().collectors.assign(collectors, 0);
  };
  for (unsigned s = 0; s < schedulers_; ++s) add(config.core.alu_collectors);
  add(config.core.sfu_collectors);
  add(config.core.double_collectors);
  add(config.core.memory_collectors);
  for (unsigned s = 0; s < schedulers_; ++s) add(config.core.alu_collectors);  // tensor cores
  for (unsigned warp = 0; warp < config.core.warps; ++warp) shift_.push_back(warp % banks_);
}

template <typename Function>
void OperandCollector::for_each_bank(const std::uint8_t* offsets, unsigned count,
                                     std::uint32_t warp, Function&& apply) {
  const unsigned shift = shift_[warp];
  for (unsigned i = 0; i < count; ++i) {
    const unsigned bank = offsets[i] + shift;
    apply(bank_free_[bank < banks_ ? bank : bank - banks_]);
  }
}

OperandCollector::Booking OperandCollector::issue(const TimedKernel& kernel,
                                                  const TimedInstruction& timed, std::uint32_t warp,
                                                  unsigned scheduler, std::uint64_t cycle) {
  if (banks_ == 0) return {0, cycle, cycle + timed.interval};
  std::uint64_t collected = cycle;
  for_each_bank(kernel.read_banks(timed), timed.reads, warp, [&](std::uint64_t& free) {
    const std::uint64_t slot = std::max(cycle, free);
    free = slot + 1;
    collected = std::max(collected, slot);
  });
  unsigned number = scheduler;
  if (timed.unit != Unit::alu) number = schedulers_ + static_cast<unsigned>(timed.unit) - 1;
  if (timed.unit == Unit::tensor) number += scheduler;
  ExecutionUnit& unit = units_[number];
  Booking booking;
  booking.conflicts = collected - cycle;
  booking.start = std::max(collected, unit.next_start);
  booking.accepts = cycle + timed.interval;
  unit.next_start = booking.start + timed.interval;
  // Without a delay the collector is free again before the unit accepts the next.
  if (booking.start == cycle) return booking;
  auto& collectors = unit.collectors;
  *std::min_element(collectors.begin(), collectors.end()) = booking.start + 1;
  booking.accepts =
      std::max(booking.accepts, *std::min_element(collectors.begin(), collectors.end()));
  return booking;
}

void OperandCollector::write_back(const TimedKernel& kernel, const TimedInstruction& timed,
                                  std::uint32_t warp, std::uint64_t cycle) {
  if (banks_ == 0) return;
  for_each_bank(kernel.write_banks(timed), timed.writes, warp,
                [cycle](std::uint64_t& free) { free = std::max(free + 1, cycle); });
}

}  // namespace paws::core
