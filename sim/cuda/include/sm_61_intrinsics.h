// SPDX-License-Identifier: MIT
// Dot products of bytes, and of 16-bit integers with bytes ("CUDA Math API", integer intrinsics).
// Kernels use the instructions of PTX, whatever architecture the program is for.
#pragma once

#include "vector_types.h"

#if defined(__CUDA__) && defined(__clang__)

/// d = c + the sum of products of a's and b's parts. A and B have 32 bits each.
#define PAWS_DOT(name, instruction, result, A, B)                                      \
  static __inline__ __device__ result name(A a, B b, result c) {                       \
    const unsigned int left = __builtin_bit_cast(unsigned int, a);                     \
    const unsigned int right = __builtin_bit_cast(unsigned int, b);                    \
    result d;                                                                          \
    __asm__(instruction " %0, %1, %2, %3;" : "=r"(d) : "r"(left), "r"(right), "r"(c)); \
    return d;                                                                          \
  }
PAWS_DOT(__dp4a, "dp4a.s32.s32", int, int, int)
PAWS_DOT(__dp4a, "dp4a.u32.u32", unsigned int, unsigned int, unsigned int)
PAWS_DOT(__dp4a, "dp4a.s32.s32", int, char4, char4)
PAWS_DOT(__dp4a, "dp4a.u32.u32", unsigned int, uchar4, uchar4)
PAWS_DOT(__dp2a_lo, "dp2a.lo.s32.s32", int, int, int)
PAWS_DOT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned int, unsigned int, unsigned int)
PAWS_DOT(__dp2a_lo, "dp2a.lo.s32.s32", int, short2, char4)
PAWS_DOT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned int, ushort2, uchar4)
PAWS_DOT(__dp2a_hi, "dp2a.hi.s32.s32", int, int, int)
PAWS_DOT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned int, unsigned int, unsigned int)
PAWS_DOT(__dp2a_hi, "dp2a.hi.s32.s32", int, short2, char4)
PAWS_DOT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned int, ushort2, uchar4)
#undef PAWS_DOT

#endif
