// SPDX-License-Identifier: MIT
#include "sim/exec/block_rows.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "sim/exec/families.h"
#include "sim/exec/fault.h"
#include "sim/exec/print.h"
#include "sim/exec/texture.h"
#include "sim/support/error.h"

namespace paws::exec {
namespace {

std::size_t aligned(std::uint64_t bytes) {
  return (bytes + kSlotAlign - 1) / kSlotAlign * kSlotAlign;
}

unsigned rows_of(const ir::Kernel& kernel, const LaunchShape& shape) {
  const std::uint64_t threads = shape.block.count();
  const std::uint64_t rows = (threads + ir::kWarpSize - 1) / ir::kWarpSize;
  if (rows == 0 || rows > BlockRows::kMost) {
    throw InputError(kernel.file, "kernel '" + kernel.name + "': a block of " +
                                      std::to_string(threads) + " threads; 1 to " +
                                      std::to_string(BlockRows::kMost * ir::kWarpSize) +
                                      " are possible");
  }
  return static_cast<unsigned>(rows);
}

}  // namespace

BlockRows::BlockRows(const Executable& of, const LaunchShape& launch, const std::byte* params,
                     DeviceMemory& memory, std::uint32_t core, std::uint32_t cores)
    : code_(of.impl()),
      shape_(launch),
      core_(core),
      cores_(cores),
      count_(rows_of(code_.kernel, launch)),
      slots_(count_ * aligned(code_.slot_bytes)),
      shared_(code_.kernel.shared_bytes + std::uint64_t{launch.dynamic_shared}),
      local_(count_ * aligned(std::uint64_t{code_.kernel.local_bytes} * ir::kWarpSize)),
      row_slots_(aligned(code_.slot_bytes)),
      row_local_(aligned(std::uint64_t{code_.kernel.local_bytes} * ir::kWarpSize)),
      hits_(code_.memory_instructions) {
  ctx_.base[1] = code_.constants.data();
  ctx_.shared = shared_.data();
  ctx_.shared_bytes = code_.kernel.shared_bytes + std::uint64_t{launch.dynamic_shared};
  ctx_.local_bytes = code_.kernel.local_bytes;
  ctx_.params =
      const_cast<std::byte*>(params);  // only ever read: stores to param space are refused
  ctx_.param_bytes = code_.kernel.param_bytes;
  ctx_.memory = &memory;
  ctx_.hits = hits_.data();
  ctx_.kernel = &code_.kernel;
  ctx_.block_shape = launch.block;
  for (unsigned row = 0; row < count_; ++row) {
    fill_specials(row);
    execute_invariant(row);
  }
}

void BlockRows::start(std::uint64_t linear) {
  index_ = linear;
  const Dim3& grid = shape_.grid;
  ctx_.block = {static_cast<std::uint32_t>(linear % grid.x),
                static_cast<std::uint32_t>(linear / grid.x % grid.y),
                static_cast<std::uint32_t>(linear / grid.x / grid.y)};
  shared_.clear();
  local_.clear();
  for (unsigned row = 0; row < count_; ++row) {
    for (const RegisterLayout::Part& part : code_.zeroed) {
      std::memset(slots_of(row) + part.offset, 0, part.bytes);
    }
  }
  fill_coordinates();
  for (std::vector<Awaited>& awaited : awaited_) awaited.clear();
  if (observer_) observer_->started(ctx_.block, index_);
}

std::uint64_t BlockRows::special(ir::Special which, unsigned row, unsigned lane) const {
  using S = ir::Special;
  const std::uint64_t thread = std::uint64_t{row} * ir::kWarpSize + lane;
  const LaneMask own = LaneMask{1} << lane;
  switch (which) {
    case S::tid_x:
      return thread % shape_.block.x;
    case S::tid_y:
      return thread / shape_.block.x % shape_.block.y;
    case S::tid_z:
      return thread / shape_.block.x / shape_.block.y;
    case S::ntid_x:
      return shape_.block.x;
    case S::ntid_y:
      return shape_.block.y;
    case S::ntid_z:
      return shape_.block.z;
    case S::ctaid_x:
      return ctx_.block.x;
    case S::ctaid_y:
      return ctx_.block.y;
    case S::ctaid_z:
      return ctx_.block.z;
    case S::nctaid_x:
      return shape_.grid.x;
    case S::nctaid_y:
      return shape_.grid.y;
    case S::nctaid_z:
      return shape_.grid.z;
    case S::laneid:
      return lane;
    case S::warpid:
      return row;
    case S::nwarpid:
      return count_;
    case S::smid:
      return core_;
    case S::nsmid:
      return cores_;
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
      return shape_.dynamic_shared;
    case S::total_smem_size:
      return ctx_.shared_bytes;
    case S::gridid:
    case S::clock:
    case S::clock_hi:
    case S::clock64:
    case S::globaltimer:
      return 0;
  }
  return 0;
}

/// The special registers of a warp.
void BlockRows::fill_specials(unsigned row) {
  for (const SpecialSlot& slot : code_.specials) {
    const std::size_t size = slot.width == Width::w64 ? 8 : 4;
    for (unsigned lane = 0; lane < ir::kWarpSize; ++lane) {
      const std::uint64_t value = special(slot.special, row, lane);
      std::memcpy(slots_of(row) + slot.offset + lane * size, &value, size);
    }
  }
}

/// In all lanes, so that those that come to these instructions find the results.
void BlockRows::execute_invariant(unsigned row) {
  Outcome unread;
  enter(row, unread);
  ctx_.active = kAllLanes;
  for (const Decoded& in : code_.invariant) in.quick(in, ctx_);
}

/// Those that change from block to block, which are the same in all lanes.
void BlockRows::fill_coordinates() {
  for (const SpecialSlot& slot : code_.specials) {
    const bool changes = slot.special == ir::Special::ctaid_x ||
                         slot.special == ir::Special::ctaid_y ||
                         slot.special == ir::Special::ctaid_z;
    if (!changes) continue;
    const auto fill = [&](auto value) {
      for (unsigned row = 0; row < count_; ++row) {
        auto* lanes = reinterpret_cast<decltype(value)*>(slots_of(row) + slot.offset);
        std::fill_n(lanes, ir::kWarpSize, value);
      }
    };
    const std::uint64_t value = special(slot.special, 0, 0);
    if (slot.width == Width::w64) {
      fill(value);
    } else {
      fill(static_cast<std::uint32_t>(value));
    }
  }
}

/// The clocks of the warp in ctx_; a timer tick is a cycle.
void BlockRows::fill_clock(std::uint64_t clock) {
  for (const SpecialSlot& slot : code_.specials) {
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
      std::memcpy(ctx_.base[0] + slot.offset + lane * size, &value, size);
    }
  }
}

/// Whether what the instruction takes from the block's own memory must be captured when it issues:
/// arguments of vprintf, the source of a bulk copy. Later it may have changed.
bool captures_memory(const ir::Instruction& in) {
  return in.op == ir::Op::print ||
         (in.op == ir::Op::copy_bulk && in.copies == ir::CopyKind::bulk_store);
}

/// Captures an access to global memory for later; what turns out not to be one is done now.
void BlockRows::defer(const Decoded& in, std::uint64_t clock, DeferredAccesses& later) {
  if (captures_memory(*in.ir)) {
    for (const Resize& resize : in.narrow) narrow(resize, ctx_);
    const std::vector<std::byte> captured =
        in.ir->op == ir::Op::print ? captured_calls(in, ctx_) : captured_copies(in, ctx_);
    const std::uint64_t bytes = captured.size();
    std::byte* kept =
        later.add({clock, this, ctx_.warp, pc_of(in), ctx_.active, 0}, sizeof(bytes) + bytes);
    std::memcpy(kept, &bytes, sizeof(bytes));
    if (bytes > 0) std::memcpy(kept + sizeof(bytes), captured.data(), bytes);
    return;
  }
  if (in.ir->after_copies) {
    if (!later.late_arrivals()) return in.handler(in, ctx_);
    tell_arrivals(in, ctx_, pc_of(in));
    return;
  }
  for (const Resize& resize : in.narrow) narrow(resize, ctx_);
  Outcome& outcome = *ctx_.outcome;
  addresses_of(in, ctx_, outcome.addresses);
  LaneMask global = ctx_.active;
  const ir::Space space = in.ir->space;
  if (space != ir::Space::global) global = global_lanes(ctx_, outcome.addresses);
  if (global == 0) {
    in.handler(in, ctx_);
    return;
  }
  const LateAccess& late = code_.late[in.late];
  std::byte* operands =
      later.add({clock, this, ctx_.warp, pc_of(in), global, 0}, late.operand_bytes);
  std::memcpy(operands, outcome.addresses.data(), sizeof(outcome.addresses));
  for (const LateAccess::Copy& copy : late.copies) {
    std::memcpy(operands + copy.to, ctx_.base[0] + copy.from, copy.bytes);
  }
  if (global != ctx_.active) {
    // Lanes in several windows: only those in global memory wait.
    const LaneMask all = std::exchange(ctx_.active, ctx_.active & ~global);
    in.handler(in, ctx_);
    ctx_.active = all;
    std::memcpy(outcome.addresses.data(), operands, sizeof(outcome.addresses));
  }
  outcome.memory = true;
  outcome.reads_nothing = lanes_that_copy_nothing(in, ctx_);
  outcome.store = stores(*in.ir);
  outcome.space = global == ctx_.active ? ir::Space::global : ir::Space::generic;
  outcome.bytes = late.access_bytes;
  if (ir::touches_texels(in.ir->op)) locate_texels(in, ctx_);
  if (in.ir->op == ir::Op::copy_bulk) tell_bulk_bytes(in, ctx_);
}

void BlockRows::arrive(unsigned row, const LateArrival& arrival) {
  ctx_.base[0] = slots_of(row);
  ctx_.active = LaneMask{1} << arrival.lane;
  ctx_.warp = row;
  const Decoded& in = code_.code[arrival.pc];
  perform_arrival(in, ctx_, arrival);
}

void BlockRows::perform(const DeferredAccess& access, std::byte* operands) {
  ctx_.base[0] = slots_of(access.warp);
  ctx_.active = access.active;
  ctx_.warp = access.warp;
  const Decoded& issued = code_.code[access.pc];
  if (captures_memory(*issued.ir)) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, operands, sizeof(bytes));
    operands += sizeof(bytes);
    if (issued.ir->op == ir::Op::print) {
      ctx_.memory->print(printed_text(issued, ctx_, {operands, operands + bytes}));
    } else {
      store_captured(issued, ctx_, {operands, operands + bytes});
    }
    return;
  }
  ctx_.base[2] = operands;
  Outcome outcome;  // not used
  ctx_.outcome = &outcome;
  const Decoded& in = code_.late[issued.late].in;
  if (observer_) observer_->accessing({in, ctx_, access.pc, access.active});
  in.handler(in, ctx_);
}

void BlockRows::straight(const Decoded& in, unsigned first, unsigned rows,
                         const LargeWarpMask& active, const LargeWarpMask& live,
                         std::uint64_t clock, LargeOutcome& outcome, DeferredAccesses* later) {
  Outcome one;
  std::array<ir::Space, kMaxRows> spaces{};
  bool same_space = true;
  for (unsigned row = 0; row < rows; ++row) {
    if (active[row] == 0) continue;
    one.memory = false;
    begin(in, first + row, active[row], live[row], clock, one);
    straight(in, clock, later);
    if (!one.memory) continue;
    same_space = same_space && (!outcome.memory || one.space == outcome.space);
    outcome.memory = true;
    outcome.store = one.store;
    outcome.space = one.space;
    outcome.bytes = one.bytes;
    outcome.addresses[row] = one.addresses;
    spaces[row] = one.space;
  }
  if (same_space) return;
  outcome.space = ir::Space::generic;
  for (unsigned row = 0; row < rows; ++row) {
    if (active[row] == 0) continue;
    for (std::uint64_t& address : outcome.addresses[row]) address += window_base(spaces[row]);
  }
}

std::uint32_t BlockRows::indexed_target(const Decoded& in, unsigned lane) const {
  const std::uint32_t index = ctx_.lanes<std::uint32_t>(in.src[0])[lane];
  if (index >= in.ir->table.size()) {
    fault(in, ctx_, static_cast<int>(lane),
          "branch index " + std::to_string(index) + ", the table has " +
              std::to_string(in.ir->table.size()) + " targets");
  }
  return in.ir->table[index];
}

void BlockRows::check_stack(const Decoded& in) const {
  const auto* const ends = ctx_.lanes<std::uint64_t>(in.src[0]);
  for (LaneMask left = ctx_.active; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    if (static_cast<std::int64_t>(ends[lane]) <= in.offset) continue;
    fault(in, ctx_, static_cast<int>(lane),
          "stack overflow in a call of '" +
              ctx_.kernel->called[static_cast<std::size_t>(in.ir->other_offset)] +
              "' (a program sets the limit of a thread's stack with cudaLimitStackSize)");
  }
}

void BlockRows::refuse_call(const Decoded& in) const {
  fault(in, ctx_, -1, "a recursive call, which the cores that form warps do not model");
}

BarrierArrival BlockRows::arrival(const Decoded& in) const {
  const auto first = static_cast<unsigned>(std::countr_zero(ctx_.active));
  const auto uniform = [&](const Source& source) {
    return source.offset == kNoSlot ? 0 : ctx_.lanes<std::uint32_t>(source)[first];
  };
  BarrierArrival arrival;
  arrival.barrier = uniform(in.src[0]);
  arrival.threads = uniform(in.src[1]);
  arrival.waits = in.ir->bar != ir::BarMode::arrive;
  arrival.lanes = ctx_.active;
  if (in.src[2].offset != kNoSlot) arrival.holds = ctx_.mask(in.src[2]) & ctx_.active;
  if (arrival.barrier >= kBarriers) {
    fault(in, ctx_, -1,
          "barrier " + std::to_string(arrival.barrier) + ", a block has 0 to " +
              std::to_string(kBarriers - 1));
  }
  if (arrival.threads % ir::kWarpSize != 0 || arrival.threads > count_ * ir::kWarpSize) {
    fault(in, ctx_, -1,
          "a barrier of " + std::to_string(arrival.threads) +
              " threads; whole warps of the block are possible, at most " +
              std::to_string(count_ * ir::kWarpSize));
  }
  if (!arrival.waits && arrival.threads == 0) {
    fault(in, ctx_, -1, "bar.arrive without a number of threads");
  }
  return arrival;
}

void BlockRows::deliver(const Awaited& to, std::uint32_t count, bool all) {
  const Decoded& in = *to.in;
  ctx_.base[0] = slots_of(to.row);
  ctx_.active = to.lanes;
  switch (in.ir->bar) {
    case ir::BarMode::red_and:
      ctx_.set_mask(in.dst[0], all ? kAllLanes : 0);
      break;
    case ir::BarMode::red_or:
      ctx_.set_mask(in.dst[0], count != 0 ? kAllLanes : 0);
      break;
    default:
      for (LaneMask rest = to.lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
        std::memcpy(ctx_.base[0] + in.dst[0] + 4 * lane, &count, 4);
      }
      break;
  }
}

void perform(DeferredAccesses& accesses, std::size_t index) {
  const DeferredAccess& access = accesses[index];
  access.block->perform(access, accesses.operands(access));
}

void BlockRows::trap(const Decoded& in) {
  const int lane = std::countr_zero(ctx_.active);
  switch (in.ir->trap) {
    case ir::TrapCause::assertion:
      fault(in, ctx_, lane, failed_assertion(in, ctx_, lane));
    case ir::TrapCause::no_function:
      fault(in, ctx_, lane,
            "a call through a pointer to none of the functions of this file whose address is "
            "taken and whose parameters fit");
    default:
      fault(in, ctx_, lane, "trap");
  }
}

}  // namespace paws::exec
