// SPDX-License-Identifier: MIT
// Copies from global to shared memory that a thread does not wait for ("CUDA C++ Programming
// Guide", "Pipeline Primitives Interface"). Architectures before 80 have no instruction for them:
// there the thread copies for itself.
#pragma once

#include "cuda_runtime.h"

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define PAWS_COPY_ASYNC(cache, size)                                            \
  __asm__ volatile("cp.async." cache ".shared.global [%0], [%1], " size ", %2;" \
                   :                                                            \
                   : "r"(target), "l"(from), "r"(read)                          \
                   : "memory")
#define PAWS_WAIT(count) __asm__ volatile("cp.async.wait_group " count ";" : : : "memory")
#else
template <typename Word>
static __inline__ __device__ void paws_copy_word(void* to, const void* from) {
  *static_cast<Word*>(to) = *static_cast<const Word*>(from);
}
#endif

/// `size` is 4, 8 or 16, and both places are multiples of it. The last `zero_fill` bytes become 0
/// and are not read.
static __inline__ __device__ void __pipeline_memcpy_async(void* to, const void* from, size_t size,
                                                          size_t zero_fill = 0) {
#if defined(PAWS_COPY_ASYNC)
  const unsigned int read = static_cast<unsigned int>(size - zero_fill);
  const unsigned int target = static_cast<unsigned int>(
      reinterpret_cast<size_t>((__attribute__((address_space(3))) void*)to));
  switch (size) {
    case 4:
      PAWS_COPY_ASYNC("ca", "4");
      break;
    case 8:
      PAWS_COPY_ASYNC("ca", "8");
      break;
    default:
      PAWS_COPY_ASYNC("cg", "16");
      break;
  }
#else
  if (zero_fill != 0) {
    memset(to, 0, size);
    memcpy(to, from, size - zero_fill);
  } else if (size == 4) {
    paws_copy_word<unsigned int>(to, from);
  } else if (size == 8) {
    paws_copy_word<uint2>(to, from);
  } else {
    paws_copy_word<uint4>(to, from);
  }
#endif
}

/// Ends a group of copies.
static __inline__ __device__ void __pipeline_commit() {
#if defined(PAWS_COPY_ASYNC)
  __asm__ volatile("cp.async.commit_group;" : : : "memory");
#endif
}

/// Until the thread's copies are there, those of the youngest `groups` groups excepted. More than 8
/// count as 8, as the instruction takes no variable.
static __inline__ __device__ void __pipeline_wait_prior(size_t groups) {
#if defined(PAWS_COPY_ASYNC)
  switch (groups) {
    case 0:
      PAWS_WAIT("0");
      break;
    case 1:
      PAWS_WAIT("1");
      break;
    case 2:
      PAWS_WAIT("2");
      break;
    case 3:
      PAWS_WAIT("3");
      break;
    case 4:
      PAWS_WAIT("4");
      break;
    case 5:
      PAWS_WAIT("5");
      break;
    case 6:
      PAWS_WAIT("6");
      break;
    case 7:
      PAWS_WAIT("7");
      break;
    default:
      PAWS_WAIT("8");
      break;
  }
#else
  (void)groups;
#endif
}
#undef PAWS_COPY_ASYNC
#undef PAWS_WAIT
