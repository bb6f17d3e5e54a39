// SPDX-License-Identifier: MIT
// Two warps write one word of shared memory, without a barrier.
#include "check.h"

__global__ void racy(int* out) {
  __shared__ int word;
  if (threadIdx.x % 32 == 0) word = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = word;
}

int main() {
  int* data = nullptr;
  CHECK(cudaMalloc(&data, 64 * sizeof(int)));
  racy<<<1, 64>>>(data);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(data));
  return 0;
}
