// SPDX-License-Identifier: MIT
// The wave equation in three dimensions, one step, of eighth order in space and second order in
// time, from the algorithm of "3DFD" in older releases of the CUDA SDK. A block walks along z. Its
// tile of 16 x 16 points and a rim of four lie in shared memory, for the current slice; the slices
// before and after it are in registers. The four outermost points of every axis keep their values.
// Width and height are multiples of 16.

#define TILE 16
#define THREADS (TILE * TILE)
#define RADIUS 4
#define ROW (TILE + 2 * RADIUS)  // of the tile and its rim

__constant__ float coefficients[RADIUS + 1];  // of the Laplacian, by distance

// `field` is the wave now. `next` holds it as it was a step ago. `speed` is the square of the
// wave's speed times that of the time step.
__global__ void __launch_bounds__(THREADS, 4)
    propagate(float* next, const float* field, const float* speed, int width, int height,
              int depth) {
  __shared__ float tile[ROW * ROW];
  const int x = blockIdx.x * TILE + threadIdx.x;
  const int y = blockIdx.y * TILE + threadIdx.y;
  const bool inside = x >= RADIUS && x < width - RADIUS && y >= RADIUS && y < height - RADIUS;
  float* const own = tile + ROW * (threadIdx.y + RADIUS) + threadIdx.x + RADIUS;
  const unsigned slice = width * height;
  unsigned here = y * width + x;

  // One slice before the first that is computed: behind[RADIUS - 1] is not known yet.
  float behind[RADIUS];
  float ahead[RADIUS];
#pragma unroll
  for (int i = RADIUS - 2; i >= 0; --i) {
    behind[i] = field[here];
    here += slice;
  }
  float centre = field[here];
  here += slice;
#pragma unroll
  for (int i = 0; i < RADIUS; ++i) ahead[i] = field[here + i * slice];

#pragma unroll 1
  for (int z = RADIUS; z < depth - RADIUS; ++z) {
#pragma unroll
    for (int i = RADIUS - 1; i > 0; --i) behind[i] = behind[i - 1];
    behind[0] = centre;
    centre = ahead[0];
#pragma unroll
    for (int i = 0; i < RADIUS - 1; ++i) ahead[i] = ahead[i + 1];
    ahead[RADIUS - 1] = field[here + RADIUS * slice];
    __syncthreads();

    // Beyond the volume's edge these are other points of it, which no result needs.
    if (threadIdx.y < RADIUS) {
      own[-RADIUS * ROW] = field[here - RADIUS * width];
      own[TILE * ROW] = field[here + TILE * width];
    }
    if (threadIdx.x < RADIUS) {
      own[-RADIUS] = field[here - RADIUS];
      own[TILE] = field[here + TILE];
    }
    *own = centre;
    __syncthreads();

    if (inside) {
      float laplacian = coefficients[0] * centre;
#pragma unroll
      for (int i = 1; i <= RADIUS; ++i) {
        laplacian += coefficients[i] * (ahead[i - 1] + behind[i - 1] + own[-i * ROW] +
                                        own[i * ROW] + own[-i] + own[i]);
      }
      next[here] = 2.0f * centre - next[here] + speed[here] * laplacian;
    }
    here += slice;
  }
}
