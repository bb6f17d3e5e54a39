// SPDX-License-Identifier: MIT
// erfinv(), erfcinv(), normcdfinv(), normcdf() and erfcx(), for host and kernels. `Math` has the
// functions of double precision that they are made of.
#pragma once

#define PAWS_BOTH_SIDES static __inline__ __host__ __device__

/// A first guess at erfinv(x), with L = log(1 - x * x): Winitzki's approximation, to 2 in 1000.
template <typename Math>
PAWS_BOTH_SIDES double paws_guess_erfinv(double logarithm) {
  const double half = 4.330746750799873 + logarithm / 2;  // 2 / (0.147 pi)
  return Math::sqrt(Math::sqrt(half * half - logarithm / 0.147) - half);
}

/// Of |x| <= 1 / 2: Halley's steps to the zero of erf(y) - x.
template <typename Math>
PAWS_BOTH_SIDES double paws_small_erfinv(double x) {
  const double square = x * x;
  double y = x * (0.886226925452758 + square * (0.232013666534655 + square * 0.127556175305598));
  for (int step = 0; step < 2; ++step) {
    const double u = (Math::erf(y) - x) * 0.886226925452758 * Math::exp(y * y);
    y -= u / (1 + y * u);
  }
  return y;
}

/// The logarithm of erfc(y) for y of 15 or more.
template <typename Math>
PAWS_BOTH_SIDES double paws_log_erfc(double y) {
  const double part = 1 / (2 * y * y);
  double sum = 1;
  for (int factor = 11; factor > 0; factor -= 2) sum = 1 - factor * part * sum;
  return -y * y - 0.572364942924700087 + Math::log(sum / y);  // log(pi) / 2
}

/// Of 0 < x < 1 / 2: Newton's steps to the zero of log(erfc(y) / x), which is nearly straight.
template <typename Math>
PAWS_BOTH_SIDES double paws_small_erfcinv(double x) {
  const bool tiny = x < 1e-100;
  double y = paws_guess_erfinv<Math>(Math::log(x * (2 - x)));
  for (int step = 0; step < 4; ++step) {
    if (tiny) {
      y += (paws_log_erfc<Math>(y) - Math::log(x)) / (2 * y + 1 / y);
      continue;
    }
    const double complement = Math::erfc(y);
    const double slope = 1.12837916709551257 * Math::exp(-y * y) / complement;
    y += Math::log1p((complement - x) / x) / slope;
  }
  return y;
}

template <typename Math>
PAWS_BOTH_SIDES double paws_erfcinv(double x) {
  if (x >= 0.5 && x <= 1.5) return paws_small_erfinv<Math>(1 - x);
  if (x == 0) return 1 / Math::fabs(x);
  if (x == 2) return -1 / (x - 2 + 0.0);
  if (!(x > 0 && x < 2)) return Math::sqrt(-1.0);
  return x < 1 ? paws_small_erfcinv<Math>(x) : -paws_small_erfcinv<Math>(2 - x);
}

template <typename Math>
PAWS_BOTH_SIDES double paws_erfinv(double x) {
  const double size = Math::fabs(x);
  if (size <= 0.5) return paws_small_erfinv<Math>(x);
  const double y = paws_erfcinv<Math>(1 - size);
  return x < 0 ? -y : y;
}

template <typename Math>
PAWS_BOTH_SIDES double paws_normcdfinv(double x) {
  return -1.41421356237309505 * paws_erfcinv<Math>(2 * x);
}

/// erfc(-x / sqrt(2)) / 2. Far below 0, erfc() makes a rounding error of its argument more than a
/// thousand times as large: what rounding has taken away is added along the slope.
template <typename Math>
PAWS_BOTH_SIDES double paws_normcdf(double x) {
  // From here on the result is 0 or 1, and infinities would have no rounding error.
  if (Math::fabs(x) > 38.625) x = x < 0 ? -38.625 : 38.625;
  const double factor = 0.70710678118654757;
  const double y = -factor * x;
  const double rest = Math::fma(-x, factor, -y) + x * 4.833646656726457e-17;
  const double slope = -1.12837916709551257 * Math::exp(-y * y);
  return 0.5 * (Math::erfc(y) + slope * rest);
}

/// exp(x * x) * erfc(x).
template <typename Math>
PAWS_BOTH_SIDES double paws_erfcx(double x) {
  if (x < 10) {
    const double square = x * x;
    const double rest = Math::fma(x, x, -square);
    const double power = Math::exp(square);
    if (!(power < 1e308)) return power + power;
    return (power + power * rest) * Math::erfc(x);
  }
  const double part = 1 / (2 * x * x);
  double sum = 1;
  for (int factor = 23; factor > 0; factor -= 2) sum = 1 - factor * part * sum;
  return 0.564189583547756287 * sum / x;
}
#undef PAWS_BOTH_SIDES
