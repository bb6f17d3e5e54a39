// SPDX-License-Identifier: MIT
// A stencil of radius 4 along each axis of a volume, 25 points, as in seismic imaging. A block
// walks along z over a slab of the volume. The slices of its tile of 32 x 8 points, with a rim of
// four, come into a ring in shared memory by asynchronous copies, three slices before they are
// needed. The points above and below a thread's own are in its registers. Around the volume is a
// rim of four points, which is read and not written.

#define TILE_X 32  // divides the width of the volume
#define TILE_Y 8   // divides its height
#define RADIUS 4
#define ROW (TILE_X + 2 * RADIUS)  // of the tile and its rim
#define ROWS (TILE_Y + 2 * RADIUS)
#define CHUNK 4                      // points of one copy, 16 bytes
#define CHUNKS (ROW / CHUNK * ROWS)  // of a slice
#define AHEAD 3                      // slices on their way
#define RING (RADIUS + 1 + AHEAD)    // slices: the current one, those above it, those on their way

__constant__ float stencil[RADIUS + 1];  // by distance

// Copies 16 bytes past the L1.
__device__ __forceinline__ void copy_chunk(float* to, const float* from) {
  asm volatile(
      "{ .reg .u64 place; cvta.to.shared.u64 place, %0; cp.async.cg.shared.global [place], [%1], "
      "16; }"
      :
      : "l"(to), "l"(from)
      : "memory");
}

// Copies since the last call are a group.
__device__ __forceinline__ void end_group() { asm volatile("cp.async.commit_group;" ::: "memory"); }

// Waits until at most `left` of the thread's groups are on their way.
template <int left>
__device__ __forceinline__ void wait_for_groups() {
  asm volatile("cp.async.wait_group %0;" : : "n"(left) : "memory");
}

// The slab has its rim, as the volume: slice s of it is the block's s-th.
__global__ void __launch_bounds__(TILE_X* TILE_Y)
    stencil25(const float* in, float* out, int width, int height, int slab) {
  __shared__ __align__(16) float ring[RING][ROWS][ROW];
  const int x = threadIdx.x + RADIUS;
  const int y = threadIdx.y + RADIUS;
  const int row = width + 2 * RADIUS;
  const int slice = row * (height + 2 * RADIUS);
  const int corner = blockIdx.z * slab * slice + blockIdx.y * TILE_Y * row + blockIdx.x * TILE_X;
  in += corner;
  out += corner + RADIUS * slice + y * row + x;

  // The chunk that this thread copies of each slice; some threads have none.
  const int thread = threadIdx.y * TILE_X + threadIdx.x;
  const int chunk_x = thread % (ROW / CHUNK) * CHUNK;
  const int chunk_y = thread / (ROW / CHUNK);
  const bool copies = thread < CHUNKS;
  const int slices = slab + 2 * RADIUS;

  // Slices below the first that is computed, for the registers alone.
  float column[2 * RADIUS + 1];  // the last one is the newest
#pragma unroll
  for (int i = 0; i < RADIUS; ++i) column[i + 1] = in[i * slice + y * row + x];
  in += chunk_y * row + chunk_x;
#pragma unroll
  for (int s = RADIUS; s < 2 * RADIUS + AHEAD; ++s) {
    if (copies && s < slices) copy_chunk(&ring[s % RING][chunk_y][chunk_x], in + s * slice);
    end_group();
  }
  wait_for_groups<AHEAD>();
  __syncthreads();
#pragma unroll
  for (int s = RADIUS; s < 2 * RADIUS; ++s) column[s + 1] = ring[s % RING][y][x];

#pragma unroll 1
  for (int now = RADIUS; now < slab + RADIUS; ++now) {
    wait_for_groups<AHEAD - 1>();  // the slice RADIUS above this one is there
    __syncthreads();               // for all, and the slice before this one has been read by all
    const int next = now + RADIUS + AHEAD;
    if (copies && next < slices) {
      copy_chunk(&ring[next % RING][chunk_y][chunk_x], in + next * slice);
    }
    end_group();

#pragma unroll
    for (int i = 0; i < 2 * RADIUS; ++i) column[i] = column[i + 1];
    column[2 * RADIUS] = ring[(now + RADIUS) % RING][y][x];
    const float* const own = &ring[now % RING][y][x];
    float sum = stencil[0] * column[RADIUS];
#pragma unroll
    for (int i = 1; i <= RADIUS; ++i) {
      sum += stencil[i] * (column[RADIUS - i] + column[RADIUS + i] + own[-i * ROW] + own[i * ROW] +
                           own[-i] + own[i]);
    }
    *out = sum;
    out += slice;
  }
}
