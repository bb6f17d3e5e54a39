// SPDX-License-Identifier: MIT
// CUB's algorithms of the device, of a block and of a warp, against the host's results.
// (Debian: libcub-dev; nvcc has its own CUB.)
#include <algorithm>
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <iterator>
#include <numeric>
#include <vector>

#include "check.h"

constexpr int kCount = 2000;
constexpr int kThreads = 128;
constexpr int kWarps = kThreads / 32;
constexpr int kEach = 4;  // values of a thread

template <typename Element>
Element* managed(std::size_t count) {
  Element* memory = nullptr;
  CHECK(cudaMallocManaged(&memory, count * sizeof(Element)));
  return memory;
}

/// Calls an algorithm of the device twice, as it wants: for the size of its memory, then with it.
template <typename Algorithm>
void run(Algorithm algorithm) {
  void* memory = nullptr;
  std::size_t bytes = 0;
  CHECK(algorithm(memory, bytes));
  CHECK(cudaMalloc(&memory, bytes));
  CHECK(algorithm(memory, bytes));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(memory));
}

struct IsOdd {
  __device__ bool operator()(unsigned value) const { return value % 2 != 0; }
};

void check_device(const std::vector<unsigned>& host) {
  auto* in = managed<unsigned>(kCount);
  auto* out = managed<unsigned>(kCount);
  std::copy(host.begin(), host.end(), in);

  run([&](void* memory, std::size_t& bytes) {
    return cub::DeviceReduce::Sum(memory, bytes, in, out, kCount);
  });
  EXPECT(out[0] == std::accumulate(host.begin(), host.end(), 0u));

  run([&](void* memory, std::size_t& bytes) {
    return cub::DeviceScan::InclusiveSum(memory, bytes, in, out, kCount);
  });
  std::vector<unsigned> expected(kCount);
  std::partial_sum(host.begin(), host.end(), expected.begin());
  EXPECT(std::equal(expected.begin(), expected.end(), out));

  run([&](void* memory, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(memory, bytes, in, out, kCount);
  });
  expected = host;
  std::sort(expected.begin(), expected.end());
  EXPECT(std::equal(expected.begin(), expected.end(), out));

  auto* selected = managed<int>(1);
  run([&](void* memory, std::size_t& bytes) {
    return cub::DeviceSelect::If(memory, bytes, in, out, selected, kCount, IsOdd());
  });
  expected.clear();
  std::copy_if(host.begin(), host.end(), std::back_inserter(expected),
               [](unsigned value) { return value % 2 != 0; });
  EXPECT(*selected == static_cast<int>(expected.size()));
  EXPECT(std::equal(expected.begin(), expected.end(), out));

  constexpr int kBins = 16;
  auto* bins = managed<int>(kBins);
  run([&](void* memory, std::size_t& bytes) {
    return cub::DeviceHistogram::HistogramEven(memory, bytes, in, bins, kBins + 1, 0u, 4096u,
                                               kCount);
  });
  for (int bin = 0; bin < kBins; ++bin) {
    EXPECT(bins[bin] == std::count_if(host.begin(), host.end(), [bin](unsigned value) {
             return static_cast<int>(value / (4096 / kBins)) == bin;
           }));
  }
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  CHECK(cudaFree(selected));
  CHECK(cudaFree(bins));
}

struct BlockResults {
  unsigned sum, largest;
  unsigned scan[kThreads * kEach];
  unsigned sorted[kThreads * kEach];
  unsigned warp_sum[kWarps];
  unsigned warp_scan[kThreads];
};

struct Larger {
  __device__ unsigned operator()(unsigned a, unsigned b) const { return a > b ? a : b; }
};

__global__ void of_a_block(const unsigned* in, BlockResults* results) {
  using Load = cub::BlockLoad<unsigned, kThreads, kEach, cub::BLOCK_LOAD_TRANSPOSE>;
  using Reduce = cub::BlockReduce<unsigned, kThreads>;
  using Scan = cub::BlockScan<unsigned, kThreads>;
  using Sort = cub::BlockRadixSort<unsigned, kThreads, kEach>;
  using WarpReduce = cub::WarpReduce<unsigned>;
  using WarpScan = cub::WarpScan<unsigned>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Reduce::TempStorage reduce;
    typename Scan::TempStorage scan;
    typename Sort::TempStorage sort;
    typename WarpReduce::TempStorage warp_reduce[kWarps];
    typename WarpScan::TempStorage warp_scan[kWarps];
  } memory;
  const unsigned warp = threadIdx.x / 32;

  unsigned values[kEach];
  Load(memory.load).Load(in, values);
  __syncthreads();
  const unsigned sum = Reduce(memory.reduce).Sum(values);
  __syncthreads();
  const unsigned largest = Reduce(memory.reduce).Reduce(values, Larger());
  __syncthreads();
  if (threadIdx.x == 0) {
    results->sum = sum;
    results->largest = largest;
  }
  unsigned scan[kEach];
  Scan(memory.scan).InclusiveSum(values, scan);
  __syncthreads();
  for (int i = 0; i < kEach; ++i) results->scan[threadIdx.x * kEach + i] = scan[i];

  const unsigned warp_sum = WarpReduce(memory.warp_reduce[warp]).Sum(values[0]);
  if (threadIdx.x % 32 == 0) results->warp_sum[warp] = warp_sum;
  __syncthreads();
  unsigned warp_scan = 0;
  WarpScan(memory.warp_scan[warp]).ExclusiveSum(values[0], warp_scan);
  results->warp_scan[threadIdx.x] = warp_scan;
  __syncthreads();

  Sort(memory.sort).Sort(values);
  for (int i = 0; i < kEach; ++i) results->sorted[threadIdx.x * kEach + i] = values[i];
}

void check_block(const std::vector<unsigned>& host) {
  const std::vector<unsigned> tile(host.begin(), host.begin() + kThreads * kEach);
  auto* in = managed<unsigned>(tile.size());
  auto* results = managed<BlockResults>(1);
  std::copy(tile.begin(), tile.end(), in);
  of_a_block<<<1, kThreads>>>(in, results);
  CHECK(cudaDeviceSynchronize());

  EXPECT(results->sum == std::accumulate(tile.begin(), tile.end(), 0u));
  EXPECT(results->largest == *std::max_element(tile.begin(), tile.end()));
  std::vector<unsigned> expected(tile.size());
  std::partial_sum(tile.begin(), tile.end(), expected.begin());
  EXPECT(std::equal(expected.begin(), expected.end(), results->scan));
  expected = tile;
  std::sort(expected.begin(), expected.end());
  EXPECT(std::equal(expected.begin(), expected.end(), results->sorted));
  for (int warp = 0; warp < kWarps; ++warp) {
    unsigned sum = 0;
    for (int thread = 32 * warp; thread < 32 * (warp + 1); ++thread) {
      EXPECT(results->warp_scan[thread] == sum);
      sum += tile[thread * kEach];
    }
    EXPECT(results->warp_sum[warp] == sum);
  }
  CHECK(cudaFree(in));
  CHECK(cudaFree(results));
}

int main() {
  std::vector<unsigned> host(kCount);
  unsigned state = 1;
  for (unsigned& value : host) {
    state = state * 1664525u + 1013904223u;
    value = state >> 20;  // below 4096
  }
  check_device(host);
  check_block(host);
  std::printf("all algorithms are right\n");
}
