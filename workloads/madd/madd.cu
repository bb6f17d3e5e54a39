// SPDX-License-Identifier: MIT
// Sum of two matrices C = A + B, from the algorithm of the first example of the CUDA tutorial at
// Supercomputing 2007. One element per thread, in blocks of 16 x 16. Row-major; the last blocks of
// a row and of a column may be partly idle.

__global__ void madd(const float* a, const float* b, float* c, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    const int i = y * width + x;
    c[i] = a[i] + b[i];
  }
}
