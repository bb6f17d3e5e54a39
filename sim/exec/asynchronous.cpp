// SPDX-License-Identifier: MIT
// cp.async and barrier objects. When a copy's data arrive is the core's business: the values are
// moved when loads from global memory are (sim/exec/deferred.h), which is before a wait ends.
#include <array>
#include <bit>
#include <cstring>
#include <string>

#include "sim/exec/access.h"
#include "sim/exec/barrier_object.h"
#include "sim/exec/families.h"
#include "sim/exec/fault.h"

namespace paws::exec {

LaneMask lanes_that_copy_nothing(const Decoded& in, const WarpContext& ctx) {
  if (in.ir->op != ir::Op::copy_async || in.src[2].offset == kNoSlot) return 0;
  const auto* limits = ctx.lanes<std::uint32_t>(in.src[2]);
  LaneMask nothing = 0;
  for (LaneMask left = ctx.active; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    if (limits[lane] == 0) nothing |= LaneMask{1} << lane;
  }
  return nothing;
}

namespace {

/// What a lane does not read of the source becomes zero.
void copy_async(const Decoded& in, WarpContext& ctx) {
  const ir::Instruction& ir = *in.ir;
  const unsigned bytes = ir.vector * ir::size_of(ir.type);
  Outcome& outcome = *ctx.outcome;
  addresses_of(in, ctx, outcome.addresses);
  outcome.memory = true;
  outcome.store = false;
  outcome.space = ir::Space::global;
  outcome.bytes = static_cast<std::uint8_t>(bytes);
  outcome.reads_nothing = lanes_that_copy_nothing(in, ctx);
  const auto* to = ctx.lanes<std::uint32_t>(in.src[1]);
  const auto* limits = in.src[2].offset == kNoSlot ? nullptr : ctx.lanes<std::uint32_t>(in.src[2]);
  for (LaneMask left = ctx.active; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const std::uint32_t read = limits == nullptr ? bytes : limits[lane];
    if (read > bytes) {
      fault(in, ctx, static_cast<int>(lane),
            "an asynchronous copy of " + std::to_string(bytes) + " bytes is to read " +
                std::to_string(read));
    }
    const std::uint64_t place = to[lane] + static_cast<std::uint32_t>(ir.other_offset);
    if (place % bytes != 0 || place > ctx.shared_bytes || bytes > ctx.shared_bytes - place) {
      access_fault(in, ctx, lane, ir::Space::shared, place, bytes);
    }
    std::memset(ctx.shared + place, 0, bytes);
    if (read == 0) continue;
    const std::uint64_t address = outcome.addresses[lane];
    const DeviceMemory::Allocation* hit = ctx.hits[in.hit];
    if (hit == nullptr || address < hit->address || address - hit->address > hit->bytes - read) {
      hit = ctx.memory->find(address, read);
    }
    if (hit == nullptr || address % bytes != 0) {
      access_fault(in, ctx, lane, ir::Space::global, address, bytes);
    }
    ctx.hits[in.hit] = hit;
    std::memcpy(ctx.shared + place, hit->data + (address - hit->address), read);
  }
}

/// Lanes in order, each lane's read and write before the next one's.
void barrier_object(const Decoded& in, WarpContext& ctx) {
  Outcome& outcome = *ctx.outcome;
  addresses_of(in, ctx, outcome.addresses);
  ir::Space space = in.ir->space;
  if (space == ir::Space::generic) space = resolve_generic(ctx, outcome.addresses);
  if (space != ir::Space::shared) {
    fault(in, ctx, -1, "a barrier object that is not in shared memory");
  }
  outcome.memory = true;
  outcome.store = true;
  outcome.space = space;
  outcome.bytes = sizeof(std::uint64_t);
  std::array<std::byte*, ir::kWarpSize> lanes;
  resolve_lanes(in, ctx, space, sizeof(std::uint64_t), outcome.addresses, lanes);
  const ir::MbarrierMode mode = in.ir->mbarrier;
  const bool test = is_test(mode);
  const auto operand = [&](unsigned lane) -> std::uint64_t {
    if (in.src[1].offset == kNoSlot) return 1;
    return mode == ir::MbarrierMode::test ? ctx.lanes<std::uint64_t>(in.src[1])[lane]
                                          : ctx.lanes<std::uint32_t>(in.src[1])[lane];
  };
  LaneMask ended = 0;  // lanes whose phase has
  for (LaneMask left = ctx.active; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    std::uint64_t bits = 0;
    std::memcpy(&bits, lanes[lane], sizeof(bits));
    BarrierObject object = BarrierObject::unpack(bits);
    if (test) {
      ended |= LaneMask{object.has_ended(mode, operand(lane))} << lane;
      continue;
    }
    if (const auto wrong = object.apply(mode, static_cast<std::int64_t>(operand(lane)))) {
      fault(in, ctx, static_cast<int>(lane), *wrong);
    }
    if (in.dst[0] != kNoSlot) {
      std::memcpy(ctx.base[0] + in.dst[0] + sizeof(bits) * lane, &bits, sizeof(bits));
    }
    bits = object.pack();
    std::memcpy(lanes[lane], &bits, sizeof(bits));
  }
  if (test) ctx.set_mask(in.dst[0], ended);
}

void pending_count(const Decoded& in, WarpContext& ctx) {
  if (in.dst[0] == kNoSlot) return;
  for (LaneMask left = ctx.active; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const auto count = static_cast<std::uint32_t>(
        BarrierObject::unpack(ctx.lanes<std::uint64_t>(in.src[0])[lane]).pending);
    std::memcpy(ctx.base[0] + in.dst[0] + sizeof(count) * lane, &count, sizeof(count));
  }
}

}  // namespace

Handler select_asynchronous(const ir::Instruction& in) {
  switch (in.op) {
    case ir::Op::copy_async:
      return &copy_async;
    case ir::Op::mbarrier:
      return in.mbarrier == ir::MbarrierMode::pending_count ? &pending_count : &barrier_object;
    default:
      return nullptr;
  }
}

}  // namespace paws::exec
