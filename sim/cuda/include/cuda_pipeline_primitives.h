// SPDX-License-Identifier: MIT
// Asynchronous copies from global to shared memory ("CUDA C++ Programming Guide", pipeline
// primitives).
#pragma once

#include "cuda_awbarrier_primitives.h"
#include "cuda_runtime.h"

#if defined(__CUDA__) && defined(__clang__)

/// Copies `size` bytes, 4, 8 or 16; the last `zfill` of them are not read, and become zero. Both
/// addresses are multiples of `size`.
static __inline__ __device__ void __pipeline_memcpy_async(void* __restrict__ shared,
                                                          const void* __restrict__ global,
                                                          size_t size, size_t zfill = 0) {
  const unsigned int to = paws_shared_address(shared);
  const auto read = static_cast<unsigned int>(size - zfill);
  switch (size) {
    case 4:
      __asm__ volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(global),
                       "r"(read)
                       : "memory");
      break;
    case 8:
      __asm__ volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(to), "l"(global),
                       "r"(read)
                       : "memory");
      break;
    case 16:
      __asm__ volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(global),
                       "r"(read)
                       : "memory");
      break;
    default:
      __trap();
  }
}

/// The copies of this thread since the last commit are a batch.
static __inline__ __device__ void __pipeline_commit() {
  __asm__ volatile("cp.async.commit_group;" ::: "memory");
}

/// Waits until all batches of this thread but the last `prior` are done. The instruction has its
/// number in it: of more than 8 batches it waits for those before the last 8.
static __inline__ __device__ void __pipeline_wait_prior(size_t prior) {
  switch (prior) {
#define PAWS_WAIT(number)                                              \
  case number:                                                         \
    __asm__ volatile("cp.async.wait_group " #number ";" ::: "memory"); \
    break;
    PAWS_WAIT(0)
    PAWS_WAIT(1)
    PAWS_WAIT(2)
    PAWS_WAIT(3)
    PAWS_WAIT(4)
    PAWS_WAIT(5)
    PAWS_WAIT(6)
    PAWS_WAIT(7)
#undef PAWS_WAIT
    default:
      __asm__ volatile("cp.async.wait_group 8;" ::: "memory");
  }
}

/// The end of this thread's copies so far is an arrival at the barrier.
static __inline__ __device__ void __pipeline_arrive_on(__mbarrier_t* barrier) {
  __asm__ volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(paws_shared_address(barrier))
                   : "memory");
}

#endif
