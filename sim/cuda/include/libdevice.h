// SPDX-License-Identifier: MIT
// The functions under the device functions of clang's CUDA headers: NVIDIA's libdevice has them
// under these names. Here they are single PTX instructions, or functions of libclc (Debian:
// libclc-14), which has them under the mangled names of OpenCL C. What is missing is found when the
// program is built, by its name.
#pragma once

#define PAWS_NV extern "C" __device__ inline __attribute__((always_inline))

// --- libclc --------------------------------------------------------------------------------------
#define PAWS_CLC1(name, mangled)                                                 \
  extern "C" __device__ float paws_clc_##name##_f(float) __asm__(mangled "f");   \
  extern "C" __device__ double paws_clc_##name##_d(double) __asm__(mangled "d"); \
  PAWS_NV float __nv_##name##f(float a) { return paws_clc_##name##_f(a); }       \
  PAWS_NV double __nv_##name(double a) { return paws_clc_##name##_d(a); }
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
PAWS_CLC1(atan, "_Z4atan")
PAWS_CLC1(atanh, "_Z5atanh")
PAWS_CLC1(cbrt, "_Z4cbrt")
PAWS_CLC1(cos, "_Z3cos")
PAWS_CLC1(cosh, "_Z4cosh")
PAWS_CLC1(cospi, "_Z5cospi")
PAWS_CLC1(erf, "_Z3erf")
PAWS_CLC1(erfc, "_Z4erfc")
PAWS_CLC1(exp, "_Z3exp")
PAWS_CLC1(exp10, "_Z5exp10")
PAWS_CLC1(exp2, "_Z4exp2")
PAWS_CLC1(expm1, "_Z5expm1")
PAWS_CLC1(lgamma, "_Z6lgamma")
PAWS_CLC1(log, "_Z3log")
PAWS_CLC1(log10, "_Z5log10")
PAWS_CLC1(log1p, "_Z5log1p")
PAWS_CLC1(log2, "_Z4log2")
PAWS_CLC1(logb, "_Z4logb")
PAWS_CLC1(round, "_Z5round")
PAWS_CLC1(sin, "_Z3sin")
PAWS_CLC1(sinh, "_Z4sinh")
PAWS_CLC1(sinpi, "_Z5sinpi")
PAWS_CLC1(tan, "_Z3tan")
PAWS_CLC1(tanh, "_Z4tanh")
PAWS_CLC1(tgamma, "_Z6tgamma")
PAWS_CLC2(atan2, "_Z5atan2")
PAWS_CLC2(fdim, "_Z4fdim")
PAWS_CLC2(fmod, "_Z4fmod")
PAWS_CLC2(hypot, "_Z5hypot")
PAWS_CLC2(nextafter, "_Z9nextafter")
PAWS_CLC2(pow, "_Z3pow")
PAWS_CLC2(remainder, "_Z9remainder")
PAWS_CLC_INT(ldexp, "_Z5ldexp")
PAWS_CLC_INT(powi, "_Z4pown")
#undef PAWS_CLC1
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
PAWS_NV int __nv_byte_perm(int a, int b, int c) { return __nvvm_prmt(a, b, c); }
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
#define PAWS_ROUNDED(cuda, ptx)                                                                 \
  PAWS_NV float __nv_fadd_##cuda(float a, float b) { return __nvvm_add_##ptx##_f(a, b); }       \
  PAWS_NV float __nv_fsub_##cuda(float a, float b) { return __nvvm_add_##ptx##_f(a, -b); }      \
  PAWS_NV float __nv_fmul_##cuda(float a, float b) { return __nvvm_mul_##ptx##_f(a, b); }       \
  PAWS_NV float __nv_fdiv_##cuda(float a, float b) { return __nvvm_div_##ptx##_f(a, b); }       \
  PAWS_NV float __nv_frcp_##cuda(float a) { return __nvvm_rcp_##ptx##_f(a); }                   \
  PAWS_NV float __nv_fsqrt_##cuda(float a) { return __nvvm_sqrt_##ptx##_f(a); }                 \
  PAWS_NV float __nv_fmaf_##cuda(float a, float b, float c) {                                   \
    return __nvvm_fma_##ptx##_f(a, b, c);                                                       \
  }                                                                                             \
  PAWS_NV float __nv_fmaf_ieee_##cuda(float a, float b, float c) {                              \
    return __nvvm_fma_##ptx##_f(a, b, c);                                                       \
  }                                                                                             \
  PAWS_NV double __nv_dadd_##cuda(double a, double b) { return __nvvm_add_##ptx##_d(a, b); }    \
  PAWS_NV double __nv_dsub_##cuda(double a, double b) { return __nvvm_add_##ptx##_d(a, -b); }   \
  PAWS_NV double __nv_dmul_##cuda(double a, double b) { return __nvvm_mul_##ptx##_d(a, b); }    \
  PAWS_NV double __nv_ddiv_##cuda(double a, double b) { return __nvvm_div_##ptx##_d(a, b); }    \
  PAWS_NV double __nv_drcp_##cuda(double a) { return __nvvm_rcp_##ptx##_d(a); }                 \
  PAWS_NV double __nv_dsqrt_##cuda(double a) { return __nvvm_sqrt_##ptx##_d(a); }               \
  PAWS_NV double __nv_fma_##cuda(double a, double b, double c) {                                \
    return __nvvm_fma_##ptx##_d(a, b, c);                                                       \
  }                                                                                             \
  PAWS_NV float __nv_double2float_##cuda(double a) { return __nvvm_d2f_##ptx(a); }              \
  PAWS_NV int __nv_double2int_##cuda(double a) { return __nvvm_d2i_##ptx(a); }                  \
  PAWS_NV unsigned int __nv_double2uint_##cuda(double a) { return __nvvm_d2ui_##ptx(a); }       \
  PAWS_NV long long __nv_double2ll_##cuda(double a) { return __nvvm_d2ll_##ptx(a); }            \
  PAWS_NV unsigned long long __nv_double2ull_##cuda(double a) { return __nvvm_d2ull_##ptx(a); } \
  PAWS_NV int __nv_float2int_##cuda(float a) { return __nvvm_f2i_##ptx(a); }                    \
  PAWS_NV unsigned int __nv_float2uint_##cuda(float a) { return __nvvm_f2ui_##ptx(a); }         \
  PAWS_NV long long __nv_float2ll_##cuda(float a) { return __nvvm_f2ll_##ptx(a); }              \
  PAWS_NV unsigned long long __nv_float2ull_##cuda(float a) { return __nvvm_f2ull_##ptx(a); }   \
  PAWS_NV float __nv_int2float_##cuda(int a) { return __nvvm_i2f_##ptx(a); }                    \
  PAWS_NV float __nv_uint2float_##cuda(unsigned int a) { return __nvvm_ui2f_##ptx(a); }         \
  PAWS_NV float __nv_ll2float_##cuda(long long a) { return __nvvm_ll2f_##ptx(a); }              \
  PAWS_NV float __nv_ull2float_##cuda(unsigned long long a) { return __nvvm_ull2f_##ptx(a); }   \
  PAWS_NV double __nv_ll2double_##cuda(long long a) { return __nvvm_ll2d_##ptx(a); }            \
  PAWS_NV double __nv_ull2double_##cuda(unsigned long long a) { return __nvvm_ull2d_##ptx(a); }
PAWS_ROUNDED(rn, rn)
PAWS_ROUNDED(rz, rz)
PAWS_ROUNDED(rd, rm)
PAWS_ROUNDED(ru, rp)
#undef PAWS_ROUNDED
PAWS_NV double __nv_int2double_rn(int a) { return a; }
PAWS_NV double __nv_uint2double_rn(unsigned int a) { return a; }
PAWS_NV float __nv_frsqrt_rn(float a) { return __nvvm_rcp_rn_f(__nvvm_sqrt_rn_f(a)); }
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
PAWS_NV float __nv_sqrtf(float a) { return __nvvm_sqrt_rn_f(a); }
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
PAWS_NV long long __nv_llroundf(float a) { return __nvvm_f2ll_rz(__nv_roundf(a)); }
PAWS_NV long long __nv_llround(double a) { return __nvvm_d2ll_rz(__nv_round(a)); }
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
PAWS_NV float __nv_rhypotf(float a, float b) { return 1.0f / __nv_hypotf(a, b); }
PAWS_NV double __nv_rhypot(double a, double b) { return 1.0 / __nv_hypot(a, b); }
PAWS_NV float __nv_norm3df(float a, float b, float c) { return __nv_sqrtf(a * a + b * b + c * c); }
PAWS_NV double __nv_norm3d(double a, double b, double c) {
  return __nv_sqrt(a * a + b * b + c * c);
}
PAWS_NV float __nv_norm4df(float a, float b, float c, float d) {
  return __nv_sqrtf(a * a + b * b + c * c + d * d);
}
PAWS_NV double __nv_norm4d(double a, double b, double c, double d) {
  return __nv_sqrt(a * a + b * b + c * c + d * d);
}
PAWS_NV float __nv_rnorm3df(float a, float b, float c) { return 1.0f / __nv_norm3df(a, b, c); }
PAWS_NV double __nv_rnorm3d(double a, double b, double c) { return 1.0 / __nv_norm3d(a, b, c); }
PAWS_NV float __nv_normcdff(float a) { return 0.5f * __nv_erfcf(-0.70710678118654752f * a); }
PAWS_NV double __nv_normcdf(double a) { return 0.5 * __nv_erfc(-0.70710678118654752440 * a); }
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
