// SPDX-License-Identifier: MIT
#include "sim/exec/formed_warp_block.h"

#include <bit>
#include <string>

#include "sim/exec/barriers.h"
#include "sim/exec/block_rows.h"
#include "sim/exec/families.h"
#include "sim/exec/lane_masks.h"
#include "sim/support/error.h"

namespace paws::exec {
namespace {

/// Throws InputError for a kernel that relies on the program's warps.
void refuse_warp_wide(const ir::Kernel& kernel) {
  for (const ir::Instruction& in : kernel.code) {
    if (in.op == ir::Op::bar || ir::facts(in.op).lanes == ir::Lanes::own) continue;
    throw InputError(
        kernel.file, in.line,
        "kernel '" + kernel.name + "': " + ir::to_string(in.op) +
            " speaks of the lanes of a warp, and with dynamic warp formation they need "
            "not be in one warp");
  }
}

}  // namespace

struct FormedWarpBlock::Impl {
  Impl(const Executable& of, const LaunchShape& launch, const std::byte* params,
       DeviceMemory& memory, std::uint32_t core, std::uint32_t cores)
      : rows(of, launch, params, memory, core, cores) {
    refuse_warp_wide(rows.kernel());
  }

  void start(std::uint64_t linear);
  void execute(const FormedWarp& warp, std::uint64_t clock, FormedOutcome& outcome,
               DeferredAccesses* later);

  BlockRows rows;
  ThreadBarriers barriers;
  std::uint64_t executed = 0;
  std::uint64_t executed_threads = 0;

 private:
  /// Calls `each(row, lanes)` for the rows that execute the instruction, in their order, when
  /// `rows` speaks of that row.
  template <class Each>
  void each_row(const Decoded& in, std::uint64_t clock, Each each);
  void branch_indexed(const Decoded& in, std::uint64_t clock, FormedOutcome& outcome);
  void barrier(const Decoded& in, std::uint64_t clock, FormedOutcome& outcome);
  void exit(FormedOutcome& outcome);
  void release(const ThreadBarriers::Completion& completion, FormedOutcome& outcome);

  LargeOutcome whole;   ///< of the warp's threads at their place in the block
  Outcome row_outcome;  ///< of a row of an instruction that accesses no memory; not used
};

void FormedWarpBlock::Impl::start(std::uint64_t linear) {
  executed = 0;
  executed_threads = 0;
  LargeWarpMask threads{};
  for (unsigned row = 0; row < rows.count(); ++row) threads[row] = rows.lanes(row);
  barriers.start(threads);
  rows.start(linear);
}

void FormedWarpBlock::Impl::execute(const FormedWarp& warp, std::uint64_t clock,
                                    FormedOutcome& outcome, DeferredAccesses* later) {
  const Decoded& in = rows.code(warp.pc);
  whole.path = {};
  for (LaneBits left = warp.lanes; left != 0; left &= left - 1) {
    whole.path[warp.row[static_cast<unsigned>(std::countr_zero(left))]] |= left & -left;
  }
  whole.active = {};
  for (unsigned row = 0; row < rows.count(); ++row) {
    if (whole.path[row] != 0) whole.active[row] = rows.guarded(in, row, whole.path[row]);
  }
  whole.memory = false;
  whole.store = false;
  whole.space = ir::Space::none;
  whole.bytes = 0;
  outcome.branch = false;
  outcome.taken = 0;
  outcome.ended = 0;
  outcome.waits = 0;
  outcome.released = {};
  for (LaneBits left = warp.lanes; left != 0; left &= left - 1) {
    outcome.next[static_cast<unsigned>(std::countr_zero(left))] = warp.pc + 1;
  }
  ++executed;
  executed_threads += count(warp.lanes);
  if (in.flow == Flow::straight) {
    rows.straight(in, 0, rows.count(), whole.active, barriers.live(), clock, whole, later);
  }
  whole.gather(warp.lanes, warp.row, outcome.warp);
  switch (in.flow) {
    case Flow::straight:
      break;
    case Flow::bra:
      outcome.branch = true;
      outcome.taken = outcome.warp.active;
      for (LaneBits left = outcome.taken; left != 0; left &= left - 1) {
        outcome.next[static_cast<unsigned>(std::countr_zero(left))] = in.ir->target;
      }
      break;
    case Flow::brx:
      branch_indexed(in, clock, outcome);
      break;
    case Flow::call:
    case Flow::ret:
      each_row(in, clock, [&](unsigned, LaneMask) { rows.refuse_call(in); });
      break;
    case Flow::bar:
      barrier(in, clock, outcome);
      break;
    case Flow::trap:
      each_row(in, clock, [&](unsigned, LaneMask) { rows.trap(in); });
      break;
    case Flow::exit:
      exit(outcome);
      break;
  }
}

template <class Each>
void FormedWarpBlock::Impl::each_row(const Decoded& in, std::uint64_t clock, Each each) {
  for (unsigned row = 0; row < rows.count(); ++row) {
    const LaneMask lanes = whole.active[row];
    if (lanes == 0) continue;
    rows.begin(in, row, lanes, barriers.live()[row], clock, row_outcome);
    each(row, lanes);
  }
}

void FormedWarpBlock::Impl::branch_indexed(const Decoded& in, std::uint64_t clock,
                                           FormedOutcome& outcome) {
  outcome.branch = true;
  outcome.taken = outcome.warp.active;
  each_row(in, clock, [&](unsigned, LaneMask lanes) {
    for (LaneMask left = lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      outcome.next[lane] = rows.indexed_target(in, lane);
    }
  });
}

void FormedWarpBlock::Impl::barrier(const Decoded& in, std::uint64_t clock,
                                    FormedOutcome& outcome) {
  const LargeWarpMask before = barriers.waiting();
  each_row(in, clock, [&](unsigned row, LaneMask) {
    const BarrierArrival arrival = rows.arrival(in);
    rows.await(in, arrival);
    outcome.warp.barrier = outcome.warp.barrier || arrival.waits;
    release(barriers.arrive(row, arrival), outcome);
  });
  for (unsigned row = 0; row < rows.count(); ++row) {
    outcome.waits |= barriers.waiting()[row] & whole.active[row];
    outcome.released[row] &= before[row];
  }
}

void FormedWarpBlock::Impl::exit(FormedOutcome& outcome) {
  outcome.ended = outcome.warp.active;
  for (unsigned row = 0; row < rows.count(); ++row) {
    if (whole.active[row] == 0) continue;
    barriers.end(row, whole.active[row], [&](const ThreadBarriers::Completion& completion) {
      release(completion, outcome);
    });
  }
}

/// Lets threads go on, and gives them the result of their reduction.
void FormedWarpBlock::Impl::release(const ThreadBarriers::Completion& completion,
                                    FormedOutcome& outcome) {
  if (none(completion.released)) return;
  add(outcome.released, completion.released);
  rows.deliver(completion);
}

FormedWarpBlock::FormedWarpBlock(const Executable& executable, const LaunchShape& shape,
                                 const std::byte* params, DeviceMemory& memory, std::uint32_t core,
                                 std::uint32_t cores)
    : impl_(std::make_unique<Impl>(executable, shape, params, memory, core, cores)) {}
FormedWarpBlock::~FormedWarpBlock() = default;
FormedWarpBlock::FormedWarpBlock(FormedWarpBlock&&) noexcept = default;

void FormedWarpBlock::start(std::uint64_t index) { impl_->start(index); }
std::uint64_t FormedWarpBlock::index() const { return impl_->rows.index(); }
Dim3 FormedWarpBlock::coordinates() const { return impl_->rows.coordinates(); }
std::uint32_t FormedWarpBlock::pc(unsigned /*row*/) const { return 0; }
const LargeWarpMask& FormedWarpBlock::live() const { return impl_->barriers.live(); }
const LargeWarpMask& FormedWarpBlock::waiting() const { return impl_->barriers.waiting(); }
void FormedWarpBlock::execute(const FormedWarp& warp, std::uint64_t clock, FormedOutcome& outcome,
                              DeferredAccesses* later) {
  impl_->execute(warp, clock, outcome, later);
}
std::uint64_t FormedWarpBlock::executed() const { return impl_->executed; }
std::uint64_t FormedWarpBlock::executed_threads() const { return impl_->executed_threads; }

}  // namespace paws::exec
