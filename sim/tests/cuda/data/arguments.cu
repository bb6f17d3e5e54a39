// SPDX-License-Identifier: MIT
// Arguments at the edges of what calls take.
#include <cstdint>

#include "check.h"

__constant__ int constant[4];
__device__ int variable[4];

__global__ void __launch_bounds__(64) bounded(int* out) { out[threadIdx.x] = constant[0]; }

int main() {
  std::size_t limit = 0;
  CHECK(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
  EXPECT(limit == 1024);
  CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 8192));
  CHECK(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
  EXPECT(limit == 8192);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaDeviceGetLimit(nullptr, cudaLimitStackSize));

  cudaStream_t stream = nullptr;
  int priority = 5;
  CHECK(cudaStreamCreateWithPriority(&stream, cudaStreamDefault, -100));
  CHECK(cudaStreamGetPriority(stream, &priority));
  EXPECT(priority == -1);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaStreamGetPriority(stream, nullptr));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaStreamGetFlags(stream, nullptr));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGetDeviceProperties(nullptr, 0));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0));
  CHECK(cudaStreamDestroy(stream));

  int blocks = -1;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 64, 0));
  EXPECT(blocks > 0);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 64, std::size_t{1} << 32));
  EXPECT(blocks == 0);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 128, 0));
  EXPECT(blocks == 0);
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, bounded));
  EXPECT(attributes.ptxVersion == 70 && attributes.binaryVersion == 75);

  void* pointer = nullptr;
  std::size_t pitch = 0;
  EXPECT_ERROR(cudaErrorMemoryAllocation,
               cudaMallocPitch(&pointer, &pitch, std::size_t{1} << 40, std::size_t{1} << 30));
  EXPECT_ERROR(cudaErrorMemoryAllocation, cudaMallocPitch(&pointer, &pitch, SIZE_MAX, 1));
  cudaPitchedPtr box;
  const std::size_t many = std::size_t{1} << 22;
  EXPECT_ERROR(cudaErrorMemoryAllocation, cudaMalloc3D(&box, make_cudaExtent(many, many, many)));

  int* device = nullptr;
  CHECK(cudaMalloc(&device, 1024));
  int* managed = nullptr;
  CHECK(cudaMallocManaged(&managed, 1024));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemset2D(device, 8, 0, 16, 4));
  CHECK(cudaMemset2D(device, 16, 0, 16, 4));
  // The box would end where it begins.
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemset2D(device, std::size_t{1} << 63, 0, 16, 3));
  // So would these, if their sizes in bytes were cut off.
  const cudaChannelFormatDesc words = cudaCreateChannelDesc<int>();
  cudaArray_t array = nullptr;
  CHECK(cudaMallocArray(&array, &words, 16, 4));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(device, 64, 16, 4);
  copy.dstArray = array;
  copy.kind = cudaMemcpyDeviceToDevice;
  copy.extent = make_cudaExtent(std::size_t{1} << 62, 1, 1);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemcpy3D(&copy));
  copy.extent = make_cudaExtent(16, 1, 1);
  copy.dstPos.x = std::size_t{1} << 62;
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemcpy3D(&copy));
  copy.dstPos.x = 0;
  CHECK(cudaMemcpy3D(&copy));
  CHECK(cudaFreeArray(array));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemPrefetchAsync(device, 1024, 0, 0));
  CHECK(cudaMemPrefetchAsync(managed, 1024, 0, 0));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaHostRegister(reinterpret_cast<void*>(0x1000), 4096, cudaHostRegisterDefault));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaHostRegister(&blocks, SIZE_MAX - 100, cudaHostRegisterDefault));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaHostRegister(device + 512, 4096, cudaHostRegisterDefault));

  const int values[4] = {1, 2, 3, 4};
  int back[4] = {};
  CHECK(cudaMemcpyToSymbolAsync(constant, values, sizeof(values)));
  CHECK(cudaMemcpyToSymbolAsync(variable, values, sizeof(values)));
  CHECK(cudaMemcpyFromSymbolAsync(back, variable, sizeof(values)));
  EXPECT(back[3] == 4);
  CHECK(cudaFree(device));
  CHECK(cudaFree(managed));
  std::printf("all arguments are taken or refused as they should be\n");
  return 0;
}
