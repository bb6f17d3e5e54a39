// SPDX-License-Identifier: MIT
// Matrix product C = A B. Threads are persistent: a block takes every tile of C whose number is its
// own plus a multiple of the number of blocks. A tile has 16 columns and as many rows as the block
// has threads for; a tile of A and one of B are in shared memory, with a barrier on either side of
// their use. Row-major; every dimension is a multiple of 16, the rows of a tile's.

#define SIDE 16
#define MOST_ROWS 64  // of a tile: blocks of up to 1024 threads

__global__ void multiply_tiles(const float* a, const float* b, float* c, int rows, int inner,
                               int columns) {
  __shared__ float a_tile[MOST_ROWS][SIDE];
  __shared__ float b_tile[SIDE][SIDE];
  const int x = threadIdx.x % SIDE;
  const int y = threadIdx.x / SIDE;
  const int height = blockDim.x / SIDE;
  const int across = columns / SIDE;

#pragma unroll 1
  for (int tile = blockIdx.x; tile < rows / height * across; tile += gridDim.x) {
    const int row = tile / across * height + y;
    const int column = tile % across * SIDE + x;
    float sum = 0.0f;
#pragma unroll 1
    for (int k = 0; k < inner; k += SIDE) {
      a_tile[y][x] = a[row * inner + k + x];
      if (y < SIDE) b_tile[y][x] = b[(k + y) * columns + column];
      __syncthreads();
#pragma unroll
      for (int i = 0; i < SIDE; ++i) sum += a_tile[y][i] * b_tile[i][x];
      __syncthreads();
    }
    c[row * columns + column] = sum;
  }
}
