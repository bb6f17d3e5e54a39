// SPDX-License-Identifier: MIT
// Shared memory: a chain of loads for its latency, and independent loads with a stride between
// lanes for its banks. The addresses of the latter never change and nothing needs their words (run
// with frontend.remove_dead_code=false).

/// Every word of a ring holds the address of the next; one turn is 16 loads.
__global__ void shared_chase(int turns, int* out) {
  __shared__ unsigned int ring[64];
  const unsigned int base = (unsigned int)(size_t)(__attribute__((address_space(3))) void*)ring;
  if (threadIdx.x < 32) {
    ring[threadIdx.x] = base + (threadIdx.x + 1) % 32 * 4;
  }
  __syncthreads();
  unsigned int at = base;
#pragma unroll 1
  for (int i = 0; i < turns; ++i) {
#pragma unroll
    for (int k = 0; k < 16; ++k) asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at));
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = (int)(at - base) / 4;
}

#define LOAD(type, constraint, word) \
  asm volatile("ld.shared." type " %0, [%1];" : "=" constraint(word) : "r"(at))
#define LOAD4(type, constraint, word) \
  LOAD(type, constraint, word);       \
  LOAD(type, constraint, word);       \
  LOAD(type, constraint, word);       \
  LOAD(type, constraint, word)
#define STRIDE(name, ctype, type, constraint)                                                   \
  __global__ void name(int turns, int stride, int* out) {                                       \
    __shared__ ctype words[1024];                                                               \
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) words[i] = 5;                          \
    __syncthreads();                                                                            \
    ctype* own = words + threadIdx.x % 32 * stride;                                             \
    const unsigned int at = (unsigned int)(size_t)(__attribute__((address_space(3))) void*)own; \
    ctype word;                                                                                 \
    _Pragma("unroll 1") for (int i = 0; i < turns; ++i) {                                       \
      LOAD4(type, constraint, word);                                                            \
      LOAD4(type, constraint, word);                                                            \
      LOAD4(type, constraint, word);                                                            \
      LOAD4(type, constraint, word);                                                            \
    }                                                                                           \
    out[blockIdx.x * blockDim.x + threadIdx.x] = (int)*own;                                     \
  }

STRIDE(shared_stride, int, "u32", "r")
STRIDE(shared_stride64, long long, "u64", "l")
