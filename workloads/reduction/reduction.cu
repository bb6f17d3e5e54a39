// SPDX-License-Identifier: MIT
// Sum of a vector. Every thread adds up elements a whole grid apart, the block folds its threads'
// sums in shared memory, halving the active threads at each barrier. Launched twice: many blocks
// leave one partial sum each, then one block adds those. The block must be a power of two.

__global__ void reduction(const float* in, float* out, int n) {
  extern __shared__ float partial[];
  const int thread = threadIdx.x;

  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + thread; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  partial[thread] = sum;
  __syncthreads();

  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (thread < half) partial[thread] += partial[thread + half];
    __syncthreads();
  }
  if (thread == 0) out[blockIdx.x] = partial[0];
}
