// SPDX-License-Identifier: MIT
// What clang calls for some operations that PTX does not have: division of 128-bit integers, their
// conversion from and to floating point, and integer powers. scripts/cuda++ puts this before the
// sources whose kernels need it: clang looks for the functions by name when everything has been
// thrown away that nobody calls.
#pragma once

#include "cuda_runtime.h"

#ifdef __CUDA_ARCH__
typedef __int128 paws_int128;
typedef unsigned __int128 paws_uint128;

static __inline__ __device__ int paws_leading_zeros(paws_uint128 a) {
  const unsigned long long high = static_cast<unsigned long long>(a >> 64);
  return high != 0 ? __clzll(high) : 64 + __clzll(static_cast<unsigned long long>(a));
}

static __inline__ __device__ paws_uint128 paws_magnitude(paws_int128 a) {
  return a < 0 ? -static_cast<paws_uint128>(a) : a;
}

static __inline__ __device__ paws_int128 paws_with_sign(paws_uint128 a, bool negative) {
  return negative ? -a : a;
}

/// Quotient; the remainder stays in a.
static __inline__ __device__ paws_uint128 paws_divide(paws_uint128& a, paws_uint128 b) {
  if (((a | b) >> 64) == 0) {
    const unsigned long long small = static_cast<unsigned long long>(a);
    const unsigned long long by = static_cast<unsigned long long>(b);
    a = small % by;
    return small / by;
  }
  paws_uint128 quotient = 0;
  // Bit by bit, from where the divisor's first one is that of what is left.
  for (int i = paws_leading_zeros(b) - paws_leading_zeros(a); i >= 0; --i) {
    quotient <<= 1;
    if (a >= b << i) {
      a -= b << i;
      quotient |= 1;
    }
  }
  return quotient;
}

template <typename Float>
static __inline__ __device__ Float paws_float_of(paws_uint128 a) {
  const int over = 128 - paws_leading_zeros(a) - 63;
  if (over <= 0) return static_cast<Float>(static_cast<unsigned long long>(a));
  // The last of 63 bits says whether anything has been cut off, so the number is rounded once.
  const bool cut = (a & ((static_cast<paws_uint128>(1) << over) - 1)) != 0;
  const unsigned long long kept = static_cast<unsigned long long>(a >> over) | (cut ? 1u : 0u);
  return ldexp(static_cast<Float>(kept), over);
}

/// Of a magnitude less than 2^128, without what is behind the point.
static __inline__ __device__ paws_uint128 paws_integer_of(double a) {
  const double high = floor(ldexp(a, -64));
  return (static_cast<paws_uint128>(static_cast<unsigned long long>(high)) << 64) +
         static_cast<unsigned long long>(a - ldexp(high, 64));
}

template <typename Float>
static __inline__ __device__ Float paws_power(Float base, int exponent) {
  Float product = 1;
  for (unsigned int left = abs(exponent); left != 0; left >>= 1, base *= base) {
    if ((left & 1) != 0) product *= base;
  }
  return exponent < 0 ? 1 / product : product;
}

#define PAWS_LIBRARY(result, name, ...) \
  extern "C" __device__ __attribute__((used)) result name(__VA_ARGS__)
PAWS_LIBRARY(paws_uint128, __udivti3, paws_uint128 a, paws_uint128 b) { return paws_divide(a, b); }
PAWS_LIBRARY(paws_uint128, __umodti3, paws_uint128 a, paws_uint128 b) {
  paws_divide(a, b);
  return a;
}
PAWS_LIBRARY(paws_int128, __divti3, paws_int128 a, paws_int128 b) {
  paws_uint128 left = paws_magnitude(a);
  return paws_with_sign(paws_divide(left, paws_magnitude(b)), (a < 0) != (b < 0));
}
PAWS_LIBRARY(paws_int128, __modti3, paws_int128 a, paws_int128 b) {
  paws_uint128 left = paws_magnitude(a);
  paws_divide(left, paws_magnitude(b));
  return paws_with_sign(left, a < 0);
}
PAWS_LIBRARY(double, __floatuntidf, paws_uint128 a) { return paws_float_of<double>(a); }
PAWS_LIBRARY(float, __floatuntisf, paws_uint128 a) { return paws_float_of<float>(a); }
PAWS_LIBRARY(double, __floattidf, paws_int128 a) {
  return copysign(paws_float_of<double>(paws_magnitude(a)), a < 0 ? -1.0 : 1.0);
}
PAWS_LIBRARY(float, __floattisf, paws_int128 a) {
  return copysignf(paws_float_of<float>(paws_magnitude(a)), a < 0 ? -1.0f : 1.0f);
}
PAWS_LIBRARY(paws_uint128, __fixunsdfti, double a) { return paws_integer_of(a); }
PAWS_LIBRARY(paws_uint128, __fixunssfti, float a) { return paws_integer_of(a); }
PAWS_LIBRARY(paws_int128, __fixdfti, double a) {
  return paws_with_sign(paws_integer_of(fabs(a)), a < 0);
}
PAWS_LIBRARY(paws_int128, __fixsfti, float a) {
  return paws_with_sign(paws_integer_of(fabsf(a)), a < 0);
}
PAWS_LIBRARY(double, __powidf2, double a, int b) { return paws_power(a, b); }
PAWS_LIBRARY(float, __powisf2, float a, int b) { return paws_power(a, b); }
#undef PAWS_LIBRARY
#endif
