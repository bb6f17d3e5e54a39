// SPDX-License-Identifier: MIT
// The Coulomb potential of point charges on a slice of a lattice, from the algorithm of Parboil's
// benchmark "cp": every thread adds the charges over the distances, for eight points of a row. They
// are sixteen columns apart, so that the threads of a row of the block access consecutive points.
// The charges lie in constant memory. All threads read the same one. Blocks of 16 x 8 threads;
// columns are a multiple of 128, rows of 8.

#define BLOCK_X 16
#define BLOCK_Y 8
#define POINTS 8  // per thread
#define MAX_ATOMS 4000

// x, y, the square of the distance from the slice, the charge.
__constant__ float4 atoms[MAX_ATOMS];

__global__ void add_potential(float* potential, int count, float spacing) {
  const int column = blockIdx.x * (BLOCK_X * POINTS) + threadIdx.x;
  const int row = blockIdx.y * BLOCK_Y + threadIdx.y;
  float* const points = potential + row * (gridDim.x * BLOCK_X * POINTS) + column;
  const float x = spacing * column;
  const float y = spacing * row;
  const float step = spacing * BLOCK_X;

  float sum[POINTS] = {};
#pragma unroll 1
  for (int i = 0; i < count; ++i) {
    const float4 atom = atoms[i];
    const float dy = y - atom.y;
    const float other_squares = dy * dy + atom.z;
    float dx = x - atom.x;
#pragma unroll
    for (int point = 0; point < POINTS; ++point) {
      sum[point] += atom.w * rsqrtf(dx * dx + other_squares);
      dx += step;
    }
  }
#pragma unroll
  for (int point = 0; point < POINTS; ++point) points[BLOCK_X * point] += sum[point];
}
