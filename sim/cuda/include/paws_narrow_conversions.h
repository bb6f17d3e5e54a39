// SPDX-License-Identifier: MIT
// Conversions of the format that cuda_fp16.h or cuda_bf16.h is defining. Each rounds once.

// A device function is one instruction, from `value` or from the bits of a. `host` computes the
// same in integers.
#if defined(__CUDA_ARCH__)
#define PAWS_NARROW(conversion, constraint, host)                         \
  unsigned short bits;                                                    \
  __asm__("cvt." conversion " %0, %1;" : "=h"(bits) : constraint(value)); \
  return PAWS_NAMED(__ushort_as_, )(bits)
#define PAWS_WIDEN(type, conversion, constraint, host)                        \
  type value;                                                                 \
  __asm__("cvt." conversion " %0, %1;" : "=" constraint(value) : "h"(a.__x)); \
  return value
#else
#define PAWS_NARROW(conversion, constraint, host) return PAWS_NAMED(__ushort_as_, )(host)
#define PAWS_WIDEN(type, conversion, constraint, host) return host
#endif

// --- binary32 and binary64 ----------------------------------------------------------------------
PAWS_BOTH PAWS_SCALAR PAWS_NAMED(__float2, _rn)(float value) {
  PAWS_NARROW("rn." PAWS_TYPE ".f32", "f", paws_from_double<PAWS_FRACTION>(value, paws_nearest));
}
PAWS_BOTH PAWS_SCALAR PAWS_NAMED(__float2, _rz)(float value) {
  PAWS_NARROW("rz." PAWS_TYPE ".f32", "f", paws_from_double<PAWS_FRACTION>(value, paws_to_zero));
}
// PTX has no instruction for these roundings to bfloat16.
PAWS_BOTH PAWS_SCALAR PAWS_NAMED(__float2, _rd)(float value) {
  return PAWS_NAMED(__ushort_as_, )(paws_from_double<PAWS_FRACTION>(value, paws_down));
}
PAWS_BOTH PAWS_SCALAR PAWS_NAMED(__float2, _ru)(float value) {
  return PAWS_NAMED(__ushort_as_, )(paws_from_double<PAWS_FRACTION>(value, paws_up));
}
PAWS_BOTH PAWS_SCALAR PAWS_NAMED(__float2, )(float value) {
  return PAWS_NAMED(__float2, _rn)(value);
}
PAWS_BOTH PAWS_SCALAR PAWS_NAMED(__double2, )(double value) {
  PAWS_NARROW("rn." PAWS_TYPE ".f64", "d", paws_from_double<PAWS_FRACTION>(value, paws_nearest));
}
PAWS_BOTH float PAWS_NAMED(__, 2float)(PAWS_SCALAR a) {
#if defined(__CUDA_ARCH__)
  if (PAWS_FRACTION == 10) {
    float value;
    __asm__("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(a.__x));
    return value;
  }
#endif
  return paws_to_float<PAWS_FRACTION>(a.__x);
}

// --- integers -----------------------------------------------------------------------------------
#define PAWS_INTEGER_ROUNDED(type, name, ptx, constraint, suffix, rounding, to, from)            \
  PAWS_BOTH PAWS_SCALAR PAWS_NAMED(__##name##2, suffix)(type value) {                            \
    PAWS_NARROW(from "." PAWS_TYPE "." ptx, constraint,                                          \
                paws_from_integer<PAWS_FRACTION>(static_cast<paws_widest<type>::integer>(value), \
                                                 rounding));                                     \
  }                                                                                              \
  PAWS_BOTH type PAWS_NAMED(__, 2##name##suffix)(PAWS_SCALAR a) {                                \
    PAWS_WIDEN(type, to "." ptx "." PAWS_TYPE, constraint,                                       \
               (paws_to_integer<type, PAWS_FRACTION>(a.__x, rounding)));                         \
  }
#define PAWS_INTEGER(type, name, ptx, constraint)                                   \
  PAWS_INTEGER_ROUNDED(type, name, ptx, constraint, _rn, paws_nearest, "rni", "rn") \
  PAWS_INTEGER_ROUNDED(type, name, ptx, constraint, _rz, paws_to_zero, "rzi", "rz") \
  PAWS_INTEGER_ROUNDED(type, name, ptx, constraint, _rd, paws_down, "rmi", "rm")    \
  PAWS_INTEGER_ROUNDED(type, name, ptx, constraint, _ru, paws_up, "rpi", "rp")
PAWS_INTEGER(int, int, "s32", "r")
PAWS_INTEGER(unsigned int, uint, "u32", "r")
PAWS_INTEGER(short, short, "s16", "h")
PAWS_INTEGER(unsigned short, ushort, "u16", "h")
PAWS_INTEGER(long long, ll, "s64", "l")
PAWS_INTEGER(unsigned long long, ull, "u64", "l")
#undef PAWS_INTEGER
#undef PAWS_INTEGER_ROUNDED
#undef PAWS_NARROW
#undef PAWS_WIDEN

PAWS_BOTH signed char PAWS_NAMED(__, 2char_rz)(PAWS_SCALAR a) {
  return paws_to_integer<signed char, PAWS_FRACTION>(a.__x, paws_to_zero);
}
PAWS_BOTH unsigned char PAWS_NAMED(__, 2uchar_rz)(PAWS_SCALAR a) {
  return paws_to_integer<unsigned char, PAWS_FRACTION>(a.__x, paws_to_zero);
}

// --- conversions of the language ----------------------------------------------------------------
#ifndef PAWS_NO_CONVERSIONS
#define PAWS_CONVERTED(type, in, out)                                                \
  __host__ __device__ inline PAWS_SCALAR::PAWS_SCALAR(type value) : __x((in).__x) {} \
  __host__ __device__ inline PAWS_SCALAR::operator type() const {                    \
    return static_cast<type>(out(*this));                                            \
  }
PAWS_CONVERTED(float, PAWS_NAMED(__float2, _rn)(value), PAWS_NAMED(__, 2float))
PAWS_CONVERTED(int, PAWS_NAMED(__int2, _rn)(value), PAWS_NAMED(__, 2int_rz))
PAWS_CONVERTED(unsigned int, PAWS_NAMED(__uint2, _rn)(value), PAWS_NAMED(__, 2uint_rz))
PAWS_CONVERTED(short, PAWS_NAMED(__short2, _rn)(value), PAWS_NAMED(__, 2short_rz))
PAWS_CONVERTED(unsigned short, PAWS_NAMED(__ushort2, _rn)(value), PAWS_NAMED(__, 2ushort_rz))
PAWS_CONVERTED(long, PAWS_NAMED(__ll2, _rn)(value), PAWS_NAMED(__, 2ll_rz))
PAWS_CONVERTED(unsigned long, PAWS_NAMED(__ull2, _rn)(value), PAWS_NAMED(__, 2ull_rz))
PAWS_CONVERTED(long long, PAWS_NAMED(__ll2, _rn)(value), PAWS_NAMED(__, 2ll_rz))
PAWS_CONVERTED(unsigned long long, PAWS_NAMED(__ull2, _rn)(value), PAWS_NAMED(__, 2ull_rz))
#undef PAWS_CONVERTED
__host__ __device__ inline PAWS_SCALAR::PAWS_SCALAR(double value)
    : __x(PAWS_NAMED(__double2, )(value).__x) {}
__host__ __device__ inline PAWS_SCALAR::operator char() const {
  return static_cast<char>(PAWS_NAMED(__, 2char_rz)(*this));
}
__host__ __device__ inline PAWS_SCALAR::operator signed char() const {
  return PAWS_NAMED(__, 2char_rz)(*this);
}
__host__ __device__ inline PAWS_SCALAR::operator unsigned char() const {
  return PAWS_NAMED(__, 2uchar_rz)(*this);
}
#endif

// --- pairs --------------------------------------------------------------------------------------
PAWS_BOTH PAWS_PAIR PAWS_NAMED(__halves2, 2)(PAWS_SCALAR low, PAWS_SCALAR high) {
  return PAWS_PAIR(low, high);
}
PAWS_BOTH PAWS_PAIR PAWS_NAMED(make_, 2)(PAWS_SCALAR low, PAWS_SCALAR high) {
  return PAWS_PAIR(low, high);
}
PAWS_BOTH PAWS_PAIR PAWS_TO_BOTH_HALVES(PAWS_SCALAR a) { return PAWS_PAIR(a, a); }
PAWS_BOTH PAWS_PAIR PAWS_NAMED(__floats2, 2_rn)(float low, float high) {
#if defined(__CUDA_ARCH__)
  unsigned int bits;
  __asm__("cvt.rn." PAWS_TYPE "x2.f32 %0, %1, %2;" : "=r"(bits) : "f"(high), "f"(low));
  return PAWS_NAMED(paws_, 2)(bits);
#else
  return PAWS_PAIR(PAWS_NAMED(__float2, _rn)(low), PAWS_NAMED(__float2, _rn)(high));
#endif
}
PAWS_BOTH PAWS_PAIR PAWS_NAMED(__float22, 2_rn)(float2 a) {
  return PAWS_NAMED(__floats2, 2_rn)(a.x, a.y);
}
PAWS_BOTH PAWS_PAIR PAWS_NAMED(__float2, 2_rn)(float a) {
  return PAWS_TO_BOTH_HALVES(PAWS_NAMED(__float2, _rn)(a));
}
PAWS_BOTH float2 PAWS_NAMED(__, 22float2)(PAWS_PAIR a) {
  return float2{PAWS_NAMED(__, 2float)(a.x), PAWS_NAMED(__, 2float)(a.y)};
}
PAWS_BOTH float __low2float(PAWS_PAIR a) { return PAWS_NAMED(__, 2float)(a.x); }
PAWS_BOTH float __high2float(PAWS_PAIR a) { return PAWS_NAMED(__, 2float)(a.y); }
PAWS_BOTH PAWS_SCALAR PAWS_NAMED(__low2, )(PAWS_PAIR a) { return a.x; }
PAWS_BOTH PAWS_SCALAR PAWS_NAMED(__high2, )(PAWS_PAIR a) { return a.y; }
PAWS_BOTH PAWS_PAIR PAWS_NAMED(__low2, 2)(PAWS_PAIR a) { return PAWS_PAIR(a.x, a.x); }
PAWS_BOTH PAWS_PAIR PAWS_NAMED(__high2, 2)(PAWS_PAIR a) { return PAWS_PAIR(a.y, a.y); }
PAWS_BOTH PAWS_PAIR PAWS_NAMED(__lows2, 2)(PAWS_PAIR a, PAWS_PAIR b) { return PAWS_PAIR(a.x, b.x); }
PAWS_BOTH PAWS_PAIR PAWS_NAMED(__highs2, 2)(PAWS_PAIR a, PAWS_PAIR b) {
  return PAWS_PAIR(a.y, b.y);
}
PAWS_BOTH PAWS_PAIR __lowhigh2highlow(PAWS_PAIR a) { return PAWS_PAIR(a.y, a.x); }
