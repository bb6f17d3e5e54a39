// SPDX-License-Identifier: MIT
// The part of CUDA C++ that kernels use, declared for clang without a CUDA SDK.
//
// scripts/cuda2ptx puts this file before the source (-include); nvcc never sees it. Names, types
// and meanings are those of NVIDIA's "CUDA C++ Programming Guide". What is missing here is a
// compile error, never another meaning. Host code is not compiled, so nothing of the CUDA runtime
// is here.
#pragma once

// Words for where things live, and vector types: as in the CUDA runtime's headers.
#include "../../sim/cuda/include/vector_functions.h"

#define __noinline__ __attribute__((noinline))
#define PAWS_DEVICE static __inline__ __attribute__((always_inline, device))

// --- integer types and limits ---------------------------------------------------------------
using size_t = decltype(sizeof(0));
using ptrdiff_t = long;
using int8_t = signed char;
using uint8_t = unsigned char;
using int16_t = short;
using uint16_t = unsigned short;
using int32_t = int;
using uint32_t = unsigned int;
using int64_t = long;
using uint64_t = unsigned long;
using intptr_t = long;
using uintptr_t = unsigned long;
using uchar = unsigned char;
using ushort = unsigned short;
using uint = unsigned int;
using ulong = unsigned long;

#ifndef NULL
#define NULL 0
#endif
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 4294967295u
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.192092896e-07f
#define DBL_MAX 1.7976931348623158e+308
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define M_PI 3.14159265358979323846
#define assert(condition) ((void)0)

// --- where a thread is ------------------------------------------------------------------------
#define PAWS_COORDINATE(field, builtin)                                                      \
  __declspec(property(get = paws_get_##field)) unsigned int field;                           \
  static __inline__ __attribute__((always_inline, device)) unsigned int paws_get_##field() { \
    return builtin();                                                                        \
  }
#define PAWS_COORDINATES(variable, sreg)                       \
  struct paws_##variable##_t {                                 \
    PAWS_COORDINATE(x, __nvvm_read_ptx_sreg_##sreg##_x)        \
    PAWS_COORDINATE(y, __nvvm_read_ptx_sreg_##sreg##_y)        \
    PAWS_COORDINATE(z, __nvvm_read_ptx_sreg_##sreg##_z)        \
    __device__ operator dim3() const { return dim3(x, y, z); } \
  };                                                           \
  extern const __device__ __attribute__((weak)) paws_##variable##_t variable;
PAWS_COORDINATES(threadIdx, tid)
PAWS_COORDINATES(blockIdx, ctaid)
PAWS_COORDINATES(blockDim, ntid)
PAWS_COORDINATES(gridDim, nctaid)
#undef PAWS_COORDINATES
#undef PAWS_COORDINATE
#define warpSize 32

PAWS_DEVICE long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }
PAWS_DEVICE int clock() { return __nvvm_read_ptx_sreg_clock(); }

// --- barriers and fences (__syncthreads is clang's own builtin) ---------------------------------
PAWS_DEVICE int __syncthreads_count(int predicate) { return __nvvm_bar0_popc(predicate); }
PAWS_DEVICE int __syncthreads_and(int predicate) { return __nvvm_bar0_and(predicate); }
PAWS_DEVICE int __syncthreads_or(int predicate) { return __nvvm_bar0_or(predicate); }
PAWS_DEVICE void __syncwarp(unsigned int mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }
PAWS_DEVICE void __threadfence_block() { __nvvm_membar_cta(); }
PAWS_DEVICE void __threadfence() { __nvvm_membar_gl(); }
PAWS_DEVICE void __threadfence_system() { __nvvm_membar_sys(); }

// The project's kernels go without: their results are checked, and code that is scheduled in
// another way has other cycles.
#ifdef PAWS_ORDERED_BARRIERS
#include "paws_order.h"
#endif

// --- atomics ------------------------------------------------------------------------------------
#include "paws_atomics.h"

// --- warp votes and shuffles --------------------------------------------------------------------
PAWS_DEVICE int __all_sync(uint mask, int predicate) {
  return __nvvm_vote_all_sync(mask, predicate);
}
PAWS_DEVICE int __any_sync(uint mask, int predicate) {
  return __nvvm_vote_any_sync(mask, predicate);
}
PAWS_DEVICE uint __ballot_sync(uint mask, int predicate) {
  return __nvvm_vote_ballot_sync(mask, predicate);
}
PAWS_DEVICE uint __activemask() {
  uint mask;
  __asm__ volatile("activemask.b32 %0;" : "=r"(mask));
  return mask;
}

// The third operand of shfl: the highest source lane (up: the lowest) in bits 4..0, and in bits
// 12..8 the lane bits that stay as they are (PTX ISA, "shfl.sync").
#define PAWS_SHUFFLE(cuda, mode, clamp)                                                       \
  PAWS_DEVICE int cuda(uint mask, int v, int lane, int width = warpSize) {                    \
    return __nvvm_shfl_sync_##mode##_i32(mask, v, lane, ((warpSize - width) << 8) | (clamp)); \
  }                                                                                           \
  PAWS_DEVICE uint cuda(uint mask, uint v, int lane, int width = warpSize) {                  \
    return (uint)cuda(mask, (int)v, lane, width);                                             \
  }                                                                                           \
  PAWS_DEVICE float cuda(uint mask, float v, int lane, int width = warpSize) {                \
    return __nvvm_shfl_sync_##mode##_f32(mask, v, lane, ((warpSize - width) << 8) | (clamp)); \
  }                                                                                           \
  PAWS_DEVICE double cuda(uint mask, double v, int lane, int width = warpSize) {              \
    paws_ull bits = __builtin_bit_cast(paws_ull, v);                                          \
    uint low = cuda(mask, (uint)bits, lane, width);                                           \
    uint high = cuda(mask, (uint)(bits >> 32), lane, width);                                  \
    return __builtin_bit_cast(double, ((paws_ull)high << 32) | low);                          \
  }
PAWS_SHUFFLE(__shfl_sync, idx, 0x1f)
PAWS_SHUFFLE(__shfl_up_sync, up, 0)
PAWS_SHUFFLE(__shfl_down_sync, down, 0x1f)
PAWS_SHUFFLE(__shfl_xor_sync, bfly, 0x1f)
#undef PAWS_SHUFFLE

// --- integer intrinsics -------------------------------------------------------------------------
PAWS_DEVICE int __popc(uint v) { return __builtin_popcount(v); }
PAWS_DEVICE int __popcll(paws_ull v) { return __builtin_popcountll(v); }
PAWS_DEVICE int __clz(int v) { return v == 0 ? 32 : __builtin_clz((uint)v); }
PAWS_DEVICE int __clzll(long long v) { return v == 0 ? 64 : __builtin_clzll((paws_ull)v); }
PAWS_DEVICE int __ffs(int v) { return __builtin_ffs(v); }
PAWS_DEVICE uint __brev(uint v) { return __builtin_bitreverse32(v); }
PAWS_DEVICE uint __byte_perm(uint a, uint b, uint selector) { return __nvvm_prmt(a, b, selector); }
PAWS_DEVICE int __mul24(int a, int b) { return __nvvm_mul24_i(a, b); }
PAWS_DEVICE uint __umul24(uint a, uint b) { return __nvvm_mul24_ui(a, b); }
PAWS_DEVICE int __mulhi(int a, int b) { return __nvvm_mulhi_i(a, b); }
PAWS_DEVICE uint __umulhi(uint a, uint b) { return __nvvm_mulhi_ui(a, b); }
PAWS_DEVICE int abs(int v) { return v < 0 ? -v : v; }
PAWS_DEVICE int min(int a, int b) { return a < b ? a : b; }
PAWS_DEVICE int max(int a, int b) { return a > b ? a : b; }
PAWS_DEVICE uint min(uint a, uint b) { return a < b ? a : b; }
PAWS_DEVICE uint max(uint a, uint b) { return a > b ? a : b; }
PAWS_DEVICE long min(long a, long b) { return a < b ? a : b; }
PAWS_DEVICE long max(long a, long b) { return a > b ? a : b; }

// --- loads through the read-only path, here ordinary loads --------------------------------------
template <typename T>
PAWS_DEVICE T __ldg(const T* p) {
  return *p;
}

// --- bit patterns and conversions ---------------------------------------------------------------
PAWS_DEVICE int __float_as_int(float v) { return __builtin_bit_cast(int, v); }
PAWS_DEVICE uint __float_as_uint(float v) { return __builtin_bit_cast(uint, v); }
PAWS_DEVICE float __int_as_float(int v) { return __builtin_bit_cast(float, v); }
PAWS_DEVICE float __uint_as_float(uint v) { return __builtin_bit_cast(float, v); }
PAWS_DEVICE long long __double_as_longlong(double v) { return __builtin_bit_cast(long long, v); }
PAWS_DEVICE double __longlong_as_double(long long v) { return __builtin_bit_cast(double, v); }
PAWS_DEVICE int __float2int_rn(float v) { return __nvvm_f2i_rn(v); }
PAWS_DEVICE int __float2int_rz(float v) { return __nvvm_f2i_rz(v); }
PAWS_DEVICE int __float2int_rd(float v) { return __nvvm_f2i_rm(v); }
PAWS_DEVICE int __float2int_ru(float v) { return __nvvm_f2i_rp(v); }
PAWS_DEVICE float __int2float_rn(int v) { return __nvvm_i2f_rn(v); }

// --- floating point: single PTX instructions ----------------------------------------------------
PAWS_DEVICE float fabsf(float v) { return __nvvm_fabs_f(v); }
PAWS_DEVICE double fabs(double v) { return __nvvm_fabs_d(v); }
PAWS_DEVICE float fminf(float a, float b) { return __nvvm_fmin_f(a, b); }
PAWS_DEVICE float fmaxf(float a, float b) { return __nvvm_fmax_f(a, b); }
PAWS_DEVICE double fmin(double a, double b) { return __nvvm_fmin_d(a, b); }
PAWS_DEVICE double fmax(double a, double b) { return __nvvm_fmax_d(a, b); }
PAWS_DEVICE float min(float a, float b) { return fminf(a, b); }
PAWS_DEVICE float max(float a, float b) { return fmaxf(a, b); }
PAWS_DEVICE double min(double a, double b) { return fmin(a, b); }
PAWS_DEVICE double max(double a, double b) { return fmax(a, b); }
PAWS_DEVICE float fmaf(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
PAWS_DEVICE double fma(double a, double b, double c) { return __nvvm_fma_rn_d(a, b, c); }
PAWS_DEVICE float sqrtf(float v) { return __nvvm_sqrt_rn_f(v); }
PAWS_DEVICE double sqrt(double v) { return __nvvm_sqrt_rn_d(v); }
PAWS_DEVICE float rsqrtf(float v) { return __nvvm_rsqrt_approx_f(v); }
PAWS_DEVICE float floorf(float v) { return __nvvm_floor_f(v); }
PAWS_DEVICE double floor(double v) { return __nvvm_floor_d(v); }
PAWS_DEVICE float ceilf(float v) { return __nvvm_ceil_f(v); }
PAWS_DEVICE double ceil(double v) { return __nvvm_ceil_d(v); }
PAWS_DEVICE float truncf(float v) { return __nvvm_trunc_f(v); }
PAWS_DEVICE double trunc(double v) { return __nvvm_trunc_d(v); }
PAWS_DEVICE float __saturatef(float v) { return __nvvm_saturate_f(v); }
PAWS_DEVICE float __fadd_rn(float a, float b) { return __nvvm_add_rn_f(a, b); }
PAWS_DEVICE float __fmul_rn(float a, float b) { return __nvvm_mul_rn_f(a, b); }
PAWS_DEVICE float __fmaf_rn(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
PAWS_DEVICE float __fdiv_rn(float a, float b) { return __nvvm_div_rn_f(a, b); }
PAWS_DEVICE float __frcp_rn(float v) { return __nvvm_rcp_rn_f(v); }
PAWS_DEVICE float __fsqrt_rn(float v) { return __nvvm_sqrt_rn_f(v); }
PAWS_DEVICE float __frsqrt_rn(float v) { return __nvvm_rcp_rn_f(__nvvm_sqrt_rn_f(v)); }
PAWS_DEVICE float __fdividef(float a, float b) { return __nvvm_div_approx_f(a, b); }
PAWS_DEVICE float __sinf(float v) { return __nvvm_sin_approx_f(v); }
PAWS_DEVICE float __cosf(float v) { return __nvvm_cos_approx_f(v); }
PAWS_DEVICE float __tanf(float v) { return __fdividef(__sinf(v), __cosf(v)); }
PAWS_DEVICE float __log2f(float v) { return __nvvm_lg2_approx_f(v); }
PAWS_DEVICE float __logf(float v) { return __log2f(v) * 0.69314718056f; }
PAWS_DEVICE float __log10f(float v) { return __log2f(v) * 0.30102999566f; }
PAWS_DEVICE float __expf(float v) { return __nvvm_ex2_approx_f(v * 1.44269504089f); }
PAWS_DEVICE float __exp10f(float v) { return __nvvm_ex2_approx_f(v * 3.32192809489f); }
PAWS_DEVICE float __powf(float a, float b) { return __nvvm_ex2_approx_f(b * __log2f(a)); }

// --- floating point: library functions ----------------------------------------------------------
// libclc has them under the mangled names of OpenCL C; scripts/cuda2ptx links it when it is there.
#define PAWS_MATH1(name, mangled)                                            \
  extern "C" __device__ float paws_##name##_f(float) __asm__(mangled "f");   \
  extern "C" __device__ double paws_##name##_d(double) __asm__(mangled "d"); \
  PAWS_DEVICE float name##f(float v) { return paws_##name##_f(v); }          \
  PAWS_DEVICE float name(float v) { return paws_##name##_f(v); }             \
  PAWS_DEVICE double name(double v) { return paws_##name##_d(v); }
#define PAWS_MATH2(name, mangled)                                                     \
  extern "C" __device__ float paws_##name##_f(float, float) __asm__(mangled "ff");    \
  extern "C" __device__ double paws_##name##_d(double, double) __asm__(mangled "dd"); \
  PAWS_DEVICE float name##f(float a, float b) { return paws_##name##_f(a, b); }       \
  PAWS_DEVICE float name(float a, float b) { return paws_##name##_f(a, b); }          \
  PAWS_DEVICE double name(double a, double b) { return paws_##name##_d(a, b); }
PAWS_MATH1(exp, "_Z3exp")
PAWS_MATH1(exp2, "_Z4exp2")
PAWS_MATH1(log, "_Z3log")
PAWS_MATH1(log2, "_Z4log2")
PAWS_MATH1(log10, "_Z5log10")
PAWS_MATH1(sin, "_Z3sin")
PAWS_MATH1(cos, "_Z3cos")
PAWS_MATH1(tan, "_Z3tan")
PAWS_MATH1(asin, "_Z4asin")
PAWS_MATH1(acos, "_Z4acos")
PAWS_MATH1(atan, "_Z4atan")
PAWS_MATH1(tanh, "_Z4tanh")
PAWS_MATH1(erf, "_Z3erf")
PAWS_MATH2(pow, "_Z3pow")
PAWS_MATH2(fmod, "_Z4fmod")
PAWS_MATH2(atan2, "_Z5atan2")
PAWS_MATH2(hypot, "_Z5hypot")
#undef PAWS_MATH1
#undef PAWS_MATH2
