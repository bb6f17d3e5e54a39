// SPDX-License-Identifier: MIT
// The vector types of CUDA, with the sizes and alignments of the "CUDA C++ Programming Guide".
#pragma once

// The names are CUDA's, and C programs include this.
// NOLINTBEGIN(bugprone-reserved-identifier,modernize-use-nullptr)

#include "host_defines.h"

#define PAWS_VECTOR(type, name, align2, align4)          \
  struct name##1 { type x; };                            \
  struct __align__(align2) name##2 { type x, y; };       \
  struct name##3 { type x, y, z; };                      \
  struct __align__(align4) name##4 { type x, y, z, w; }; \
  PAWS_TYPEDEF(name)
#ifdef __cplusplus
#define PAWS_TYPEDEF(name)
#else
#define PAWS_TYPEDEF(name)        \
  typedef struct name##1 name##1; \
  typedef struct name##2 name##2; \
  typedef struct name##3 name##3; \
  typedef struct name##4 name##4;
#endif
PAWS_VECTOR(signed char, char, 2, 4)
PAWS_VECTOR(unsigned char, uchar, 2, 4)
PAWS_VECTOR(short, short, 4, 8)
PAWS_VECTOR(unsigned short, ushort, 4, 8)
PAWS_VECTOR(int, int, 8, 16)
PAWS_VECTOR(unsigned int, uint, 8, 16)
PAWS_VECTOR(long, long, 16, 16)
PAWS_VECTOR(unsigned long, ulong, 16, 16)
PAWS_VECTOR(long long, longlong, 16, 16)
PAWS_VECTOR(unsigned long long, ulonglong, 16, 16)
PAWS_VECTOR(float, float, 8, 16)
PAWS_VECTOR(double, double, 16, 16)
#undef PAWS_VECTOR
#undef PAWS_TYPEDEF

struct dim3 {
  unsigned int x, y, z;
#ifdef __cplusplus
  __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
#ifndef __cplusplus
typedef struct dim3 dim3;
#endif
// NOLINTEND(bugprone-reserved-identifier,modernize-use-nullptr)
