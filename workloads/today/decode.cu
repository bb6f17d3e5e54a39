// SPDX-License-Identifier: MIT
// Attention of one new token per sequence over all before it, whose keys and values are in pages of
// 16 tokens anywhere in memory; `table` has a row of page numbers for each sequence. A block has a
// sequence and a head of keys, which four heads of queries share; its warps take turns at the
// pages. In a warp, eight lanes have a token. Layout of a page: head of keys, token, number in the
// head.
#include "half.h"

constexpr int kHead = 128;
constexpr int kGroup = 4;  // heads of queries for one of keys
constexpr int kPage = 16;
constexpr int kWarps = 4;
constexpr int kWarp = 32;
constexpr int kLanes = 8;                // of a token
constexpr int kTokens = kWarp / kLanes;  // of a warp at a time
constexpr int kTurns = kPage / kTokens;  // of a page
constexpr int kShare = kHead / kLanes;   // numbers of a lane, in two accesses of 16 bytes
constexpr int kHalf = kHead / 2;         // the second access is so far behind the first
constexpr float kLow = -1e30f;           // less than any score

struct Share {
  float x[kShare];
};

__device__ __forceinline__ Share load(const half_bits* head) {
  const int lane = threadIdx.x % kLanes;
  Share share;
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const uint4 packed = load_16(head + i * kHalf + lane * 8);
    const float2 a = unpack(packed.x), b = unpack(packed.y), c = unpack(packed.z),
                 d = unpack(packed.w);
    share.x[8 * i + 0] = a.x;
    share.x[8 * i + 1] = a.y;
    share.x[8 * i + 2] = b.x;
    share.x[8 * i + 3] = b.y;
    share.x[8 * i + 4] = c.x;
    share.x[8 * i + 5] = c.y;
    share.x[8 * i + 6] = d.x;
    share.x[8 * i + 7] = d.y;
  }
  return share;
}

__device__ __forceinline__ float power_of_2(float exponent) {
  float power;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(exponent));
  return power;
}

/// What some tokens give a head of queries: values by their weights, in units of the largest.
struct Partial {
  float largest, total;
  Share out;

  __device__ __forceinline__ void scale(float now) {
    const float smaller = power_of_2(largest - now);
    largest = now;
    total *= smaller;
#pragma unroll
    for (int i = 0; i < kShare; ++i) out.x[i] *= smaller;
  }
};

/// `scale` has log2(e) in it: weights are powers of 2.
extern "C" __global__ void __launch_bounds__(kWarps* kWarp)
    decode_attention(const half_bits* query, const half_bits* keys, const half_bits* values,
                     const int* table, const int* lengths, half_bits* out, int table_columns,
                     float scale) {
  __shared__ float results[kWarps][kGroup][kHead];
  __shared__ float2 weights[kWarps][kGroup];  // largest and total
  const int heads = gridDim.x, head = blockIdx.x, sequence = blockIdx.y;
  const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  const int length = lengths[sequence];
  const size_t own = (static_cast<size_t>(sequence) * heads + head) * kGroup * kHead;
  Share queries[kGroup];
  Partial partial[kGroup];
#pragma unroll
  for (int g = 0; g < kGroup; ++g) {
    queries[g] = load(query + own + g * kHead);
    partial[g].largest = kLow;
    partial[g].total = 0;
#pragma unroll
    for (int i = 0; i < kShare; ++i) {
      queries[g].x[i] *= scale;
      partial[g].out.x[i] = 0;
    }
  }
#pragma unroll 1
  for (int page = warp; page * kPage < length; page += kWarps) {
    const size_t at = (static_cast<size_t>(table[sequence * table_columns + page]) * heads + head) *
                      kPage * kHead;
    float score[kTurns][kGroup];
#pragma unroll
    for (int turn = 0; turn < kTurns; ++turn) {
      const int token = turn * kTokens + lane / kLanes;
      const Share key = load(keys + at + token * kHead);
#pragma unroll
      for (int g = 0; g < kGroup; ++g) {
        float sum = 0;
#pragma unroll
        for (int i = 0; i < kShare; ++i) sum += key.x[i] * queries[g].x[i];
#pragma unroll
        for (int distance = 1; distance < kLanes; distance *= 2) {
          sum += __shfl_xor_sync(0xffffffffu, sum, distance);
        }
        score[turn][g] = page * kPage + token < length ? sum : kLow;
      }
    }
#pragma unroll
    for (int g = 0; g < kGroup; ++g) {
      float most = partial[g].largest;
#pragma unroll
      for (int turn = 0; turn < kTurns; ++turn) most = fmaxf(most, score[turn][g]);
      partial[g].scale(most);
    }
#pragma unroll
    for (int turn = 0; turn < kTurns; ++turn) {
      const int token = turn * kTokens + lane / kLanes;
      const Share value = load(values + at + token * kHead);
#pragma unroll
      for (int g = 0; g < kGroup; ++g) {
        // Of a lane that has seen no token yet this is 1, until its results meet those of others.
        const float weight = power_of_2(score[turn][g] - partial[g].largest);
        partial[g].total += weight;
#pragma unroll
        for (int i = 0; i < kShare; ++i) partial[g].out.x[i] += weight * value.x[i];
      }
    }
  }
  // The tokens of a warp together, then the warps.
#pragma unroll
  for (int g = 0; g < kGroup; ++g) {
    float most = partial[g].largest;
#pragma unroll
    for (int distance = kLanes; distance < kWarp; distance *= 2) {
      most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, distance));
    }
    partial[g].scale(most);
#pragma unroll
    for (int distance = kLanes; distance < kWarp; distance *= 2) {
      partial[g].total += __shfl_xor_sync(0xffffffffu, partial[g].total, distance);
#pragma unroll
      for (int i = 0; i < kShare; ++i) {
        partial[g].out.x[i] += __shfl_xor_sync(0xffffffffu, partial[g].out.x[i], distance);
      }
    }
    if (lane < kLanes) {
#pragma unroll
      for (int i = 0; i < kShare; ++i) {
        results[warp][g][i / 8 * kHalf + lane * 8 + i % 8] = partial[g].out.x[i];
      }
    }
    if (lane == 0) weights[warp][g] = make_float2(partial[g].largest, partial[g].total);
  }
  __syncthreads();
  const int g = warp, first = lane * (kHead / kWarp);  // a warp has a head of queries now
  float most = kLow, total = 0, sum[kHead / kWarp] = {};
#pragma unroll
  for (int w = 0; w < kWarps; ++w) most = fmaxf(most, weights[w][g].x);
#pragma unroll
  for (int w = 0; w < kWarps; ++w) {
    const float factor = power_of_2(weights[w][g].x - most);
    total += weights[w][g].y * factor;
#pragma unroll
    for (int i = 0; i < kHead / kWarp; ++i) sum[i] += results[w][g][first + i] * factor;
  }
  *reinterpret_cast<uint2*>(out + own + g * kHead + first) =
      make_uint2(pack(sum[0] / total, sum[1] / total), pack(sum[2] / total, sum[3] / total));
}
