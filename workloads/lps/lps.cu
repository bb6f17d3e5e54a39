// SPDX-License-Identifier: MIT
// Laplace's equation in three dimensions, a Jacobi iteration: every point becomes the mean of its
// six neighbours, and the points on the volume's surface keep their values. From the algorithm of
// the benchmark "LPS" of GPGPU-Sim's first suite (ISPASS 2009). A block of 16 x 8 threads walks
// along z with three slices of its tile in shared memory, each with a rim of one point. A step
// moves the slices down by one and loads the next. Tiles may reach beyond the volume.

#define TILE_X 16
#define TILE_Y 8
#define SLICE ((TILE_X + 2) * (TILE_Y + 2))

__global__ void jacobi(const float* now, float* next, int width, int height, int depth) {
  __shared__ float slices[3][TILE_Y + 2][TILE_X + 2];
  const int left = blockIdx.x * TILE_X;
  const int top = blockIdx.y * TILE_Y;
  const int x = left + threadIdx.x;
  const int y = top + threadIdx.y;
  const bool active = x < width && y < height;
  float* const own = &slices[1][threadIdx.y + 1][threadIdx.x + 1];
  int here = y * width + x;

  // The threads of the first two rows load the rim above and below, one point each, the next 16
  // threads the rim to the left and to the right.
  const int thread = threadIdx.y * TILE_X + threadIdx.x;
  int rim_x = threadIdx.x;
  int rim_y = threadIdx.y == 0 ? -1 : TILE_Y;
  if (threadIdx.y >= 2) {
    rim_x = thread % 2 == 0 ? -1 : TILE_X;
    rim_y = thread / 2 - TILE_X;
  }
  const bool has_rim = thread < 2 * (TILE_X + TILE_Y) && left + rim_x >= 0 &&
                       left + rim_x < width && top + rim_y >= 0 && top + rim_y < height;
  float* const rim = &slices[1][0][0] + (rim_y + 1) * (TILE_X + 2) + rim_x + 1;
  int rim_here = (top + rim_y) * width + left + rim_x;

  own[0] = 0.0f;  // before the first slice there is none
  if (active) own[SLICE] = now[here];
  if (has_rim) rim[SLICE] = now[rim_here];
#pragma unroll 1
  for (int z = 0; z < depth; ++z) {
    const int written = here;
    if (active) {
      here += width * height;
      own[-SLICE] = own[0];
      own[0] = own[SLICE];
      if (z < depth - 1) own[SLICE] = now[here];
    }
    if (has_rim) {
      rim_here += width * height;
      rim[0] = rim[SLICE];
      if (z < depth - 1) rim[SLICE] = now[rim_here];
    }
    __syncthreads();
    if (active) {
      float value = own[0];
      if (x > 0 && x < width - 1 && y > 0 && y < height - 1 && z > 0 && z < depth - 1) {
        value =
            (own[-1] + own[1] + own[-(TILE_X + 2)] + own[TILE_X + 2] + own[-SLICE] + own[SLICE]) *
            (1.0f / 6.0f);
      }
      next[written] = value;
    }
    __syncthreads();
  }
}
