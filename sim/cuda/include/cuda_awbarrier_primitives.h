// SPDX-License-Identifier: MIT
// Barriers in shared memory at which threads arrive and later wait ("CUDA C++ Programming Guide",
// memory barrier primitives interface).
#pragma once

#include "cuda_runtime.h"

#if defined(__CUDA__) && defined(__clang__)

typedef unsigned long long __mbarrier_t;
typedef unsigned long long __mbarrier_token_t;

static __inline__ __device__ unsigned int paws_shared_address(const void* pointer) {
  return static_cast<unsigned int>(__nvvm_get_smem_pointer(const_cast<void*>(pointer)));
}

static __inline__ __device__ constexpr unsigned int __mbarrier_maximum_count() {
  return (1u << 20) - 1;
}

static __inline__ __device__ void __mbarrier_init(__mbarrier_t* barrier, unsigned int expected) {
  __asm__ volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(paws_shared_address(barrier)),
                   "r"(expected)
                   : "memory");
}

static __inline__ __device__ void __mbarrier_inval(__mbarrier_t* barrier) {
  __asm__ volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(paws_shared_address(barrier))
                   : "memory");
}

static __inline__ __device__ __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* barrier) {
  __mbarrier_token_t token;
  __asm__ volatile("mbarrier.arrive.shared.b64 %0, [%1];"
                   : "=l"(token)
                   : "r"(paws_shared_address(barrier))
                   : "memory");
  return token;
}

static __inline__ __device__ __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* barrier) {
  __mbarrier_token_t token;
  __asm__ volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];"
                   : "=l"(token)
                   : "r"(paws_shared_address(barrier))
                   : "memory");
  return token;
}

/// Whether the phase in which the token was given has ended.
static __inline__ __device__ bool __mbarrier_test_wait(__mbarrier_t* barrier,
                                                       __mbarrier_token_t token) {
  unsigned int ended;
  __asm__ volatile(
      "{ .reg .pred ended;\n"
      "mbarrier.test_wait.shared.b64 ended, [%1], %2;\n"
      "selp.u32 %0, 1, 0, ended; }"
      : "=r"(ended)
      : "r"(paws_shared_address(barrier)), "l"(token)
      : "memory");
  return ended != 0;
}

static __inline__ __device__ unsigned int __mbarrier_token_pending_count(__mbarrier_token_t token) {
  unsigned int count;
  __asm__("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(token));
  return count;
}

#endif
