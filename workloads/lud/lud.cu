// SPDX-License-Identifier: MIT
// LU decomposition in place, without pivoting: A = L U, L with a unit diagonal. The matrix is cut
// into tiles of 16 x 16, row-major, n columns. Each step k factors the diagonal tile (k, k), solves
// for the rest of its tile row and tile column (the perimeter), and updates all tiles below and to
// the right of it (the internal ones). One thread per element of a tile.

#define TILE 16

// One block. Right-looking elimination inside the tile.
__global__ void lud_diagonal(float* matrix, int n, int k) {
  __shared__ float tile[TILE][TILE];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  float* element = matrix + (k * TILE + y) * n + k * TILE + x;
  tile[y][x] = *element;
  __syncthreads();

#pragma unroll 1
  for (int j = 0; j < TILE - 1; ++j) {
    if (x == j && y > j) tile[y][j] /= tile[j][j];
    __syncthreads();
    if (x > j && y > j) tile[y][x] -= tile[y][j] * tile[j][x];
    __syncthreads();
  }
  *element = tile[y][x];
}

// Grid (tiles right of and below the diagonal one, 2). y = 0: tiles of the row, U = L^-1 A by
// forward substitution; y = 1: tiles of the column, L = A U^-1.
__global__ void lud_perimeter(float* matrix, int n, int k) {
  __shared__ float diagonal[TILE][TILE];
  __shared__ float tile[TILE][TILE];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int other = k + 1 + blockIdx.x;
  const bool in_row = blockIdx.y == 0;
  const int tile_row = in_row ? k : other;
  const int tile_column = in_row ? other : k;
  float* element = matrix + (tile_row * TILE + y) * n + tile_column * TILE + x;
  diagonal[y][x] = matrix[(k * TILE + y) * n + k * TILE + x];
  tile[y][x] = *element;
  __syncthreads();

  if (in_row) {
#pragma unroll 1
    for (int j = 0; j < TILE - 1; ++j) {
      if (y > j) tile[y][x] -= diagonal[y][j] * tile[j][x];
      __syncthreads();
    }
  } else {
#pragma unroll 1
    for (int j = 0; j < TILE; ++j) {
      if (x == j) tile[y][j] /= diagonal[j][j];
      __syncthreads();
      if (x > j) tile[y][x] -= tile[y][j] * diagonal[j][x];
      __syncthreads();
    }
  }
  *element = tile[y][x];
}

// Grid (remaining tiles, remaining tiles): A -= L U with the perimeter's tiles.
__global__ void __launch_bounds__(256, 6) lud_internal(float* matrix, int n, int k) {
  __shared__ float l_tile[TILE][TILE];
  __shared__ float u_tile[TILE][TILE];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = (k + 1 + blockIdx.y) * TILE + y;
  const int column = (k + 1 + blockIdx.x) * TILE + x;
  l_tile[y][x] = matrix[row * n + k * TILE + x];
  u_tile[y][x] = matrix[(k * TILE + y) * n + column];
  __syncthreads();

  float sum = 0.0f;
#pragma unroll 4
  for (int i = 0; i < TILE; ++i) sum += l_tile[y][i] * u_tile[i][x];
  matrix[row * n + column] -= sum;
}
