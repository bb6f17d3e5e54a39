// SPDX-License-Identifier: MIT
// Histogram of bytes in 256 bins, a sub-histogram per warp in shared memory, so that only threads
// of one warp meet at a bin. Each block leaves its counts; a second kernel adds them up.

#define WARPS 6
#define THREADS (32 * WARPS)
#define BINS 256

__device__ void count_word(unsigned int* bins, unsigned int word) {
  atomicAdd(&bins[word & 0xff], 1u);
  atomicAdd(&bins[(word >> 8) & 0xff], 1u);
  atomicAdd(&bins[(word >> 16) & 0xff], 1u);
  atomicAdd(&bins[word >> 24], 1u);
}

// THREADS threads; partial has BINS counts per block.
__global__ void __launch_bounds__(192, 6)
    histogram256(unsigned int* partial, const unsigned int* words, int n) {
  __shared__ unsigned int counts[WARPS * BINS];
  unsigned int* warp_counts = counts + (threadIdx.x >> 5) * BINS;
#pragma unroll
  for (int i = 0; i < WARPS * BINS / THREADS; ++i) counts[threadIdx.x + i * THREADS] = 0;
  __syncthreads();

#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    count_word(warp_counts, words[i]);
  }
  __syncthreads();

#pragma unroll 1
  for (int bin = threadIdx.x; bin < BINS; bin += THREADS) {
    unsigned int sum = 0;
#pragma unroll
    for (int warp = 0; warp < WARPS; ++warp) sum += counts[bin + warp * BINS];
    partial[blockIdx.x * BINS + bin] = sum;
  }
}

// 256 threads, one per bin: adds up a share of the first kernel's blocks, every gridDim.x-th.
__global__ void histogram256_merge(unsigned int* bins, const unsigned int* partial, int blocks) {
  unsigned int sum = 0;
#pragma unroll 1
  for (int i = blockIdx.x; i < blocks; i += gridDim.x) sum += partial[i * BINS + threadIdx.x];
  atomicAdd(&bins[threadIdx.x], sum);
}
