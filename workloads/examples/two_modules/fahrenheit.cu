// SPDX-License-Identifier: MIT
// Degrees Celsius to degrees Fahrenheit: the other of two modules that use the same names
// (docs/guide/launch.md).

__constant__ float zero_point = 32;

__global__ void convert(int n, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 1.8f * in[i] + zero_point;
}
