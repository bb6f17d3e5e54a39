// SPDX-License-Identifier: MIT
// Causal attention over a whole sequence, by tiles with the softmax computed on the way: a block
// has 64 queries of a head, and goes through the keys and values up to them, 64 at a time. Both
// products run on tensor cores; asynchronous copies fetch the next tile meanwhile. Layout: head,
// position, number in the head. Several heads of queries share one of keys and values (`group`).
#include "tensor.h"

constexpr int kTile = 64;      // queries of a block, and keys of a step
constexpr int kThreads = 128;  // four warps, each with 16 queries
constexpr int kShare = 8;      // halves that a thread copies at a time

// In shared memory: a tile of queries, two of keys and two of values. Behind each row is room for a
// share, so that rows begin in different banks. In bytes:
constexpr unsigned kHalf = sizeof(half_bits);
template <int kHead>
constexpr unsigned kRow = (kHead + kShare) * kHalf;
template <int kHead>
constexpr unsigned kBytes = kTile * kRow<kHead>;

/// Starts the copies of a tile's 64 rows, which follow each other in global memory.
template <int kHead>
__device__ __forceinline__ void begin(unsigned tile, const half_bits* from) {
  constexpr int kShares = kHead / kShare, kRows = kThreads / kShares;  // rows at a time
  from += threadIdx.x * kShare;
  tile += threadIdx.x / kShares * kRow<kHead> + threadIdx.x % kShares * kShare * kHalf;
#pragma unroll
  for (int turn = 0; turn < kTile / kRows; ++turn) {
    copy_async(tile + turn * kRows * kRow<kHead>, from + turn * kRows * kHead);
  }
}

/// The largest, or the sum, of the four lanes that have parts of a row.
__device__ __forceinline__ float largest_of_row(float value) {
  value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, 1));
  return fmaxf(value, __shfl_xor_sync(0xffffffffu, value, 2));
}
__device__ __forceinline__ float sum_of_row(float value) {
  value += __shfl_xor_sync(0xffffffffu, value, 1);
  return value + __shfl_xor_sync(0xffffffffu, value, 2);
}

__device__ __forceinline__ float power_of_2(float exponent) {
  float power;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(exponent));
  return power;
}

/// A warp's 16 queries. A lane has parts of the rows lane / 4 and lane / 4 + 8.
template <int kHead>
struct Queries {
  unsigned query[kHead / 16][4];
  float out[kHead / 8][4];
  float largest[2], total[2];  // of the weights so far, in units of the largest

  __device__ static int lane() { return threadIdx.x % 32; }
  __device__ static int first_row() { return threadIdx.x / 32 * 16; }

  __device__ __forceinline__ void start(unsigned tile) {
    const unsigned at = tile + (first_row() + lane() % 16) * kRow<kHead> + lane() / 16 * 8 * kHalf;
#pragma unroll
    for (int k = 0; k < kHead / 16; ++k) {
      load_matrices(query[k], at + 16 * k * kHalf);
    }
#pragma unroll
    for (int i = 0; i < kHead / 2; ++i) out[i / 4][i % 4] = 0;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      largest[half] = -INFINITY;
      total[half] = 0;
    }
  }

  /// The next 64 keys and values. On the diagonal, keys behind a query do not count. `scale` is in
  /// units of a factor of 2.
  __device__ __forceinline__ void add(unsigned key, unsigned value, bool diagonal, float scale) {
    const unsigned of_key =
        key + (lane() / 16 * 8 + lane() % 8) * kRow<kHead> + lane() / 8 % 2 * 8 * kHalf;
    const unsigned of_value = value + lane() % 16 * kRow<kHead> + lane() / 16 * 8 * kHalf;
    float score[kTile / 8][4];
#pragma unroll
    for (int i = 0; i < kTile / 2; ++i) score[i / 4][i % 4] = 0;
#pragma unroll
    for (int k = 0; k < kHead / 16; ++k) {
#pragma unroll
      for (int j = 0; j < kTile / 16; ++j) {
        unsigned keys[4];
        load_matrices(keys, of_key + 16 * j * kRow<kHead> + 16 * k * kHalf);
        multiply(score[2 * j], query[k], keys[0], keys[1]);
        multiply(score[2 * j + 1], query[k], keys[2], keys[3]);
      }
    }
    if (diagonal) {
#pragma unroll
      for (int j = 0; j < kTile / 8; ++j) {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          const int at = first_row() + lane() / 4 + i / 2 * 8;
          if (8 * j + lane() % 4 * 2 + i % 2 > at) score[j][i] = -INFINITY;
        }
      }
    }
    weigh(score, scale);
#pragma unroll
    for (int k = 0; k < kTile / 16; ++k) {
      // Results of a product, two parts of 16 x 8, are an operand of 16 x 16.
      const unsigned weights[4] = {pack(score[2 * k][0], score[2 * k][1]),
                                   pack(score[2 * k][2], score[2 * k][3]),
                                   pack(score[2 * k + 1][0], score[2 * k + 1][1]),
                                   pack(score[2 * k + 1][2], score[2 * k + 1][3])};
#pragma unroll
      for (int j = 0; j < kHead / 16; ++j) {
        unsigned values[4];
        load_transposed(values, of_value + 16 * k * kRow<kHead> + 16 * j * kHalf);
        multiply(out[2 * j], weights, values[0], values[1]);
        multiply(out[2 * j + 1], weights, values[2], values[3]);
      }
    }
  }

  /// Scores become weights. What is there already gets smaller if a larger score has come.
  __device__ __forceinline__ void weigh(float (&score)[kTile / 8][4], float scale) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float most = largest[half];
#pragma unroll
      for (int j = 0; j < kTile / 8; ++j) {
        most = fmaxf(most, fmaxf(score[j][2 * half], score[j][2 * half + 1]));
      }
      most = largest_of_row(most);
      const float smaller = power_of_2((largest[half] - most) * scale);
      largest[half] = most;
      total[half] *= smaller;
#pragma unroll
      for (int j = 0; j < kHead / 8; ++j) {
        out[j][2 * half] *= smaller;
        out[j][2 * half + 1] *= smaller;
      }
#pragma unroll
      for (int j = 0; j < kTile / 8; ++j) {
#pragma unroll
        for (int i = 2 * half; i < 2 * half + 2; ++i) {
          score[j][i] = power_of_2((score[j][i] - most) * scale);
          total[half] += score[j][i];
        }
      }
    }
  }

  __device__ __forceinline__ void store(half_bits* to) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const float factor = 1 / sum_of_row(total[half]);
      const int row = first_row() + lane() / 4 + 8 * half;
#pragma unroll
      for (int j = 0; j < kHead / 8; ++j) {
        *reinterpret_cast<unsigned*>(to + row * kHead + 8 * j + lane() % 4 * 2) =
            pack(out[j][2 * half] * factor, out[j][2 * half + 1] * factor);
      }
    }
  }
};

template <int kHead>
__device__ __forceinline__ void attend(const half_bits* query, const half_bits* key,
                                       const half_bits* value, half_bits* out, int length,
                                       int group, float scale) {
  extern __shared__ __align__(16) unsigned char bytes[];
  const unsigned query_tile = shared_address(bytes);
  const unsigned key_tiles = query_tile + kBytes<kHead>;
  const unsigned value_tiles = key_tiles + 2 * kBytes<kHead>;
  const int head = blockIdx.y;
  const int last = gridDim.x - 1 - blockIdx.x;  // tile of the queries; the longest blocks first
  const size_t own = (static_cast<size_t>(head) * length + last * kTile) * kHead;
  const size_t of_head = static_cast<size_t>(head / group) * length * kHead;
  key += of_head;
  value += of_head;
  begin<kHead>(query_tile, query + own);
  begin<kHead>(key_tiles, key);
  begin<kHead>(value_tiles, value);
  commit_copies();
  Queries<kHead> queries;
#pragma unroll 1
  for (int tile = 0; tile <= last; ++tile) {
    wait_for_copies<0>();
    __syncthreads();
    if (tile == 0) queries.start(query_tile);
    const unsigned now = tile % 2 * kBytes<kHead>, next = kBytes<kHead> - now;
    if (tile < last) {
      key += kTile * kHead;
      value += kTile * kHead;
      begin<kHead>(key_tiles + next, key);
      begin<kHead>(value_tiles + next, value);
      commit_copies();
    }
    queries.add(key_tiles + now, value_tiles + now, tile == last, scale);
  }
  queries.store(out + own);
}

extern "C" __global__ void __launch_bounds__(kThreads)
    attention_64(const half_bits* query, const half_bits* key, const half_bits* value,
                 half_bits* out, int length, int group, float scale) {
  attend<64>(query, key, value, out, length, group, scale);
}

extern "C" __global__ void __launch_bounds__(kThreads)
    attention_128(const half_bits* query, const half_bits* key, const half_bits* value,
                  half_bits* out, int length, int group, float scale) {
  attend<128>(query, key, value, out, length, group, scale);
}
