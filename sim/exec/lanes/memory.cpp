// SPDX-License-Identifier: MIT
// ld and st. Fast when all lanes are active in one allocation, fastest when their addresses are
// consecutive or all the same; everything else goes lane by lane through sim/exec/access.h.
#include "sim/exec/access.h"
#include "sim/exec/lanes/lane.h"

namespace paws::exec::PAWS_LANES {
namespace {

/// The lanes' addresses into the outcome.
inline void compute_addresses(const Decoded& in, WarpContext& ctx) {
  u64* out = ctx.outcome->addresses.data();
  if (in.address64) {
    const u64* base = ctx.lanes<u64>(in.src.data()[0]);
    const u64 offset = static_cast<u64>(in.offset);
#pragma GCC ivdep
    for (u32 i = 0; i < ir::kWarpSize; ++i) out[i] = base[i] + offset;
  } else {
    const u32* base = ctx.lanes<u32>(in.src.data()[0]);
    const u32 offset = static_cast<u32>(in.offset);
#pragma GCC ivdep
    for (u32 i = 0; i < ir::kWarpSize; ++i) out[i] = base[i] + offset;
  }
}

/// Whether every lane's access of `bytes` (a power of two) lies in the window, aligned.
inline bool all_inside(const Window& window, const u64* address, u32 bytes) {
  if (window.bytes < bytes) return false;
  const u64 last = window.bytes - bytes;
  u64 outside = 0;  // sign bit: some lane lies before the base or behind the last place
  u64 low_bits = 0;
  for (u32 i = 0; i < ir::kWarpSize; ++i) {
    const u64 offset = address[i] - window.base;
    outside |= offset | (last - offset);
    low_bits |= address[i];
  }
  return (outside >> 63) == 0 && (low_bits & (bytes - 1)) == 0;
}

inline bool some_inside(const Window& window, const u64* address, u32 bytes, LaneMask active) {
  if (window.bytes < bytes) return false;
  const u64 last = window.bytes - bytes;
  u64 outside = 0;
  u64 low_bits = 0;
  for (u32 i = 0; i < ir::kWarpSize; ++i) {
    const u64 keep = (active >> i & 1) != 0 ? ~u64{0} : 0;
    const u64 offset = address[i] - window.base;
    outside |= (offset | (last - offset)) & keep;
    low_bits |= address[i] & keep;
  }
  return (outside >> 63) == 0 && (low_bits & (bytes - 1)) == 0;
}

inline bool consecutive(const u64* address, u32 bytes) {
  u64 different = 0;
  for (u32 i = 0; i < ir::kWarpSize; ++i) different |= address[i] ^ (address[0] + u64{i} * bytes);
  return different == 0;
}
inline bool all_same(const u64* address) {
  u64 different = 0;
  for (u32 i = 0; i < ir::kWarpSize; ++i) different |= address[i] ^ address[0];
  return different == 0;
}

/// Fills the outcome, and finds the memory: returns the window with all active lanes inside, or
/// one without data and `lanes` filled.
inline Window locate(const Decoded& in, WarpContext& ctx, u32 bytes, bool writes,
                     std::array<std::byte*, ir::kWarpSize>& lanes) {
  compute_addresses(in, ctx);
  Outcome& outcome = *ctx.outcome;
  ir::Space space = in.ir->space;
  if (space == ir::Space::generic || space == ir::Space::none) {
    space = resolve_generic(ctx, outcome.addresses);
  }
  outcome.memory = true;
  outcome.store = writes;
  outcome.space = space;
  outcome.bytes = static_cast<u8>(bytes);
  const bool writable = space == ir::Space::global || space == ir::Space::shared;
  if (writable || (!writes && space != ir::Space::local)) {
    const u64* address = outcome.addresses.data();
    const Window window = window_of(in, ctx, space);
    if (ctx.active == kAllLanes ? all_inside(window, address, bytes)
                                : some_inside(window, address, bytes, ctx.active)) {
      return window;
    }
  }
  resolve_lanes(in, ctx, space, bytes, outcome.addresses, lanes);
  return {};
}

template <class M>
inline M read(const std::byte* from) {
  M value;
  __builtin_memcpy(&value, from, sizeof(M));
  return value;
}

/// `M` is the type in memory; signed ones extend.
template <class M>
void load(const Decoded& in, WarpContext& ctx) {
  using Lane = Raw<M>;
  std::array<std::byte*, ir::kWarpSize> lanes;
  const u32 elements = in.ir->vector;
  const u32 bytes = elements * u32{sizeof(M)};
  const Window window = locate(in, ctx, bytes, false, lanes);
  const u64* address = ctx.outcome->addresses.data();
  const auto at = [&window, address](u32 lane) -> const std::byte* {
    return window.data + (address[lane] - window.base);
  };
  // A destination may be the address register, but no address is read from it any more.
  if (window.data == nullptr || ctx.active != kAllLanes) {
    for (LaneMask left = ctx.active; left != 0; left &= left - 1) {
      const auto i = static_cast<u32>(__builtin_ctz(left));
      const std::byte* from = window.data == nullptr ? lanes.data()[i] : at(i);
      for (u32 e = 0; e < elements; ++e) {
        if (in.dst.data()[e] == kNoSlot) continue;
        auto* out = reinterpret_cast<Lane*>(ctx.base.data()[0] + in.dst.data()[e]);
        out[i] = to_raw(read<M>(from + e * sizeof(M)));
      }
    }
    return;
  }
  if (all_same(address)) {
    for (u32 e = 0; e < elements; ++e) {
      if (in.dst.data()[e] == kNoSlot) continue;
      const Lane value = to_raw(read<M>(at(0) + e * sizeof(M)));
      Lane* out = result<Lane>(in, ctx, e);
      for (u32 i = 0; i < ir::kWarpSize; ++i) out[i] = value;
    }
    return;
  }
  if (elements == 1 && consecutive(address, sizeof(M))) {
    if (in.dst.data()[0] == kNoSlot) return;
    const std::byte* from = at(0);
    Lane* out = result<Lane>(in, ctx);
    for (u32 i = 0; i < ir::kWarpSize; ++i) {
      out[i] = to_raw(read<M>(from + i * sizeof(M)));
    }
    return;
  }
  for (u32 e = 0; e < elements; ++e) {
    if (in.dst.data()[e] == kNoSlot) continue;
    Lane* out = result<Lane>(in, ctx, e);
    for (u32 i = 0; i < ir::kWarpSize; ++i) {
      out[i] = to_raw(read<M>(at(i) + e * sizeof(M)));
    }
  }
}

template <class M>
void store(const Decoded& in, WarpContext& ctx) {
  using Lane = Raw<M>;
  std::array<std::byte*, ir::kWarpSize> lanes;
  const u32 elements = in.ir->vector;
  const u32 bytes = elements * u32{sizeof(M)};
  const Window window = locate(in, ctx, bytes, true, lanes);
  const u64* address = ctx.outcome->addresses.data();
  const auto at = [&window, address](u32 lane) {
    return window.data + (address[lane] - window.base);
  };
  if (window.data != nullptr && ctx.active == kAllLanes && elements == 1 &&
      consecutive(address, sizeof(M))) {
    const Lane* from = ctx.lanes<Lane>(in.src.data()[1]);
    std::byte* to = at(0);
    for (u32 i = 0; i < ir::kWarpSize; ++i) {
      const M value = static_cast<M>(from[i]);
      __builtin_memcpy(to + i * sizeof(M), &value, sizeof(M));
    }
    return;
  }
  for (LaneMask left = ctx.active; left != 0; left &= left - 1) {
    const auto i = static_cast<u32>(__builtin_ctz(left));
    std::byte* to = window.data == nullptr ? lanes.data()[i] : at(i);
    for (u32 e = 0; e < elements; ++e) {
      const M value = static_cast<M>(ctx.lanes<Lane>(in.src.data()[1 + e])[i]);
      __builtin_memcpy(to + e * sizeof(M), &value, sizeof(M));
    }
  }
}

template <class Pick>
Handler for_memory_type(ir::Type type, Pick pick) {
  switch (type) {
    case ir::Type::u8:
    case ir::Type::b8:
      return pick(u8{});
    case ir::Type::s8:
      return pick(s8{});
    default:
      break;
  }
  if (const Handler handler = for_integer(type, pick)) return handler;
  return for_bits(type, pick);
}

}  // namespace

Handler select_memory(const ir::Instruction& in, Decoded&) {
  const bool stores = in.op == ir::Op::st;
  if (!stores && in.op != ir::Op::ld) return nullptr;
  return for_memory_type(in.type, [&](auto t) -> Handler {
    using M = decltype(t);
    if (in.vector * sizeof(M) > 16) return nullptr;
    return stores ? &store<std::make_unsigned_t<M>> : &load<M>;
  });
}

}  // namespace paws::exec::PAWS_LANES
