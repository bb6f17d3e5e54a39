// SPDX-License-Identifier: MIT
// Prefix sums in one kernel with decoupled look-back, from the algorithm of Merrill and Garland
// ("Single-pass parallel prefix scan with decoupled look-back", NVIDIA NVR-2016-002). A block
// publishes the sum of its tile, then adds up what the tiles before it have published, until one of
// them has published the sum of everything up to its end. A block takes the number of its tile from
// a counter: so all tiles before it belong to blocks that have started, and waiting for them ends.

#define WARP 32
#define THREADS 256
#define WARPS (THREADS / WARP)
#define ROUNDS 2  // loads of four elements per thread
#define TILE (THREADS * ROUNDS * 4)
#define ALL 0xffffffffu

// What a tile has published, in the upper half of its word; the lower half has the sum.
#define NOTHING 0ull
#define OF_TILE 1ull
#define UP_TO_TILE 2ull

// The sum over this lane and those before it.
__device__ unsigned sum_to_lane(unsigned value) {
  const int lane = threadIdx.x % WARP;
#pragma unroll
  for (int offset = 1; offset < WARP; offset *= 2) {
    const unsigned before = __shfl_up_sync(ALL, value, offset);
    if (lane >= offset) value += before;
  }
  return value;
}

// The sum of all tiles before this one, by one warp: 32 tiles at a time, the nearest first.
__device__ unsigned look_back(volatile unsigned long long* published, int tile) {
  const int lane = threadIdx.x % WARP;
  unsigned sum = 0;
  for (int next = tile - 1 - lane;; next -= WARP) {
    unsigned long long word;
    do {
      word = next >= 0 ? published[next] : UP_TO_TILE << 32;
    } while (__any_sync(ALL, word >> 32 == NOTHING));
    const unsigned complete = __ballot_sync(ALL, word >> 32 == UP_TO_TILE);
    const int last = complete != 0 ? __ffs(complete) - 1 : WARP - 1;
    const unsigned part = sum_to_lane(lane <= last ? static_cast<unsigned>(word) : 0);
    sum += __shfl_sync(ALL, part, WARP - 1);
    if (complete != 0) return sum;
  }
}

// The number of elements is a multiple of 2048. `tiles` and `published` are 0 at the start.
__global__ void __launch_bounds__(THREADS)
    inclusive_scan(const uint4* in, uint4* out, int* tiles, unsigned long long* published) {
  __shared__ int own_tile;
  __shared__ unsigned warp_sum[WARPS];
  __shared__ unsigned before_tile;
  if (threadIdx.x == 0) own_tile = atomicAdd(tiles, 1);
  __syncthreads();
  const int tile = own_tile;
  const int warp = threadIdx.x / WARP;
  const int lane = threadIdx.x % WARP;
  const int begin = tile * (TILE / 4) + warp * (WARP * ROUNDS) + lane;

  uint4 value[ROUNDS];
#pragma unroll
  for (int i = 0; i < ROUNDS; ++i) value[i] = in[begin + i * WARP];
  unsigned carry = 0;  // the sum of the warp's rounds before
#pragma unroll
  for (int i = 0; i < ROUNDS; ++i) {
    value[i].y += value[i].x;
    value[i].z += value[i].y;
    value[i].w += value[i].z;
    const unsigned to_lane = sum_to_lane(value[i].w);
    const unsigned before = carry + to_lane - value[i].w;
    value[i].x += before;
    value[i].y += before;
    value[i].z += before;
    value[i].w += before;
    carry += __shfl_sync(ALL, to_lane, WARP - 1);
  }
  if (lane == 0) warp_sum[warp] = carry;
  __syncthreads();

  if (warp == 0) {
    const unsigned own = lane < WARPS ? warp_sum[lane] : 0;
    const unsigned to_lane = sum_to_lane(own);
    if (lane < WARPS) warp_sum[lane] = to_lane - own;
    const unsigned sum = __shfl_sync(ALL, to_lane, WARP - 1);
    volatile unsigned long long* const words = published;
    if (lane == 0) words[tile] = (tile == 0 ? UP_TO_TILE : OF_TILE) << 32 | sum;
    const unsigned before = look_back(words, tile);
    if (lane == 0) {
      if (tile != 0) words[tile] = UP_TO_TILE << 32 | (before + sum);
      before_tile = before;
    }
  }
  __syncthreads();

  const unsigned before = before_tile + warp_sum[warp];
#pragma unroll
  for (int i = 0; i < ROUNDS; ++i) {
    value[i].x += before;
    value[i].y += before;
    value[i].z += before;
    value[i].w += before;
    out[begin + i * WARP] = value[i];
  }
}
