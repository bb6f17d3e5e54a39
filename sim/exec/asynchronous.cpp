// SPDX-License-Identifier: MIT
// cp.async and barrier objects. When a copy's data arrive is the core's business: the values are
// moved when loads from global memory are (sim/exec/deferred.h), which is before a wait ends.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>
#include <vector>

#include "sim/exec/access.h"
#include "sim/exec/barrier_object.h"
#include "sim/exec/block_observer.h"
#include "sim/exec/executable.h"
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
    if (hit == nullptr || address < hit->address || read > hit->bytes ||
        address - hit->address > hit->bytes - read) {
      hit = ctx.memory->find(address, read);
    }
    if (address % bytes != 0) access_fault(in, ctx, lane, ir::Space::global, address, bytes);
    if (hit == nullptr) {
      outside(in, ctx, lane, ir::Space::global, address, bytes);
      continue;
    }
    ctx.hits[in.hit] = hit;
    std::memcpy(ctx.shared + place, hit->data + (address - hit->address), read);
  }
}

constexpr unsigned kBulkAlignment = 16;

/// A lane's part of a bulk copy.
struct BulkPart {
  std::uint64_t address = 0;  ///< in global memory
  std::uint32_t place = 0;    ///< in shared memory
  std::uint32_t bytes = 0;
  std::uint32_t lane = 0;
};

/// What the lanes copy, without lanes that copy nothing; fills what the outcome says of memory.
std::vector<BulkPart> bulk_parts(const Decoded& in, WarpContext& ctx) {
  Outcome& outcome = *ctx.outcome;
  addresses_of(in, ctx, outcome.addresses);
  outcome.memory = true;
  outcome.store = stores(*in.ir);
  outcome.space = ir::Space::global;
  outcome.bytes = kBulkAlignment;
  tell_bulk_bytes(in, ctx);
  const auto* places = ctx.lanes<std::uint32_t>(in.src[1]);
  std::vector<BulkPart> parts;
  for (LaneMask left = ctx.active; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const std::uint32_t bytes = outcome.bulk_bytes[lane];
    const std::uint32_t place = places[lane] + static_cast<std::uint32_t>(in.ir->other_offset);
    if (bytes % kBulkAlignment != 0) {
      fault(in, ctx, static_cast<int>(lane),
            "a bulk copy of " + std::to_string(bytes) + " bytes, which is not a multiple of " +
                std::to_string(kBulkAlignment));
    }
    if (bytes == 0) continue;
    if (place % kBulkAlignment != 0 || place > ctx.shared_bytes ||
        bytes > ctx.shared_bytes - place) {
      access_fault(in, ctx, lane, ir::Space::shared, place, bytes, kBulkAlignment);
    }
    parts.push_back({outcome.addresses[lane], place, bytes, lane});
  }
  return parts;
}

std::byte* global_bytes(const Decoded& in, const WarpContext& ctx, const BulkPart& part) {
  std::byte* const bytes = ctx.memory->at(part.address, part.bytes);
  if (bytes == nullptr || part.address % kBulkAlignment != 0) {
    access_fault(in, ctx, part.lane, ir::Space::global, part.address, part.bytes, kBulkAlignment);
  }
  return bytes;
}

void load_bulk(const Decoded& in, WarpContext& ctx) {
  for (const BulkPart& part : bulk_parts(in, ctx)) {
    std::memcpy(ctx.shared + part.place, global_bytes(in, ctx, part), part.bytes);
  }
}

void store_bulk(const Decoded& in, WarpContext& ctx) {
  store_captured(in, ctx, captured_copies(in, ctx));
}

/// Where each lane's barrier object is; Outcome::addresses become addresses of shared memory.
void locate_objects(const Decoded& in, WarpContext& ctx,
                    std::array<std::byte*, ir::kWarpSize>& objects) {
  Outcome& outcome = *ctx.outcome;
  addresses_of(in, ctx, outcome.addresses);
  ir::Space space = in.ir->space;
  if (space == ir::Space::generic) space = resolve_generic(ctx, outcome.addresses);
  if (space != ir::Space::shared) {
    fault(in, ctx, -1, "a barrier object that is not in shared memory");
  }
  resolve_lanes(in, ctx, space, sizeof(std::uint64_t), outcome.addresses, objects);
}

/// Does the instruction's operation, no test, for a lane. Returns the object as it was before.
std::uint64_t operate(const Decoded& in, const WarpContext& ctx, unsigned lane, std::byte* object,
                      std::uint64_t count) {
  std::uint64_t before = 0;
  std::memcpy(&before, object, sizeof(before));
  BarrierObject barrier = BarrierObject::unpack(before);
  if (const auto wrong = barrier.apply(in.ir->mbarrier, static_cast<std::int64_t>(count))) {
    fault(in, ctx, static_cast<int>(lane), *wrong);
  }
  const std::uint64_t after = barrier.pack();
  std::memcpy(object, &after, sizeof(after));
  return before;
}

/// Lanes in order, each lane's read and write before the next one's.
void barrier_object(const Decoded& in, WarpContext& ctx) {
  Outcome& outcome = *ctx.outcome;
  std::array<std::byte*, ir::kWarpSize> lanes;
  locate_objects(in, ctx, lanes);
  const ir::MbarrierMode mode = in.ir->mbarrier;
  // A part of an arrival for copies, which is no access for the timing.
  outcome.memory = mode != ir::MbarrierMode::expect_arrival;
  outcome.store = true;
  outcome.space = ir::Space::shared;
  outcome.bytes = sizeof(std::uint64_t);
  const bool test = is_test(mode);
  const auto operand = [&](unsigned lane) -> std::uint64_t {
    if (in.src[1].offset == kNoSlot) return 1;
    return mode == ir::MbarrierMode::test ? ctx.lanes<std::uint64_t>(in.src[1])[lane]
                                          : ctx.lanes<std::uint32_t>(in.src[1])[lane];
  };
  LaneMask ended = 0;  // lanes whose phase has
  for (LaneMask left = ctx.active; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    if (test) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, lanes[lane], sizeof(bits));
      const BarrierObject object = BarrierObject::unpack(bits);
      ended |= LaneMask{object.has_ended(mode, operand(lane))} << lane;
      continue;
    }
    const std::uint64_t before = operate(in, ctx, lane, lanes[lane], operand(lane));
    if (in.dst[0] != kNoSlot) {
      std::memcpy(ctx.base[0] + in.dst[0] + sizeof(before) * lane, &before, sizeof(before));
    }
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

void tell_bulk_bytes(const Decoded& in, WarpContext& ctx) {
  const auto* bytes = ctx.lanes<std::uint32_t>(in.src[2]);
  std::copy_n(bytes, ir::kWarpSize, ctx.outcome->bulk_bytes.begin());
}

std::vector<std::byte> captured_copies(const Decoded& in, WarpContext& ctx) {
  std::vector<std::byte> captured;
  for (const BulkPart& part : bulk_parts(in, ctx)) {
    const std::size_t at = captured.size();
    captured.resize(at + sizeof(part) + part.bytes);
    std::memcpy(captured.data() + at, &part, sizeof(part));
    std::memcpy(captured.data() + at + sizeof(part), ctx.shared + part.place, part.bytes);
  }
  return captured;
}

void store_captured(const Decoded& in, const WarpContext& ctx,
                    const std::vector<std::byte>& captured) {
  for (std::size_t at = 0; at < captured.size();) {
    BulkPart part;
    std::memcpy(&part, captured.data() + at, sizeof(part));
    at += sizeof(part);
    std::memcpy(global_bytes(in, ctx, part), captured.data() + at, part.bytes);
    at += part.bytes;
  }
}

void tell_arrivals(const Decoded& in, WarpContext& ctx, std::uint32_t pc) {
  for (const Resize& resize : in.narrow) narrow(resize, ctx);
  std::array<std::byte*, ir::kWarpSize> objects;
  locate_objects(in, ctx, objects);
  const auto* counts = in.src[1].offset == kNoSlot ? nullptr : ctx.lanes<std::uint32_t>(in.src[1]);
  for (LaneMask left = ctx.active; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    ctx.outcome->arrivals.push_back({pc, lane,
                                     static_cast<std::uint32_t>(objects[lane] - ctx.shared),
                                     counts == nullptr ? 1 : counts[lane]});
  }
}

void perform_arrival(const Decoded& in, WarpContext& ctx, const LateArrival& arrival) {
  if (ctx.observer != nullptr) ctx.observer->arriving(*in.ir, arrival, ctx.shared);
  operate(in, ctx, arrival.lane, ctx.shared + arrival.object, arrival.count);
}

namespace {

/// For whom copies take no time, they are there already.
void arrive_now(const Decoded& in, WarpContext& ctx) {
  tell_arrivals(in, ctx, 0);
  for (const LateArrival& arrival : ctx.outcome->arrivals) perform_arrival(in, ctx, arrival);
}

}  // namespace

Handler select_asynchronous(const ir::Instruction& in) {
  switch (in.op) {
    case ir::Op::copy_async:
      return &copy_async;
    case ir::Op::copy_bulk:
      return in.copies == ir::CopyKind::bulk_store ? &store_bulk : &load_bulk;
    case ir::Op::mbarrier:
      if (in.after_copies) return &arrive_now;
      return in.mbarrier == ir::MbarrierMode::pending_count ? &pending_count : &barrier_object;
    default:
      return nullptr;
  }
}

}  // namespace paws::exec
