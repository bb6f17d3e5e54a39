// SPDX-License-Identifier: MIT
// How often each character (a byte) occurs in an ASCII text. Threads are persistent: each takes
// every word of four characters whose number is its own plus a multiple of the number of threads. A
// block counts in shared memory with atomics, then adds its counts to those in global memory.

#define CHARACTERS 256  // values of a byte

__global__ void count_characters(const unsigned int* text, unsigned int* counts, int words) {
  __shared__ unsigned int count[CHARACTERS];
  for (int i = threadIdx.x; i < CHARACTERS; i += blockDim.x) count[i] = 0;
  __syncthreads();

#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += gridDim.x * blockDim.x) {
    const unsigned int word = text[i];
#pragma unroll
    for (int shift = 0; shift < 32; shift += 8) {
      atomicAdd(&count[word >> shift & (CHARACTERS - 1)], 1u);
    }
  }
  __syncthreads();

  for (int i = threadIdx.x; i < CHARACTERS; i += blockDim.x) {
    if (count[i] != 0) atomicAdd(&counts[i], count[i]);
  }
}
