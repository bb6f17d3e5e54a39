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
  if (ctx.accesses != nullptr && window.data != nullptr &&
      ctx.outcome->space == ir::Space::global) {
    for (LaneMask left = ctx.active; left != 0; left &= left - 1) {
      tell_store(in, ctx, address[__builtin_ctz(left)] - window.base, bytes);
    }
  }
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

// Without an outcome. Most accesses of a warp are to one allocation, and the lanes of each half of
// it one after the other or all at one place (halves, since blocks often have rows of 16 threads):
// then the first lanes say where all are. Other accesses go lane by lane, and what leaves the
// window goes to load() and store().

constexpr u32 kHalf = ir::kWarpSize / 2;

/// `Address` is the type of the register that holds the lanes' addresses.
template <ir::Space kSpace, class Address>
struct Access {
  Access(const Decoded& in, const WarpContext& ctx, u32 lane_bytes)
      : bytes(lane_bytes), base(ctx.lanes<Address>(in.src.data()[0])) {
    if constexpr (kSpace == ir::Space::global) {
      const DeviceMemory::Allocation* hit = ctx.hits[in.hit];
      if (hit != nullptr && hit->address % 16 == 0) window = {hit->address, hit->bytes, hit->data};
    } else if constexpr (kSpace == ir::Space::shared) {
      window = {0, ctx.shared_bytes, ctx.shared};
    } else {
      window = {0, ctx.param_bytes, ctx.params};
    }
    start = static_cast<Address>(in.offset) - static_cast<Address>(window.base);
  }
  /// In the window.
  [[nodiscard]] Address place(u32 lane) const { return base[lane] + start; }
  /// Whether `length` bytes from an aligned place on lie in the window.
  [[nodiscard]] bool holds(Address place, u32 length) const {
    return window.data != nullptr && length <= window.bytes && place <= window.bytes - length &&
           (place & (bytes - 1)) == 0;
  }

  u32 bytes;  ///< of a lane, a power of two
  const Address* base;
  Window window;  ///< its base is a multiple of every access's bytes
  Address start;
};

/// Whether both halves of the warp advance by kStep bytes from lane to lane.
template <u32 kStep, class Address>
[[gnu::always_inline]] inline bool both_advance(const Address* base) {
  alignas(kSlotAlign) Address different[ir::kWarpSize];
  const Address low = base[0];
  const Address high = base[kHalf];
  for (Address i = 0; i < kHalf; ++i) different[i] = base[i] ^ (low + i * kStep);
  for (Address i = 0; i < kHalf; ++i) different[kHalf + i] = base[kHalf + i] ^ (high + i * kStep);
  return !any_set(different, kAllLanes);
}

/// Whether the active lanes advance by kStep bytes from lane to lane, as if all were there.
template <u32 kStep, class Address>
inline bool active_advance(const Address* base, LaneMask active, u32 first) {
  alignas(kSlotAlign) Address different[ir::kWarpSize];
  const Address zeroth = base[first] - first * kStep;
  for (Address i = 0; i < ir::kWarpSize; ++i) different[i] = base[i] ^ (zeroth + i * kStep);
  return !any_set(different, active);
}

/// Offsets of the active lanes in the window; false: some lane's access is not inside and aligned.
template <ir::Space kSpace, class Address>
inline bool find_places(const Access<kSpace, Address>& access, LaneMask active, Address* places) {
  if (access.window.bytes < access.bytes) return false;
  constexpr int kFew = 4;
  if (__builtin_popcount(active) <= kFew) {
    for (LaneMask left = active; left != 0; left &= left - 1) {
      const auto i = static_cast<u32>(__builtin_ctz(left));
      places[i] = access.place(i);
      if (!access.holds(places[i], access.bytes)) return false;
    }
    return true;
  }
  constexpr unsigned kSign = kBits<Address> - 1;
  const auto last = static_cast<Address>(access.window.bytes - access.bytes);
  // Its sign bit would look like being outside.
  if (last >> kSign != 0) return false;
  alignas(kSlotAlign) Address wrong[ir::kWarpSize];
  const Address low_bits = access.bytes - 1;
  for (u32 i = 0; i < ir::kWarpSize; ++i) {
    const Address place = access.place(i);
    const Address outside = place | (last - place);  // the sign: before the base, behind the last
    places[i] = place;
    wrong[i] = (outside >> kSign) | (place & low_bits);
  }
  return !any_set(wrong, active);
}

/// The next warp mostly reads what follows. Warps run one after the other, so that the strides of a
/// warp's own loops, which the processor might guess, are too long.
template <class M, ir::Space kSpace>
inline void prefetch_behind(const std::byte* end) {
  if constexpr (kSpace == ir::Space::global) {
    constexpr u32 kLine = 64;
    for (u32 ahead = 0; ahead < ir::kWarpSize * sizeof(M); ahead += kLine) {
      __builtin_prefetch(end + ahead);
    }
  }
}

/// Some lanes load one after the other; false if they do not.
template <class M, ir::Space kSpace, class Address>
inline bool load_row(const Decoded& in, WarpContext& ctx, const Access<kSpace, Address>& access) {
  constexpr std::size_t kSize = sizeof(M);
  const auto first = static_cast<u32>(__builtin_ctz(ctx.active));
  const auto last = ir::kWarpSize - 1 - static_cast<u32>(__builtin_clz(ctx.active));
  const Address place = access.place(first);
  if (access.bytes != kSize || access.place(last) - place != (last - first) * kSize) return false;
  if (!active_advance<kSize>(access.base, ctx.active, first)) return false;
  const u32 length = (last - first + 1) * kSize;
  if (!access.holds(place, length)) return false;
  if (in.dst.data()[0] == kNoSlot) return true;
  const std::byte* from = access.window.data + place;
  auto* out = reinterpret_cast<Raw<M>*>(ctx.base.data()[0] + in.dst.data()[0]);
  for (LaneMask left = ctx.active; left != 0; left &= left - 1) {
    const auto i = static_cast<u32>(__builtin_ctz(left));
    out[i] = to_raw(read<M>(from + (i - first) * kSize));
  }
  prefetch_behind<M, kSpace>(from + length);
  return true;
}

/// What quick_load() does not do itself.
template <class M, ir::Space kSpace, class Address>
[[gnu::noinline]] void load_lanes(const Decoded& in, WarpContext& ctx) {
  using Lane = Raw<M>;
  const Access<kSpace, Address> access(in, ctx, in.vector * u32{sizeof(M)});
  if (in.src.data()[0].base == 1 && access.holds(access.place(0), access.bytes)) {
    // The address is a constant.
    for (u32 e = 0; e < in.vector; ++e) {
      if (in.dst.data()[e] == kNoSlot) continue;
      const Lane value = to_raw(read<M>(access.window.data + access.place(0) + e * sizeof(M)));
      Lane* out = result<Lane>(in, ctx, e);
      for (u32 i = 0; i < ir::kWarpSize; ++i) out[i] = value;
      finish<Lane>(in, ctx, e);
    }
    return;
  }
  if (ctx.active != kAllLanes && load_row<M>(in, ctx, access)) return;
  alignas(kSlotAlign) Address places[ir::kWarpSize];
  if (access.window.data == nullptr || !find_places(access, ctx.active, places)) {
    return load<M>(in, ctx);
  }
  for (u32 e = 0; e < in.vector; ++e) {
    if (in.dst.data()[e] == kNoSlot) continue;
    const std::byte* from = access.window.data + e * sizeof(M);
    auto* out = reinterpret_cast<Lane*>(ctx.base.data()[0] + in.dst.data()[e]);
    if (ctx.active == kAllLanes) {
      for (u32 i = 0; i < ir::kWarpSize; ++i) out[i] = to_raw(read<M>(from + places[i]));
    } else {
      for (LaneMask left = ctx.active; left != 0; left &= left - 1) {
        const auto i = static_cast<u32>(__builtin_ctz(left));
        out[i] = to_raw(read<M>(from + places[i]));
      }
    }
  }
}

template <class M, ir::Space kSpace, class Address>
void quick_load(const Decoded& in, WarpContext& ctx) {
  using Lane = Raw<M>;
  constexpr std::size_t kSize = sizeof(M);
  if (ctx.active != kAllLanes || in.vector != 1 || in.dst.data()[0] == kNoSlot) {
    return load_lanes<M, kSpace, Address>(in, ctx);
  }
  const Access<kSpace, Address> access(in, ctx, kSize);
  const Address step = access.base[1] - access.base[0];
  const Address low = access.place(0);
  const Address high = access.place(kHalf);
  auto* out = static_cast<Lane*>(
      __builtin_assume_aligned(ctx.base.data()[0] + in.dst.data()[0], kSlotAlign));
  if (step == kSize && both_advance<kSize>(access.base) && access.holds(low, kHalf * kSize) &&
      access.holds(high, kHalf * kSize)) {
    const std::byte* first = access.window.data + low;
    const std::byte* second = access.window.data + high;
#pragma GCC ivdep
    for (u32 i = 0; i < kHalf; ++i) out[i] = to_raw(read<M>(first + i * kSize));
#pragma GCC ivdep
    for (u32 i = 0; i < kHalf; ++i) out[kHalf + i] = to_raw(read<M>(second + i * kSize));
    prefetch_behind<M, kSpace>(second + kHalf * kSize);
    return;
  }
  if (step == 0 && both_advance<0>(access.base) && access.holds(low, kSize) &&
      access.holds(high, kSize)) {
    const Lane one = to_raw(read<M>(access.window.data + low));
    const Lane other = to_raw(read<M>(access.window.data + high));
    for (u32 i = 0; i < kHalf; ++i) out[i] = one;
    for (u32 i = 0; i < kHalf; ++i) out[kHalf + i] = other;
    return;
  }
  load_lanes<M, kSpace, Address>(in, ctx);
}

template <class M, ir::Space kSpace, class Address>
void quick_store(const Decoded& in, WarpContext& ctx) {
  using Lane = Raw<M>;
  constexpr std::size_t kSize = sizeof(M);
  const u32 elements = in.vector;
  const Access<kSpace, Address> access(in, ctx, elements * kSize);
  const auto put = [](std::byte* to, Lane lane) {
    const M value = static_cast<M>(lane);
    __builtin_memcpy(to, &value, sizeof(M));
  };
  if (ctx.active == kAllLanes && elements == 1 && access.base[1] - access.base[0] == kSize &&
      both_advance<kSize>(access.base)) {
    const Address low = access.place(0);
    const Address high = access.place(kHalf);
    if (access.holds(low, kHalf * kSize) && access.holds(high, kHalf * kSize)) {
      if (kSpace == ir::Space::global && ctx.accesses != nullptr) {
        tell_store(in, ctx, low, kHalf * kSize);
        tell_store(in, ctx, high, kHalf * kSize);
      }
      const Lane* values = ctx.lanes<Lane>(in.src.data()[1]);
      std::byte* first = access.window.data + low;
#pragma GCC ivdep
      for (u32 i = 0; i < kHalf; ++i) put(first + i * kSize, values[i]);
      std::byte* second = access.window.data + high;
#pragma GCC ivdep
      for (u32 i = 0; i < kHalf; ++i) put(second + i * kSize, values[kHalf + i]);
      return;
    }
  }
  alignas(kSlotAlign) Address places[ir::kWarpSize];
  if (access.window.data == nullptr || !find_places(access, ctx.active, places)) {
    return store<M>(in, ctx);
  }
  for (LaneMask left = ctx.active; left != 0; left &= left - 1) {
    const auto i = static_cast<u32>(__builtin_ctz(left));
    if (kSpace == ir::Space::global && ctx.accesses != nullptr) {
      tell_store(in, ctx, places[i], access.bytes);
    }
    for (u32 e = 0; e < elements; ++e) {
      put(access.window.data + places[i] + e * kSize, ctx.lanes<Lane>(in.src.data()[1 + e])[i]);
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

Handler select_quick_memory(const ir::Instruction& in, Decoded& out) {
  using S = ir::Space;
  const bool stores = in.op == ir::Op::st;
  if (!stores && in.op != ir::Op::ld) return nullptr;
  return for_memory_type(in.type, [&](auto t) -> Handler {
    using M = decltype(t);
    using Bits = std::make_unsigned_t<M>;
    // The sign matters where a lane is wider.
    using Loaded = std::conditional_t<sizeof(M) < sizeof(u32), M, Bits>;
    if (in.vector * sizeof(M) > 16) return nullptr;
    if (in.space == S::shared && !out.address64) {
      return stores ? &quick_store<Bits, S::shared, u32> : &quick_load<Loaded, S::shared, u32>;
    }
    if (!out.address64) return nullptr;
    switch (in.space) {
      case S::generic:  // what lies in an allocation is global
      case S::none:
      case S::global:
        return stores ? &quick_store<Bits, S::global, u64> : &quick_load<Loaded, S::global, u64>;
      case S::shared:
        return stores ? &quick_store<Bits, S::shared, u64> : &quick_load<Loaded, S::shared, u64>;
      case S::param:
        return stores ? nullptr : &quick_load<Loaded, S::param, u64>;
      default:
        return nullptr;
    }
  });
}

}  // namespace paws::exec::PAWS_LANES
