// SPDX-License-Identifier: MIT
// One pass of a radix sort of keys with values, least significant digit first: a histogram of each
// tile's digits, and the scatter. Between them the counts, digit by digit, become offsets by an
// exclusive scan. The ranks within a tile are found as in Adinets and Merrill ("Onesweep: a faster
// least significant digit radix sort for GPUs", arXiv 2206.01784): lanes with equal digits find
// each other by ballots, and each warp has counters of its own. The number of keys is a multiple of
// 2048.

#define WARP 32
#define THREADS 256  // as many as digits
#define WARPS (THREADS / WARP)
#define BITS 8
#define DIGITS (1 << BITS)
#define KEYS 8  // of a thread
#define TILE (THREADS * KEYS)
#define ALL 0xffffffffu

__device__ unsigned digit_of(unsigned key, int shift) { return key >> shift & (DIGITS - 1); }

// counts[digit][tile]
__global__ void __launch_bounds__(THREADS)
    digit_histogram(const uint4* keys, unsigned* counts, int shift) {
  __shared__ unsigned count[DIGITS];
  count[threadIdx.x] = 0;
  __syncthreads();
#pragma unroll
  for (int i = 0; i < KEYS / 4; ++i) {
    const uint4 key = keys[blockIdx.x * (TILE / 4) + i * THREADS + threadIdx.x];
    atomicAdd(&count[digit_of(key.x, shift)], 1u);
    atomicAdd(&count[digit_of(key.y, shift)], 1u);
    atomicAdd(&count[digit_of(key.z, shift)], 1u);
    atomicAdd(&count[digit_of(key.w, shift)], 1u);
  }
  __syncthreads();
  counts[threadIdx.x * gridDim.x + blockIdx.x] = count[threadIdx.x];
}

// The lanes of the warp whose digit is this lane's.
__device__ unsigned lanes_with(unsigned digit) {
  unsigned lanes = ALL;
#pragma unroll
  for (int bit = 0; bit < BITS; ++bit) {
    const bool set = digit >> bit & 1;
    const unsigned with = __ballot_sync(ALL, set);
    lanes &= set ? with : ~with;
  }
  return lanes;
}

// offsets[digit][tile]: where the tile's first key of the digit goes. The tile is sorted in shared
// memory first, so that threads side by side write mostly side by side.
__global__ void __launch_bounds__(THREADS)
    digit_scatter(const unsigned* keys, const unsigned* values, const unsigned* offsets,
                  unsigned* sorted_keys, unsigned* sorted_values, int shift) {
  __shared__ unsigned count[WARPS][DIGITS];
  __shared__ unsigned digit_sum[WARPS];
  __shared__ unsigned target[DIGITS];  // of a digit's keys, less their place in the sorted tile
  __shared__ unsigned staged[TILE];
  const int thread = threadIdx.x;
  const int warp = thread / WARP;
  const int lane = thread % WARP;
  const int begin = blockIdx.x * TILE + warp * (WARP * KEYS) + lane;

#pragma unroll
  for (int i = 0; i < DIGITS / WARP; ++i) count[warp][i * WARP + lane] = 0;
  unsigned key[KEYS];
  unsigned place[KEYS];
#pragma unroll
  for (int i = 0; i < KEYS; ++i) key[i] = keys[begin + i * WARP];
  __syncwarp();

  // The place among the warp's keys of the same digit.
  volatile unsigned* const own = count[warp];
#pragma unroll
  for (int i = 0; i < KEYS; ++i) {
    const unsigned digit = digit_of(key[i], shift);
    const unsigned lanes = lanes_with(digit);
    const int below = __popc(lanes & ((1u << lane) - 1));
    const unsigned before = own[digit];
    __syncwarp();
    if (below == 0) own[digit] = before + __popc(lanes);
    __syncwarp();
    place[i] = before + below;
  }
  __syncthreads();

  // Thread d has digit d: its keys in the warps before each, then in the digits before.
  unsigned sum = 0;
#pragma unroll
  for (int i = 0; i < WARPS; ++i) {
    const unsigned of_warp = count[i][thread];
    count[i][thread] = sum;
    sum += of_warp;
  }
  unsigned to_digit = sum;
#pragma unroll
  for (int offset = 1; offset < WARP; offset *= 2) {
    const unsigned before = __shfl_up_sync(ALL, to_digit, offset);
    if (lane >= offset) to_digit += before;
  }
  if (lane == WARP - 1) digit_sum[warp] = to_digit;
  __syncthreads();
  unsigned first = to_digit - sum;
  for (int i = 0; i < warp; ++i) first += digit_sum[i];
#pragma unroll
  for (int i = 0; i < WARPS; ++i) count[i][thread] += first;
  target[thread] = offsets[thread * gridDim.x + blockIdx.x] - first;
  __syncthreads();

#pragma unroll
  for (int i = 0; i < KEYS; ++i) {
    place[i] += count[warp][digit_of(key[i], shift)];
    staged[place[i]] = key[i];
  }
  __syncthreads();
  unsigned to[KEYS];
#pragma unroll
  for (int i = 0; i < KEYS; ++i) {
    const int from = i * THREADS + thread;
    const unsigned moved = staged[from];
    to[i] = target[digit_of(moved, shift)] + from;
    sorted_keys[to[i]] = moved;
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < KEYS; ++i) staged[place[i]] = values[begin + i * WARP];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < KEYS; ++i) sorted_values[to[i]] = staged[i * THREADS + thread];
}
