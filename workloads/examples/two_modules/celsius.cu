// SPDX-License-Identifier: MIT
// Kelvin to degrees Celsius: one of two modules that use the same names (docs/guide/launch.md).

__constant__ float zero_point;

__global__ void convert(int n, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] - zero_point;
}
