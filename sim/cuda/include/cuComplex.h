// SPDX-License-Identifier: MIT
// Complex numbers of the CUDA toolkit, for host and device: names and meanings are those of its
// cuComplex.h. Products and quotients do not care for infinity and NaN as those of C99 do.
#pragma once

// The names are CUDA's, and C programs include this.
// NOLINTBEGIN(bugprone-reserved-identifier,modernize-use-nullptr)

#include <math.h>

#include "vector_types.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define PAWS_COMPLEX __host__ __device__ static __inline__

// The type, its numbers, a letter of its functions' names, and functions of its numbers.
#define PAWS_COMPLEX_FUNCTIONS(Complex, type, f, absolute, distance)              \
  PAWS_COMPLEX Complex make_##Complex(type real, type imaginary) {                \
    Complex made;                                                                 \
    made.x = real;                                                                \
    made.y = imaginary;                                                           \
    return made;                                                                  \
  }                                                                               \
  PAWS_COMPLEX type cuCreal##f(Complex a) { return a.x; }                         \
  PAWS_COMPLEX type cuCimag##f(Complex a) { return a.y; }                         \
  PAWS_COMPLEX Complex cuConj##f(Complex a) { return make_##Complex(a.x, -a.y); } \
  PAWS_COMPLEX Complex cuCadd##f(Complex a, Complex b) {                          \
    return make_##Complex(a.x + b.x, a.y + b.y);                                  \
  }                                                                               \
  PAWS_COMPLEX Complex cuCsub##f(Complex a, Complex b) {                          \
    return make_##Complex(a.x - b.x, a.y - b.y);                                  \
  }                                                                               \
  PAWS_COMPLEX Complex cuCmul##f(Complex a, Complex b) {                          \
    return make_##Complex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);          \
  }                                                                               \
  PAWS_COMPLEX Complex cuCfma##f(Complex a, Complex b, Complex c) {               \
    return cuCadd##f(cuCmul##f(a, b), c);                                         \
  }                                                                               \
  /* By numbers of the divisor's size, so that its square can be told. */         \
  PAWS_COMPLEX Complex cuCdiv##f(Complex a, Complex b) {                          \
    const type scale = 1 / (absolute(b.x) + absolute(b.y));                       \
    const Complex upper = make_##Complex(a.x * scale, a.y * scale);               \
    const Complex lower = make_##Complex(b.x * scale, b.y * scale);               \
    const type over = 1 / (lower.x * lower.x + lower.y * lower.y);                \
    const Complex product = cuCmul##f(upper, cuConj##f(lower));                   \
    return make_##Complex(product.x * over, product.y * over);                    \
  }                                                                               \
  PAWS_COMPLEX type cuCabs##f(Complex a) { return distance(a.x, a.y); }

PAWS_COMPLEX_FUNCTIONS(cuFloatComplex, float, f, fabsf, hypotf)
PAWS_COMPLEX_FUNCTIONS(cuDoubleComplex, double, , fabs, hypot)

PAWS_COMPLEX cuComplex make_cuComplex(float real, float imaginary) {
  return make_cuFloatComplex(real, imaginary);
}
PAWS_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) {
  return make_cuDoubleComplex(a.x, a.y);
}
PAWS_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return make_cuFloatComplex((float)a.x, (float)a.y);
}
#undef PAWS_COMPLEX_FUNCTIONS
#undef PAWS_COMPLEX
// NOLINTEND(bugprone-reserved-identifier,modernize-use-nullptr)
