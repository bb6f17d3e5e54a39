// SPDX-License-Identifier: MIT
// A mixture of experts: the rows of tokens are brought into the order of the experts that they have
// chosen, and the experts' results back, weighted. A token has several choices in turn.
#include "half.h"

constexpr int kThreads = 256;
constexpr int kWarp = 32;
constexpr int kShare = 8;  // halves of an access

/// Where each choice goes: behind those of smaller experts, and the earlier ones of its own. A
/// block has an expert and looks at all choices.
extern "C" __global__ void __launch_bounds__(kThreads)
    expert_slots(const int* choices, int* slots, int count) {
  __shared__ int of_warp[kThreads / kWarp];
  const int expert = blockIdx.x;
  const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  int smaller = 0;
  for (int i = threadIdx.x; i < count; i += kThreads) smaller += choices[i] < expert;
  for (int distance = kWarp / 2; distance > 0; distance /= 2) {
    smaller += __shfl_xor_sync(0xffffffffu, smaller, distance);
  }
  if (lane == 0) of_warp[warp] = smaller;
  __syncthreads();
  int next = 0;
  for (int i = 0; i < kThreads / kWarp; ++i) next += of_warp[i];
  for (int first = 0; first < count; first += kThreads) {
    const int i = first + threadIdx.x;
    const bool own = i < count && choices[i] == expert;
    const unsigned of_lanes = __ballot_sync(0xffffffffu, own);
    __syncthreads();  // the last sums have been read
    if (lane == 0) of_warp[warp] = __popc(of_lanes);
    __syncthreads();
    int before = __popc(of_lanes & ((1u << lane) - 1));
    int total = 0;
    for (int w = 0; w < kThreads / kWarp; ++w) {
      if (w < warp) before += of_warp[w];
      total += of_warp[w];
    }
    if (own) slots[i] = next + before;
    next += total;
  }
}

/// Block x has a choice; y, the threads' share of its row.
extern "C" __global__ void gather_rows(const half_bits* rows, const int* slots, half_bits* gathered,
                                       int per_token, int width) {
  const int column = (blockIdx.y * blockDim.x + threadIdx.x) * kShare;
  if (column >= width) return;
  const size_t from = static_cast<size_t>(blockIdx.x / per_token) * width + column;
  const size_t to = static_cast<size_t>(slots[blockIdx.x]) * width + column;
  const uint4 part = load_16(rows + from);
  *reinterpret_cast<uint4*>(gathered + to) = make_uint4(part.x, part.y, part.z, part.w);
}

__device__ __forceinline__ void add(float2& sum, unsigned both, float weight) {
  const float2 wide = unpack(both);
  sum.x += wide.x * weight;
  sum.y += wide.y * weight;
}

/// Block x has a token; y, the threads' share of its row.
extern "C" __global__ void scatter_rows(const half_bits* gathered, const int* slots,
                                        const float* weights, half_bits* rows, int per_token,
                                        int width) {
  const int column = (blockIdx.y * blockDim.x + threadIdx.x) * kShare;
  if (column >= width) return;
  float2 sum[kShare / 2] = {};
  for (int i = blockIdx.x * per_token; i < static_cast<int>(blockIdx.x + 1) * per_token; ++i) {
    const uint4 part = load_16(gathered + static_cast<size_t>(slots[i]) * width + column);
    const float weight = weights[i];
    add(sum[0], part.x, weight);
    add(sum[1], part.y, weight);
    add(sum[2], part.z, weight);
    add(sum[3], part.w, weight);
  }
  *reinterpret_cast<uint4*>(rows + static_cast<size_t>(blockIdx.x) * width + column) =
      make_uint4(pack(sum[0].x, sum[0].y), pack(sum[1].x, sum[1].y), pack(sum[2].x, sum[2].y),
                 pack(sum[3].x, sum[3].y));
}
