// SPDX-License-Identifier: MIT
// What kernels of today use: products of matrices by tensor cores, copies to shared memory beside
// the computation, barriers at which threads arrive and later wait, dot products of bytes, and
// reductions over a warp. Needs a GPU with tensor cores (--gpu a100).
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>
#include <mma.h>

#include <climits>
#include <vector>

#include "check.h"

using namespace nvcuda;

// --- products of matrices
// -------------------------------------------------------------------------
constexpr int kSteps = 3;  // along k, so that a product is added to a sum

/// d = a * b + c for one tile of d. The types of elements in memory follow from the fragments.
template <int M, int N, int K, typename Tag, typename Sum, typename A, typename B, typename Element>
__global__ void multiply(const Element* a, const Element* b, const Sum* c, Sum* d, bool by_rows) {
  constexpr bool a_rows = std::is_same<A, wmma::row_major>::value;
  constexpr bool b_rows = std::is_same<B, wmma::row_major>::value;
  const wmma::layout_t layout = by_rows ? wmma::mem_row_major : wmma::mem_col_major;
  const unsigned stride = by_rows ? N : M;
  wmma::fragment<wmma::matrix_a, M, N, K, Tag, A> left;
  wmma::fragment<wmma::matrix_b, M, N, K, Tag, B> right;
  wmma::fragment<wmma::accumulator, M, N, K, Sum> sum;
  wmma::load_matrix_sync(sum, c, stride, layout);
  for (int step = 0; step < kSteps; ++step) {
    const int from = step * K;
    wmma::load_matrix_sync(left, a + (a_rows ? from : from * M), a_rows ? kSteps * K : M);
    wmma::load_matrix_sync(right, b + (b_rows ? from * N : from), b_rows ? N : kSteps * K);
    wmma::mma_sync(sum, left, right, sum);
  }
  for (Sum& element : sum.x) element = element + element;
  wmma::store_matrix_sync(d, sum, stride, layout);
}

template <typename Element>
Element* managed(std::size_t count) {
  Element* memory = nullptr;
  CHECK(cudaMallocManaged(&memory, count * sizeof(Element)));
  return memory;
}

/// Small integers, which every type holds and whose sums are exact.
template <int M, int N, int K, typename Tag, typename Sum, typename A, typename B, typename Element>
void check_product(int lowest, bool by_rows) {
  constexpr int kDepth = kSteps * K;
  constexpr bool a_rows = std::is_same<A, wmma::row_major>::value;
  constexpr bool b_rows = std::is_same<B, wmma::row_major>::value;
  auto* a = managed<Element>(M * kDepth);
  auto* b = managed<Element>(kDepth * N);
  auto* c = managed<Sum>(M * N);
  auto* d = managed<Sum>(M * N);
  for (int i = 0; i < M * kDepth; ++i) a[i] = static_cast<Element>(i * 7 % 5 + lowest);
  for (int i = 0; i < kDepth * N; ++i) b[i] = static_cast<Element>(i * 11 % 7 + lowest);
  for (int i = 0; i < M * N; ++i) c[i] = static_cast<Sum>(i % 9 - 4);
  multiply<M, N, K, Tag, Sum, A, B><<<1, 32>>>(a, b, c, d, by_rows);
  CHECK(cudaDeviceSynchronize());
  for (int row = 0; row < M; ++row) {
    for (int column = 0; column < N; ++column) {
      const int place = by_rows ? row * N + column : column * M + row;
      int sum = static_cast<int>(static_cast<float>(c[place]));
      for (int k = 0; k < kDepth; ++k) {
        const Element left = a[a_rows ? row * kDepth + k : k * M + row];
        const Element right = b[b_rows ? k * N + column : column * kDepth + k];
        sum += static_cast<int>(static_cast<float>(left)) *
               static_cast<int>(static_cast<float>(right));
      }
      EXPECT(static_cast<float>(d[place]) == static_cast<float>(2 * sum));
    }
  }
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  CHECK(cudaFree(c));
  CHECK(cudaFree(d));
}

template <int M, int N, int K, typename Tag, typename Sum, typename Element = Tag>
void check_layouts(int lowest) {
  using Row = wmma::row_major;
  using Column = wmma::col_major;
  check_product<M, N, K, Tag, Sum, Row, Row, Element>(lowest, true);
  check_product<M, N, K, Tag, Sum, Row, Column, Element>(lowest, false);
  check_product<M, N, K, Tag, Sum, Column, Row, Element>(lowest, true);
  check_product<M, N, K, Tag, Sum, Column, Column, Element>(lowest, false);
}

template <typename Tag, typename Sum>
void check_shapes(int lowest) {
  check_layouts<16, 16, 16, Tag, Sum>(lowest);
  check_layouts<32, 8, 16, Tag, Sum>(lowest);
  check_layouts<8, 32, 16, Tag, Sum>(lowest);
}

__global__ void saturate(int* sums) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> c, d;
  wmma::fill_fragment(a, 1);
  wmma::fill_fragment(b, 1);
  wmma::fill_fragment(c, INT_MAX - 3);
  wmma::mma_sync(d, a, b, c, true);
  wmma::store_matrix_sync(sums, d, 16, wmma::mem_row_major);
  wmma::mma_sync(d, a, b, c);
  wmma::store_matrix_sync(sums + 256, d, 16, wmma::mem_row_major);
}

void check_products() {
  check_shapes<__half, float>(-2);
  check_shapes<__half, __half>(-2);
  check_shapes<__nv_bfloat16, float>(-2);
  check_shapes<signed char, int>(-2);
  check_shapes<unsigned char, int>(0);
  check_layouts<16, 16, 8, wmma::precision::tf32, float, float>(-2);
  check_layouts<8, 8, 4, double, double>(-2);
  auto* sums = managed<int>(512);
  saturate<<<1, 32>>>(sums);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 256; ++i) {
    EXPECT(sums[i] == INT_MAX);
    EXPECT(sums[256 + i] == INT_MIN + 12);
  }
  CHECK(cudaFree(sums));
}

__global__ void round_to_tf32(const float* from, float* to) {
  to[threadIdx.x] = wmma::__float_to_tf32(from[threadIdx.x]);
}

void check_rounding() {
  const float values[] = {1.0f, 1.0f + 0x1p-11f, 1.0f + 0x1p-12f, -3.0f - 0x1p-9f - 0x1p-13f};
  const float rounded[] = {1.0f, 1.0f + 0x1p-10f, 1.0f, -3.0f - 0x1p-9f};
  auto* from = managed<float>(4);
  auto* to = managed<float>(4);
  for (int i = 0; i < 4; ++i) from[i] = values[i];
  round_to_tf32<<<1, 4>>>(from, to);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 4; ++i) EXPECT(to[i] == rounded[i]);
  CHECK(cudaFree(from));
  CHECK(cudaFree(to));
}

// --- copies beside the computation
// ----------------------------------------------------------------
constexpr int kThreads = 128;
constexpr int kTiles = 6;
constexpr int kStages = 2;

/// Sums up tiles of 4 numbers per thread: the next tile comes while one is summed up. Of the last
/// tile the second half of each thread's numbers is not read.
__global__ void pipelined(const int4* numbers, int* sums) {
  __shared__ int4 tiles[kStages][kThreads];
  const auto fetch = [&](int tile) {
    if (tile < kTiles) {
      __pipeline_memcpy_async(&tiles[tile % kStages][threadIdx.x],
                              &numbers[tile * kThreads + threadIdx.x], sizeof(int4),
                              tile == kTiles - 1 ? 8 : 0);
    }
    __pipeline_commit();
  };
  fetch(0);
  int sum = 0;
  for (int tile = 0; tile < kTiles; ++tile) {
    fetch(tile + 1);
    __pipeline_wait_prior(1);
    __syncthreads();
    const int4 other = tiles[tile % kStages][kThreads - 1 - threadIdx.x];
    sum += other.x + other.y + other.z + other.w;
    __syncthreads();
  }
  sums[threadIdx.x] = sum;
}

/// Warps 0 and 1 copy, the others wait for the barrier's phase.
__global__ void produced(const int* numbers, int* sums) {
  __shared__ __mbarrier_t barrier;
  __shared__ int tile[kThreads / 2];
  if (threadIdx.x == 0) __mbarrier_init(&barrier, kThreads);
  __syncthreads();
  if (threadIdx.x < kThreads / 2) {
    __pipeline_memcpy_async(&tile[threadIdx.x], &numbers[threadIdx.x], sizeof(int));
    __pipeline_arrive_on(&barrier);
  }
  const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
  while (!__mbarrier_test_wait(&barrier, token)) {
  }
  sums[threadIdx.x] = tile[(threadIdx.x + 32) % (kThreads / 2)];
  __syncthreads();
  if (threadIdx.x == 0) __mbarrier_inval(&barrier);
}

/// The group's threads copy together: by 16, 8 and 4 bytes, and single ones.
__global__ void copied_by_group(const char* from, char* to, int bytes, int offset) {
  __shared__ __align__(16) char tile[kThreads * 40];
  namespace cg = cooperative_groups;
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile + offset, from + offset, bytes);
  cg::memcpy_async(block, tile + offset + bytes, from + offset + bytes, bytes);
  cg::wait_prior<1>(block);
  for (int i = offset + threadIdx.x; i < offset + bytes; i += kThreads) to[i] = tile[i];
  cg::wait(block);
  for (int i = threadIdx.x; i < bytes; i += kThreads) {
    to[offset + bytes + i] = tile[offset + 2 * bytes - 1 - i];
  }
}

void check_group_copies() {
  constexpr int kBytes = 36 * kThreads;
  auto* from = managed<char>(kBytes);
  auto* to = managed<char>(kBytes);
  for (int i = 0; i < kBytes; ++i) from[i] = static_cast<char>(i * 37 % 127);
  const int cases[][2] = {{2048, 0}, {2008, 8}, {516, 4}, {77, 1}};
  for (const auto& each : cases) {
    const int bytes = each[0];
    const int offset = each[1];
    CHECK(cudaMemset(to, 0, kBytes));
    copied_by_group<<<1, kThreads>>>(from, to, bytes, offset);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < bytes; ++i) {
      EXPECT(to[offset + i] == from[offset + i]);
      EXPECT(to[offset + bytes + i] == from[offset + 2 * bytes - 1 - i]);
    }
  }
  CHECK(cudaFree(from));
  CHECK(cudaFree(to));
}

void check_copies() {
  constexpr int kNumbers = 4 * kThreads * kTiles;
  auto* numbers = managed<int>(kNumbers);
  auto* sums = managed<int>(kThreads);
  for (int i = 0; i < kNumbers; ++i) numbers[i] = i * 13 % 101;
  pipelined<<<1, kThreads>>>(reinterpret_cast<const int4*>(numbers), sums);
  CHECK(cudaDeviceSynchronize());
  for (int thread = 0; thread < kThreads; ++thread) {
    int sum = 0;
    for (int tile = 0; tile < kTiles; ++tile) {
      const int* four = &numbers[4 * (tile * kThreads + kThreads - 1 - thread)];
      sum += four[0] + four[1] + (tile == kTiles - 1 ? 0 : four[2] + four[3]);
    }
    EXPECT(sums[thread] == sum);
  }
  produced<<<1, kThreads>>>(numbers, sums);
  CHECK(cudaDeviceSynchronize());
  for (int thread = 0; thread < kThreads; ++thread) {
    EXPECT(sums[thread] == numbers[(thread + 32) % (kThreads / 2)]);
  }
  CHECK(cudaFree(numbers));
  CHECK(cudaFree(sums));
}

// --- dot products and reductions
// ------------------------------------------------------------------
struct Found {
  int dot, dot_of_vectors, low, high, sum, least;
  unsigned unsigned_dot, unsigned_low, greatest, all, any, odd;
};

__global__ void find(Found* found) {
  const unsigned a = 0x80ff7f01u + threadIdx.x;
  const unsigned b = 0x02ff80feu;
  Found& mine = found[threadIdx.x];
  mine.dot = __dp4a(static_cast<int>(a), static_cast<int>(b), 5);
  mine.dot_of_vectors = __dp4a(make_char4(1, -2, 3, -4), make_char4(5, 6, 7, 8), 100);
  mine.unsigned_dot = __dp4a(a, b, 5u);
  mine.low = __dp2a_lo(make_short2(-300, 2), make_char4(3, 4, 5, 6), 1);
  mine.high = __dp2a_hi(make_short2(-300, 2), make_char4(3, 4, 5, 6), 1);
  mine.unsigned_low = __dp2a_lo(a, b, 5u);
  const int lane = static_cast<int>(threadIdx.x);
  // Two groups of lanes, each with sums of its own.
  const unsigned group = lane < 8 ? 0xffu : 0xffffff00u;
  if (lane < 8) {
    mine.sum = __reduce_add_sync(group, lane - 20);
  } else {
    mine.sum = __reduce_add_sync(group, lane - 20);
  }
  mine.least = __reduce_min_sync(~0u, 3 - lane);
  mine.greatest = __reduce_max_sync(~0u, 0xfffffff0u + lane % 8);
  mine.all = __reduce_and_sync(~0u, 0xf0u | lane);
  mine.any = __reduce_or_sync(~0u, 1u << lane % 4);
  mine.odd = __reduce_xor_sync(~0u, 1u << lane % 31);
}

void check_words() {
  auto* found = managed<Found>(32);
  find<<<1, 32>>>(found);
  CHECK(cudaDeviceSynchronize());
  for (unsigned lane = 0; lane < 32; ++lane) {
    const unsigned a = 0x80ff7f01u + lane;
    const unsigned b = 0x02ff80feu;
    int dot = 5;
    unsigned unsigned_dot = 5;
    for (unsigned byte = 0; byte < 4; ++byte) {
      dot += static_cast<signed char>(a >> 8 * byte) * static_cast<signed char>(b >> 8 * byte);
      unsigned_dot += (a >> 8 * byte & 0xff) * (b >> 8 * byte & 0xff);
    }
    EXPECT(found[lane].dot == dot);
    EXPECT(found[lane].unsigned_dot == unsigned_dot);
    EXPECT(found[lane].dot_of_vectors == 100 + 5 - 12 + 21 - 32);
    EXPECT(found[lane].low == 1 - 900 + 8);
    EXPECT(found[lane].high == 1 - 1500 + 12);
    EXPECT(found[lane].unsigned_low == 5 + (a & 0xffff) * (b & 0xff) + (a >> 16) * (b >> 8 & 0xff));
    EXPECT(found[lane].sum == (lane < 8 ? 28 - 160 : 496 - 28 - 480));
    EXPECT(found[lane].least == 3 - 31);
    EXPECT(found[lane].greatest == 0xfffffff7u);
    EXPECT(found[lane].all == 0xf0u);
    EXPECT(found[lane].any == 0xfu);
    EXPECT(found[lane].odd == (0x7fffffffu ^ 1u));
  }
  CHECK(cudaFree(found));
}

int main() {
  check_products();
  check_rounding();
  check_copies();
  check_group_copies();
  check_words();
  std::printf("all products, copies and reductions are right\n");
  return 0;
}
