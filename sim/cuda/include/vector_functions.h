// SPDX-License-Identifier: MIT
// make_float4() and its kin.
#pragma once

// The names are CUDA's, and C programs include this.
// NOLINTBEGIN(bugprone-reserved-identifier,modernize-use-nullptr)

#include "vector_types.h"

#define PAWS_MAKE(type, name)                                                                    \
  static __inline__ __host__ __device__ name##1 make_##name##1(type x) {                         \
    name##1 v = {x};                                                                             \
    return v;                                                                                    \
  }                                                                                              \
  static __inline__ __host__ __device__ name##2 make_##name##2(type x, type y) {                 \
    name##2 v = {x, y};                                                                          \
    return v;                                                                                    \
  }                                                                                              \
  static __inline__ __host__ __device__ name##3 make_##name##3(type x, type y, type z) {         \
    name##3 v = {x, y, z};                                                                       \
    return v;                                                                                    \
  }                                                                                              \
  static __inline__ __host__ __device__ name##4 make_##name##4(type x, type y, type z, type w) { \
    name##4 v = {x, y, z, w};                                                                    \
    return v;                                                                                    \
  }
PAWS_MAKE(signed char, char)
PAWS_MAKE(unsigned char, uchar)
PAWS_MAKE(short, short)
PAWS_MAKE(unsigned short, ushort)
PAWS_MAKE(int, int)
PAWS_MAKE(unsigned int, uint)
PAWS_MAKE(long, long)
PAWS_MAKE(unsigned long, ulong)
PAWS_MAKE(long long, longlong)
PAWS_MAKE(unsigned long long, ulonglong)
PAWS_MAKE(float, float)
PAWS_MAKE(double, double)
#undef PAWS_MAKE
// NOLINTEND(bugprone-reserved-identifier,modernize-use-nullptr)
