// SPDX-License-Identifier: MIT
// CUDA's floating-point formats of 8 bits, E4M3 and E5M2, for kernels and for the host: types,
// pairs and quadruples of them, and conversions, which are computed in integers and round once. The
// names are those of the "CUDA Math API".
#pragma once

#define __CUDA_FP8_H__

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short int __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
// What becomes of a number that is too large: infinity, or NaN in E4M3, which has none; or the
// largest number.
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#ifdef __cplusplus
#include "cuda_bf16.h"
#include "cuda_fp16.h"

// --- conversions --------------------------------------------------------------------------------
PAWS_BOTH __nv_fp8_storage_t __nv_cvt_double_to_fp8(double value, __nv_saturation_t saturate,
                                                    __nv_fp8_interpretation_t format) {
  const int fraction = format == __NV_E4M3 ? 3 : 2;
  // The exponent of the smallest number.
  const int least = format == __NV_E4M3 ? -9 : -16;
  const unsigned int largest = format == __NV_E4M3 ? 0x7e : 0x7b;
  unsigned long long bits;
  __builtin_memcpy(&bits, &value, sizeof(bits));
  const unsigned int sign = static_cast<unsigned int>(bits >> 63) << 7;
  const int field = static_cast<int>(bits >> 52 & 0x7ff);
  unsigned long long magnitude = bits & ((1ull << 52) - 1);
  if (field == 0x7ff && magnitude != 0) return 0x7f;
  unsigned long long code = ~0ull;
  if (field != 0x7ff) {
    const int exponent = (field == 0 ? 1 : field) - 1075;
    if (field != 0) magnitude |= 1ull << 52;
    int lowest = exponent + paws_width(magnitude) - (fraction + 1);
    if (lowest < least) lowest = least;
    // The leading one of a normal number counts as 1 in the field of the exponent.
    code = (static_cast<unsigned long long>(lowest - least) << fraction) +
           paws_round_off(false, magnitude, lowest - exponent, paws_nearest);
  }
  if (code > largest) code = saturate == __NV_SATFINITE ? largest : largest + 1;
  return static_cast<__nv_fp8_storage_t>(sign | static_cast<unsigned int>(code));
}
PAWS_BOTH __nv_fp8_storage_t __nv_cvt_float_to_fp8(float value, __nv_saturation_t saturate,
                                                   __nv_fp8_interpretation_t format) {
  return __nv_cvt_double_to_fp8(value, saturate, format);
}
PAWS_BOTH __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw value, __nv_saturation_t saturate,
                                                     __nv_fp8_interpretation_t format) {
  return __nv_cvt_double_to_fp8(__half2float(__half(value)), saturate, format);
}
PAWS_BOTH __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw value,
                                                         __nv_saturation_t saturate,
                                                         __nv_fp8_interpretation_t format) {
  return __nv_cvt_double_to_fp8(__bfloat162float(__nv_bfloat16(value)), saturate, format);
}
PAWS_BOTH __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t value,
                                             __nv_fp8_interpretation_t format) {
  const unsigned int magnitude = value & 0x7f;
  __half_raw raw;
  if (format == __NV_E5M2) {
    raw.x = static_cast<unsigned short>(magnitude > 0x7c ? 0x7fff : value << 8);
  } else if (magnitude == 0x7f) {
    raw.x = 0x7fff;
  } else {
    // The fields lie where binary16 has them, whose exponents are 8 less than those of E4M3.
    const unsigned int wide = magnitude << 7;
    raw.x = __half_as_ushort(__float2half_rn(paws_to_float<10>(wide) * 256));
    raw.x = static_cast<unsigned short>(raw.x | (value & 0x80) << 8);
  }
  return raw;
}

// The lower one is in the lower bits.
PAWS_BOTH __nv_fp8x2_storage_t paws_fp8x2(__nv_fp8_storage_t low, __nv_fp8_storage_t high) {
  return static_cast<__nv_fp8x2_storage_t>(low | high << 8);
}
PAWS_BOTH __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 value, __nv_saturation_t saturate,
                                                         __nv_fp8_interpretation_t format) {
  return paws_fp8x2(__nv_cvt_double_to_fp8(value.x, saturate, format),
                    __nv_cvt_double_to_fp8(value.y, saturate, format));
}
PAWS_BOTH __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 value, __nv_saturation_t saturate,
                                                        __nv_fp8_interpretation_t format) {
  return paws_fp8x2(__nv_cvt_float_to_fp8(value.x, saturate, format),
                    __nv_cvt_float_to_fp8(value.y, saturate, format));
}
PAWS_BOTH __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw value,
                                                          __nv_saturation_t saturate,
                                                          __nv_fp8_interpretation_t format) {
  return paws_fp8x2(__nv_cvt_halfraw_to_fp8(__half_raw{value.x}, saturate, format),
                    __nv_cvt_halfraw_to_fp8(__half_raw{value.y}, saturate, format));
}
PAWS_BOTH __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw value,
                                                              __nv_saturation_t saturate,
                                                              __nv_fp8_interpretation_t format) {
  return paws_fp8x2(__nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw{value.x}, saturate, format),
                    __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw{value.y}, saturate, format));
}
PAWS_BOTH __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t value,
                                                 __nv_fp8_interpretation_t format) {
  return __half2_raw{
      __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(value), format).x,
      __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(value >> 8), format).x};
}

// --- types --------------------------------------------------------------------------------------
// Constructors and conversions of one type and its conversion function.
#define PAWS_FP8_FROM(Name, Type, conversion, format) \
  __host__ __device__ explicit Name(Type value) : __x(conversion(value, __NV_SATFINITE, format)) {}
#define PAWS_FP8_FROM_INTEGER(Name, Type, format) \
  __host__ __device__ explicit Name(Type value)   \
      : __x(__nv_cvt_float_to_fp8(static_cast<float>(value), __NV_SATFINITE, format)) {}
#define PAWS_FP8_TO(Type, conversion)                                 \
  __host__ __device__ explicit operator Type() const {                \
    return static_cast<Type>(conversion(static_cast<__half>(*this))); \
  }
#define PAWS_FP8(suffix, format)                                                               \
  struct __nv_fp8_##suffix {                                                                   \
    __nv_fp8_storage_t __x;                                                                    \
    __nv_fp8_##suffix() = default;                                                             \
    PAWS_FP8_FROM(__nv_fp8_##suffix, __half, __nv_cvt_halfraw_to_fp8, format)                  \
    PAWS_FP8_FROM(__nv_fp8_##suffix, __nv_bfloat16, __nv_cvt_bfloat16raw_to_fp8, format)       \
    PAWS_FP8_FROM(__nv_fp8_##suffix, float, __nv_cvt_float_to_fp8, format)                     \
    PAWS_FP8_FROM(__nv_fp8_##suffix, double, __nv_cvt_double_to_fp8, format)                   \
    PAWS_FP8_FROM_INTEGER(__nv_fp8_##suffix, short, format)                                    \
    PAWS_FP8_FROM_INTEGER(__nv_fp8_##suffix, unsigned short, format)                           \
    PAWS_FP8_FROM_INTEGER(__nv_fp8_##suffix, int, format)                                      \
    PAWS_FP8_FROM_INTEGER(__nv_fp8_##suffix, unsigned int, format)                             \
    PAWS_FP8_FROM_INTEGER(__nv_fp8_##suffix, long, format)                                     \
    PAWS_FP8_FROM_INTEGER(__nv_fp8_##suffix, unsigned long, format)                            \
    PAWS_FP8_FROM_INTEGER(__nv_fp8_##suffix, long long, format)                                \
    PAWS_FP8_FROM_INTEGER(__nv_fp8_##suffix, unsigned long long, format)                       \
    __host__ __device__ explicit operator __half() const {                                     \
      return __half(__nv_cvt_fp8_to_halfraw(__x, format));                                     \
    }                                                                                          \
    __host__ __device__ explicit operator bool() const { return (__x & 0x7f) != 0; }           \
    PAWS_FP8_TO(float, __half2float)                                                           \
    PAWS_FP8_TO(double, __half2float)                                                          \
    PAWS_FP8_TO(char, __half2char_rz)                                                          \
    PAWS_FP8_TO(signed char, __half2char_rz)                                                   \
    PAWS_FP8_TO(unsigned char, __half2uchar_rz)                                                \
    PAWS_FP8_TO(short, __half2short_rz)                                                        \
    PAWS_FP8_TO(unsigned short, __half2ushort_rz)                                              \
    PAWS_FP8_TO(int, __half2int_rz)                                                            \
    PAWS_FP8_TO(unsigned int, __half2uint_rz)                                                  \
    PAWS_FP8_TO(long, __half2ll_rz)                                                            \
    PAWS_FP8_TO(unsigned long, __half2ull_rz)                                                  \
    PAWS_FP8_TO(long long, __half2ll_rz)                                                       \
    PAWS_FP8_TO(unsigned long long, __half2ull_rz)                                             \
    __host__ __device__ explicit operator __nv_bfloat16() const {                              \
      return __float2bfloat16_rz(static_cast<float>(*this));                                   \
    }                                                                                          \
  };                                                                                           \
  struct __align__(2) __nv_fp8x2_##suffix {                                                    \
    __nv_fp8x2_storage_t __x;                                                                  \
    __nv_fp8x2_##suffix() = default;                                                           \
    PAWS_FP8_FROM(__nv_fp8x2_##suffix, __half2, __nv_cvt_halfraw2_to_fp8x2, format)            \
    PAWS_FP8_FROM(__nv_fp8x2_##suffix, __nv_bfloat162, __nv_cvt_bfloat16raw2_to_fp8x2, format) \
    PAWS_FP8_FROM(__nv_fp8x2_##suffix, float2, __nv_cvt_float2_to_fp8x2, format)               \
    PAWS_FP8_FROM(__nv_fp8x2_##suffix, double2, __nv_cvt_double2_to_fp8x2, format)             \
    __host__ __device__ explicit operator __half2() const {                                    \
      return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, format));                                 \
    }                                                                                          \
    __host__ __device__ explicit operator float2() const {                                     \
      return __half22float2(static_cast<__half2>(*this));                                      \
    }                                                                                          \
  };                                                                                           \
  struct __align__(4) __nv_fp8x4_##suffix {                                                    \
    __nv_fp8x4_storage_t __x;                                                                  \
    __nv_fp8x4_##suffix() = default;                                                           \
    __host__ __device__ explicit __nv_fp8x4_##suffix(__half2 low, __half2 high)                \
        : __x(joined(__nv_fp8x2_##suffix(low), __nv_fp8x2_##suffix(high))) {}                  \
    __host__ __device__ explicit __nv_fp8x4_##suffix(__nv_bfloat162 low, __nv_bfloat162 high)  \
        : __x(joined(__nv_fp8x2_##suffix(low), __nv_fp8x2_##suffix(high))) {}                  \
    __host__ __device__ explicit __nv_fp8x4_##suffix(float4 value)                             \
        : __x(joined(__nv_fp8x2_##suffix(float2{value.x, value.y}),                            \
                     __nv_fp8x2_##suffix(float2{value.z, value.w}))) {}                        \
    __host__ __device__ explicit __nv_fp8x4_##suffix(double4 value)                            \
        : __x(joined(__nv_fp8x2_##suffix(double2{value.x, value.y}),                           \
                     __nv_fp8x2_##suffix(double2{value.z, value.w}))) {}                       \
    __host__ __device__ explicit operator float4() const {                                     \
      __nv_fp8x2_##suffix low, high;                                                           \
      low.__x = static_cast<__nv_fp8x2_storage_t>(__x);                                        \
      high.__x = static_cast<__nv_fp8x2_storage_t>(__x >> 16);                                 \
      const float2 first = static_cast<float2>(low), second = static_cast<float2>(high);       \
      return float4{first.x, first.y, second.x, second.y};                                     \
    }                                                                                          \
                                                                                               \
   private:                                                                                    \
    __host__ __device__ static __nv_fp8x4_storage_t joined(__nv_fp8x2_##suffix low,            \
                                                           __nv_fp8x2_##suffix high) {         \
      return low.__x | static_cast<__nv_fp8x4_storage_t>(high.__x) << 16;                      \
    }                                                                                          \
  };
PAWS_FP8(e4m3, __NV_E4M3)
PAWS_FP8(e5m2, __NV_E5M2)
#undef PAWS_FP8
#undef PAWS_FP8_TO
#undef PAWS_FP8_FROM_INTEGER
#undef PAWS_FP8_FROM
#endif
