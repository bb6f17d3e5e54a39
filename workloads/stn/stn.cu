// SPDX-License-Identifier: MIT
// One Jacobi step of a stencil of seven points in three dimensions, from the algorithm of Parboil's
// benchmark "stencil" in its optimised CUDA version. A block of 32 x 4 threads has 64 x 4 columns
// of the volume, two per thread. It goes up along z: the values below, here and above are in
// registers, and the plane z is in shared memory. Neighbours outside of the block's part of the
// plane come from global memory ("volatile" keeps the compiler from making one generic load of the
// two kinds). x is the fastest dimension; the outermost cells keep their values.

#define X 32
#define Y 4
#define COLUMNS 2  // of a thread, X cells apart
#define SPAN (COLUMNS * X)

__global__ void __launch_bounds__(X* Y, 8)
    stencil7(float* next, const float* now, int width, int height, int depth, float centre,
             float side) {
  __shared__ volatile float plane[Y][SPAN];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int x = blockIdx.x * SPAN + tx;
  const int y = blockIdx.y * Y + ty;
  const int area = width * height;
  int i = area + y * width + x;  // the first column's cell, now in the plane z = 1

  volatile float* const own = &plane[ty][tx];
  bool exists[COLUMNS];
  bool inner[COLUMNS];
  float below[COLUMNS];
  float here[COLUMNS];
  float above[COLUMNS];
#pragma unroll
  for (int c = 0; c < COLUMNS; ++c) {
    exists[c] = x + c * X < width && y < height;
    inner[c] = x + c * X > 0 && x + c * X < width - 1 && y > 0 && y < height - 1;
    below[c] = exists[c] ? now[i - area + c * X] : 0.0f;
    here[c] = exists[c] ? now[i + c * X] : 0.0f;
  }

#pragma unroll 1
  for (int z = 1; z < depth - 1; ++z) {
#pragma unroll
    for (int c = 0; c < COLUMNS; ++c) own[c * X] = here[c];
    __syncthreads();
#pragma unroll
    for (int c = 0; c < COLUMNS; ++c) above[c] = exists[c] ? now[i + area + c * X] : 0.0f;
#pragma unroll
    for (int c = 0; c < COLUMNS; ++c) {
      if (inner[c]) {
        const float left = c > 0 || tx > 0 ? own[c * X - 1] : now[i + c * X - 1];
        const float right = c < COLUMNS - 1 || tx < X - 1 ? own[c * X + 1] : now[i + c * X + 1];
        const float front = ty > 0 ? own[c * X - SPAN] : now[i - width + c * X];
        const float back = ty < Y - 1 ? own[c * X + SPAN] : now[i + width + c * X];
        next[i + c * X] =
            side * (above[c] + below[c] + front + back + left + right) - centre * here[c];
      }
    }
    __syncthreads();
#pragma unroll
    for (int c = 0; c < COLUMNS; ++c) {
      below[c] = here[c];
      here[c] = above[c];
    }
    i += area;
  }
}
