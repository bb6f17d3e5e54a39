// SPDX-License-Identifier: MIT
// IEEE binary16 and bfloat16 by their bits: exact widening, and narrowing in any rounding mode.
#pragma once

#include "sim/exec/lanes/lane.h"

namespace paws::exec::PAWS_LANES {

/// Exact; NaN keeps its sign and payload.
inline float to_float(Half half) {
  const u32 sign = u32{half.bits & 0x8000u} << 16;
  const u32 exponent = half.bits >> 10 & 0x1f;
  const u32 fraction = half.bits & 0x3ffu;
  const u32 normal = (exponent + 112) << 23 | fraction << 13;
  const u32 special = 0x7f800000u | fraction << 13;
  const float subnormal = static_cast<float>(static_cast<s32>(fraction)) * 0x1p-24f;
  const u32 magnitude = exponent == 31  ? special
                        : exponent == 0 ? __builtin_bit_cast(u32, subnormal)
                                        : normal;
  return __builtin_bit_cast(float, magnitude | sign);
}
inline float to_float(Brain brain) { return __builtin_bit_cast(float, u32{brain.bits} << 16); }

/// The numbers of a 16-bit format.
template <class T>
struct SmallFormat;
template <>
struct SmallFormat<Half> {
  using Pair = HalfPair;
  static constexpr u32 kFraction = 10;  ///< bits
  static constexpr s32 kGreatest = 15;  ///< exponent of the greatest numbers
};
template <>
struct SmallFormat<Brain> {
  using Pair = BrainPair;
  static constexpr u32 kFraction = 7;
  static constexpr s32 kGreatest = 127;
};
template <class T>
inline constexpr u32 kInfinity16 =
    0x7fffu >> SmallFormat<T>::kFraction << SmallFormat<T>::kFraction;
template <class T>
inline constexpr u32 kOne16 =
    static_cast<u32>(SmallFormat<T>::kGreatest) << SmallFormat<T>::kFraction;
template <class T>
inline constexpr bool kIsSmall = std::is_same_v<T, Half> || std::is_same_v<T, Brain>;

/// Subnormals to zero of the same sign.
template <class T>
inline T flush16(T x) {
  const bool subnormal = (x.bits & kInfinity16<T>) == 0;
  return T{static_cast<u16>(subnormal ? x.bits & 0x8000 : x.bits)};
}

/// Rounds once; .rna is to nearest, ties away from zero. NaN becomes the canonical 0x7fff. A
/// binary32 or binary64 value is a double first.
template <class T>
inline T to_small(double value, ir::Round round) {
  constexpr u32 kFraction = SmallFormat<T>::kFraction;
  constexpr s32 kGreatest = SmallFormat<T>::kGreatest;
  constexpr s32 kLeast = 1 - kGreatest;  // exponent of the smallest normal numbers
  constexpr u32 kDrop = 52 - kFraction;
  const u64 bits = __builtin_bit_cast(u64, value);
  const u32 sign = static_cast<u32>(bits >> 48) & 0x8000u;
  const u64 magnitude = bits & ~(u64{1} << 63);
  const s32 exponent = static_cast<s32>(magnitude >> 52) - 1023;
  const bool up = round == ir::Round::rp ? sign == 0 : round == ir::Round::rm && sign != 0;
  const bool away = round == ir::Round::rna;
  const bool nearest = away || round == ir::Round::rn || round == ir::Round::none;
  const u64 significand = (magnitude & 0xfffffffffffff) | (exponent > -1023 ? u64{1} << 52 : 0);
  const s32 subnormal_by = exponent < kLeast ? kLeast - exponent : 0;
  constexpr u32 kFarthest = 62;  // what is shifted so far is all rest, and less than half
  const u32 wanted = kDrop + static_cast<u32>(subnormal_by);
  const u32 shift = wanted > kFarthest ? kFarthest : wanted;
  const u64 kept = significand >> shift;
  const u64 rest = significand & ((u64{1} << shift) - 1);
  const u64 half = u64{1} << (shift - 1);
  const bool beyond = rest > half || (rest == half && (away || (kept & 1) != 0));
  const bool increment = nearest ? beyond : up && rest != 0;
  // The leading one of a normal number carries into the exponent field by itself.
  const u64 base = subnormal_by > 0 ? 0 : static_cast<u64>(exponent + kGreatest - 1) << kFraction;
  const u32 rounded = static_cast<u32>(base + kept + (increment ? 1 : 0));
  const u32 overflow = up || nearest ? kInfinity16<T> : kInfinity16<T> - 1;
  const u32 finite = exponent > kGreatest ? overflow : rounded;
  const u32 number = magnitude == 0x7ff0000000000000 ? kInfinity16<T> : finite;
  return T{static_cast<u16>(magnitude > 0x7ff0000000000000 ? 0x7fff : sign | number)};
}

}  // namespace paws::exec::PAWS_LANES
