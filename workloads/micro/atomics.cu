// SPDX-License-Identifier: MIT
// Atomic additions whose results are never read, 16 a turn.

/// Words `spread` apart from thread to thread; 0: all on one word.
__global__ void atomic_global(int turns, int spread, unsigned int* out) {
  unsigned int* own = out + (blockIdx.x * blockDim.x + threadIdx.x) * spread;
#pragma unroll 1
  for (int i = 0; i < turns; ++i) {
#pragma unroll
    for (int k = 0; k < 16; ++k) asm volatile("red.global.add.u32 [%0], 1;" : : "l"(own));
  }
}

/// The same in shared memory.
__global__ void atomic_shared(int turns, int spread, unsigned int* out) {
  __shared__ unsigned int words[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) words[i] = 0;
  __syncthreads();
  const unsigned int own =
      (unsigned int)(size_t)(__attribute__((address_space(3))) void*)(words +
                                                                      threadIdx.x % 32 * spread);
#pragma unroll 1
  for (int i = 0; i < turns; ++i) {
#pragma unroll
    for (int k = 0; k < 16; ++k) asm volatile("red.shared.add.u32 [%0], 1;" : : "r"(own));
  }
  __syncthreads();
  out[threadIdx.x] = words[threadIdx.x % 32 * spread];
}
