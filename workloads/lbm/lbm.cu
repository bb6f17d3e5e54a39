// SPDX-License-Identifier: MIT
// A fluid by the lattice Boltzmann method, one step of the model D3Q19, from the algorithm of
// Parboil's benchmark "lbm": every cell collects 19 populations, one from the neighbour in each
// direction, and lets them collide. Obstacles send them back. A block is a row of cells, one per
// thread; a row has less cells than memory for it. A slice holds one population of all its cells,
// then the next. Around the cells is a rim of one cell, which is read and not written.

#define WIDTH 100
#define PITCH 128           // of a row
#define AREA (102 * PITCH)  // of a population in a slice: at most 100 rows and the rim
#define SLICE (19 * AREA)
#define RELAXATION 1.95f

enum { FLUID = 0, OBSTACLE = 1, DRIVEN = 2 };

// The directions: number, x, y, z, and their product with the velocity (ux, uy, uz). Opposite
// directions follow each other.
// clang-format off
#define DIRECTIONS(DO)        \
  DO(1, 1, 0, 0, ux)          \
  DO(2, -1, 0, 0, -ux)        \
  DO(3, 0, 1, 0, uy)          \
  DO(4, 0, -1, 0, -uy)        \
  DO(5, 0, 0, 1, uz)          \
  DO(6, 0, 0, -1, -uz)        \
  DO(7, 1, 1, 0, ux + uy)     \
  DO(8, -1, -1, 0, -ux - uy)  \
  DO(9, 1, -1, 0, ux - uy)    \
  DO(10, -1, 1, 0, uy - ux)   \
  DO(11, 1, 0, 1, ux + uz)    \
  DO(12, -1, 0, -1, -ux - uz) \
  DO(13, 1, 0, -1, ux - uz)   \
  DO(14, -1, 0, 1, uz - ux)   \
  DO(15, 0, 1, 1, uy + uz)    \
  DO(16, 0, -1, -1, -uy - uz) \
  DO(17, 0, 1, -1, uy - uz)   \
  DO(18, 0, -1, 1, uz - uy)
// clang-format on

__device__ inline void swap(float& a, float& b) {
  const float old = a;
  a = b;
  b = old;
}

// Towards the equilibrium of `mass` and `along`, the velocity in this direction. `rest` is 1 less
// 1.5 times the squared velocity.
__device__ inline float relaxed(float population, float mass, float along, float rest) {
  return (1.0f - RELAXATION) * population + mass * (rest + along * (3.0f + 4.5f * along));
}

__global__ void stream_collide(const float* from, float* to, const int* kinds) {
  const int row = (blockIdx.x + 1) * PITCH + threadIdx.x;
  const int slice = blockIdx.y + 1;
  const float* const source = from + slice * SLICE + row;
  float* const target = to + slice * SLICE + row;

  float f[19];
  f[0] = source[0];
#define COLLECT(i, x, y, z, u) f[i] = source[i * AREA - PITCH * (y) - SLICE * (z) - (x)];
  DIRECTIONS(COLLECT)
  const int kind = kinds[slice * AREA + row];

  if (kind == OBSTACLE) {
#pragma unroll
    for (int i = 1; i < 19; i += 2) swap(f[i], f[i + 1]);
  } else {
    float density = f[0];
#pragma unroll
    for (int i = 1; i < 19; ++i) density += f[i];
    float ux = f[1] - f[2] + f[7] - f[8] + f[9] - f[10] + f[11] - f[12] + f[13] - f[14];
    float uy = f[3] - f[4] + f[7] - f[8] + f[10] - f[9] + f[15] - f[16] + f[17] - f[18];
    float uz = f[5] - f[6] + f[11] - f[12] + f[14] - f[13] + f[15] - f[16] + f[18] - f[17];
    ux /= density;
    uy /= density;
    uz /= density;
    if (kind == DRIVEN) {
      ux = 0.005f;
      uy = 0.002f;
      uz = 0.0f;
    }
    const float rest = 1.0f - 1.5f * (ux * ux + uy * uy + uz * uz);
    const float mass = RELAXATION * density;
    f[0] = relaxed(f[0], mass * (1.0f / 3.0f), 0.0f, rest);
#define COLLIDE(i, x, y, z, u) \
  f[i] = relaxed(f[i], mass * (i < 7 ? 1.0f / 18.0f : 1.0f / 36.0f), u, rest);
    DIRECTIONS(COLLIDE)
  }
#pragma unroll
  for (int i = 0; i < 19; ++i) target[i * AREA] = f[i];
}
