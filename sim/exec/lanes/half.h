// SPDX-License-Identifier: MIT
// IEEE binary16 by its bits: exact widening, and narrowing in any rounding mode.
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

/// Rounds once. NaN becomes the canonical 0x7fff. A binary32 or binary64 value is a double first.
inline Half to_half(double value, ir::Round round) {
  const u64 bits = __builtin_bit_cast(u64, value);
  const u32 sign = static_cast<u32>(bits >> 48) & 0x8000u;
  const u64 magnitude = bits & ~(u64{1} << 63);
  const s32 exponent = static_cast<s32>(magnitude >> 52) - 1023;
  const bool up = round == ir::Round::rp ? sign == 0 : round == ir::Round::rm && sign != 0;
  if (magnitude > 0x7ff0000000000000) return Half{0x7fff};
  if (magnitude == 0x7ff0000000000000) return Half{static_cast<u16>(sign | 0x7c00)};
  if (magnitude == 0) return Half{static_cast<u16>(sign)};
  if (exponent > 15) {
    const bool to_infinity = up || round == ir::Round::rn || round == ir::Round::none;
    return Half{static_cast<u16>(sign | (to_infinity ? 0x7c00 : 0x7bff))};
  }
  const u64 significand = (magnitude & 0xfffffffffffff) | (exponent > -1023 ? u64{1} << 52 : 0);
  const s32 subnormal_by = exponent < -14 ? -14 - exponent : 0;
  const u32 shift = subnormal_by > 20 ? 62 : static_cast<u32>(42 + subnormal_by);
  const u64 kept = significand >> shift;
  const u64 rest = significand & ((u64{1} << shift) - 1);
  const u64 half = u64{1} << (shift - 1);
  const bool nearest = round == ir::Round::rn || round == ir::Round::none;
  const bool increment =
      nearest ? rest > half || (rest == half && (kept & 1) != 0) : up && rest != 0;
  // The leading one of a normal number carries into the exponent field by itself.
  const u64 base = subnormal_by > 0 ? 0 : static_cast<u64>(exponent + 14) << 10;
  return Half{static_cast<u16>(sign | (base + kept + (increment ? 1 : 0)))};
}

}  // namespace paws::exec::PAWS_LANES
