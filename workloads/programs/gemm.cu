// SPDX-License-Identifier: MIT
// A product of matrices of half precision as it is written for tensor cores: in the first kernel a
// block fetches a tile, waits for it and computes; in the second one asynchronous copies fetch the
// tiles of the next steps meanwhile. Needs a GPU with tensor cores (--gpu a100).
//
//   gemm [SIZE]     rows and columns of the matrices, a multiple of 64; 256 if not given
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

#include <vector>

#include "check.h"

constexpr unsigned kTile = 64;   // rows and columns of a block's result
constexpr unsigned kDepth = 32;  // of a step along the sum
constexpr unsigned kWarps = 4;   // each computes a quarter, of 32 x 32
constexpr unsigned kThreads = 32 * kWarps;
constexpr unsigned kStages = 3;
constexpr unsigned kPadding = 8;  // behind each row of a tile: rows begin in different banks

/// The tiles of a step.
struct Stage {
  __half a[kTile][kDepth + kPadding];
  __half b[kDepth][kTile + kPadding];
};

/// Calls `copy(to, from)` for the thread's shares of a step's tiles, of 8 numbers each.
template <typename Copy>
__device__ void fetch(Stage& stage, const __half* a, const __half* b, unsigned size, unsigned step,
                      Copy copy) {
  constexpr unsigned kShare = 8;
  for (unsigned i = threadIdx.x; i < kTile * kDepth / kShare; i += kThreads) {
    const unsigned row = i / (kDepth / kShare), column = i % (kDepth / kShare) * kShare;
    copy(&stage.a[row][column],
         a + static_cast<size_t>(blockIdx.y * kTile + row) * size + step * kDepth + column);
  }
  for (unsigned i = threadIdx.x; i < kDepth * kTile / kShare; i += kThreads) {
    const unsigned row = i / (kTile / kShare), column = i % (kTile / kShare) * kShare;
    copy(&stage.b[row][column],
         b + static_cast<size_t>(step * kDepth + row) * size + blockIdx.x * kTile + column);
  }
}

/// Four matrices of 8 x 8 from shared memory, of which lane i names row i % 8 of matrix i / 8.
template <bool kTransposed>
__device__ void load_matrices(unsigned (&to)[4], const __half* row) {
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  if (kTransposed) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(address)
                 : "memory");
  } else {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(address)
                 : "memory");
  }
}

/// sum += a * b, 16 x 8 numbers.
__device__ void multiply(float (&sum)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

/// A warp's quarter of the result: 2 x 4 parts of 16 x 8 numbers.
struct Quarter {
  float sum[2][4][4] = {};

  __device__ static unsigned lane() { return threadIdx.x % 32; }
  __device__ static unsigned row() { return threadIdx.x / 32 / 2 * 32; }
  __device__ static unsigned column() { return threadIdx.x / 32 % 2 * 32; }

  __device__ void add(const Stage& stage) {
#pragma unroll
    for (unsigned k = 0; k < kDepth; k += 16) {
      unsigned left[2][4], right[2][4];
#pragma unroll
      for (unsigned i = 0; i < 2; ++i) {
        const unsigned at = lane() % 16, half = lane() / 16 * 8;
        load_matrices<false>(left[i], &stage.a[row() + 16 * i + at][k + half]);
        load_matrices<true>(right[i], &stage.b[k + at][column() + 16 * i + half]);
      }
#pragma unroll
      for (unsigned i = 0; i < 2; ++i) {
#pragma unroll
        for (unsigned j = 0; j < 4; ++j) {
          multiply(sum[i][j], left[i], right[j / 2][j % 2 * 2], right[j / 2][j % 2 * 2 + 1]);
        }
      }
    }
  }
  __device__ void store(float* c, unsigned size) const {
    for (unsigned i = 0; i < 2; ++i) {
      for (unsigned j = 0; j < 4; ++j) {
        for (unsigned half = 0; half < 2; ++half) {
          const unsigned at = blockIdx.y * kTile + row() + 16 * i + 8 * half + lane() / 4;
          const unsigned left = blockIdx.x * kTile + column() + 8 * j + lane() % 4 * 2;
          *reinterpret_cast<float2*>(c + static_cast<size_t>(at) * size + left) =
              make_float2(sum[i][j][2 * half], sum[i][j][2 * half + 1]);
        }
      }
    }
  }
};

__global__ void __launch_bounds__(kThreads)
    one_stage(const __half* a, const __half* b, float* c, unsigned size) {
  __shared__ __align__(16) Stage stage;
  Quarter quarter;
  for (unsigned step = 0; step < size / kDepth; ++step) {
    fetch(stage, a, b, size, step, [](__half* to, const __half* from) {
      *reinterpret_cast<uint4*>(to) = *reinterpret_cast<const uint4*>(from);
    });
    __syncthreads();
    quarter.add(stage);
    __syncthreads();
  }
  quarter.store(c, size);
}

__global__ void __launch_bounds__(kThreads)
    pipeline(const __half* a, const __half* b, float* c, unsigned size) {
  __shared__ __align__(16) Stage ring[kStages];
  Quarter quarter;
  const unsigned steps = size / kDepth;
  const auto begin = [&](unsigned step) {
    if (step < steps) {
      fetch(ring[step % kStages], a, b, size, step, [](__half* to, const __half* from) {
        __pipeline_memcpy_async(to, from, sizeof(uint4));
      });
    }
    __pipeline_commit();  // an empty group at the end, so that the waits count alike
  };
  for (unsigned step = 0; step < kStages - 1; ++step) begin(step);
  for (unsigned step = 0; step < steps; ++step) {
    __pipeline_wait_prior(kStages - 2);
    __syncthreads();
    begin(step + kStages - 1);
    quarter.add(ring[step % kStages]);
  }
  quarter.store(c, size);
}

int main(int count, char** words) {
  const unsigned size = count > 1 ? static_cast<unsigned>(std::atoi(words[1])) : 256;
  if (size == 0 || size % kTile != 0) {
    std::fprintf(stderr, "gemm: the size is a multiple of %u\n", kTile);
    return 2;
  }
  const size_t cells = static_cast<size_t>(size) * size;
  std::vector<__half> a(cells), b(cells);
  // Small integers: their sums are exact.
  for (size_t i = 0; i < cells; ++i) {
    a[i] = __float2half(static_cast<float>(i * 7 % 11) - 5.0F);
    b[i] = __float2half(static_cast<float>(i * 5 % 13 + i / size % 3) - 6.0F);
  }
  __half *device_a = nullptr, *device_b = nullptr;
  float* device_c = nullptr;
  CHECK(cudaMalloc(&device_a, cells * sizeof(__half)));
  CHECK(cudaMalloc(&device_b, cells * sizeof(__half)));
  CHECK(cudaMalloc(&device_c, cells * sizeof(float)));
  CHECK(cudaMemcpy(device_a, a.data(), cells * sizeof(__half), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_b, b.data(), cells * sizeof(__half), cudaMemcpyHostToDevice));
  std::vector<float> c(cells);
  for (const auto kernel : {one_stage, pipeline}) {
    CHECK(cudaMemset(device_c, 0xff, cells * sizeof(float)));
    kernel<<<dim3(size / kTile, size / kTile), kThreads>>>(device_a, device_b, device_c, size);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(c.data(), device_c, cells * sizeof(float), cudaMemcpyDeviceToHost));
    // Rows and columns that share no divisor with the tiles, so that each part of them is tested.
    for (unsigned row = 0; row < size; row += 37) {
      for (unsigned column = row % 5; column < size; column += 13) {
        float sum = 0;
        for (unsigned k = 0; k < size; ++k) {
          sum += __half2float(a[row * size + k]) * __half2float(b[k * size + column]);
        }
        EXPECT(c[row * size + column] == sum);
      }
    }
  }
  CHECK(cudaFree(device_a));
  CHECK(cudaFree(device_b));
  CHECK(cudaFree(device_c));
  std::printf("all products are right\n");
}
