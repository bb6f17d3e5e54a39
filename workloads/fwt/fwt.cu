// SPDX-License-Identifier: MIT
// Fast Walsh-Hadamard transform, in natural order, of a batch of vectors that fit in shared memory.
// A block transforms one vector of 2^log_length elements, at most 2048, with four elements per
// thread: two levels at a time (radix 4), and a last single one if their number is odd. Barriers
// separate the levels, because the threads exchange elements between them.

#define LARGEST 2048

// Grid: vectors; block: 2^log_length / 4 threads.
__global__ void __launch_bounds__(512, 3)
    fwt_batch1(float* output, const float* input, int log_length) {
  __shared__ float vector[LARGEST];
  const int length = 1 << log_length;
  const int first = blockIdx.x << log_length;

#pragma unroll 1
  for (int i = threadIdx.x; i < length; i += blockDim.x) vector[i] = input[first + i];

#pragma unroll 1
  for (int stride = length >> 2; stride > 0; stride >>= 2) {
    const int low = threadIdx.x & (stride - 1);
    const int i0 = ((threadIdx.x - low) << 2) + low;
    const int i1 = i0 + stride;
    const int i2 = i1 + stride;
    const int i3 = i2 + stride;
    __syncthreads();
    const float d0 = vector[i0];
    const float d1 = vector[i1];
    const float d2 = vector[i2];
    const float d3 = vector[i3];
    const float sum02 = d0 + d2;
    const float difference02 = d0 - d2;
    const float sum13 = d1 + d3;
    const float difference13 = d1 - d3;
    vector[i0] = sum02 + sum13;
    vector[i1] = sum02 - sum13;
    vector[i2] = difference02 + difference13;
    vector[i3] = difference02 - difference13;
  }

  if (log_length & 1) {
    __syncthreads();
#pragma unroll 1
    for (int pair = threadIdx.x; pair < length >> 1; pair += blockDim.x) {
      const float upper = vector[2 * pair];
      const float lower = vector[2 * pair + 1];
      vector[2 * pair] = upper + lower;
      vector[2 * pair + 1] = upper - lower;
    }
  }

  __syncthreads();
#pragma unroll 1
  for (int i = threadIdx.x; i < length; i += blockDim.x) output[first + i] = vector[i];
}
