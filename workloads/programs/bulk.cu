// SPDX-License-Identifier: MIT
// Bulk copies in inline PTX, as kernels for compute capability 9.0 use them: one thread fetches
// tiles into a ring of buffers in shared memory, the others compute, and results go back by a bulk
// copy. Needs a GPU with a bulk copy engine (--set bulk.interval=2).
#include <vector>

#include "check.h"

constexpr unsigned kThreads = 128;
constexpr unsigned kTile = 2 * kThreads;  // words
constexpr unsigned kTiles = 12;           // of a block
constexpr unsigned kStages = 3;
constexpr unsigned kBlocks = 6;

__device__ unsigned place_of(const void* shared) {
  return static_cast<unsigned>(__cvta_generic_to_shared(shared));
}

__device__ void make(unsigned long long* object, unsigned arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(place_of(object)), "r"(arrivals)
               : "memory");
}

__device__ void arrive(unsigned long long* object) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(place_of(object)) : "memory");
}

__device__ void wait(unsigned long long* object, unsigned parity) {
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "again:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "@!done bra again;\n"
      "}" ::"r"(place_of(object)),
      "r"(parity)
      : "memory");
}

/// Begins a copy of a tile, which `object` awaits.
__device__ void fetch(unsigned* to, const unsigned* from, unsigned long long* object) {
  constexpr unsigned kBytes = kTile * sizeof(unsigned);
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(place_of(object)),
               "r"(kBytes)
               : "memory");
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(place_of(to)),
      "l"(__cvta_generic_to_global(from)), "r"(kBytes), "r"(place_of(object))
      : "memory");
}

/// Each block squares its tiles and adds them up, word by word.
__global__ void squares(const unsigned* in, unsigned* out) {
  __shared__ __align__(128) unsigned ring[kStages][kTile];
  __shared__ __align__(128) unsigned sums[kTile];
  __shared__ __align__(8) unsigned long long filled[kStages], emptied[kStages];
  const unsigned* tiles = in + blockIdx.x * kTiles * kTile;
  if (threadIdx.x == 0) {
    for (unsigned stage = 0; stage < kStages; ++stage) {
      make(&filled[stage], 1);
      make(&emptied[stage], kThreads);
    }
  }
  __syncthreads();
  if (threadIdx.x >= kThreads) {  // the last warp fetches
    if (threadIdx.x != kThreads) return;
    for (unsigned tile = 0; tile < kTiles; ++tile) {
      const unsigned stage = tile % kStages;
      // The first tiles find their buffers empty: the phase before the first one has ended.
      wait(&emptied[stage], (tile / kStages + 1) % 2);
      fetch(ring[stage], tiles + tile * kTile, &filled[stage]);
    }
    return;
  }
  unsigned low = 0, high = 0;
  for (unsigned tile = 0; tile < kTiles; ++tile) {
    const unsigned stage = tile % kStages;
    wait(&filled[stage], tile / kStages % 2);
    const unsigned first = ring[stage][threadIdx.x], second = ring[stage][threadIdx.x + kThreads];
    low += first * first;
    high += second * second;
    arrive(&emptied[stage]);
  }
  sums[threadIdx.x] = low;
  sums[threadIdx.x + kThreads] = high;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  asm volatile("bar.sync 1, 128;" ::: "memory");
  if (threadIdx.x != 0) return;
  asm volatile(
      "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n"
      "cp.async.bulk.commit_group;\n"
      "cp.async.bulk.wait_group 0;" ::"l"(__cvta_generic_to_global(out + blockIdx.x * kTile)),
      "r"(place_of(sums)), "r"(static_cast<unsigned>(sizeof(sums)))
      : "memory");
}

int main() {
  std::vector<unsigned> words(kBlocks * kTiles * kTile);
  for (unsigned i = 0; i < words.size(); ++i) words[i] = i * 2654435761U >> 8;
  unsigned *in = nullptr, *out = nullptr;
  CHECK(cudaMalloc(&in, words.size() * sizeof(unsigned)));
  CHECK(cudaMalloc(&out, kBlocks * kTile * sizeof(unsigned)));
  CHECK(cudaMemcpy(in, words.data(), words.size() * sizeof(unsigned), cudaMemcpyHostToDevice));
  squares<<<kBlocks, kThreads + 32>>>(in, out);
  CHECK(cudaGetLastError());
  std::vector<unsigned> sums(kBlocks * kTile);
  CHECK(cudaMemcpy(sums.data(), out, sums.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
  for (unsigned block = 0; block < kBlocks; ++block) {
    for (unsigned word = 0; word < kTile; ++word) {
      unsigned sum = 0;
      for (unsigned tile = 0; tile < kTiles; ++tile) {
        const unsigned value = words[(block * kTiles + tile) * kTile + word];
        sum += value * value;
      }
      EXPECT(sums[block * kTile + word] == sum);
    }
  }
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  std::printf("all sums are right\n");
}
