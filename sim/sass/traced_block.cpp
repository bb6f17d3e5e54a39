// SPDX-License-Identifier: MIT
#include "sim/sass/traced_block.h"

#include <bit>
#include <stdexcept>

#include "sim/ir/kernel.h"
#include "sim/sass/opcodes.h"

namespace paws::sass {
namespace {

/// What a barrier instruction says as a warp comes to it.
exec::BarrierArrival arrival_of(const TracedCode::Entry& entry, exec::LaneMask active) {
  exec::BarrierArrival arrival;
  arrival.barrier = static_cast<unsigned>(entry.immediates[0]);
  arrival.threads = static_cast<std::uint32_t>(entry.immediates[1]);
  arrival.waits = entry.operation.bar != ir::BarMode::arrive;
  arrival.lanes = active;
  return arrival;
}

bool stores(const ir::Instruction& operation) {
  switch (operation.op) {
    case ir::Op::ld:
    case ir::Op::ldmatrix:
    case ir::Op::copy_async:
      return false;
    default:
      return true;
  }
}

/// Lanes of an asynchronous copy that only write zeros to shared memory: kNoSource.
exec::LaneMask lanes_at_nothing(const exec::Outcome& outcome) {
  exec::LaneMask nothing = 0;
  for (exec::LaneMask left = outcome.active; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    if (outcome.addresses[lane] == kNoSource) nothing |= exec::LaneMask{1} << lane;
  }
  return nothing;
}

}  // namespace

TracedBlock::TracedBlock(const TracedLaunch& launch) : launch_(launch), warps_(launch.warps()) {}

void TracedBlock::start(std::uint64_t index) {
  index_ = index;
  executed_ = 0;
  for (std::uint32_t warp = 0; warp < warps_.size(); ++warp) {
    warps_[warp] = {launch_.begin(index, warp), launch_.end(index, warp)};
  }
  barriers_.start(static_cast<exec::BlockWarpMask>((std::uint64_t{1} << warps_.size()) - 1));
}

exec::Dim3 TracedBlock::coordinates() const {
  const exec::Dim3& grid = launch_.grid();
  return {static_cast<std::uint32_t>(index_ % grid.x),
          static_cast<std::uint32_t>(index_ / grid.x % grid.y),
          static_cast<std::uint32_t>(index_ / grid.x / grid.y)};
}

std::uint32_t TracedBlock::pc(unsigned warp) const {
  const Warp& at = warps_[warp];
  return at.next == at.end ? 0 : launch_.steps()[at.next].pc;
}

void TracedBlock::execute(unsigned warp, std::uint64_t /*clock*/, exec::Outcome& outcome,
                          exec::DeferredAccesses* /*later*/) {
  Warp& at = warps_[warp];
  const TracedLaunch::Step& step = launch_.steps()[at.next++];
  const ir::Instruction& operation = launch_.entry(step.pc).operation;
  ++executed_;
  outcome.active = step.active;
  outcome.path = step.active;
  outcome.memory = step.access != TracedLaunch::kNone;
  outcome.store = outcome.memory && stores(operation);
  outcome.done = at.next == at.end;
  outcome.barrier = false;
  outcome.space = ir::Space::none;
  outcome.bytes = 0;
  outcome.released = 0;
  outcome.reads_nothing = 0;
  if (outcome.memory) {
    outcome.space = launch_.access(step).space;
    outcome.bytes = static_cast<std::uint8_t>(lane_bytes(operation));
    launch_.addresses(step, outcome.addresses);
    if (operation.op == ir::Op::copy_async) outcome.reads_nothing = lanes_at_nothing(outcome);
  }
  if (operation.op == ir::Op::bar && step.active != 0) {
    const exec::BarrierArrival arrival = arrival_of(launch_.entry(step.pc), step.active);
    outcome.barrier = arrival.waits;
    outcome.released = barriers_.arrive(warp, arrival).released;
  }
  if (outcome.done) {
    barriers_.end(warp, step.active, [&](const exec::Barriers::Completion& completion) {
      outcome.released |= completion.released;
    });
  }
  outcome.pc = pc(warp);
  outcome.at_barrier = barriers_.waiting(warp);
}

void TracedBlock::arrive(unsigned /*warp*/, const exec::LateArrival& /*arrival*/) {
  throw std::logic_error("a trace has asked for an arrival at a barrier object");
}

}  // namespace paws::sass
