// SPDX-License-Identifier: MIT
// How a scalar function becomes a handler over 32 lanes.
//
// map<F, R, A...>() is the handler that computes R F(A...) in every lane. All 32 lanes are always
// computed (inactive ones on whatever they hold) and blended under the active mask only when not
// all are active: branch-free loops that the compiler vectorizes. Sources and results may be the
// same lanes, never overlapping ones, so no iteration depends on another.
//
// Library templates are avoided on purpose: an inline function compiled here for a newer
// instruction set could be picked by the linker for the rest of the program.
#pragma once

#ifdef __AVX2__
#include <immintrin.h>
#endif

#include <cstdint>
#include <type_traits>
#include <utility>

#include "sim/exec/decoded.h"
#include "sim/exec/lanes/families.h"

namespace paws::exec::PAWS_LANES {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;

/// IEEE binary16, by its bits.
struct Half {
  u16 bits;
};
/// bfloat16, by its bits.
struct Brain {
  u16 bits;
};
/// Two values of 16 bits, the first in the low half.
struct HalfPair {
  u32 bits;
};
struct BrainPair {
  u32 bits;
};
template <class T>
concept ByBits = requires(T value) { value.bits; };

template <class T>
using Raw = std::conditional_t<sizeof(T) == 8, u64, u32>;

template <class T>
inline T from_raw(Raw<T> raw) {
  if constexpr (ByBits<T>) {
    return T{static_cast<decltype(T::bits)>(raw)};
  } else if constexpr (std::is_floating_point_v<T>) {
    return __builtin_bit_cast(T, raw);
  } else {
    return static_cast<T>(raw);
  }
}

template <class T>
inline Raw<T> to_raw(T value) {
  if constexpr (ByBits<T>) {
    return value.bits;
  } else if constexpr (std::is_floating_point_v<T>) {
    return __builtin_bit_cast(Raw<T>, value);
  } else {
    return static_cast<Raw<T>>(value);
  }
}

/// Where a handler writes result `n`: the register's lanes, or scratch to be blended by finish().
template <class Lane>
inline Lane* result(const Decoded& in, WarpContext& ctx, unsigned n = 0) {
  std::byte* lanes =
      ctx.active == kAllLanes ? ctx.base[0] + in.dst.data()[n] : ctx.scratch.data()[n].data();
  return static_cast<Lane*>(__builtin_assume_aligned(lanes, kSlotAlign));
}

template <class Lane>
inline void finish(const Decoded& in, WarpContext& ctx, unsigned n = 0) {
  if (ctx.active == kAllLanes) return;
  auto* to =
      static_cast<Lane*>(__builtin_assume_aligned(ctx.base[0] + in.dst.data()[n], kSlotAlign));
  const auto* from =
      static_cast<const Lane*>(__builtin_assume_aligned(ctx.scratch.data()[n].data(), kSlotAlign));
  const u32 active = ctx.active;
#pragma GCC ivdep
  for (u32 i = 0; i < ir::kWarpSize; ++i) {
    const Lane keep = to[i];
    const Lane put = from[i];
    to[i] = (active >> i & 1) != 0 ? put : keep;
  }
}

/// Whether any active lane has a bit set.
template <class Lane>
inline bool any_set(const Lane* lanes, LaneMask active) {
  Lane set = 0;
  if (active == kAllLanes) {
    for (u32 i = 0; i < ir::kWarpSize; ++i) set |= lanes[i];
  } else {
    for (u32 i = 0; i < ir::kWarpSize; ++i) {
      set |= (active >> i & 1) != 0 ? lanes[i] : Lane{0};
    }
  }
  return set != 0;
}

template <class F>
inline F make(const Decoded& in) {
  if constexpr (std::is_constructible_v<F, const Decoded&>) {
    return F(in);
  } else {
    return F{};
  }
}

template <class F, class R, class... A>
struct Map {
  static void run(const Decoded& in, WarpContext& ctx) {
    run(in, ctx, std::make_index_sequence<sizeof...(A)>());
  }

 private:
  template <std::size_t... I>
  static inline void run(const Decoded& in, WarpContext& ctx, std::index_sequence<I...>) {
    loop(make<F>(in), result<Raw<R>>(in, ctx), ctx.lanes<Raw<A>>(in.src.data()[I])...);
    finish<Raw<R>>(in, ctx);
  }
  static inline void loop(F f, Raw<R>* out, const Raw<A>*... sources) {
#pragma GCC ivdep
    for (u32 i = 0; i < ir::kWarpSize; ++i) out[i] = to_raw<R>(f(from_raw<A>(sources[i])...));
  }
};

template <class F, class R, class... A>
constexpr Handler map() {
  return &Map<F, R, A...>::run;
}

/// One bit per lane from 32 lanes of zeros or ones alone.
inline LaneMask gather_bits(const u32* lanes) {
  LaneMask mask = 0;
#ifdef __AVX2__
  for (u32 i = 0; i < ir::kWarpSize; i += 8) {
    const __m256 eight =
        _mm256_castsi256_ps(_mm256_load_si256(reinterpret_cast<const __m256i*>(lanes + i)));
    mask |= static_cast<u32>(_mm256_movemask_ps(eight)) << i;
  }
#else
  for (u32 i = 0; i < ir::kWarpSize; ++i) mask |= (lanes[i] & 1) << i;
#endif
  return mask;
}

/// Calls `pick` with a value of the C++ type that carries `type`; nullptr for other types.
template <class Pick>
Handler for_integer(ir::Type type, Pick pick) {
  switch (type) {
    case ir::Type::u16:
    case ir::Type::b16:
      return pick(u16{});
    case ir::Type::s16:
      return pick(s16{});
    case ir::Type::u32:
    case ir::Type::b32:
      return pick(u32{});
    case ir::Type::s32:
      return pick(s32{});
    case ir::Type::u64:
    case ir::Type::b64:
      return pick(u64{});
    case ir::Type::s64:
      return pick(s64{});
    default:
      return nullptr;
  }
}

/// The same, where the sign does not matter.
template <class Pick>
Handler for_bits(ir::Type type, Pick pick) {
  switch (type) {
    case ir::Type::u16:
    case ir::Type::s16:
    case ir::Type::f16:
    case ir::Type::bf16:
    case ir::Type::b16:
      return pick(u16{});
    case ir::Type::u32:
    case ir::Type::s32:
    case ir::Type::f32:
    case ir::Type::f16x2:
    case ir::Type::bf16x2:
    case ir::Type::tf32:
    case ir::Type::b32:
      return pick(u32{});
    case ir::Type::u64:
    case ir::Type::s64:
    case ir::Type::f64:
    case ir::Type::b64:
      return pick(u64{});
    default:
      return nullptr;
  }
}

/// 32- and 64-bit integers only.
template <class Pick>
Handler for_wide_integer(ir::Type type, Pick pick) {
  switch (type) {
    case ir::Type::u32:
    case ir::Type::b32:
      return pick(u32{});
    case ir::Type::s32:
      return pick(s32{});
    case ir::Type::u64:
    case ir::Type::b64:
      return pick(u64{});
    case ir::Type::s64:
      return pick(s64{});
    default:
      return nullptr;
  }
}

/// Arithmetic that wraps: unsigned and at least 32 bits wide, so that nothing is undefined.
template <class T>
using Wrap = std::conditional_t<sizeof(T) == 8, u64, u32>;

template <class T>
inline constexpr unsigned kBits = 8 * sizeof(T);

}  // namespace paws::exec::PAWS_LANES
