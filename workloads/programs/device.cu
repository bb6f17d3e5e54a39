// SPDX-License-Identifier: MIT
// What the runtime says of the device: its properties, its memory, and how a kernel fills a core.
#include "check.h"

__global__ void twice(float* data) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] *= 2;
}

int main() {
  int devices = 0;
  CHECK(cudaGetDeviceCount(&devices));
  EXPECT(devices == 1);
  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, 0));
  int cores = 0, warp = 0, minor = -1;
  CHECK(cudaDeviceGetAttribute(&cores, cudaDevAttrMultiProcessorCount, 0));
  CHECK(cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, 0));
  CHECK(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0));
  int shared = 0, reserved = 0;
  CHECK(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0));
  CHECK(cudaDeviceGetAttribute(&reserved, cudaDevAttrReservedSharedMemoryPerBlock, 0));
  EXPECT(shared == static_cast<int>(device.sharedMemPerBlock) + reserved);
  EXPECT(cores == device.multiProcessorCount && warp == device.warpSize && minor == device.minor);

  size_t free_bytes = 0, total_bytes = 0;
  CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  EXPECT(free_bytes == total_bytes && total_bytes == device.totalGlobalMem);
  float* data = nullptr;
  EXPECT_ERROR(cudaErrorMemoryAllocation, cudaMalloc(&data, total_bytes + 1));
  EXPECT(cudaGetLastError() == cudaErrorMemoryAllocation);
  CHECK(cudaMalloc(&data, 1 << 20));
  CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  EXPECT(free_bytes == total_bytes - (1 << 20));
  CHECK(cudaFree(data));

  // The largest array, and one texel more.
  const cudaChannelFormatDesc bytes = cudaCreateChannelDesc<unsigned char>();
  cudaArray_t array = nullptr;
  EXPECT(device.maxTexture1D > 0 && device.maxTexture3D[2] > 0 &&
         device.maxSurface2DLayered[2] > 0);
  CHECK(cudaMallocArray(&array, &bytes, device.maxTexture1D));
  CHECK(cudaFreeArray(array));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMallocArray(&array, &bytes, device.maxTexture1D + 1));
  const cudaExtent layers = make_cudaExtent(8, 8, device.maxTexture2DLayered[2]);
  const cudaExtent more = make_cudaExtent(8, 8, device.maxTexture2DLayered[2] + 1);
  CHECK(cudaMalloc3DArray(&array, &bytes, layers, cudaArrayLayered));
  CHECK(cudaFreeArray(array));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMalloc3DArray(&array, &bytes, more, cudaArrayLayered));
  CHECK(cudaMalloc3DArray(&array, &bytes, more));
  CHECK(cudaFreeArray(array));
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);

  int blocks = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, twice, 256, 0));
  std::printf(
      "%s: compute capability %d.%d, %d cores, %zu MB, %d blocks of 256 threads in a core\n",
      device.name, device.major, device.minor, cores, total_bytes >> 20, blocks);
  return 0;
}
