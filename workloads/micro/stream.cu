// SPDX-License-Identifier: MIT
// Streaming bandwidth: the grid goes over an array once, in order. A warp takes four lines in a row
// at a time and has all four accesses in flight.

/// The first of the calling thread's words in round `i`; the others are 32, 64 and 96 words on.
__device__ long word_of(int i) {
  const int threads = gridDim.x * blockDim.x;
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  return (long)i * threads + thread / 32 * 128 + thread % 32;
}

/// Sums the array; each thread stores its part.
__global__ void stream_read(const int* in, int per_thread, int* sums) {
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < per_thread; i += 4) {
    const int* at = in + word_of(i);
    sum += (at[0] + at[32]) + (at[64] + at[96]);
  }
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void stream_write(int* out, int per_thread, int value) {
#pragma unroll 1
  for (int i = 0; i < per_thread; i += 4) {
    int* at = out + word_of(i);
    at[0] = value;
    at[32] = value;
    at[64] = value;
    at[96] = value;
  }
}

__global__ void stream_copy(const int* __restrict__ in, int* __restrict__ out, int per_thread) {
#pragma unroll 1
  for (int i = 0; i < per_thread; i += 4) {
    const int* from = in + word_of(i);
    const int a = from[0];
    const int b = from[32];
    const int c = from[64];
    const int d = from[96];
    int* to = out + word_of(i);
    to[0] = a;
    to[32] = b;
    to[64] = c;
    to[96] = d;
  }
}
