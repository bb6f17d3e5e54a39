// SPDX-License-Identifier: MIT
// Products of matrices of half precision on tensor cores, with sums of single precision: c = a b,
// a with `rows` x `inner` numbers and b with `inner` x `columns`, all row-major. A block has 64 x
// 128 results; asynchronous copies fill the next stages of a ring in shared memory meanwhile.
// Split-K gives each of several blocks a part of the sum, and adds the parts in a second kernel.
#include "tensor.h"

constexpr int kRows = 64;      // of a block's results
constexpr int kColumns = 128;  // likewise
constexpr int kDepth = 32;     // of a stage along the sum
constexpr int kThreads = 128;  // four warps, each with 32 x 64 results
constexpr int kShare = 8;      // halves that a thread copies at a time

// A stage in shared memory: a tile of a, kRows x kDepth, and one of b, kDepth x kColumns. Behind
// each row is room for a share, so that rows begin in different banks. In bytes:
constexpr unsigned kHalf = sizeof(half_bits);
constexpr unsigned kRowOfA = (kDepth + kShare) * kHalf;
constexpr unsigned kRowOfB = (kColumns + kShare) * kHalf;
constexpr unsigned kTileOfA = kRows * kRowOfA;
constexpr unsigned kStage = kTileOfA + kDepth * kRowOfB;

/// A thread's copies: where they come from in the next stage, and where in a stage they go.
struct Copies {
  // Rows that the block's threads copy at a time.
  static constexpr int kRowsOfA = kThreads / (kDepth / kShare);
  static constexpr int kRowsOfB = kThreads / (kColumns / kShare);

  const half_bits *a, *b;
  size_t turn_of_a, turn_of_b, step_of_b;
  unsigned to_a, to_b;

  __device__ Copies(const half_bits* all_a, const half_bits* all_b, int inner, int columns,
                    int first) {
    const int row_of_a = threadIdx.x / (kDepth / kShare);
    const int column_of_a = threadIdx.x % (kDepth / kShare) * kShare;
    const int row_of_b = threadIdx.x / (kColumns / kShare);
    const int column_of_b = threadIdx.x % (kColumns / kShare) * kShare;
    a = all_a + static_cast<size_t>(blockIdx.y * kRows + row_of_a) * inner + first + column_of_a;
    b = all_b + static_cast<size_t>(first + row_of_b) * columns + blockIdx.x * kColumns +
        column_of_b;
    turn_of_a = static_cast<size_t>(inner) * kRowsOfA;
    turn_of_b = static_cast<size_t>(columns) * kRowsOfB;
    step_of_b = static_cast<size_t>(columns) * kDepth;
    to_a = row_of_a * kRowOfA + column_of_a * kHalf;
    to_b = kTileOfA + row_of_b * kRowOfB + column_of_b * kHalf;
  }

  __device__ __forceinline__ void begin(unsigned stage) {
#pragma unroll
    for (int turn = 0; turn < kRows / kRowsOfA; ++turn) {
      copy_async(stage + to_a + turn * kRowsOfA * kRowOfA, a + turn * turn_of_a);
    }
#pragma unroll
    for (int turn = 0; turn < kDepth / kRowsOfB; ++turn) {
      copy_async(stage + to_b + turn * kRowsOfB * kRowOfB, b + turn * turn_of_b);
    }
    a += kDepth;
    b += step_of_b;
  }
};

/// A warp's 32 x 64 results: 2 x 8 parts of 16 x 8.
struct Part {
  float sum[2][8][4];
  unsigned from_a, from_b;  // what the lane names, in a stage

  __device__ static int lane() { return threadIdx.x % 32; }
  __device__ static int row() { return threadIdx.x / 64 * 32; }
  __device__ static int column() { return threadIdx.x / 32 % 2 * 64; }

  __device__ Part() {
#pragma unroll
    for (int i = 0; i < 64; ++i) sum[i / 32][i / 4 % 8][i % 4] = 0;
    const int at = lane() % 16, half = lane() / 16 * 8;
    from_a = (row() + at) * kRowOfA + half * kHalf;
    from_b = kTileOfA + at * kRowOfB + (column() + half) * kHalf;
  }

  __device__ __forceinline__ void add(unsigned stage) {
#pragma unroll
    for (int k = 0; k < kDepth; k += 16) {
      unsigned left[2][4], right[4][4];
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        load_matrices(left[i], stage + from_a + 16 * i * kRowOfA + k * kHalf);
      }
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        load_transposed(right[j], stage + from_b + k * kRowOfB + 16 * j * kHalf);
      }
#pragma unroll
      for (int i = 0; i < 2; ++i) {
#pragma unroll
        for (int j = 0; j < 8; ++j) {
          multiply(sum[i][j], left[i], right[j / 2][j % 2 * 2], right[j / 2][j % 2 * 2 + 1]);
        }
      }
    }
  }

  __device__ __forceinline__ void store(float* c, int columns) const {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
#pragma unroll
      for (int j = 0; j < 8; ++j) {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          const int down = blockIdx.y * kRows + row() + 16 * i + 8 * half + lane() / 4;
          const int across = blockIdx.x * kColumns + column() + 8 * j + lane() % 4 * 2;
          *reinterpret_cast<float2*>(c + static_cast<size_t>(down) * columns + across) =
              make_float2(sum[i][j][2 * half], sum[i][j][2 * half + 1]);
        }
      }
    }
  }
};

/// The products from `first` on, `inner_here` of them, a multiple of kDepth.
template <unsigned kStages>
__device__ __forceinline__ void product(const half_bits* a, const half_bits* b, float* c, int inner,
                                        int columns, int first, int inner_here) {
  extern __shared__ __align__(16) unsigned char ring[];
  const unsigned stages = shared_address(ring);
  Copies copies(a, b, inner, columns, first);
  Part part;
  const unsigned steps = inner_here / kDepth;
  const auto next = [&](unsigned step) {
    if (step < steps) copies.begin(stages + step % kStages * kStage);
    commit_copies();  // an empty group at the end, so that the waits count alike
  };
#pragma unroll
  for (unsigned step = 0; step < kStages - 1; ++step) next(step);
#pragma unroll 1
  for (unsigned step = 0; step < steps; ++step) {
    wait_for_copies<kStages - 2>();
    __syncthreads();
    next(step + kStages - 1);
    part.add(stages + step % kStages * kStage);
  }
  part.store(c, columns);
}

extern "C" __global__ void __launch_bounds__(kThreads)
    gemm_2_stages(const half_bits* a, const half_bits* b, float* c, int inner, int columns) {
  product<2>(a, b, c, inner, columns, 0, inner);
}

extern "C" __global__ void __launch_bounds__(kThreads)
    gemm_4_stages(const half_bits* a, const half_bits* b, float* c, int inner, int columns) {
  product<4>(a, b, c, inner, columns, 0, inner);
}

/// Block z of the grid has its equal part of the sum; `parts` has a matrix for each.
extern "C" __global__ void __launch_bounds__(kThreads)
    gemm_split(const half_bits* a, const half_bits* b, float* parts, int rows, int inner,
               int columns) {
  const int inner_here = inner / gridDim.z;
  product<4>(a, b, parts + static_cast<size_t>(blockIdx.z) * rows * columns, inner, columns,
             blockIdx.z * inner_here, inner_here);
}

/// Four results per thread.
extern "C" __global__ void add_parts(const float4* parts, float4* c, int quads, int splits) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= quads) return;
  float4 sum = parts[i];
  for (int split = 1; split < splits; ++split) {
    const float4 part = parts[static_cast<size_t>(split) * quads + i];
    sum.x += part.x;
    sum.y += part.y;
    sum.z += part.z;
    sum.w += part.w;
  }
  c[i] = sum;
}
