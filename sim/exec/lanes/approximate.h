// SPDX-License-Identifier: MIT
// The approximate functions (ex2, lg2, sin, cos, tanh), the same on every machine: double
// precision, only + - * / and bit operations, in a fixed order, no host library. Their errors, some
// 1e-11 before the final rounding to f32, are far inside the PTX ISA's bounds.
#pragma once

#include "sim/exec/lanes/lane.h"

namespace paws::exec::PAWS_LANES {

inline constexpr double kRoundMagic = 0x1.8p52;  ///< x + it - it rounds |x| < 2^51 to an integer

/// 2^n for an integral n in [-1000, 1000] given as n + kRoundMagic.
inline double power_of_two(double n_and_magic) {
  return __builtin_bit_cast(double, (__builtin_bit_cast(u64, n_and_magic) + 1023) << 52);
}

/// 2^x. |x| is cut at 200, beyond f32's range either way.
inline double ex2(double x) {
  const double low = x < -200.0 ? -200.0 : x;
  const double in = low > 200.0 ? 200.0 : low;
  const double n = in + kRoundMagic;
  const double t = (in - (n - kRoundMagic)) * 0x1.62e42fefa39efp-1;  // ln 2
  double p = 1.0 / 39916800;                                         // 1/11!, and so on
  p = p * t + 1.0 / 3628800;
  p = p * t + 1.0 / 362880;
  p = p * t + 1.0 / 40320;
  p = p * t + 1.0 / 5040;
  p = p * t + 1.0 / 720;
  p = p * t + 1.0 / 120;
  p = p * t + 1.0 / 24;
  p = p * t + 1.0 / 6;
  p = p * t + 0.5;
  p = p * t + 1.0;
  p = p * t + 1.0;
  const double y = p * power_of_two(n);
  return x == x ? y : x;
}

/// log2(x), x any value of f32 widened.
inline double lg2(double x) {
  const u64 bits = __builtin_bit_cast(u64, x);
  // m in [sqrt(1/2), sqrt(2)) so that log2(m) is small around x = 1.
  const u64 shifted = bits - 0x3fe6a09e667f3bcd;
  const u64 exponent = static_cast<u64>(static_cast<s64>(shifted) >> 52);
  const double e =
      __builtin_bit_cast(double, __builtin_bit_cast(u64, kRoundMagic) + exponent) - kRoundMagic;
  const double m = __builtin_bit_cast(double, bits - (shifted & 0xfff0000000000000));
  const double s = (m - 1.0) / (m + 1.0);
  const double z = s * s;
  double p = 1.0 / 15;
  p = p * z + 1.0 / 13;
  p = p * z + 1.0 / 11;
  p = p * z + 1.0 / 9;
  p = p * z + 1.0 / 7;
  p = p * z + 1.0 / 5;
  p = p * z + 1.0 / 3;
  p = p * z + 1.0;
  const double y = e + p * s * 0x1.71547652b82fep+1;  // 2 / ln 2
  const double infinity = __builtin_inf();
  const double positive = x == infinity ? infinity : y;
  return x > 0.0 ? positive : x == 0.0 ? -infinity : __builtin_nan("");
}

/// Quadrant and remainder of an angle: x = n * pi/2 + r, |r| <= pi/4.
struct Reduced {
  u64 quadrant;
  double r;
};
inline Reduced reduce(double x) {
  // Beyond 2^20 the exact remainder by double's 2 pi keeps the angle in range; the true
  // quadrant is then beyond what an approximate sine promises.
  const double near = __builtin_fabs(x) < 0x1p20 ? x : __builtin_fmod(x, 0x1.921fb54442d18p+2);
  const double n = near * 0x1.45f306dc9c883p-1 + kRoundMagic;  // 2 / pi
  const double k = n - kRoundMagic;
  const double r = (near - k * 0x1.921fb544p+0) - k * 0x1.0b4611a626331p-34;
  return {__builtin_bit_cast(u64, n) & 3, r};
}
inline double sin_in_octant(double r) {
  const double z = r * r;
  double p = -1.0 / 1307674368000;
  p = p * z + 1.0 / 6227020800;
  p = p * z - 1.0 / 39916800;
  p = p * z + 1.0 / 362880;
  p = p * z - 1.0 / 5040;
  p = p * z + 1.0 / 120;
  p = p * z - 1.0 / 6;
  return r + r * z * p;
}
inline double cos_in_octant(double r) {
  const double z = r * r;
  double p = 1.0 / 20922789888000;
  p = p * z - 1.0 / 87178291200;
  p = p * z + 1.0 / 479001600;
  p = p * z - 1.0 / 3628800;
  p = p * z + 1.0 / 40320;
  p = p * z - 1.0 / 720;
  p = p * z + 1.0 / 24;
  p = p * z - 0.5;
  return 1.0 + z * p;
}
inline double sine(double x, u64 quarter_turns) {
  const Reduced angle = reduce(x);
  const u64 quadrant = angle.quadrant + quarter_turns;
  const double value = (quadrant & 1) != 0 ? cos_in_octant(angle.r) : sin_in_octant(angle.r);
  const double y = (quadrant & 2) != 0 ? -value : value;
  return x - x == 0.0 ? (x == 0.0 && quarter_turns == 0 ? x : y) : __builtin_nan("");
}

/// tanh(x) = 1 - 2 / (e^2x + 1); the argument itself where the difference is below f32's precision.
inline double tangent(double x) {
  const double e = ex2(x * 0x1.71547652b82fep+1);  // e^2x = 2^(x * 2 / ln 2)
  const double y = 1.0 - 2.0 / (e + 1.0);
  return __builtin_fabs(x) < 0x1p-13 ? x : y;
}

}  // namespace paws::exec::PAWS_LANES
