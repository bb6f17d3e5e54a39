// SPDX-License-Identifier: MIT
// Vector addition: streams two vectors through the core, one element per thread. Two phases, and
// nothing to reuse: memory bandwidth decides.

__global__ void vectoradd(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
