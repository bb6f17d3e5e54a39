// SPDX-License-Identifier: MIT
// Histogram of bytes in 256 bins. Each block counts into shared memory with atomics, four bytes per
// word read, then adds its counts to the global bins. The block has 256 threads, one per bin.

#define BINS 256

__global__ void histogram(const unsigned int* words, unsigned int* bins, int n) {
  __shared__ unsigned int count[BINS];
  count[threadIdx.x] = 0;
  __syncthreads();

  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const unsigned int word = words[i];
    atomicAdd(&count[word & 0xff], 1u);
    atomicAdd(&count[(word >> 8) & 0xff], 1u);
    atomicAdd(&count[(word >> 16) & 0xff], 1u);
    atomicAdd(&count[word >> 24], 1u);
  }
  __syncthreads();

  const unsigned int mine = count[threadIdx.x];
  if (mine != 0) atomicAdd(&bins[threadIdx.x], mine);
}
