// SPDX-License-Identifier: MIT
// Matrix product C = A B in tiles of 16 x 16: each block keeps one tile of A and one of B in shared
// memory, with a barrier on either side of their use. Row-major; every dimension is a multiple
// of 16.

#define TILE 16

__global__ void matmul(const float* a, const float* b, float* c, int inner, int columns) {
  __shared__ float a_tile[TILE][TILE];
  __shared__ float b_tile[TILE][TILE];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = blockIdx.y * TILE + y;
  const int column = blockIdx.x * TILE + x;

  float sum = 0.0f;
  for (int k = 0; k < inner; k += TILE) {
    a_tile[y][x] = a[row * inner + k + x];
    b_tile[y][x] = b[(k + y) * columns + column];
    __syncthreads();
#pragma unroll 4
    for (int i = 0; i < TILE; ++i) sum += a_tile[y][i] * b_tile[i][x];
    __syncthreads();
  }
  c[row * columns + column] = sum;
}
