// SPDX-License-Identifier: MIT
// The language of kernels: coordinates, mathematics, intrinsics, atomics. clang's own CUDA headers
// have most of it; they expect a CUDA SDK around them, whose place the headers here take.
#pragma once

// clang's headers offer all device functions to the host's compilation as well, where device code
// is parsed: as for an architecture that has everything.
#pragma push_macro("__CUDA_ARCH__")
#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 9999
#endif

typedef unsigned int cuuint32_t;
typedef unsigned long long cuuint64_t;

// Each of them needs what is before it.
// clang-format off
#include <__clang_cuda_builtin_vars.h>
#include <__clang_cuda_libdevice_declares.h>
#include "libdevice.h"
#include "simd_functions.h"
// clang takes the SIMD functions from libdevice for the SDK of this version alone.
#pragma push_macro("CUDA_VERSION")
#undef CUDA_VERSION
#define CUDA_VERSION 9010
#include <__clang_cuda_device_functions.h>
#pragma pop_macro("CUDA_VERSION")
#include <__clang_cuda_math.h>
#include "paws_atomics.h"
// clang-format on

extern "C" {
/// What stands for a virtual function without a body.
__device__ inline void __cxa_pure_virtual() { __builtin_trap(); }
__device__ int vprintf(const char*, const char*);
__device__ void __assertfail(const char* message, const char* file, unsigned line,
                             const char* function, size_t char_bytes);
__device__ static inline void __assert_fail(const char* message, const char* file, unsigned line,
                                            const char* function) {
  __assertfail(message, file, line, function, sizeof(char));
}
// clang makes calls of vprintf() of it.
__device__ int printf(const char*, ...);
}
// memcpy(), memmove() and memset() clang makes itself.
static __inline__ __device__ int memcmp(const void* left, const void* right, size_t bytes) {
  const unsigned char* a = static_cast<const unsigned char*>(left);
  const unsigned char* b = static_cast<const unsigned char*>(right);
  for (; bytes > 0; --bytes, ++a, ++b) {
    if (*a != *b) return *a - *b;
  }
  return 0;
}

#define PAWS_CONVERSIONS(variable)                                                                 \
  __device__ inline __cuda_builtin_##variable##_t::operator dim3() const { return dim3(x, y, z); } \
  __device__ inline __cuda_builtin_##variable##_t::operator uint3() const { return {x, y, z}; }
PAWS_CONVERSIONS(threadIdx)
PAWS_CONVERSIONS(blockIdx)
PAWS_CONVERSIONS(blockDim)
PAWS_CONVERSIONS(gridDim)
#undef PAWS_CONVERSIONS

#include <__clang_cuda_cmath.h>
#include <__clang_cuda_complex_builtins.h>
#include <__clang_cuda_intrinsics.h>

#include "crt/sm_80_rt.h"
#include "paws_order.h"
#include "sm_20_intrinsics.h"
#include "sm_61_intrinsics.h"

// Loads and stores with a cache hint, which changes no value. (__ldcv is further down.)
#define PAWS_HINTED(hint)                                       \
  template <typename T>                                         \
  static __inline__ __device__ T __ld##hint(const T* pointer) { \
    return *pointer;                                            \
  }
PAWS_HINTED(cg)
PAWS_HINTED(ca)
PAWS_HINTED(cs)
PAWS_HINTED(lu)
#undef PAWS_HINTED
#define PAWS_HINTED(hint)                                                    \
  template <typename T>                                                      \
  static __inline__ __device__ void __st##hint(T* pointer, const T& value) { \
    *pointer = value;                                                        \
  }
PAWS_HINTED(wb)
PAWS_HINTED(cg)
PAWS_HINTED(cs)
PAWS_HINTED(wt)
#undef PAWS_HINTED

// A load that always fetches: a loop may wait for what it returns. By words as large as the
// alignment allows, because a class such as float4 has no copy of a volatile object.
template <unsigned long Bytes>
struct paws_word {
  typedef unsigned long long type;
};
template <>
struct paws_word<4> {
  typedef unsigned int type;
};
template <>
struct paws_word<2> {
  typedef unsigned short type;
};
template <>
struct paws_word<1> {
  typedef unsigned char type;
};
template <typename T>
static __inline__ __device__ T __ldcv(const T* pointer) {
  typedef typename paws_word<alignof(T)>::type Word;
  T value;
  for (unsigned int i = 0; i < sizeof(T) / sizeof(Word); ++i) {
    const Word word = reinterpret_cast<const volatile Word*>(pointer)[i];
    memcpy(reinterpret_cast<char*>(&value) + i * sizeof(Word), &word, sizeof(Word));
  }
  return value;
}

#pragma pop_macro("__CUDA_ARCH__")

// min() and max() of CUDA, for host and device. Those of two ints clang has for the device.
#define PAWS_LEAST(type, attributes)                                              \
  static __inline__ attributes type min(type a, type b) { return a < b ? a : b; } \
  static __inline__ attributes type max(type a, type b) { return a > b ? a : b; }
PAWS_LEAST(int, __host__)
PAWS_LEAST(unsigned int, __host__ __device__)
PAWS_LEAST(long, __host__ __device__)
PAWS_LEAST(unsigned long, __host__ __device__)
PAWS_LEAST(long long, __host__ __device__)
PAWS_LEAST(unsigned long long, __host__ __device__)
#undef PAWS_LEAST
static __inline__ unsigned int min(int a, unsigned int b) { return min((unsigned int)a, b); }
static __inline__ unsigned int min(unsigned int a, int b) { return min(a, (unsigned int)b); }
static __inline__ unsigned int max(int a, unsigned int b) { return max((unsigned int)a, b); }
static __inline__ unsigned int max(unsigned int a, int b) { return max(a, (unsigned int)b); }
static __inline__ __device__ unsigned int min(int a, unsigned int b) {
  return min((unsigned int)a, b);
}
static __inline__ __device__ unsigned int min(unsigned int a, int b) {
  return min(a, (unsigned int)b);
}
static __inline__ __device__ unsigned int max(int a, unsigned int b) {
  return max((unsigned int)a, b);
}
static __inline__ __device__ unsigned int max(unsigned int a, int b) {
  return max(a, (unsigned int)b);
}
static __inline__ float min(float a, float b) { return fminf(a, b); }
static __inline__ float max(float a, float b) { return fmaxf(a, b); }
static __inline__ double min(double a, double b) { return fmin(a, b); }
static __inline__ double max(double a, double b) { return fmax(a, b); }
static __inline__ double min(float a, double b) { return fmin(a, b); }
static __inline__ double max(float a, double b) { return fmax(a, b); }
static __inline__ double min(double a, float b) { return fmin(a, b); }
static __inline__ double max(double a, float b) { return fmax(a, b); }
#define PAWS_UNSIGNED(type)                                                          \
  static __inline__ __host__ __device__ unsigned type min(type a, unsigned type b) { \
    return min(static_cast<unsigned type>(a), b);                                    \
  }                                                                                  \
  static __inline__ __host__ __device__ unsigned type min(unsigned type a, type b) { \
    return min(a, static_cast<unsigned type>(b));                                    \
  }                                                                                  \
  static __inline__ __host__ __device__ unsigned type max(type a, unsigned type b) { \
    return max(static_cast<unsigned type>(a), b);                                    \
  }                                                                                  \
  static __inline__ __host__ __device__ unsigned type max(unsigned type a, type b) { \
    return max(a, static_cast<unsigned type>(b));                                    \
  }
PAWS_UNSIGNED(long)
PAWS_UNSIGNED(long long)
#undef PAWS_UNSIGNED
static __inline__ __device__ float min(float a, float b) { return fminf(a, b); }
static __inline__ __device__ float max(float a, float b) { return fmaxf(a, b); }
static __inline__ __device__ double min(double a, double b) { return fmin(a, b); }
static __inline__ __device__ double max(double a, double b) { return fmax(a, b); }
static __inline__ __device__ double min(float a, double b) { return fmin(a, b); }
static __inline__ __device__ double max(float a, double b) { return fmax(a, b); }
static __inline__ __device__ double min(double a, float b) { return fmin(a, b); }
static __inline__ __device__ double max(double a, float b) { return fmax(a, b); }

#include "dpx_functions.h"
#include "float_overloads.h"
#include "host_mathematics.h"

// How clang launches a kernel with <<<>>>.
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM) || defined(__CUDA_API_PER_THREAD_DEFAULT_STREAM)
// The launch behind it is always cudaLaunchKernel(), whose stream 0 is the legacy one.
extern "C" unsigned paws_push_configuration(
    dim3 grid, dim3 block, size_t shared,
    cudaStream_t stream) __asm__("__cudaPushCallConfiguration");
static __inline__ unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0,
                                                       cudaStream_t stream = nullptr) {
  return paws_push_configuration(grid, block, shared,
                                 stream == nullptr ? cudaStreamPerThread : stream);
}
#else
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0,
                                                cudaStream_t stream = nullptr);
#endif
