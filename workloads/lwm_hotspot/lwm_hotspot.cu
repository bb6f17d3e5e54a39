// SPDX-License-Identifier: MIT
// Heat on a chip: one explicit time step of the heat equation on a grid of cells, each with a
// source of power and a loss to the ambient temperature. Threads are persistent: each takes every
// cell whose number is its own plus a multiple of the number of threads, and reads its neighbours
// from global memory; at the chip's edge a cell stands for its missing neighbour (no flow).
// Row-major.

__global__ void heat_step(const float* temperature, const float* power, float* next, int width,
                          int height, float flow, float loss, float ambient) {
#pragma unroll 1
  for (int here = blockIdx.x * blockDim.x + threadIdx.x; here < width * height;
       here += gridDim.x * blockDim.x) {
    const int y = here / width;
    const int x = here - y * width;
    const float centre = temperature[here];
    const float left = temperature[x > 0 ? here - 1 : here];
    const float right = temperature[x < width - 1 ? here + 1 : here];
    const float above = temperature[y > 0 ? here - width : here];
    const float below = temperature[y < height - 1 ? here + width : here];
    next[here] = centre + flow * (left + right + above + below - 4.0f * centre) + power[here] -
                 loss * (centre - ambient);
  }
}
