// SPDX-License-Identifier: MIT
// CUDA's words for where functions and variables live. A host compiler, which does not know them,
// sees plain C++.
#pragma once

// The names are CUDA's, and C programs include this.
// NOLINTBEGIN(bugprone-reserved-identifier,modernize-use-nullptr)

// Libraries ask for this name before they define these words themselves.
#define __HOST_DEFINES_H__

#if defined(__CUDA__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ PAWS_MANAGED
// clang knows threads and blocks; a third number is of clusters.
#define PAWS_BOUNDS(threads, blocks, ...) __attribute__((launch_bounds(threads, blocks)))
#define __launch_bounds__(...) PAWS_BOUNDS(__VA_ARGS__, 0, 0)
#define __cluster_dims__(...) \
  _Pragma("GCC error \"__cluster_dims__: thread block clusters are not supported\"")
#define __grid_constant__
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __grid_constant__
#endif
#define __maxnreg__(registers)

#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __align__(bytes)
#define __device_builtin__
#define __cudart_builtin__
#define CUDARTAPI
#define CUDART_CB
#define __restrict__ __restrict
// NOLINTEND(bugprone-reserved-identifier,modernize-use-nullptr)
