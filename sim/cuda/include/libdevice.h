// SPDX-License-Identifier: MIT
// The functions under the device functions of clang's CUDA headers: NVIDIA's libdevice has them
// under these names. Here they are single PTX instructions, or functions of libclc (Debian:
// libclc-14), which has them under the mangled names of OpenCL C. What is missing is found when the
// program is built, by its name.
#pragma once

#include "inverse_errors.h"

#define PAWS_NV extern "C" __device__ inline __attribute__((always_inline))

// --- libclc --------------------------------------------------------------------------------------
#define PAWS_CLC1(name, mangled)                                                 \
  extern "C" __device__ float paws_clc_##name##_f(float) __asm__(mangled "f");   \
  extern "C" __device__ double paws_clc_##name##_d(double) __asm__(mangled "d"); \
  PAWS_NV float __nv_##name##f(float a) { return paws_clc_##name##_f(a); }       \
  PAWS_NV double __nv_##name(double a) { return paws_clc_##name##_d(a); }
// Only declared: more is to be done than libclc does.
#define PAWS_CLC_BASE(name, mangled)                                           \
  extern "C" __device__ float paws_clc_##name##_f(float) __asm__(mangled "f"); \
  extern "C" __device__ double paws_clc_##name##_d(double) __asm__(mangled "d");
#define PAWS_CLC2(name, mangled)                                                          \
  extern "C" __device__ float paws_clc_##name##_f(float, float) __asm__(mangled "ff");    \
  extern "C" __device__ double paws_clc_##name##_d(double, double) __asm__(mangled "dd"); \
  PAWS_NV float __nv_##name##f(float a, float b) { return paws_clc_##name##_f(a, b); }    \
  PAWS_NV double __nv_##name(double a, double b) { return paws_clc_##name##_d(a, b); }
#define PAWS_CLC_INT(name, mangled)                                                    \
  extern "C" __device__ float paws_clc_##name##_f(float, int) __asm__(mangled "fi");   \
  extern "C" __device__ double paws_clc_##name##_d(double, int) __asm__(mangled "di"); \
  PAWS_NV float __nv_##name##f(float a, int b) { return paws_clc_##name##_f(a, b); }   \
  PAWS_NV double __nv_##name(double a, int b) { return paws_clc_##name##_d(a, b); }
PAWS_CLC1(acos, "_Z4acos")
PAWS_CLC1(acosh, "_Z5acosh")
PAWS_CLC1(asin, "_Z4asin")
PAWS_CLC1(asinh, "_Z5asinh")
PAWS_CLC_BASE(atan, "_Z4atan")
PAWS_CLC1(atanh, "_Z5atanh")
PAWS_CLC1(cbrt, "_Z4cbrt")
PAWS_CLC1(cos, "_Z3cos")
PAWS_CLC_BASE(cosh, "_Z4cosh")
PAWS_CLC_BASE(cospi, "_Z5cospi")
PAWS_CLC_BASE(erf, "_Z3erf")
PAWS_CLC_BASE(erfc, "_Z4erfc")
PAWS_CLC_BASE(exp, "_Z3exp")
PAWS_CLC1(exp10, "_Z5exp10")
PAWS_CLC_BASE(exp2, "_Z4exp2")
PAWS_CLC_BASE(expm1, "_Z5expm1")
PAWS_CLC_BASE(lgamma, "_Z6lgamma")
PAWS_CLC1(log, "_Z3log")
PAWS_CLC1(log10, "_Z5log10")
PAWS_CLC1(log1p, "_Z5log1p")
PAWS_CLC1(log2, "_Z4log2")
PAWS_CLC1(logb, "_Z4logb")
PAWS_CLC1(round, "_Z5round")
PAWS_CLC_BASE(sin, "_Z3sin")
PAWS_CLC_BASE(sinh, "_Z4sinh")
PAWS_CLC_BASE(sinpi, "_Z5sinpi")
PAWS_CLC_BASE(tan, "_Z3tan")
PAWS_CLC1(tanh, "_Z4tanh")
PAWS_CLC_BASE(tgamma, "_Z6tgamma")
PAWS_CLC2(atan2, "_Z5atan2")
PAWS_CLC2(fdim, "_Z4fdim")
PAWS_CLC2(fmod, "_Z4fmod")
PAWS_CLC2(hypot, "_Z5hypot")
PAWS_CLC2(nextafter, "_Z9nextafter")
PAWS_CLC2(pow, "_Z3pow")
PAWS_CLC2(remainder, "_Z9remainder")
PAWS_CLC_INT(powi, "_Z4pown")
#undef PAWS_CLC1
#undef PAWS_CLC_BASE
#undef PAWS_CLC2
#undef PAWS_CLC_INT

extern "C" __device__ float paws_clc_frexp_f(float, int*) __asm__("_Z5frexpfPi");
extern "C" __device__ double paws_clc_frexp_d(double, int*) __asm__("_Z5frexpdPi");
extern "C" __device__ float paws_clc_modf_f(float, float*) __asm__("_Z4modffPf");
extern "C" __device__ double paws_clc_modf_d(double, double*) __asm__("_Z4modfdPd");
extern "C" __device__ float paws_clc_remquo_f(float, float, int*) __asm__("_Z6remquoffPi");
extern "C" __device__ double paws_clc_remquo_d(double, double, int*) __asm__("_Z6remquoddPi");
extern "C" __device__ int paws_clc_ilogb_f(float) __asm__("_Z5ilogbf");
extern "C" __device__ int paws_clc_ilogb_d(double) __asm__("_Z5ilogbd");
PAWS_NV float __nv_frexpf(float a, int* b) { return paws_clc_frexp_f(a, b); }
PAWS_NV double __nv_frexp(double a, int* b) { return paws_clc_frexp_d(a, b); }
PAWS_NV float __nv_modff(float a, float* b) { return paws_clc_modf_f(a, b); }
PAWS_NV double __nv_modf(double a, double* b) { return paws_clc_modf_d(a, b); }
PAWS_NV float __nv_remquof(float a, float b, int* c) { return paws_clc_remquo_f(a, b, c); }
PAWS_NV double __nv_remquo(double a, double b, int* c) { return paws_clc_remquo_d(a, b, c); }
PAWS_NV int __nv_ilogbf(float a) { return paws_clc_ilogb_f(a); }
PAWS_NV int __nv_ilogb(double a) { return paws_clc_ilogb_d(a); }

// libclc loses the sign of zero in double precision.
#define PAWS_SIGNED_ZERO(name)                                             \
  PAWS_NV float __nv_##name##f(float a) { return paws_clc_##name##_f(a); } \
  PAWS_NV double __nv_##name(double a) { return a == 0.0 ? a : paws_clc_##name##_d(a); }
PAWS_SIGNED_ZERO(atan)
PAWS_SIGNED_ZERO(erf)
PAWS_SIGNED_ZERO(expm1)
PAWS_SIGNED_ZERO(sin)
PAWS_SIGNED_ZERO(tan)
#undef PAWS_SIGNED_ZERO

// In single precision, libclc's errors are larger than CUDA's.
PAWS_NV double __nv_erfc(double a) { return paws_clc_erfc_d(a); }
PAWS_NV float __nv_erfcf(float a) { return static_cast<float>(paws_clc_erfc_d(a)); }
// The zeros of sinpi() have the sign of the argument, those of cospi() are positive.
PAWS_NV double __nv_sinpi(double a) {
  return a == __builtin_rint(a) ? a * 0.0 : paws_clc_sinpi_d(a);
}
PAWS_NV float __nv_sinpif(float a) { return static_cast<float>(__nv_sinpi(a)); }
PAWS_NV double __nv_cospi(double a) { return paws_clc_cospi_d(a) + 0.0; }
PAWS_NV float __nv_cospif(float a) { return static_cast<float>(__nv_cospi(a)); }

// libclc looks into a table at the integer that a number of double precision is, which for what is
// no number is the least one.
PAWS_NV float __nv_coshf(float a) { return paws_clc_cosh_f(a); }
PAWS_NV float __nv_sinhf(float a) { return paws_clc_sinh_f(a); }
PAWS_NV double __nv_cosh(double a) { return a != a ? a : paws_clc_cosh_d(a); }
PAWS_NV double __nv_sinh(double a) { return a != a ? a : paws_clc_sinh_d(a); }

// libclc gives 0 for results below the normal numbers. They are made of normal ones: the last
// multiplication is by a power of two, and rounds.
PAWS_NV double __nv_exp(double a) { return paws_clc_exp_d(a); }
PAWS_NV float __nv_expf(float a) {
  if (!(a < -86.0f)) return paws_clc_exp_f(a);
  const float power = __builtin_rintf(__nvvm_fmax_f(a, -150.0f) * 1.44269504f);
  const float rest = __nvvm_fma_rn_f(
      power, -0x1.7f7d1cp-20f, __nvvm_fma_rn_f(power, -0x1.62e4p-1f, __nvvm_fmax_f(a, -150.0f)));
  const int bits = (static_cast<int>(power) + 127 + 100) << 23;
  return paws_clc_exp_f(rest) * __builtin_bit_cast(float, bits) * 0x1p-100f;
}
PAWS_NV double __nv_exp2(double a) { return paws_clc_exp2_d(a); }
PAWS_NV float __nv_exp2f(float a) {
  return a < -125.0f ? paws_clc_exp2_f(a + 64.0f) * 0x1p-64f : paws_clc_exp2_f(a);
}
// In steps that are exact but the last one, which keep all digits above the least normal number.
PAWS_NV double __nv_ldexp(double a, int b) {
  for (int step = 0; step < 2 && b > 1023; ++step, b -= 1023) a *= 0x1p1023;
  for (int step = 0; step < 2 && b < -1022; ++step, b += 969) a *= 0x1p-969;
  b = b > 1023 ? 1023 : (b < -1022 ? -1022 : b);
  return a * __builtin_bit_cast(double, static_cast<long long>(b + 1023) << 52);
}
PAWS_NV float __nv_ldexpf(float a, int b) {
  for (int step = 0; step < 2 && b > 127; ++step, b -= 127) a *= 0x1p127f;
  for (int step = 0; step < 2 && b < -126; ++step, b += 102) a *= 0x1p-102f;
  b = b > 127 ? 127 : (b < -126 ? -126 : b);
  return a * __builtin_bit_cast(float, (b + 127) << 23);
}
PAWS_NV double __nv_lgamma(double a) { return paws_clc_lgamma_d(a); }
PAWS_NV float __nv_lgammaf(float a) { return static_cast<float>(paws_clc_lgamma_d(a)); }
PAWS_NV double __nv_tgamma(double a) {
  if (__nvvm_fabs_d(a) < 0x1p-60) return 1.0 / a;
  const double below = __nvvm_floor_d(a);
  if (!(a < -170.0) || a == below) return paws_clc_tgamma_d(a);
  // libclc divides by a number that overflows. From -185 on the result is less than the least
  // number, too.
  if (a < -185.0) return below * 0.5 == __nvvm_floor_d(below * 0.5) ? 0.0 : -0.0;
  double product = 1.0;
  for (int i = 0; i < 20; ++i) product *= a + i;
  return paws_clc_tgamma_d(a + 20.0) / product;
}
PAWS_NV float __nv_tgammaf(float a) { return static_cast<float>(__nv_tgamma(a)); }
PAWS_NV float __nv_scalbnf(float a, int b) { return __nv_ldexpf(a, b); }
PAWS_NV double __nv_scalbn(double a, int b) { return __nv_ldexp(a, b); }

// --- bits and integers ---------------------------------------------------------------------------
PAWS_NV int __nv_abs(int a) { return a < 0 ? -a : a; }
PAWS_NV long long __nv_llabs(long long a) { return a < 0 ? -a : a; }
PAWS_NV int __nv_min(int a, int b) { return a < b ? a : b; }
PAWS_NV int __nv_max(int a, int b) { return a > b ? a : b; }
PAWS_NV unsigned int __nv_umin(unsigned int a, unsigned int b) { return a < b ? a : b; }
PAWS_NV unsigned int __nv_umax(unsigned int a, unsigned int b) { return a > b ? a : b; }
PAWS_NV long long __nv_llmin(long long a, long long b) { return a < b ? a : b; }
PAWS_NV long long __nv_llmax(long long a, long long b) { return a > b ? a : b; }
PAWS_NV unsigned long long __nv_ullmin(unsigned long long a, unsigned long long b) {
  return a < b ? a : b;
}
PAWS_NV unsigned long long __nv_ullmax(unsigned long long a, unsigned long long b) {
  return a > b ? a : b;
}
PAWS_NV int __nv_brev(int a) { return static_cast<int>(__builtin_bitreverse32(a)); }
PAWS_NV long long __nv_brevll(long long a) {
  return static_cast<long long>(__builtin_bitreverse64(a));
}
PAWS_NV int __nv_byte_perm(int a, int b, int c) {
  // The top bit of a selector, which repeats a sign in PTX, means nothing here.
  return __nvvm_prmt(a, b, c & 0x7777);
}
PAWS_NV int __nv_clz(int a) { return a == 0 ? 32 : __builtin_clz(a); }
PAWS_NV int __nv_clzll(long long a) { return a == 0 ? 64 : __builtin_clzll(a); }
PAWS_NV int __nv_ffs(int a) { return __builtin_ffs(a); }
PAWS_NV int __nv_ffsll(long long a) { return __builtin_ffsll(a); }
PAWS_NV int __nv_popc(int a) { return __builtin_popcount(a); }
PAWS_NV int __nv_popcll(long long a) { return __builtin_popcountll(a); }
PAWS_NV int __nv_mul24(int a, int b) { return __nvvm_mul24_i(a, b); }
PAWS_NV unsigned int __nv_umul24(unsigned int a, unsigned int b) { return __nvvm_mul24_ui(a, b); }
PAWS_NV int __nv_mulhi(int a, int b) { return __nvvm_mulhi_i(a, b); }
PAWS_NV unsigned int __nv_umulhi(unsigned int a, unsigned int b) { return __nvvm_mulhi_ui(a, b); }
PAWS_NV long long __nv_mul64hi(long long a, long long b) { return __nvvm_mulhi_ll(a, b); }
PAWS_NV unsigned long long __nv_umul64hi(unsigned long long a, unsigned long long b) {
  return __nvvm_mulhi_ull(a, b);
}
PAWS_NV int __nv_sad(int a, int b, int c) { return __nvvm_sad_i(a, b, c); }
PAWS_NV unsigned int __nv_usad(unsigned int a, unsigned int b, unsigned int c) {
  return __nvvm_sad_ui(a, b, c);
}
PAWS_NV int __nv_hadd(int a, int b) { return (a & b) + ((a ^ b) >> 1); }
PAWS_NV int __nv_rhadd(int a, int b) { return (a | b) - ((a ^ b) >> 1); }
PAWS_NV int __nv_uhadd(unsigned int a, unsigned int b) {
  return static_cast<int>((a & b) + ((a ^ b) >> 1));
}
PAWS_NV unsigned int __nv_urhadd(unsigned int a, unsigned int b) {
  return (a | b) - ((a ^ b) >> 1);
}
PAWS_NV int __nv_float_as_int(float a) { return __builtin_bit_cast(int, a); }
PAWS_NV unsigned int __nv_float_as_uint(float a) { return __builtin_bit_cast(unsigned int, a); }
PAWS_NV float __nv_int_as_float(int a) { return __builtin_bit_cast(float, a); }
PAWS_NV float __nv_uint_as_float(unsigned int a) { return __builtin_bit_cast(float, a); }
PAWS_NV unsigned long long __nv_double_as_longlong(double a) {
  return __builtin_bit_cast(unsigned long long, a);
}
PAWS_NV double __nv_longlong_as_double(long long a) { return __builtin_bit_cast(double, a); }
PAWS_NV int __nv_double2hiint(double a) {
  return static_cast<int>(__builtin_bit_cast(unsigned long long, a) >> 32);
}
PAWS_NV int __nv_double2loint(double a) {
  return static_cast<int>(__builtin_bit_cast(unsigned long long, a));
}
PAWS_NV double __nv_hiloint2double(int high, int low) {
  return __builtin_bit_cast(
      double, (static_cast<unsigned long long>(static_cast<unsigned int>(high)) << 32) |
                  static_cast<unsigned int>(low));
}

// --- one instruction each, by rounding
// -------------------------------------------------------------
#define PAWS_ROUNDED(cuda, ptx)                                                               \
  PAWS_NV float __nv_fadd_##cuda(float a, float b) { return __nvvm_add_##ptx##_f(a, b); }     \
  PAWS_NV float __nv_fsub_##cuda(float a, float b) { return __nvvm_add_##ptx##_f(a, -b); }    \
  PAWS_NV float __nv_fmul_##cuda(float a, float b) { return __nvvm_mul_##ptx##_f(a, b); }     \
  PAWS_NV float __nv_fdiv_##cuda(float a, float b) { return __nvvm_div_##ptx##_f(a, b); }     \
  PAWS_NV float __nv_frcp_##cuda(float a) { return __nvvm_rcp_##ptx##_f(a); }                 \
  PAWS_NV float __nv_fsqrt_##cuda(float a) { return __nvvm_sqrt_##ptx##_f(a); }               \
  PAWS_NV float __nv_fmaf_##cuda(float a, float b, float c) {                                 \
    return __nvvm_fma_##ptx##_f(a, b, c);                                                     \
  }                                                                                           \
  PAWS_NV float __nv_fmaf_ieee_##cuda(float a, float b, float c) {                            \
    return __nvvm_fma_##ptx##_f(a, b, c);                                                     \
  }                                                                                           \
  PAWS_NV double __nv_dadd_##cuda(double a, double b) { return __nvvm_add_##ptx##_d(a, b); }  \
  PAWS_NV double __nv_dsub_##cuda(double a, double b) { return __nvvm_add_##ptx##_d(a, -b); } \
  PAWS_NV double __nv_dmul_##cuda(double a, double b) { return __nvvm_mul_##ptx##_d(a, b); }  \
  PAWS_NV double __nv_ddiv_##cuda(double a, double b) { return __nvvm_div_##ptx##_d(a, b); }  \
  PAWS_NV double __nv_drcp_##cuda(double a) { return __nvvm_rcp_##ptx##_d(a); }               \
  PAWS_NV double __nv_dsqrt_##cuda(double a) { return __nvvm_sqrt_##ptx##_d(a); }             \
  PAWS_NV double __nv_fma_##cuda(double a, double b, double c) {                              \
    return __nvvm_fma_##ptx##_d(a, b, c);                                                     \
  }
PAWS_ROUNDED(rn, rn)
PAWS_ROUNDED(rz, rz)
PAWS_ROUNDED(rd, rm)
PAWS_ROUNDED(ru, rp)
#undef PAWS_ROUNDED

// As assembly: LLVM 14 takes some of its own functions for plain conversions of C++, which round to
// nearest, and which may give anything when the number does not fit.
#define PAWS_CVT(name, ptx, to, to_letter, from, from_letter)                \
  PAWS_NV to __nv_##name(from a) {                                           \
    to result;                                                               \
    __asm__("cvt." ptx " %0, %1;" : "=" to_letter(result) : from_letter(a)); \
    return result;                                                           \
  }
#define PAWS_CVT_ROUNDED(cuda, ptx)                                                  \
  PAWS_CVT(double2float_##cuda, ptx ".f32.f64", float, "f", double, "d")             \
  PAWS_CVT(double2int_##cuda, ptx "i.s32.f64", int, "r", double, "d")                \
  PAWS_CVT(double2uint_##cuda, ptx "i.u32.f64", unsigned int, "r", double, "d")      \
  PAWS_CVT(double2ll_##cuda, ptx "i.s64.f64", long long, "l", double, "d")           \
  PAWS_CVT(double2ull_##cuda, ptx "i.u64.f64", unsigned long long, "l", double, "d") \
  PAWS_CVT(float2int_##cuda, ptx "i.s32.f32", int, "r", float, "f")                  \
  PAWS_CVT(float2uint_##cuda, ptx "i.u32.f32", unsigned int, "r", float, "f")        \
  PAWS_CVT(float2ll_##cuda, ptx "i.s64.f32", long long, "l", float, "f")             \
  PAWS_CVT(float2ull_##cuda, ptx "i.u64.f32", unsigned long long, "l", float, "f")   \
  PAWS_CVT(int2float_##cuda, ptx ".f32.s32", float, "f", int, "r")                   \
  PAWS_CVT(uint2float_##cuda, ptx ".f32.u32", float, "f", unsigned int, "r")         \
  PAWS_CVT(ll2float_##cuda, ptx ".f32.s64", float, "f", long long, "l")              \
  PAWS_CVT(ull2float_##cuda, ptx ".f32.u64", float, "f", unsigned long long, "l")    \
  PAWS_CVT(ll2double_##cuda, ptx ".f64.s64", double, "d", long long, "l")            \
  PAWS_CVT(ull2double_##cuda, ptx ".f64.u64", double, "d", unsigned long long, "l")
PAWS_CVT_ROUNDED(rn, "rn")
PAWS_CVT_ROUNDED(rz, "rz")
PAWS_CVT_ROUNDED(rd, "rm")
PAWS_CVT_ROUNDED(ru, "rp")
#undef PAWS_CVT_ROUNDED
#undef PAWS_CVT
PAWS_NV double __nv_int2double_rn(int a) { return a; }
PAWS_NV double __nv_uint2double_rn(unsigned int a) { return a; }
PAWS_NV float __nv_frsqrt_rn(float a) {
  // In double precision, so that only the last step rounds.
  const double wide = a;
  return static_cast<float>(1.0 / __nvvm_sqrt_rn_d(wide));
}
PAWS_NV unsigned short __nv_float2half_rn(float a) {
  unsigned short half;
  __asm__("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(a));
  return half;
}
PAWS_NV float __nv_half2float(unsigned short a) {
  float wide;
  __asm__("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"(a));
  return wide;
}

// --- one or a few instructions each
// ---------------------------------------------------------------
PAWS_NV float __nv_fabsf(float a) { return __nvvm_fabs_f(a); }
PAWS_NV double __nv_fabs(double a) { return __nvvm_fabs_d(a); }
PAWS_NV float __nv_fminf(float a, float b) { return __nvvm_fmin_f(a, b); }
PAWS_NV double __nv_fmin(double a, double b) { return __nvvm_fmin_d(a, b); }
PAWS_NV float __nv_fmaxf(float a, float b) { return __nvvm_fmax_f(a, b); }
PAWS_NV double __nv_fmax(double a, double b) { return __nvvm_fmax_d(a, b); }
PAWS_NV float __nv_fmaf(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
PAWS_NV double __nv_fma(double a, double b, double c) { return __nvvm_fma_rn_d(a, b, c); }
PAWS_NV float __nv_sqrtf(float a) {
#ifdef PAWS_APPROXIMATE_SQRT  // -prec-sqrt=false
  return __nvvm_sqrt_approx_f(a);
#else
  return __nvvm_sqrt_rn_f(a);
#endif
}
PAWS_NV double __nv_sqrt(double a) { return __nvvm_sqrt_rn_d(a); }
PAWS_NV float __nv_rsqrtf(float a) { return __nvvm_rsqrt_approx_f(a); }
PAWS_NV double __nv_rsqrt(double a) { return __nvvm_rcp_rn_d(__nvvm_sqrt_rn_d(a)); }
PAWS_NV float __nv_floorf(float a) { return __nvvm_floor_f(a); }
PAWS_NV double __nv_floor(double a) { return __nvvm_floor_d(a); }
PAWS_NV float __nv_ceilf(float a) { return __nvvm_ceil_f(a); }
PAWS_NV double __nv_ceil(double a) { return __nvvm_ceil_d(a); }
PAWS_NV float __nv_truncf(float a) { return __nvvm_trunc_f(a); }
PAWS_NV double __nv_trunc(double a) { return __nvvm_trunc_d(a); }
PAWS_NV float __nv_rintf(float a) { return __builtin_rintf(a); }
PAWS_NV double __nv_rint(double a) { return __builtin_rint(a); }
PAWS_NV float __nv_nearbyintf(float a) { return __builtin_nearbyintf(a); }
PAWS_NV double __nv_nearbyint(double a) { return __builtin_nearbyint(a); }
PAWS_NV long long __nv_llrintf(float a) { return __nvvm_f2ll_rn(a); }
PAWS_NV long long __nv_llrint(double a) { return __nvvm_d2ll_rn(a); }
PAWS_NV long long __nv_llroundf(float a) { return __nv_float2ll_rz(__nv_roundf(a)); }
PAWS_NV long long __nv_llround(double a) { return __nv_double2ll_rz(__nv_round(a)); }
PAWS_NV float __nv_copysignf(float a, float b) {
  const unsigned int sign = 0x80000000u;
  return __nv_uint_as_float((__nv_float_as_uint(a) & ~sign) | (__nv_float_as_uint(b) & sign));
}
PAWS_NV double __nv_copysign(double a, double b) {
  const unsigned long long sign = 1ull << 63;
  return __nv_longlong_as_double(static_cast<long long>((__nv_double_as_longlong(a) & ~sign) |
                                                        (__nv_double_as_longlong(b) & sign)));
}
PAWS_NV float __nv_saturatef(float a) { return __nvvm_saturate_f(a); }
PAWS_NV int __nv_signbitf(float a) { return static_cast<int>(__nv_float_as_uint(a) >> 31); }
PAWS_NV int __nv_signbitd(double a) { return static_cast<int>(__nv_double_as_longlong(a) >> 63); }
PAWS_NV int __nv_isnanf(float a) { return __builtin_isnan(a); }
PAWS_NV int __nv_isnand(double a) { return __builtin_isnan(a); }
PAWS_NV int __nv_isinff(float a) { return __builtin_isinf(a); }
PAWS_NV int __nv_isinfd(double a) { return __builtin_isinf(a); }
PAWS_NV int __nv_finitef(float a) { return __builtin_isfinite(a); }
PAWS_NV int __nv_isfinited(double a) { return __builtin_isfinite(a); }
PAWS_NV float __nv_nanf(const signed char*) { return __builtin_nanf(""); }
PAWS_NV double __nv_nan(const signed char*) { return __builtin_nan(""); }
PAWS_NV float __nv_rcbrtf(float a) { return 1.0f / __nv_cbrtf(a); }
PAWS_NV double __nv_rcbrt(double a) { return 1.0 / __nv_cbrt(a); }

/// The length of a vector without overflow or underflow on the way, as `length` / `scale`, with a
/// power of two for `scale`; `rest` is what rounding has taken from `length`. An infinite component
/// makes it infinite, whatever the others are.
struct paws_length {
  double length, rest, scale;
};
static __device__ inline paws_length paws_norm(int dimension, const double* vector) {
// The rounding errors below are exact only if a * b + c is two operations.
#pragma clang fp contract(off)
  double most = 0;
  for (int i = 0; i < dimension; ++i) most = __nvvm_fmax_d(most, __nvvm_fabs_d(vector[i]));
  if (__builtin_isinf(most)) return {most, 0.0, 1.0};
  int exponent = 2046 - static_cast<int>(__nv_double_as_longlong(most) >> 52);
  exponent = exponent < 1 ? 1 : (exponent > 2045 ? 2045 : exponent);
  const double scale = __nv_longlong_as_double(static_cast<long long>(exponent) << 52);
  double sum = 0, rest = 0;
  for (int i = 0; i < dimension; ++i) {
    const double component = vector[i] * scale;
    const double square = component * component;
    const double before = sum;
    sum += square;
    const double added = sum - before;
    rest += __nvvm_fma_rn_d(component, component, -square) + (before - (sum - added)) +
            (square - added);
  }
  const double length = __nvvm_sqrt_rn_d(sum);
  if (length == 0) return {0.0, 0.0, scale};
  rest += __nvvm_fma_rn_d(-length, length, sum);
  return {length, rest / (2 * length), scale};
}
static __device__ inline paws_length paws_norm(double a, double b, double c, double d) {
  const double vector[] = {a, b, c, d};
  return paws_norm(4, vector);
}
static __device__ inline double paws_value(const paws_length& norm) {
  return (norm.length + norm.rest) / norm.scale;
}
static __device__ inline double paws_reciprocal(const paws_length& norm) {
  const double near = 1 / norm.length;
  if (near == 0 || __builtin_isinf(near)) return near;
  const double rest = __nvvm_fma_rn_d(-norm.length, near, 1.0) - norm.rest * near;
  return __nvvm_fma_rn_d(near, rest, near) * norm.scale;
}
/// In single precision nothing overflows on the way when it is done in double precision.
static __device__ inline double paws_normf(int dimension, const float* vector) {
  double most = 0, sum = 0;
  for (int i = 0; i < dimension; ++i) {
    const double component = vector[i];
    most = __nvvm_fmax_d(most, __nvvm_fabs_d(component));
    sum += component * component;
  }
  return __builtin_isinf(most) ? most : __nvvm_sqrt_rn_d(sum);
}
static __device__ inline double paws_normf(float a, float b, float c, float d) {
  const float vector[] = {a, b, c, d};
  return paws_normf(4, vector);
}
static __device__ inline double paws_rnorm(double a, double b, double c, double d) {
  return paws_reciprocal(paws_norm(a, b, c, d));
}
static __device__ inline float paws_rnormf(float a, float b, float c, float d) {
  return static_cast<float>(1.0 / paws_normf(a, b, c, d));
}
PAWS_NV float __nv_normf(int dimension, const float* vector) {
  return static_cast<float>(paws_normf(dimension, vector));
}
PAWS_NV double __nv_norm(int dimension, const double* vector) {
  return paws_value(paws_norm(dimension, vector));
}
PAWS_NV float __nv_rnormf(int dimension, const float* vector) {
  return static_cast<float>(1.0 / paws_normf(dimension, vector));
}
PAWS_NV double __nv_rnorm(int dimension, const double* vector) {
  return paws_reciprocal(paws_norm(dimension, vector));
}
PAWS_NV float __nv_rhypotf(float a, float b) { return paws_rnormf(a, b, 0, 0); }
PAWS_NV double __nv_rhypot(double a, double b) { return paws_rnorm(a, b, 0, 0); }
PAWS_NV float __nv_norm3df(float a, float b, float c) {
  return static_cast<float>(paws_normf(a, b, c, 0));
}
PAWS_NV double __nv_norm3d(double a, double b, double c) {
  return paws_value(paws_norm(a, b, c, 0));
}
PAWS_NV float __nv_norm4df(float a, float b, float c, float d) {
  return static_cast<float>(paws_normf(a, b, c, d));
}
PAWS_NV double __nv_norm4d(double a, double b, double c, double d) {
  return paws_value(paws_norm(a, b, c, d));
}
PAWS_NV float __nv_rnorm3df(float a, float b, float c) { return paws_rnormf(a, b, c, 0); }
PAWS_NV double __nv_rnorm3d(double a, double b, double c) { return paws_rnorm(a, b, c, 0); }
PAWS_NV float __nv_rnorm4df(float a, float b, float c, float d) { return paws_rnormf(a, b, c, d); }
PAWS_NV double __nv_rnorm4d(double a, double b, double c, double d) {
  return paws_rnorm(a, b, c, d);
}
// Single precision through double precision, which has the digits.
struct paws_device_math {
  static __device__ double erf(double a) { return __nv_erf(a); }
  static __device__ double erfc(double a) { return __nv_erfc(a); }
  static __device__ double exp(double a) { return __nv_exp(a); }
  static __device__ double fabs(double a) { return __nv_fabs(a); }
  static __device__ double fma(double a, double b, double c) { return __nv_fma(a, b, c); }
  static __device__ double log(double a) { return __nv_log(a); }
  static __device__ double log1p(double a) { return __nv_log1p(a); }
  static __device__ double sqrt(double a) { return __nv_sqrt(a); }
};
#define PAWS_INVERSE(name)                                                          \
  PAWS_NV double __nv_##name(double a) { return paws_##name<paws_device_math>(a); } \
  PAWS_NV float __nv_##name##f(float a) {                                           \
    return static_cast<float>(paws_##name<paws_device_math>(a));                    \
  }
PAWS_INVERSE(erfcinv)
PAWS_INVERSE(erfcx)
PAWS_INVERSE(erfinv)
PAWS_INVERSE(normcdf)
PAWS_INVERSE(normcdfinv)
#undef PAWS_INVERSE
PAWS_NV void __nv_sincosf(float a, float* s, float* c) {
  *s = __nv_sinf(a);
  *c = __nv_cosf(a);
}
PAWS_NV void __nv_sincos(double a, double* s, double* c) {
  *s = __nv_sin(a);
  *c = __nv_cos(a);
}
PAWS_NV void __nv_sincospif(float a, float* s, float* c) {
  *s = __nv_sinpif(a);
  *c = __nv_cospif(a);
}
PAWS_NV void __nv_sincospi(double a, double* s, double* c) {
  *s = __nv_sinpi(a);
  *c = __nv_cospi(a);
}
PAWS_NV float __nv_fast_sinf(float a) { return __nvvm_sin_approx_f(a); }
PAWS_NV float __nv_fast_cosf(float a) { return __nvvm_cos_approx_f(a); }
PAWS_NV float __nv_fast_fdividef(float a, float b) { return __nvvm_div_approx_f(a, b); }
PAWS_NV float __nv_fast_tanf(float a) {
  return __nv_fast_fdividef(__nv_fast_sinf(a), __nv_fast_cosf(a));
}
PAWS_NV void __nv_fast_sincosf(float a, float* s, float* c) {
  *s = __nv_fast_sinf(a);
  *c = __nv_fast_cosf(a);
}
PAWS_NV float __nv_fast_log2f(float a) { return __nvvm_lg2_approx_f(a); }
PAWS_NV float __nv_fast_logf(float a) { return __nv_fast_log2f(a) * 0.69314718056f; }
PAWS_NV float __nv_fast_log10f(float a) { return __nv_fast_log2f(a) * 0.30102999566f; }
PAWS_NV float __nv_fast_expf(float a) { return __nvvm_ex2_approx_f(a * 1.44269504089f); }
PAWS_NV float __nv_fast_exp10f(float a) { return __nvvm_ex2_approx_f(a * 3.32192809489f); }
PAWS_NV float __nv_fast_powf(float a, float b) {
  return __nvvm_ex2_approx_f(b * __nv_fast_log2f(a));
}
#undef PAWS_NV
