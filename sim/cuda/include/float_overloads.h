// SPDX-License-Identifier: MIT
// Mathematics of C++ by overloads: round(float), fmax(float, float). clang declares them for
// kernels and leaves them to CUDA's headers.
#pragma once

#define PAWS_FLOAT(result, name) \
  static __inline__ __device__ result name(float a) { return name##f(a); }
PAWS_FLOAT(float, acosh)
PAWS_FLOAT(float, asinh)
PAWS_FLOAT(float, atanh)
PAWS_FLOAT(float, cbrt)
PAWS_FLOAT(float, cospi)
PAWS_FLOAT(float, erf)
PAWS_FLOAT(float, erfc)
PAWS_FLOAT(float, erfcinv)
PAWS_FLOAT(float, erfcx)
PAWS_FLOAT(float, erfinv)
PAWS_FLOAT(float, exp2)
PAWS_FLOAT(float, expm1)
PAWS_FLOAT(float, lgamma)
PAWS_FLOAT(float, log1p)
PAWS_FLOAT(float, log2)
PAWS_FLOAT(float, logb)
PAWS_FLOAT(float, nearbyint)
PAWS_FLOAT(float, normcdf)
PAWS_FLOAT(float, normcdfinv)
PAWS_FLOAT(float, rcbrt)
PAWS_FLOAT(float, rint)
PAWS_FLOAT(float, round)
PAWS_FLOAT(float, rsqrt)
PAWS_FLOAT(float, sinpi)
PAWS_FLOAT(float, tgamma)
PAWS_FLOAT(float, trunc)
PAWS_FLOAT(int, ilogb)
PAWS_FLOAT(long, lrint)
PAWS_FLOAT(long, lround)
PAWS_FLOAT(long long, llrint)
PAWS_FLOAT(long long, llround)
#undef PAWS_FLOAT

#define PAWS_FLOATS(name) \
  static __inline__ __device__ float name(float a, float b) { return name##f(a, b); }
PAWS_FLOATS(copysign)
PAWS_FLOATS(fdim)
PAWS_FLOATS(fmax)
PAWS_FLOATS(fmin)
PAWS_FLOATS(hypot)
PAWS_FLOATS(nextafter)
PAWS_FLOATS(remainder)
#undef PAWS_FLOATS

static __inline__ __device__ float fma(float a, float b, float c) { return fmaf(a, b, c); }
static __inline__ __device__ float remquo(float a, float b, int* quotient) {
  return remquof(a, b, quotient);
}
static __inline__ __device__ float scalbn(float a, int exponent) { return scalbnf(a, exponent); }
static __inline__ __device__ float scalbln(float a, long exponent) { return scalblnf(a, exponent); }
static __inline__ __device__ void sincos(float a, float* sine, float* cosine) {
  sincosf(a, sine, cosine);
}
static __inline__ __device__ void sincospi(float a, float* sine, float* cosine) {
  sincospif(a, sine, cosine);
}

/// What is in the text changes nothing.
static __inline__ __device__ float nanf(const char*) { return __int_as_float(0x7fffffff); }
static __inline__ __device__ double nan(const char*) {
  return __longlong_as_double(0x7fffffffffffffffLL);
}

static __inline__ __device__ float __tanhf(float a) {
  float result;
  __asm__("tanh.approx.f32 %0, %1;" : "=f"(result) : "f"(a));
  return result;
}
