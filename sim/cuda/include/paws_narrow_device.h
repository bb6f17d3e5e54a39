// SPDX-License-Identifier: MIT
// What only kernels can do with the format that cuda_fp16.h or cuda_bf16.h is defining: exchange
// values in a warp, load through the read-only path, and functions of mathematics.

// --- shuffles -----------------------------------------------------------------------------------
#define PAWS_SHUFFLE(name, type)                                                             \
  static __inline__ __device__ PAWS_SCALAR name(unsigned int mask, PAWS_SCALAR a, type lane, \
                                                int width = warpSize) {                      \
    const unsigned int bits = a.__x;                                                         \
    return PAWS_MADE(static_cast<unsigned short>(name(mask, bits, lane, width)));            \
  }                                                                                          \
  static __inline__ __device__ PAWS_PAIR name(unsigned int mask, PAWS_PAIR a, type lane,     \
                                              int width = warpSize) {                        \
    return PAWS_NAMED(paws_, 2)(name(mask, paws_bits(a), lane, width));                      \
  }
PAWS_SHUFFLE(__shfl_sync, int)
PAWS_SHUFFLE(__shfl_up_sync, unsigned int)
PAWS_SHUFFLE(__shfl_down_sync, unsigned int)
PAWS_SHUFFLE(__shfl_xor_sync, int)
#undef PAWS_SHUFFLE

// --- loads --------------------------------------------------------------------------------------
static __inline__ __device__ PAWS_SCALAR __ldg(const PAWS_SCALAR* pointer) {
  return PAWS_MADE(__ldg(reinterpret_cast<const unsigned short*>(pointer)));
}
static __inline__ __device__ PAWS_PAIR __ldg(const PAWS_PAIR* pointer) {
  return PAWS_NAMED(paws_, 2)(__ldg(reinterpret_cast<const unsigned int*>(pointer)));
}

// --- atomics ------------------------------------------------------------------------------------
static __inline__ __device__ PAWS_SCALAR atomicAdd(PAWS_SCALAR* pointer, PAWS_SCALAR a) {
  unsigned short bits;
  __asm__ volatile("atom.add.noftz." PAWS_TYPE " %0, [%1], %2;"
                   : "=h"(bits)
                   : "l"(pointer), "h"(a.__x)
                   : "memory");
  return PAWS_MADE(bits);
}
/// Each half by itself.
static __inline__ __device__ PAWS_PAIR atomicAdd(PAWS_PAIR* pointer, PAWS_PAIR a) {
  unsigned int bits;
  __asm__ volatile("atom.add.noftz." PAWS_TYPE "x2 %0, [%1], %2;"
                   : "=r"(bits)
                   : "l"(pointer), "r"(paws_bits(a))
                   : "memory");
  return PAWS_NAMED(paws_, 2)(bits);
}

// --- functions ----------------------------------------------------------------------------------
// In binary32, then rounded.
#define PAWS_FUNCTION(name, value)                                  \
  static __inline__ __device__ PAWS_SCALAR h##name(PAWS_SCALAR a) { \
    const float x = PAWS_NAMED(__, 2float)(a);                      \
    return PAWS_NAMED(__float2, _rn)(value);                        \
  }                                                                 \
  static __inline__ __device__ PAWS_PAIR h2##name(PAWS_PAIR a) {    \
    return PAWS_PAIR(h##name(a.x), h##name(a.y));                   \
  }
PAWS_FUNCTION(sqrt, __nvvm_sqrt_rn_f(x))
PAWS_FUNCTION(rsqrt, __nvvm_rsqrt_approx_f(x))
PAWS_FUNCTION(rcp, __nvvm_rcp_rn_f(x))
PAWS_FUNCTION(exp, __nvvm_ex2_approx_f(x * 1.44269504089f))
PAWS_FUNCTION(exp2, __nvvm_ex2_approx_f(x))
PAWS_FUNCTION(exp10, __nvvm_ex2_approx_f(x * 3.32192809489f))
PAWS_FUNCTION(log, __nvvm_lg2_approx_f(x) * 0.69314718056f)
PAWS_FUNCTION(log2, __nvvm_lg2_approx_f(x))
PAWS_FUNCTION(log10, __nvvm_lg2_approx_f(x) * 0.30102999566f)
PAWS_FUNCTION(sin, sinf(x))
PAWS_FUNCTION(cos, cosf(x))
PAWS_FUNCTION(tanh, tanhf(x))
#undef PAWS_FUNCTION

// To an integer.
#define PAWS_FUNCTION(name, rounding)                                                          \
  static __inline__ __device__ PAWS_SCALAR h##name(PAWS_SCALAR a) {                            \
    unsigned short bits;                                                                       \
    __asm__("cvt." rounding "." PAWS_TYPE "." PAWS_TYPE " %0, %1;" : "=h"(bits) : "h"(a.__x)); \
    return PAWS_MADE(bits);                                                                    \
  }                                                                                            \
  static __inline__ __device__ PAWS_PAIR h2##name(PAWS_PAIR a) {                               \
    return PAWS_PAIR(h##name(a.x), h##name(a.y));                                              \
  }
PAWS_FUNCTION(floor, "rmi")
PAWS_FUNCTION(ceil, "rpi")
PAWS_FUNCTION(trunc, "rzi")
PAWS_FUNCTION(rint, "rni")
#undef PAWS_FUNCTION

static __inline__ __device__ PAWS_SCALAR htanh_approx(PAWS_SCALAR a) {
  unsigned short bits;
  __asm__("tanh.approx." PAWS_TYPE " %0, %1;" : "=h"(bits) : "h"(a.__x));
  return PAWS_MADE(bits);
}
static __inline__ __device__ PAWS_PAIR h2tanh_approx(PAWS_PAIR a) {
  unsigned int bits;
  __asm__("tanh.approx." PAWS_TYPE "x2 %0, %1;" : "=r"(bits) : "r"(paws_bits(a)));
  return PAWS_NAMED(paws_, 2)(bits);
}
