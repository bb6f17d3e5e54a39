// SPDX-License-Identifier: MIT
#include "sim/exec/warp_executor.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "sim/exec/access.h"
#include "sim/exec/barriers.h"
#include "sim/exec/block_observer.h"
#include "sim/exec/deferred.h"
#include "sim/exec/executable.h"
#include "sim/exec/fault.h"
#include "sim/exec/simt_stack.h"
#include "sim/support/error.h"

namespace paws::exec {
namespace {

constexpr std::uint64_t kMaxWarps = 8 * sizeof(BlockWarpMask);

std::size_t aligned(std::uint64_t bytes) {
  return (bytes + kSlotAlign - 1) / kSlotAlign * kSlotAlign;
}

unsigned warps_of(const ir::Kernel& kernel, const LaunchShape& shape) {
  const std::uint64_t threads = shape.block.count();
  const std::uint64_t warps = (threads + ir::kWarpSize - 1) / ir::kWarpSize;
  if (warps == 0 || warps > kMaxWarps) {
    throw InputError(kernel.file, "kernel '" + kernel.name + "': a block of " +
                                      std::to_string(threads) + " threads; 1 to " +
                                      std::to_string(kMaxWarps * ir::kWarpSize) + " are possible");
  }
  return static_cast<unsigned>(warps);
}

/// Where accesses to global memory go, if not to memory at once, and for which block.
struct Deferral {
  DeferredAccesses* accesses = nullptr;
  Block* block = nullptr;
};

}  // namespace

struct Block::Impl {
  Impl(const Executable& of, const LaunchShape& launch, const std::byte* params,
       DeviceMemory& memory, std::uint32_t core_index, std::uint32_t core_count);

  void start(std::uint64_t linear);
  void execute(unsigned warp, std::uint64_t clock, Outcome& outcome, Deferral later);
  void perform(const DeferredAccess& access, std::byte* operands);
  [[nodiscard]] bool next_ends_warp(unsigned warp) const;
  [[nodiscard]] LaneMask guarded(const Decoded& in, unsigned warp) const;

  const Executable::Impl& code;
  LaunchShape shape;
  std::uint32_t core, cores;
  unsigned warp_count;
  std::uint64_t index = 0;
  std::uint64_t executed = 0;  ///< warp instructions since start()
  AlignedBytes slots, shared, local;
  std::size_t warp_slots;  ///< bytes from warp to warp
  std::size_t warp_local;
  std::vector<SimtStack> stacks;
  Barriers barriers;
  std::vector<std::pair<const Decoded*, LaneMask>> awaited;  ///< bar.red whose result is due
  std::vector<const DeviceMemory::Allocation*> hits;
  std::unique_ptr<BlockObserver> observer;  ///< mostly none
  WarpContext ctx;

 private:
  [[nodiscard]] std::byte* slots_of(unsigned warp) const {
    return slots.data() + warp * warp_slots;
  }
  void defer(const Decoded& in, std::uint64_t clock, const Deferral& later);
  void fill_specials(unsigned warp, bool all);
  void fill_clock(std::uint64_t clock);
  [[nodiscard]] std::uint64_t special(ir::Special which, unsigned warp, unsigned lane) const;
  void branch(SimtStack& stack, const Decoded& in, LaneMask taken);
  void branch_indexed(SimtStack& stack, const Decoded& in, LaneMask taken);
  void barrier(SimtStack& stack, const Decoded& in, Outcome& outcome);
  void release(const Barriers::Completion& completion, Outcome& outcome);
};

Block::Impl::Impl(const Executable& of, const LaunchShape& launch, const std::byte* params,
                  DeviceMemory& memory, std::uint32_t core_index, std::uint32_t core_count)
    : code(of.impl()),
      shape(launch),
      core(core_index),
      cores(core_count),
      warp_count(warps_of(code.kernel, launch)),
      slots(warp_count * aligned(code.slot_bytes)),
      shared(code.kernel.shared_bytes + std::uint64_t{launch.dynamic_shared}),
      local(warp_count * aligned(std::uint64_t{code.kernel.local_bytes} * ir::kWarpSize)),
      warp_slots(aligned(code.slot_bytes)),
      warp_local(aligned(std::uint64_t{code.kernel.local_bytes} * ir::kWarpSize)),
      stacks(warp_count),
      awaited(warp_count),
      hits(code.memory_instructions) {
  ctx.base[1] = code.constants.data();
  ctx.shared = shared.data();
  ctx.shared_bytes = code.kernel.shared_bytes + std::uint64_t{launch.dynamic_shared};
  ctx.local_bytes = code.kernel.local_bytes;
  ctx.params = const_cast<std::byte*>(params);  // only ever read: stores to param space are refused
  ctx.param_bytes = code.kernel.param_bytes;
  ctx.memory = &memory;
  ctx.hits = hits.data();
  ctx.kernel = &code.kernel;
  ctx.block_shape = launch.block;
  for (unsigned warp = 0; warp < warp_count; ++warp) fill_specials(warp, true);
}

void Block::Impl::start(std::uint64_t linear) {
  index = linear;
  executed = 0;
  const Dim3& grid = shape.grid;
  ctx.block = {static_cast<std::uint32_t>(linear % grid.x),
               static_cast<std::uint32_t>(linear / grid.x % grid.y),
               static_cast<std::uint32_t>(linear / grid.x / grid.y)};
  shared.clear();
  local.clear();
  const std::uint64_t threads = shape.block.count();
  for (unsigned warp = 0; warp < warp_count; ++warp) {
    const std::uint64_t left = threads - std::uint64_t{warp} * ir::kWarpSize;
    stacks[warp].start(left >= ir::kWarpSize ? kAllLanes : (LaneMask{1} << left) - 1);
    std::memset(slots_of(warp), 0, code.register_bytes);
    fill_specials(warp, false);
  }
  barriers.start(warp_count == kMaxWarps ? ~BlockWarpMask{0}
                                         : (BlockWarpMask{1} << warp_count) - 1);
  if (observer) observer->started(ctx.block, index);
}

std::uint64_t Block::Impl::special(ir::Special which, unsigned warp, unsigned lane) const {
  using S = ir::Special;
  const std::uint64_t thread = std::uint64_t{warp} * ir::kWarpSize + lane;
  const LaneMask own = LaneMask{1} << lane;
  switch (which) {
    case S::tid_x:
      return thread % shape.block.x;
    case S::tid_y:
      return thread / shape.block.x % shape.block.y;
    case S::tid_z:
      return thread / shape.block.x / shape.block.y;
    case S::ntid_x:
      return shape.block.x;
    case S::ntid_y:
      return shape.block.y;
    case S::ntid_z:
      return shape.block.z;
    case S::ctaid_x:
      return ctx.block.x;
    case S::ctaid_y:
      return ctx.block.y;
    case S::ctaid_z:
      return ctx.block.z;
    case S::nctaid_x:
      return shape.grid.x;
    case S::nctaid_y:
      return shape.grid.y;
    case S::nctaid_z:
      return shape.grid.z;
    case S::laneid:
      return lane;
    case S::warpid:
      return warp;
    case S::nwarpid:
      return warp_count;
    case S::smid:
      return core;
    case S::nsmid:
      return cores;
    case S::lanemask_eq:
      return own;
    case S::lanemask_le:
      return own | (own - 1);
    case S::lanemask_lt:
      return own - 1;
    case S::lanemask_ge:
      return static_cast<LaneMask>(~(own - 1));
    case S::lanemask_gt:
      return static_cast<LaneMask>(~(own | (own - 1)));
    case S::dynamic_smem_size:
      return shape.dynamic_shared;
    case S::total_smem_size:
      return ctx.shared_bytes;
    case S::gridid:
    case S::clock:
    case S::clock_hi:
    case S::clock64:
    case S::globaltimer:
      return 0;
  }
  return 0;
}

/// All special registers of a warp, or only those that change from block to block.
void Block::Impl::fill_specials(unsigned warp, bool all) {
  for (const SpecialSlot& slot : code.specials) {
    const bool changes = slot.special == ir::Special::ctaid_x ||
                         slot.special == ir::Special::ctaid_y ||
                         slot.special == ir::Special::ctaid_z;
    if (!all && !changes) continue;
    const std::size_t size = slot.width == Width::w64 ? 8 : 4;
    for (unsigned lane = 0; lane < ir::kWarpSize; ++lane) {
      const std::uint64_t value = special(slot.special, warp, lane);
      std::memcpy(slots_of(warp) + slot.offset + lane * size, &value, size);
    }
  }
}

/// The clocks of the warp in ctx; a timer tick is a cycle.
void Block::Impl::fill_clock(std::uint64_t clock) {
  for (const SpecialSlot& slot : code.specials) {
    std::uint64_t value = clock;
    switch (slot.special) {
      case ir::Special::clock:
      case ir::Special::clock64:
      case ir::Special::globaltimer:
        break;
      case ir::Special::clock_hi:
        value = clock >> 32;
        break;
      default:
        continue;
    }
    const std::size_t size = slot.width == Width::w64 ? 8 : 4;
    for (unsigned lane = 0; lane < ir::kWarpSize; ++lane) {
      std::memcpy(ctx.base[0] + slot.offset + lane * size, &value, size);
    }
  }
}

LaneMask Block::Impl::guarded(const Decoded& in, unsigned warp) const {
  const LaneMask lanes = stacks[warp].lanes();
  if (in.guard == kNoSlot) return lanes;
  LaneMask holds = 0;
  std::memcpy(&holds, slots_of(warp) + in.guard, sizeof(holds));
  return lanes & (holds ^ in.guard_flip);
}

bool Block::Impl::next_ends_warp(unsigned warp) const {
  const SimtStack& stack = stacks[warp];
  if (stack.empty()) return false;
  const Decoded& in = code.code[stack.pc()];
  return in.flow == Flow::exit && guarded(in, warp) == stack.live();
}

/// Captures an access to global memory for later; what turns out not to be one is done now.
void Block::Impl::defer(const Decoded& in, std::uint64_t clock, const Deferral& later) {
  for (const Resize& resize : in.narrow) narrow(resize, ctx);
  Outcome& outcome = *ctx.outcome;
  addresses_of(in, ctx, outcome.addresses);
  LaneMask global = ctx.active;
  const ir::Space space = in.ir->space;
  if (space != ir::Space::global) global = global_lanes(ctx, outcome.addresses);
  if (global == 0) {
    in.handler(in, ctx);
    return;
  }
  const LateAccess& late = code.late[in.late];
  std::byte* operands = later.accesses->add(
      {clock, later.block, ctx.warp, static_cast<std::uint32_t>(&in - code.code.data()), global, 0},
      late.operand_bytes);
  std::memcpy(operands, outcome.addresses.data(), sizeof(outcome.addresses));
  for (const LateAccess::Copy& copy : late.copies) {
    std::memcpy(operands + copy.to, ctx.base[0] + copy.from, copy.bytes);
  }
  if (global != ctx.active) {
    // Lanes in several windows: only those in global memory wait.
    const LaneMask all = std::exchange(ctx.active, ctx.active & ~global);
    in.handler(in, ctx);
    ctx.active = all;
    std::memcpy(outcome.addresses.data(), operands, sizeof(outcome.addresses));
  }
  outcome.memory = true;
  outcome.store = in.ir->op != ir::Op::ld;
  outcome.space = global == ctx.active ? ir::Space::global : ir::Space::generic;
  outcome.bytes = late.access_bytes;
}

void Block::Impl::perform(const DeferredAccess& access, std::byte* operands) {
  ctx.base[0] = slots_of(access.warp);
  ctx.base[2] = operands;
  ctx.active = access.active;
  ctx.warp = access.warp;
  Outcome outcome;  // not used
  ctx.outcome = &outcome;
  const Decoded& in = code.late[code.code[access.pc].late].in;
  in.handler(in, ctx);
}

void Block::Impl::execute(unsigned warp, std::uint64_t clock, Outcome& outcome, Deferral later) {
  SimtStack& stack = stacks[warp];
  const std::uint32_t pc = stack.pc();
  const Decoded& in = code.code[pc];
  const LaneMask active = guarded(in, warp);
  ++executed;
  outcome.active = active;
  outcome.path = stack.lanes();
  outcome.memory = false;
  outcome.store = false;
  outcome.done = false;
  outcome.barrier = false;
  outcome.space = ir::Space::none;
  outcome.bytes = 0;
  outcome.released = 0;
  if (active == 0) {
    stack.advance(pc + 1);
    return;
  }
  ctx.base[0] = slots_of(warp);
  ctx.active = active;
  ctx.warp = warp;
  ctx.outcome = &outcome;
  if (in.reads_clock) fill_clock(clock);
  if (observer) observer->executing({in, ctx, pc, stack.live()});
  switch (in.flow) {
    case Flow::straight:
      ctx.local = local.data() + warp * warp_local;
      if (later.accesses != nullptr && in.late != kNotDeferrable) {
        defer(in, clock, later);
      } else {
        in.handler(in, ctx);
      }
      stack.advance(pc + 1);
      break;
    case Flow::bra:
      branch(stack, in, active);
      break;
    case Flow::brx:
      branch_indexed(stack, in, active);
      break;
    case Flow::bar:
      barrier(stack, in, outcome);
      break;
    case Flow::trap:
      fault(in, ctx, std::countr_zero(active), "trap");
    case Flow::exit:
      stack.exit(active, pc + 1);
      if (stack.empty()) {
        outcome.done = true;
        barriers.end(warp,
                     [&](const Barriers::Completion& completion) { release(completion, outcome); });
      }
      break;
  }
}

void Block::Impl::branch(SimtStack& stack, const Decoded& in, LaneMask taken) {
  const LaneMask stay = stack.lanes() & ~taken;
  if (stay == 0) {
    stack.advance(in.ir->target);
  } else {
    const std::array<SimtStack::Leg, 2> legs{{{stack.pc() + 1, stay}, {in.ir->target, taken}}};
    stack.diverge(legs, in.ir->reconverge);
  }
}

void Block::Impl::branch_indexed(SimtStack& stack, const Decoded& in, LaneMask taken) {
  const auto* index_lanes = ctx.lanes<std::uint32_t>(in.src[0]);
  std::vector<SimtStack::Leg> legs;
  const LaneMask stay = stack.lanes() & ~taken;
  if (stay != 0) legs.push_back({stack.pc() + 1, stay});
  for (LaneMask left = taken; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    if (index_lanes[lane] >= in.ir->table.size()) {
      fault(in, ctx, static_cast<int>(lane),
            "branch index " + std::to_string(index_lanes[lane]) + ", the table has " +
                std::to_string(in.ir->table.size()) + " targets");
    }
    const std::uint32_t target = in.ir->table[index_lanes[lane]];
    const auto known = std::find_if(
        legs.begin(), legs.end(), [&](const SimtStack::Leg& leg) { return leg.target == target; });
    if (known == legs.end()) {
      legs.push_back({target, LaneMask{1} << lane});
    } else {
      known->lanes |= LaneMask{1} << lane;
    }
  }
  if (legs.size() == 1) {
    stack.advance(legs[0].target);
  } else {
    stack.diverge(legs, in.ir->reconverge);
  }
}

void Block::Impl::barrier(SimtStack& stack, const Decoded& in, Outcome& outcome) {
  const auto first = static_cast<unsigned>(std::countr_zero(ctx.active));
  const auto uniform = [&](const Source& source) {
    return source.offset == kNoSlot ? 0 : ctx.lanes<std::uint32_t>(source)[first];
  };
  Barriers::Arrival arrival;
  arrival.barrier = uniform(in.src[0]);
  arrival.threads = uniform(in.src[1]);
  arrival.waits = in.ir->bar != ir::BarMode::arrive;
  arrival.lanes = ctx.active;
  if (in.src[2].offset != kNoSlot) arrival.holds = ctx.mask(in.src[2]) & ctx.active;
  if (arrival.barrier >= kBarriers) {
    fault(in, ctx, -1,
          "barrier " + std::to_string(arrival.barrier) + ", a block has 0 to " +
              std::to_string(kBarriers - 1));
  }
  if (arrival.threads % ir::kWarpSize != 0 || arrival.threads > warp_count * ir::kWarpSize) {
    fault(in, ctx, -1,
          "a barrier of " + std::to_string(arrival.threads) +
              " threads; whole warps of the block are possible, at most " +
              std::to_string(warp_count * ir::kWarpSize));
  }
  if (!arrival.waits && arrival.threads == 0) {
    fault(in, ctx, -1, "bar.arrive without a number of threads");
  }
  outcome.barrier = arrival.waits;
  awaited[ctx.warp] = {&in, ctx.active};
  const unsigned warp = ctx.warp;
  stack.advance(stack.pc() + 1);
  release(barriers.arrive(warp, arrival), outcome);
}

/// Lets warps go on, and gives them the result of their reduction.
void Block::Impl::release(const Barriers::Completion& completion, Outcome& outcome) {
  outcome.released |= completion.released;
  if (observer && completion.released != 0) observer->released(completion.released);
  for (BlockWarpMask left = completion.released; left != 0; left &= left - 1) {
    const auto warp = static_cast<unsigned>(std::countr_zero(left));
    const auto& [in, lanes] = awaited[warp];
    if (in->dst[0] == kNoSlot) continue;
    ctx.base[0] = slots_of(warp);
    ctx.active = lanes;
    switch (in->ir->bar) {
      case ir::BarMode::red_and:
        ctx.set_mask(in->dst[0], completion.all ? kAllLanes : 0);
        break;
      case ir::BarMode::red_or:
        ctx.set_mask(in->dst[0], completion.count ? kAllLanes : 0);
        break;
      default:
        for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
          const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
          std::memcpy(ctx.base[0] + in->dst[0] + 4 * lane, &completion.count, 4);
        }
        break;
    }
  }
}

Block::Block(const Executable& executable, const LaunchShape& shape, const std::byte* params,
             DeviceMemory& memory, std::uint32_t core, std::uint32_t cores)
    : impl_(std::make_unique<Impl>(executable, shape, params, memory, core, cores)) {}
Block::~Block() = default;
Block::Block(Block&&) noexcept = default;

void Block::watch(std::unique_ptr<BlockObserver> observer) {
  impl_->observer = std::move(observer);
}
void Block::start(std::uint64_t index) { impl_->start(index); }
unsigned Block::warps() const { return impl_->warp_count; }
std::uint64_t Block::index() const { return impl_->index; }
Dim3 Block::coordinates() const { return impl_->ctx.block; }
bool Block::done(unsigned warp) const { return impl_->stacks[warp].empty(); }
bool Block::at_barrier(unsigned warp) const { return impl_->barriers.waiting(warp); }
std::uint32_t Block::pc(unsigned warp) const {
  return done(warp) ? static_cast<std::uint32_t>(impl_->code.code.size())
                    : impl_->stacks[warp].pc();
}
LaneMask Block::active(unsigned warp) const { return done(warp) ? 0 : impl_->stacks[warp].lanes(); }
bool Block::next_ends_warp(unsigned warp) const { return impl_->next_ends_warp(warp); }
std::uint64_t Block::executed() const { return impl_->executed; }
void Block::execute(unsigned warp, std::uint64_t clock, Outcome& outcome, DeferredAccesses* later) {
  impl_->execute(warp, clock, outcome, {later, this});
}
void Block::perform(const DeferredAccess& access, std::byte* operands) {
  impl_->perform(access, operands);
}

}  // namespace paws::exec
