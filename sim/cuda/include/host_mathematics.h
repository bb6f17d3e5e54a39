// SPDX-License-Identifier: MIT
// CUDA's own mathematical functions on the host, which C++ does not have. For kernels clang's
// headers have them.
#pragma once

#include "inverse_errors.h"

static __inline__ float rsqrtf(float a) { return 1.0f / sqrtf(a); }
static __inline__ double rsqrt(double a) { return 1.0 / sqrt(a); }
static __inline__ float rsqrt(float a) { return rsqrtf(a); }
static __inline__ float fdividef(float a, float b) { return a / b; }

/// Sine and cosine of pi * a. Quarters of a turn are taken away first: a has no rounding error, but
/// pi * a has one, which is as large as a is.
static __inline__ void sincospi(double a, double* sine, double* cosine) {
  int quarters = 0;
  const double rest = 3.14159265358979323846 * remquo(a, 0.5, &quarters);
  const double along = cos(rest), across = sin(rest);
  // A zero has the sign of `a` in the sine, as in the remainder, and is positive in the cosine.
  switch (quarters & 3) {
    case 0:
      *sine = across;
      *cosine = along;
      break;
    case 1:
      *sine = along;
      *cosine = 0 - across;
      break;
    case 2:
      *sine = across == 0 ? across : -across;
      *cosine = -along;
      break;
    default:
      *sine = -along;
      *cosine = 0 + across;
  }
}
static __inline__ void sincospif(float a, float* sine, float* cosine) {
  double wide_sine = 0, wide_cosine = 0;
  sincospi(double{a}, &wide_sine, &wide_cosine);
  *sine = static_cast<float>(wide_sine);
  *cosine = static_cast<float>(wide_cosine);
}
static __inline__ void sincospi(float a, float* sine, float* cosine) { sincospif(a, sine, cosine); }
static __inline__ double sinpi(double a) {
  double sine = 0, cosine = 0;
  sincospi(a, &sine, &cosine);
  return sine;
}
static __inline__ double cospi(double a) {
  double sine = 0, cosine = 0;
  sincospi(a, &sine, &cosine);
  return cosine;
}
static __inline__ float sinpif(float a) { return static_cast<float>(sinpi(double{a})); }
static __inline__ float cospif(float a) { return static_cast<float>(cospi(double{a})); }
static __inline__ float sinpi(float a) { return sinpif(a); }
static __inline__ float cospi(float a) { return cospif(a); }

/// The host's functions of double precision.
struct paws_host_math {
  static double erf(double a) { return ::erf(a); }
  static double erfc(double a) { return ::erfc(a); }
  static double exp(double a) { return ::exp(a); }
  static double fabs(double a) { return ::fabs(a); }
  static double fma(double a, double b, double c) { return ::fma(a, b, c); }
  static double log(double a) { return ::log(a); }
  static double log1p(double a) { return ::log1p(a); }
  static double sqrt(double a) { return ::sqrt(a); }
};
#define PAWS_HOST(name)                                                              \
  static __inline__ double name(double a) { return paws_##name<paws_host_math>(a); } \
  static __inline__ float name##f(float a) {                                         \
    return static_cast<float>(paws_##name<paws_host_math>(a));                       \
  }                                                                                  \
  static __inline__ float name(float a) { return name##f(a); }
PAWS_HOST(erfcinv)
PAWS_HOST(erfcx)
PAWS_HOST(erfinv)
PAWS_HOST(normcdf)
PAWS_HOST(normcdfinv)
#undef PAWS_HOST

// Each through the next precision, which has the digits and the range.
static __inline__ long double paws_host_length(double a, double b, double c, double d) {
  return hypotl(hypotl(a, b), hypotl(c, d));
}
static __inline__ double rcbrt(double a) { return static_cast<double>(1 / cbrtl(a)); }
static __inline__ float rcbrtf(float a) { return static_cast<float>(rcbrt(double{a})); }
static __inline__ float rcbrt(float a) { return rcbrtf(a); }
static __inline__ double norm3d(double a, double b, double c) {
  return static_cast<double>(paws_host_length(a, b, c, 0));
}
static __inline__ float norm3df(float a, float b, float c) {
  return static_cast<float>(norm3d(a, b, c));
}
static __inline__ double norm4d(double a, double b, double c, double d) {
  return static_cast<double>(paws_host_length(a, b, c, d));
}
static __inline__ float norm4df(float a, float b, float c, float d) {
  return static_cast<float>(norm4d(a, b, c, d));
}
static __inline__ double rhypot(double a, double b) {
  return static_cast<double>(1 / hypotl(a, b));
}
static __inline__ float rhypotf(float a, float b) { return static_cast<float>(rhypot(a, b)); }
static __inline__ double rnorm3d(double a, double b, double c) {
  return static_cast<double>(1 / paws_host_length(a, b, c, 0));
}
static __inline__ float rnorm3df(float a, float b, float c) {
  return static_cast<float>(rnorm3d(a, b, c));
}
static __inline__ double rnorm4d(double a, double b, double c, double d) {
  return static_cast<double>(1 / paws_host_length(a, b, c, d));
}
static __inline__ float rnorm4df(float a, float b, float c, float d) {
  return static_cast<float>(rnorm4d(a, b, c, d));
}
static __inline__ long long llmin(long long a, long long b) { return a < b ? a : b; }
static __inline__ long long llmax(long long a, long long b) { return a > b ? a : b; }
static __inline__ unsigned long long ullmin(unsigned long long a, unsigned long long b) {
  return a < b ? a : b;
}
static __inline__ unsigned long long ullmax(unsigned long long a, unsigned long long b) {
  return a > b ? a : b;
}
static __inline__ unsigned int umin(unsigned int a, unsigned int b) { return a < b ? a : b; }
static __inline__ unsigned int umax(unsigned int a, unsigned int b) { return a > b ? a : b; }
static __inline__ void sincos(float a, float* sine, float* cosine) {
  *sine = sinf(a);
  *cosine = cosf(a);
}
