// SPDX-License-Identifier: MIT
// Classes of libcu++: barriers, pipelines, atomics, and what it has of the standard library, in
// kernels. From compute_80 on, barriers and copies are instructions; before, they are loops and
// plain copies. (Debian: libcu++-dev; nvcc has its own libcu++.)
#include <cooperative_groups.h>

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/chrono>
#include <cuda/std/cstdint>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <numeric>

#include "check.h"

namespace cg = cooperative_groups;

constexpr int kThreads = 128;
constexpr int kTiles = 6;
constexpr int kCount = kTiles * kThreads;

/// Reverses each tile: copies it to shared memory beside the barrier, and reads what other threads
/// have copied.
__global__ void reverse_tiles(const int* in, int* out) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ Barrier arrived;
  __shared__ alignas(16) int tile[kThreads];
  const auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&arrived, block.size());
  block.sync();
  for (int i = 0; i < kTiles; ++i) {
    cuda::memcpy_async(block, tile, in + i * kThreads, cuda::aligned_size_t<16>(sizeof(tile)),
                       arrived);
    Barrier::arrival_token token = arrived.arrive();
    arrived.wait(cuda::std::move(token));
    out[i * kThreads + threadIdx.x] = tile[kThreads - 1 - threadIdx.x];
    arrived.arrive_and_wait();
  }
}

/// The same with several tiles: some are on their way while one is read.
template <int Stages>
__global__ void reverse_in_stages(const int* in, int* out) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, Stages> state;
  __shared__ alignas(16) int tiles[Stages][kThreads];
  const auto block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  int fetched = 0;
  for (int i = 0; i < kTiles; ++i) {
    for (; fetched < kTiles && fetched < i + Stages; ++fetched) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, tiles[fetched % Stages], in + fetched * kThreads,
                         cuda::aligned_size_t<16>(sizeof(tiles[0])), pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    out[i * kThreads + threadIdx.x] = tiles[i % Stages][kThreads - 1 - threadIdx.x];
    pipeline.consumer_release();
  }
}

/// A thread's own copies.
__global__ void copy_by_threads(const int* in, int* out) {
  __shared__ int tile[kThreads];
  auto pipeline = cuda::make_pipeline();
  pipeline.producer_acquire();
  cuda::memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int), pipeline);
  pipeline.producer_commit();
  pipeline.consumer_wait();
  out[threadIdx.x] = tile[threadIdx.x];
  pipeline.consumer_release();
}

struct Totals {
  cuda::atomic<int, cuda::thread_scope_device> sum;
  cuda::atomic<int> largest;
  cuda::std::atomic<unsigned> bits;
  cuda::atomic<cuda::std::uint8_t, cuda::thread_scope_device> bytes;
  int plain;
  double real;
  unsigned long long longest;
};

__global__ void count(const int* in, Totals* totals) {
  const int value = in[blockIdx.x * blockDim.x + threadIdx.x];
  totals->sum.fetch_add(value, cuda::memory_order_relaxed);
  totals->largest.fetch_max(value);
  totals->bits.fetch_or(static_cast<unsigned>(value));
  totals->bytes.fetch_add(1);
  cuda::atomic_ref<int, cuda::thread_scope_device> plain(totals->plain);
  ++plain;
  cuda::atomic_ref<unsigned long long> longest(totals->longest);
  unsigned long long seen = longest.load();
  const auto mine = static_cast<unsigned long long>(value) << 32;
  while (seen < mine && !longest.compare_exchange_weak(seen, mine)) {
  }
  if (threadIdx.x % 32 != 0) return;
  cuda::atomic_ref<double, cuda::thread_scope_device> real(totals->real);
  double old = real.load();
  while (!real.compare_exchange_weak(old, old + 0.5)) {
  }
}

/// The first block writes, the second one waits until it has.
__global__ void hand_over(cuda::atomic<int, cuda::thread_scope_device>* ready, int* message,
                          int* received) {
  if (blockIdx.x == 0) {
    *message = 42;
    ready->store(1, cuda::memory_order_release);
    ready->notify_one();
  } else {
    ready->wait(0, cuda::memory_order_acquire);
    *received = *message;
  }
}

using Latch = cuda::latch<cuda::thread_scope_device>;
using Semaphore = cuda::binary_semaphore<cuda::thread_scope_device>;

/// One thread of each block counts, one block at a time. The last of them says that all have.
__global__ void take_turns(Latch* all, Semaphore* turn, int* count, int* seen) {
  turn->acquire();
  *count = *count + 1;
  turn->release();
  all->arrive_and_wait();
  seen[blockIdx.x] = *count;
}

struct Results {
  int sum, first, second;
  bool in_order;
};

__global__ void standard_library(Results* results) {
  const cuda::std::array<int, 3> numbers{{1, 2, 4}};
  results->sum = 0;
  for (const int number : numbers) results->sum += number;
  const auto pair = cuda::std::make_tuple(3, static_cast<short>(5));
  static_assert(cuda::std::is_same<decltype(pair), const cuda::std::tuple<int, short>>::value, "");
  results->first = cuda::std::get<0>(pair);
  results->second = cuda::std::get<1>(pair);
  const auto from = cuda::std::chrono::system_clock::now();
  results->in_order = from <= cuda::std::chrono::system_clock::now();
}

template <typename Element>
Element* managed(std::size_t count) {
  Element* memory = nullptr;
  CHECK(cudaMallocManaged(&memory, count * sizeof(Element)));
  return memory;
}

template <typename Kernel>
void check_reversal(Kernel kernel, const int* in, int* out) {
  for (int i = 0; i < kCount; ++i) out[i] = -1;
  kernel<<<1, kThreads>>>(in, out);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < kCount; ++i) {
    const int tile = i / kThreads;
    EXPECT(out[i] == in[tile * kThreads + kThreads - 1 - i % kThreads]);
  }
}

int main() {
  auto* in = managed<int>(kCount);
  auto* out = managed<int>(kCount);
  for (int i = 0; i < kCount; ++i) in[i] = i * 37 % 1000;
  check_reversal(reverse_tiles, in, out);
  check_reversal(reverse_in_stages<2>, in, out);
  copy_by_threads<<<1, kThreads>>>(in, out);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < kThreads; ++i) EXPECT(out[i] == in[i]);

  auto* totals = managed<Totals>(1);
  new (totals) Totals{};
  count<<<kTiles, kThreads>>>(in, totals);
  CHECK(cudaDeviceSynchronize());
  unsigned bits = 0;
  int largest = 0;
  for (int i = 0; i < kCount; ++i) {
    bits |= static_cast<unsigned>(in[i]);
    largest = largest < in[i] ? in[i] : largest;
  }
  EXPECT(totals->sum.load() == std::accumulate(in, in + kCount, 0));
  EXPECT(totals->largest == largest);
  EXPECT(totals->bits == bits);
  EXPECT(totals->bytes == kCount % 256);
  EXPECT(totals->plain == kCount);
  EXPECT(totals->real == 0.5 * kCount / 32);
  EXPECT(totals->longest == static_cast<unsigned long long>(largest) << 32);

  auto* ready = managed<cuda::atomic<int, cuda::thread_scope_device>>(1);
  new (ready) cuda::atomic<int, cuda::thread_scope_device>(0);
  out[0] = out[1] = 0;
  hand_over<<<2, 1>>>(ready, &out[0], &out[1]);
  CHECK(cudaDeviceSynchronize());
  EXPECT(out[1] == 42);

  auto* all = managed<Latch>(1);
  auto* turn = managed<Semaphore>(1);
  new (all) Latch(kTiles);
  new (turn) Semaphore(1);
  int* number = &in[0];
  *number = 0;
  take_turns<<<kTiles, 1>>>(all, turn, number, out);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < kTiles; ++i) EXPECT(out[i] == kTiles);

  auto* results = managed<Results>(1);
  standard_library<<<1, 1>>>(results);
  CHECK(cudaDeviceSynchronize());
  EXPECT(results->sum == 7 && results->first == 3 && results->second == 5 && results->in_order);
  for (void* memory : {static_cast<void*>(in), static_cast<void*>(out), static_cast<void*>(totals),
                       static_cast<void*>(ready), static_cast<void*>(all), static_cast<void*>(turn),
                       static_cast<void*>(results)}) {
    CHECK(cudaFree(memory));
  }
  std::printf("all classes are right\n");
}
