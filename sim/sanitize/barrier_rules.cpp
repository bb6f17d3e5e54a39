// SPDX-License-Identifier: MIT
#include "sim/sanitize/barrier_rules.h"

#include <bit>

namespace paws::sanitize {

void BarrierRules::start() { waits_ = {}; }

std::optional<BarrierRules::Arrival> BarrierRules::arrival(
    const exec::PendingInstruction& instruction) {
  const auto lane = static_cast<std::size_t>(std::countr_zero(instruction.active()));
  Arrival arrival;
  if (instruction.has_source(0)) {
    arrival.barrier = static_cast<unsigned>(instruction.source(0)[lane]);
  }
  arrival.whole = !instruction.has_source(1) || instruction.source(1)[lane] == 0;
  if (arrival.barrier >= exec::kBarriers) return std::nullopt;  // the execution says so
  return arrival;
}

std::optional<Divergence> BarrierRules::arrive(const exec::PendingInstruction& instruction,
                                               const Arrival& arrival) {
  const unsigned warp = instruction.warp();
  const auto lane = static_cast<unsigned>(std::countr_zero(instruction.active()));
  waits_[warp] = {arrival.barrier, arrival.whole, instruction.pc(), lane};
  const exec::LaneMask missing = instruction.live() & ~instruction.active();
  if (missing == 0) return std::nullopt;
  return Divergence{.cause = Divergence::Cause::lanes_missing,
                    .pc = instruction.pc(),
                    .warp = warp,
                    .lane = lane,
                    .missing = missing};
}

std::optional<Divergence> BarrierRules::release(exec::BlockWarpMask warps) {
  const auto first = static_cast<unsigned>(std::countr_zero(warps));
  const Wait& wait = waits_[first];
  if (!wait.whole) return std::nullopt;
  for (exec::BlockWarpMask left = warps & (warps - 1); left != 0; left &= left - 1) {
    const auto warp = static_cast<unsigned>(std::countr_zero(left));
    if (waits_[warp].pc == wait.pc) continue;
    return Divergence{.cause = Divergence::Cause::other_barrier,
                      .pc = wait.pc,
                      .warp = first,
                      .lane = wait.lane,
                      .other_warp = warp,
                      .other_pc = waits_[warp].pc};
  }
  return std::nullopt;
}

}  // namespace paws::sanitize
