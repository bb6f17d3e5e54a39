// SPDX-License-Identifier: MIT
// Transpose of a matrix, and two copies to compare it with, from the algorithms of the CUDA SDK's
// "transpose": eight kernels that differ in how they reach global and shared memory. A block moves
// one tile of 16 x 16 elements, an element per thread. Row-major; width and height, those of the
// input, are multiples of 16.

#define TILE 16

// Copies without shared memory: all rows of a tile are half a line of memory.
__global__ void simple_copy(float* out, const float* in, int width) {
  const int i = (blockIdx.y * TILE + threadIdx.y) * width + blockIdx.x * TILE + threadIdx.x;
  out[i] = in[i];
}

// Copies through shared memory. Each thread reads back its own element, so only "volatile" keeps
// the compiler from using a register instead.
__global__ void shared_copy(float* out, const float* in, int width) {
  __shared__ volatile float tile[TILE][TILE];
  const int i = (blockIdx.y * TILE + threadIdx.y) * width + blockIdx.x * TILE + threadIdx.x;
  tile[threadIdx.y][threadIdx.x] = in[i];
  __syncthreads();
  out[i] = tile[threadIdx.y][threadIdx.x];
}

// Transposes without shared memory: the stores of a warp go to sixteen lines.
__global__ void transpose_naive(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * TILE + threadIdx.x;
  const int y = blockIdx.y * TILE + threadIdx.y;
  out[x * height + y] = in[y * width + x];
}

// Moves a tile through shared memory and transposes it there, so that loads and stores both go
// along rows. PITCH is the length of the tile's rows in shared memory. The tile has its place in a
// grid of tiles, as (column, row).
template <int PITCH>
__device__ void transpose_tile(float* out, const float* in, int width, int height, int tile_column,
                               int tile_row) {
  __shared__ float tile[TILE][PITCH];
  const int x = tile_column * TILE;
  const int y = tile_row * TILE;
  tile[threadIdx.y][threadIdx.x] = in[(y + threadIdx.y) * width + x + threadIdx.x];
  __syncthreads();
  out[(x + threadIdx.y) * height + y + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

// The columns of the tile lie in two banks of shared memory.
__global__ void transpose_coalesced(float* out, const float* in, int width, int height) {
  transpose_tile<TILE>(out, in, width, height, blockIdx.x, blockIdx.y);
}

// The padded rows put the elements of a column into different banks.
__global__ void transpose_padded(float* out, const float* in, int width, int height) {
  transpose_tile<TILE + 1>(out, in, width, height, blockIdx.x, blockIdx.y);
}

// Blocks in the order of the diagonals of the grid of tiles, so that blocks that run at the same
// time reach all partitions of the memory.
__global__ void transpose_diagonal(float* out, const float* in, int width, int height) {
  int column;
  int row;
  if (width == height) {
    row = blockIdx.x;
    column = (blockIdx.x + blockIdx.y) % gridDim.x;
  } else {
    const int block = blockIdx.y * gridDim.x + blockIdx.x;
    row = block % gridDim.y;
    column = (block / gridDim.y + row) % gridDim.x;
  }
  transpose_tile<TILE + 1>(out, in, width, height, column, row);
}

// Only the transpose inside each tile; the tiles stay where they are.
__global__ void transpose_fine(float* out, const float* in, int width) {
  __shared__ float tile[TILE][TILE + 1];
  const int i = (blockIdx.y * TILE + threadIdx.y) * width + blockIdx.x * TILE + threadIdx.x;
  tile[threadIdx.y][threadIdx.x] = in[i];
  __syncthreads();
  out[i] = tile[threadIdx.x][threadIdx.y];
}

// Only the transpose of the grid of tiles; inside, each tile stays as it is. "volatile" as in
// shared_copy.
__global__ void transpose_coarse(float* out, const float* in, int width, int height) {
  __shared__ volatile float tile[TILE][TILE + 1];
  const int x = blockIdx.x * TILE;
  const int y = blockIdx.y * TILE;
  tile[threadIdx.y][threadIdx.x] = in[(y + threadIdx.y) * width + x + threadIdx.x];
  __syncthreads();
  out[(x + threadIdx.y) * height + y + threadIdx.x] = tile[threadIdx.y][threadIdx.x];
}
