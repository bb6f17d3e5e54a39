// SPDX-License-Identifier: MIT
// Memory pools, and what the runtime says of how kernels fill a core.
#include "check.h"

__global__ void shared(int* out) {
  extern __shared__ int memory[];
  __shared__ int own[64];
  own[threadIdx.x % 64] = memory[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = own[0] + memory[0];
}

static unsigned long long attribute(cudaMemPool_t pool, cudaMemPoolAttr which) {
  unsigned long long value = 0;
  CHECK(cudaMemPoolGetAttribute(pool, which, &value));
  return value;
}

static void check_pools() {
  cudaMemPool_t pool = nullptr, same = nullptr, own = nullptr;
  CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
  CHECK(cudaDeviceGetMemPool(&same, 0));
  EXPECT(pool != nullptr && pool == same);
  EXPECT_ERROR(cudaErrorInvalidDevice, cudaDeviceGetDefaultMemPool(&same, 1));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaDeviceGetDefaultMemPool(nullptr, 0));
  unsigned long long threshold = ~0ull;
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  EXPECT(attribute(pool, cudaMemPoolAttrReleaseThreshold) == ~0ull);
  int reuse = 0;
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuse));
  reuse = 5;
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuse));
  EXPECT(reuse == 0);

  cudaMemPoolProps properties = {};
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemPoolCreate(&own, &properties));
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  CHECK(cudaMemPoolCreate(&own, &properties));
  EXPECT(own != pool);
  int *a = nullptr, *b = nullptr, *c = nullptr;
  CHECK(cudaMallocAsync(&a, 1000, 0));
  CHECK(cudaMallocFromPoolAsync(&b, 2000, own, 0));
  CHECK(cudaDeviceSetMemPool(0, own));
  CHECK(cudaMallocAsync(&c, 500, 0));
  EXPECT(attribute(pool, cudaMemPoolAttrUsedMemCurrent) == 1000);
  EXPECT(attribute(own, cudaMemPoolAttrUsedMemCurrent) == 2500);
  CHECK(cudaFreeAsync(b, 0));
  EXPECT(attribute(own, cudaMemPoolAttrReservedMemCurrent) == 500);
  EXPECT(attribute(own, cudaMemPoolAttrUsedMemHigh) == 2500);
  threshold = 1;
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaMemPoolSetAttribute(own, cudaMemPoolAttrUsedMemHigh, &threshold));
  threshold = 0;
  CHECK(cudaMemPoolSetAttribute(own, cudaMemPoolAttrUsedMemHigh, &threshold));
  EXPECT(attribute(own, cudaMemPoolAttrReservedMemHigh) == 500);
  CHECK(cudaMemPoolTrimTo(own, 0));
  CHECK(cudaMemPoolDestroy(own));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemPoolTrimTo(own, 0));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemPoolDestroy(pool));
  CHECK(cudaDeviceGetMemPool(&same, 0));
  EXPECT(same == pool);
  CHECK(cudaMallocAsync(&b, 100, pool, 0));
  CHECK(cudaMemsetAsync(c, 0, 500));
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  CHECK(cudaFree(c));
  EXPECT(attribute(pool, cudaMemPoolAttrUsedMemCurrent) == 0);
}

static void check_occupancy() {
  int most = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&most, shared, 128, 0));
  EXPECT(most > 1);
  // The most that fits so many times, and no byte more.
  for (int blocks = 1; blocks <= most; ++blocks) {
    size_t bytes = 0;
    int fits = 0;
    CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, shared, blocks, 128));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fits, shared, 128, bytes));
    EXPECT(fits >= blocks);
    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, shared));
    const size_t limit = attributes.maxDynamicSharedSizeBytes;
    EXPECT(bytes <= limit);
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fits, shared, 128, bytes + 1));
    EXPECT(bytes == limit || fits < blocks);
  }
  size_t bytes = 0;
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, shared, most + 1, 128));
  int grid = 0, block = 0, grid_again = 0, block_again = 0;
  const auto of_threads = [](int threads) { return threads * sizeof(int); };
  CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, shared, of_threads));
  CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(&grid_again, &block_again, shared,
                                                                of_threads, 0, 0));
  EXPECT(block > 0 && grid == grid_again && block == block_again);
  CHECK(cudaOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, shared, 0, 0, 0));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&most, shared, block, 0, 0));
  int cores = 0;
  CHECK(cudaDeviceGetAttribute(&cores, cudaDevAttrMultiProcessorCount, 0));
  EXPECT(grid == most * cores);
}

int main() {
  check_pools();
  check_occupancy();
  std::printf("pools and occupancy are right\n");
  return 0;
}
