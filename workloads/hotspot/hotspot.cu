// SPDX-License-Identifier: MIT
// Heat on a chip: one explicit time step of the heat equation on a grid of cells, each with a
// source of power and a loss to the ambient temperature. A block holds its 16 x 16 cells and a rim
// of one cell in shared memory; the cells of the rim beyond the chip's edge repeat the edge (no
// flow). Row-major; width and height are multiples of 16.

#define TILE 16

__global__ void hotspot(const float* temperature, const float* power, float* next, int width,
                        int height, float flow, float loss, float ambient) {
  __shared__ float cell[TILE + 2][TILE + 2];
  const int x = blockIdx.x * TILE + threadIdx.x;
  const int y = blockIdx.y * TILE + threadIdx.y;
  const int sx = threadIdx.x + 1;
  const int sy = threadIdx.y + 1;
  const int here = y * width + x;

  cell[sy][sx] = temperature[here];
  if (sx == 1) cell[sy][0] = temperature[x > 0 ? here - 1 : here];
  if (sx == TILE) cell[sy][TILE + 1] = temperature[x < width - 1 ? here + 1 : here];
  if (sy == 1) cell[0][sx] = temperature[y > 0 ? here - width : here];
  if (sy == TILE) cell[TILE + 1][sx] = temperature[y < height - 1 ? here + width : here];
  __syncthreads();

  const float centre = cell[sy][sx];
  const float neighbours =
      cell[sy][sx - 1] + cell[sy][sx + 1] + cell[sy - 1][sx] + cell[sy + 1][sx];
  next[here] =
      centre + flow * (neighbours - 4.0f * centre) + power[here] - loss * (centre - ambient);
}
