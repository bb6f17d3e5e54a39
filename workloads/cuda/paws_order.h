// SPDX-License-Identifier: MIT
// Barriers and fences that clang 14 does not look through.
//
// The CUDA runtime's headers take them for whole programs; paws_cuda.h takes them when it is asked.
#pragma once

// LLVM 14 takes barriers and fences for calls that cannot change a shared array whose address stays
// in the kernel, and keeps values of it in registers across them. An empty statement of assembly
// that may change all memory, before and behind, keeps it from that.
#define PAWS_ORDER() __asm__ volatile("" ::: "memory")
#define PAWS_ORDERED(name, parameters, arguments)            \
  static __inline__ __device__ void paws_##name parameters { \
    PAWS_ORDER();                                            \
    name arguments;                                          \
    PAWS_ORDER();                                            \
  }
#define PAWS_ORDERED_VOTE(name)                                 \
  static __inline__ __device__ int paws_##name(int predicate) { \
    PAWS_ORDER();                                               \
    const int result = name(predicate);                         \
    PAWS_ORDER();                                               \
    return result;                                              \
  }
PAWS_ORDERED(__syncthreads, (), ())
PAWS_ORDERED(__syncwarp, (unsigned int mask = 0xffffffffu), (mask))
PAWS_ORDERED(__threadfence, (), ())
PAWS_ORDERED(__threadfence_block, (), ())
PAWS_ORDERED(__threadfence_system, (), ())
PAWS_ORDERED_VOTE(__syncthreads_count)
PAWS_ORDERED_VOTE(__syncthreads_and)
PAWS_ORDERED_VOTE(__syncthreads_or)
#undef PAWS_ORDERED
#undef PAWS_ORDERED_VOTE
#define __syncthreads paws___syncthreads
#define __syncwarp paws___syncwarp
#define __threadfence paws___threadfence
#define __threadfence_block paws___threadfence_block
#define __threadfence_system paws___threadfence_system
#define __syncthreads_count paws___syncthreads_count
#define __syncthreads_and paws___syncthreads_and
#define __syncthreads_or paws___syncthreads_or
