// SPDX-License-Identifier: MIT
// Reductions over the lanes of a warp ("CUDA C++ Programming Guide", warp reduce functions).
#pragma once

#if defined(__CUDA__) && defined(__clang__)

#define PAWS_REDUCE(name, operation, type)                                              \
  static __inline__ __device__ type __reduce_##name##_sync(unsigned int mask, type a) { \
    type all;                                                                           \
    __asm__ volatile("redux.sync." operation " %0, %1, %2;"                             \
                     : "=r"(all)                                                        \
                     : "r"(a), "r"(mask)                                                \
                     : "memory");                                                       \
    return all;                                                                         \
  }
PAWS_REDUCE(add, "add.s32", int)
PAWS_REDUCE(add, "add.u32", unsigned int)
PAWS_REDUCE(min, "min.s32", int)
PAWS_REDUCE(min, "min.u32", unsigned int)
PAWS_REDUCE(max, "max.s32", int)
PAWS_REDUCE(max, "max.u32", unsigned int)
PAWS_REDUCE(and, "and.b32", unsigned int)
PAWS_REDUCE(or, "or.b32", unsigned int)
PAWS_REDUCE(xor, "xor.b32", unsigned int)
#undef PAWS_REDUCE

#endif
