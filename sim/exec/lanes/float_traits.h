// SPDX-License-Identifier: MIT
// What every floating-point result goes through: subnormal flushing, saturation, canonical NaN.
#pragma once

#include "sim/exec/lanes/lane.h"
#include "sim/exec/lanes/small_float.h"

namespace paws::exec::PAWS_LANES {

inline constexpr u32 kNan32 = 0x7fffffff;          ///< PTX ISA: canonical f32 NaN
inline constexpr u64 kNan64 = 0x7ff8000000000000;  ///< one pattern, so results do not
                                                   ///< depend on the operand order
/// Subnormals to zero of the same sign.
inline float flush(float x) {
  const u32 bits = __builtin_bit_cast(u32, x);
  return __builtin_bit_cast(float, (bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits);
}
inline double flush(double x) {
  const u64 bits = __builtin_bit_cast(u64, x);
  return __builtin_bit_cast(double,
                            (bits & 0x7ff0000000000000) == 0 ? bits & 0x8000000000000000 : bits);
}
template <bool kFtz>
inline float input(float x) {
  return kFtz ? flush(x) : x;
}

/// The end of an f32 operation: .ftz, then .sat (to [0, 1], NaN to +0), else canonical NaN.
template <bool kFtz, bool kSat>
inline float output(float x) {
  if constexpr (kFtz) x = flush(x);
  if constexpr (kSat) {
    const float low = x > 0.0f ? x : 0.0f;
    return low < 1.0f ? low : 1.0f;
  } else {
    return x == x ? x : __builtin_bit_cast(float, kNan32);
  }
}
inline double output(double x) { return x == x ? x : __builtin_bit_cast(double, kNan64); }

}  // namespace paws::exec::PAWS_LANES
