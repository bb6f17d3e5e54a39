// SPDX-License-Identifier: MIT
// Finite differences in the time domain, one step: a stencil of radius 4 along each axis of a
// volume, from the algorithm of the CUDA SDK's "FDTD3d". A block walks along z. Its tile of 16 x 16
// points and a rim of four lie in shared memory, for the current slice; the slices before and after
// it are in registers, four values each. Around the volume is a rim of four points, which is read
// and not written. Tiles may reach beyond the volume.

#define TILE 16
#define THREADS (TILE * TILE)
#define RADIUS 4
#define ROW (TILE + 2 * RADIUS)  // of the tile and its rim

__constant__ float stencil[RADIUS + 1];  // by distance

__global__ void __launch_bounds__(THREADS, 4)
    fdtd(const float* in, float* out, int width, int height, int depth) {
  __shared__ float tile[ROW * ROW];
  const int x = blockIdx.x * TILE + threadIdx.x;
  const int y = blockIdx.y * TILE + threadIdx.y;
  const bool reads = x < width + RADIUS && y < height + RADIUS;
  const bool writes = x < width && y < height;
  float* const own = tile + ROW * (threadIdx.y + RADIUS) + threadIdx.x + RADIUS;
  const unsigned row = width + 2 * RADIUS;
  const unsigned slice = row * (height + 2 * RADIUS);
  unsigned here = (y + RADIUS) * row + x + RADIUS;

  // One slice before the first that is computed: behind[RADIUS - 1] is not known yet.
  float behind[RADIUS];
  float ahead[RADIUS];
#pragma unroll
  for (int i = RADIUS - 2; i >= 0; --i) {
    behind[i] = reads ? in[here] : 0.0f;
    here += slice;
  }
  float centre = reads ? in[here] : 0.0f;
  here += slice;
#pragma unroll
  for (int i = 0; i < RADIUS; ++i) ahead[i] = reads ? in[here + i * slice] : 0.0f;

#pragma unroll 1
  for (int z = 0; z < depth; ++z) {
#pragma unroll
    for (int i = RADIUS - 1; i > 0; --i) behind[i] = behind[i - 1];
    behind[0] = centre;
    centre = ahead[0];
#pragma unroll
    for (int i = 0; i < RADIUS - 1; ++i) ahead[i] = ahead[i + 1];
    if (reads) ahead[RADIUS - 1] = in[here + RADIUS * slice];
    __syncthreads();

    // In tiles that reach beyond the volume, some loads are of points that no result needs.
    if (threadIdx.y < RADIUS) {
      own[-RADIUS * ROW] = in[here - RADIUS * row];
      own[TILE * ROW] = in[here + TILE * row];
    }
    if (threadIdx.x < RADIUS) {
      own[-RADIUS] = in[here - RADIUS];
      own[TILE] = in[here + TILE];
    }
    *own = centre;
    __syncthreads();

    float sum = stencil[0] * centre;
#pragma unroll
    for (int i = 1; i <= RADIUS; ++i) {
      sum += stencil[i] *
             (ahead[i - 1] + behind[i - 1] + own[-i * ROW] + own[i * ROW] + own[-i] + own[i]);
    }
    if (writes) out[here] = sum;
    here += slice;
  }
}
