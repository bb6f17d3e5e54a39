// SPDX-License-Identifier: MIT
// cp.async and barrier objects. When a copy's data arrive is the core's business: the values are
// moved when loads from global memory are (sim/exec/deferred.h), which is before a wait ends.
#include <array>
#include <bit>
#include <cstring>
#include <string>

#include "sim/exec/access.h"
#include "sim/exec/families.h"
#include "sim/exec/fault.h"

namespace paws::exec {
namespace {}  // namespace

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

/// A barrier object, as its 64 bits hold it: arrivals that are pending in this phase and that the
/// next ones expect, bytes that are on their way, and the parity of the phase.
struct BarrierObject {
  static constexpr unsigned kCountBits = 20;
  static constexpr unsigned kBytesBits = 21;  ///< with the sign
  static constexpr std::uint64_t kCountMask = (std::uint64_t{1} << kCountBits) - 1;
  static constexpr std::int64_t kMostBytes = (std::int64_t{1} << (kBytesBits - 1)) - 1;
  static constexpr std::uint64_t kBytesMask = (std::uint64_t{1} << kBytesBits) - 1;

  std::int64_t pending = 0, expected = 0, bytes = 0;
  bool odd = false;

  static BarrierObject unpack(std::uint64_t bits) {
    BarrierObject object;
    object.pending = static_cast<std::int64_t>(bits & kCountMask);
    object.expected = static_cast<std::int64_t>(bits >> kCountBits & kCountMask);
    const auto raw = static_cast<std::int64_t>(bits >> (2 * kCountBits) & kBytesMask);
    object.bytes = raw >> (kBytesBits - 1) != 0 ? raw - (std::int64_t{1} << kBytesBits) : raw;
    object.odd = bits >> (2 * kCountBits + kBytesBits) != 0;
    return object;
  }
  [[nodiscard]] std::uint64_t pack() const {
    return static_cast<std::uint64_t>(pending) |
           static_cast<std::uint64_t>(expected) << kCountBits |
           (static_cast<std::uint64_t>(bytes) & kBytesMask) << (2 * kCountBits) |
           std::uint64_t{odd} << (2 * kCountBits + kBytesBits);
  }
  [[nodiscard]] bool in_range() const {
    return pending >= 0 && expected >= 0 && expected <= static_cast<std::int64_t>(kCountMask) &&
           bytes >= -kMostBytes && bytes <= kMostBytes;
  }
  /// Ends the phase when nothing is missing.
  void settle() {
    if (pending != 0 || bytes != 0) return;
    pending = expected;
    odd = !odd;
  }
};

/// Bytes under way that become `more` more.
void expect_bytes(const Decoded& in, const WarpContext& ctx, unsigned lane, BarrierObject& object,
                  std::int64_t more) {
  object.bytes += more;
  if (object.in_range()) return;
  fault(in, ctx, static_cast<int>(lane),
        "a barrier object is to wait for " + std::to_string(object.bytes) +
            " bytes, and it counts up to " + std::to_string(BarrierObject::kMostBytes));
}

/// Applies the operation to the object of a lane.
void apply(const Decoded& in, const WarpContext& ctx, unsigned lane, BarrierObject& object) {
  using Mode = ir::MbarrierMode;
  const auto count = [&](unsigned n) -> std::int64_t {
    return in.src[n].offset == kNoSlot ? 1 : ctx.lanes<std::uint32_t>(in.src[n])[lane];
  };
  switch (in.ir->mbarrier) {
    case Mode::init:
      object = {};
      object.pending = object.expected = count(1);
      if (object.expected == 0) fault(in, ctx, static_cast<int>(lane), "a barrier of no arrival");
      if (!object.in_range()) {
        fault(in, ctx, static_cast<int>(lane),
              "a barrier of " + std::to_string(object.expected) +
                  " arrivals, and it counts up to " + std::to_string(BarrierObject::kCountMask));
      }
      return;
    case Mode::inval:
      object = {};
      return;
    case Mode::expect_tx:
      expect_bytes(in, ctx, lane, object, count(1));
      return;
    case Mode::complete_tx:
      expect_bytes(in, ctx, lane, object, -count(1));
      break;
    case Mode::arrive_expect_tx:
      expect_bytes(in, ctx, lane, object, count(1));
      object.pending -= 1;
      break;
    case Mode::arrive_drop:
      object.expected -= count(1);
      object.pending -= count(1);
      break;
    default:
      object.pending -= count(1);
      break;
  }
  if (!object.in_range()) {
    fault(in, ctx, static_cast<int>(lane), "more arrivals at a barrier object than it expects");
  }
  object.settle();
}

/// Lanes in order, each lane's read and write before the next one's.
void barrier_object(const Decoded& in, WarpContext& ctx) {
  using Mode = ir::MbarrierMode;
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
  const Mode mode = in.ir->mbarrier;
  LaneMask over = 0;  // lanes whose phase has ended
  for (LaneMask left = ctx.active; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    std::uint64_t bits = 0;
    std::memcpy(&bits, lanes[lane], sizeof(bits));
    BarrierObject object = BarrierObject::unpack(bits);
    if (mode == Mode::test || mode == Mode::test_parity) {
      const bool awaited =
          mode == Mode::test ? BarrierObject::unpack(ctx.lanes<std::uint64_t>(in.src[1])[lane]).odd
                             : (ctx.lanes<std::uint32_t>(in.src[1])[lane] & 1) != 0;
      over |= LaneMask{object.odd != awaited} << lane;
      continue;
    }
    apply(in, ctx, lane, object);
    if (in.dst[0] != kNoSlot) {
      std::memcpy(ctx.base[0] + in.dst[0] + sizeof(bits) * lane, &bits, sizeof(bits));
    }
    bits = object.pack();
    std::memcpy(lanes[lane], &bits, sizeof(bits));
  }
  if (mode == Mode::test || mode == Mode::test_parity) ctx.set_mask(in.dst[0], over);
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
