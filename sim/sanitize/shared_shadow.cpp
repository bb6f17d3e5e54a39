// SPDX-License-Identifier: MIT
#include "sim/sanitize/shared_shadow.h"

#include <algorithm>
#include <bit>

namespace paws::sanitize {

SharedShadow::SharedShadow(std::uint64_t bytes, unsigned cell, unsigned warps)
    : bytes_(bytes),
      shift_(static_cast<unsigned>(std::countr_zero(cell))),
      warps_(warps),
      cells_((bytes + cell - 1) / cell),
      reads_(cells_.size() * warps) {}

void SharedShadow::start() { std::fill(cells_.begin(), cells_.end(), Cell{}); }

Encounter SharedShadow::read(Site by, std::uint64_t address, unsigned bytes,
                             const BarrierClocks& clocks) {
  Encounter met;
  const std::size_t end = (address + bytes) >> shift_;
  for (std::size_t index = address >> shift_; index < end; ++index) {
    Cell& cell = cells_[index];
    if (cell.period == 0) {
      met.uninitialised = true;
    } else if (!clocks.ordered(cell.warp, cell.period, by.warp)) {
      met.written = true;
      met.writer = {cell.pc, cell.warp, cell.lane};
    }
    cell.readers |= exec::BlockWarpMask{1} << by.warp;
    reads_[index * warps_ + by.warp] = {clocks.now(by.warp), by.pc, by.lane};
  }
  return met;
}

void SharedShadow::replace(Site by, std::size_t index, bool atomic, const BarrierClocks& clocks,
                           Encounter& met) {
  Cell& cell = cells_[index];
  const bool both_atomic = atomic && cell.atomic;
  if (cell.period != 0 && !both_atomic && !clocks.ordered(cell.warp, cell.period, by.warp)) {
    met.written = true;
    met.writer = {cell.pc, cell.warp, cell.lane};
  }
  for (exec::BlockWarpMask left = cell.readers; left != 0; left &= left - 1) {
    const auto warp = static_cast<std::uint8_t>(std::countr_zero(left));
    const Read& read = reads_[index * warps_ + warp];
    if (clocks.ordered(warp, read.period, by.warp)) continue;
    met.read = true;
    met.reader = {read.pc, warp, read.lane};
  }
  cell = {.period = clocks.now(by.warp),
          .pc = by.pc,
          .readers = 0,
          .warp = by.warp,
          .lane = by.lane,
          .atomic = atomic};
}

Encounter SharedShadow::write(Site by, std::uint64_t address, unsigned bytes,
                              const BarrierClocks& clocks) {
  Encounter met;
  const std::size_t end = (address + bytes) >> shift_;
  for (std::size_t index = address >> shift_; index < end; ++index) {
    replace(by, index, false, clocks, met);
  }
  return met;
}

Encounter SharedShadow::update(Site by, std::uint64_t address, unsigned bytes,
                               const BarrierClocks& clocks) {
  Encounter met;
  const std::size_t end = (address + bytes) >> shift_;
  for (std::size_t index = address >> shift_; index < end; ++index) {
    met.uninitialised = met.uninitialised || cells_[index].period == 0;
    replace(by, index, true, clocks, met);
  }
  return met;
}

}  // namespace paws::sanitize
