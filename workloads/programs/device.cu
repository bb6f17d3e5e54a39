// SPDX-License-Identifier: MIT
// What the runtime says of the device: its properties, its memory, and how a kernel fills a core.
#include <initializer_list>

#include "check.h"

__global__ void twice(float* data) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] *= 2;
}

/// Each is what the properties say, where they have it.
static void check_attributes(const cudaDeviceProp& device) {
  const struct {
    cudaDeviceAttr attribute;
    int value;
  } expected[] = {
      {cudaDevAttrMaxTexture1DWidth, device.maxTexture1D},
      {cudaDevAttrMaxTexture2DWidth, device.maxTexture2D[0]},
      {cudaDevAttrMaxTexture2DHeight, device.maxTexture2D[1]},
      {cudaDevAttrMaxTexture3DWidth, device.maxTexture3D[0]},
      {cudaDevAttrMaxTexture3DHeight, device.maxTexture3D[1]},
      {cudaDevAttrMaxTexture3DDepth, device.maxTexture3D[2]},
      {cudaDevAttrMaxTexture2DLayeredWidth, device.maxTexture2DLayered[0]},
      {cudaDevAttrMaxTexture2DLayeredHeight, device.maxTexture2DLayered[1]},
      {cudaDevAttrMaxTexture2DLayeredLayers, device.maxTexture2DLayered[2]},
      {cudaDevAttrMaxTexture1DLayeredWidth, device.maxTexture1DLayered[0]},
      {cudaDevAttrMaxTexture1DLayeredLayers, device.maxTexture1DLayered[1]},
      {cudaDevAttrMaxTexture2DGatherWidth, device.maxTexture2DGather[0]},
      {cudaDevAttrMaxTexture2DGatherHeight, device.maxTexture2DGather[1]},
      {cudaDevAttrMaxTexture3DWidthAlt, device.maxTexture3DAlt[0]},
      {cudaDevAttrMaxTexture3DHeightAlt, device.maxTexture3DAlt[1]},
      {cudaDevAttrMaxTexture3DDepthAlt, device.maxTexture3DAlt[2]},
      {cudaDevAttrMaxTextureCubemapWidth, device.maxTextureCubemap},
      {cudaDevAttrMaxTextureCubemapLayeredWidth, device.maxTextureCubemapLayered[0]},
      {cudaDevAttrMaxTextureCubemapLayeredLayers, device.maxTextureCubemapLayered[1]},
      {cudaDevAttrMaxSurface1DWidth, device.maxSurface1D},
      {cudaDevAttrMaxSurface2DWidth, device.maxSurface2D[0]},
      {cudaDevAttrMaxSurface2DHeight, device.maxSurface2D[1]},
      {cudaDevAttrMaxSurface3DWidth, device.maxSurface3D[0]},
      {cudaDevAttrMaxSurface3DHeight, device.maxSurface3D[1]},
      {cudaDevAttrMaxSurface3DDepth, device.maxSurface3D[2]},
      {cudaDevAttrMaxSurface1DLayeredWidth, device.maxSurface1DLayered[0]},
      {cudaDevAttrMaxSurface1DLayeredLayers, device.maxSurface1DLayered[1]},
      {cudaDevAttrMaxSurface2DLayeredWidth, device.maxSurface2DLayered[0]},
      {cudaDevAttrMaxSurface2DLayeredHeight, device.maxSurface2DLayered[1]},
      {cudaDevAttrMaxSurface2DLayeredLayers, device.maxSurface2DLayered[2]},
      {cudaDevAttrMaxSurfaceCubemapWidth, device.maxSurfaceCubemap},
      {cudaDevAttrMaxSurfaceCubemapLayeredWidth, device.maxSurfaceCubemapLayered[0]},
      {cudaDevAttrMaxSurfaceCubemapLayeredLayers, device.maxSurfaceCubemapLayered[1]},
      {cudaDevAttrMaxTexture2DLinearWidth, device.maxTexture2DLinear[0]},
      {cudaDevAttrMaxTexture2DLinearHeight, device.maxTexture2DLinear[1]},
      {cudaDevAttrMaxTexture2DLinearPitch, device.maxTexture2DLinear[2]},
      {cudaDevAttrMaxTexture2DMipmappedWidth, device.maxTexture2DMipmap[0]},
      {cudaDevAttrMaxTexture2DMipmappedHeight, device.maxTexture2DMipmap[1]},
      {cudaDevAttrMaxTexture1DMipmappedWidth, device.maxTexture1DMipmap},
      {cudaDevAttrMaxPersistingL2CacheSize, device.persistingL2CacheMaxSize},
      {cudaDevAttrMaxAccessPolicyWindowSize, device.accessPolicyMaxWindowSize},
      {cudaDevAttrSparseCudaArraySupported, device.sparseCudaArraySupported},
      {cudaDevAttrHostRegisterReadOnlySupported, device.hostRegisterReadOnlySupported},
      {cudaDevAttrGPUDirectRDMASupported, device.gpuDirectRDMASupported},
      {cudaDevAttrGPUDirectRDMAWritesOrdering, device.gpuDirectRDMAWritesOrdering},
      {cudaDevAttrDeferredMappingCudaArraySupported, device.deferredMappingCudaArraySupported},
      {cudaDevAttrIpcEventSupport, device.ipcEventSupported},
      {cudaDevAttrMaxTexture1DLinearWidth, 1 << 27},
      {cudaDevAttrSurfaceAlignment, static_cast<int>(device.surfaceAlignment)},
      {cudaDevAttrTexturePitchAlignment, static_cast<int>(device.texturePitchAlignment)},
      {cudaDevAttrMemSyncDomainCount, 1},
      {cudaDevAttrHostNumaId, -1}};
  for (const auto& each : expected) {
    int value = -2;
    CHECK(cudaDeviceGetAttribute(&value, each.attribute, 0));
    if (value == each.value) continue;
    std::printf("attribute %d is %d, expected %d\n", each.attribute, value, each.value);
    std::exit(1);
  }
  int value = 7;
  for (const int number : {-1, 0, 44, 1000}) {
    EXPECT_ERROR(cudaErrorInvalidValue,
                 cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(number), 0));
  }
  EXPECT(value == 7 && cudaGetLastError() == cudaErrorInvalidValue);
}

int main() {
  int devices = 0;
  CHECK(cudaGetDeviceCount(&devices));
  EXPECT(devices == 1);
  int peer = 1;
  CHECK(cudaDeviceCanAccessPeer(&peer, 0, 1));
  EXPECT(peer == 0);
  EXPECT_ERROR(cudaErrorInvalidDevice,
               cudaDeviceGetP2PAttribute(&peer, cudaDevP2PAttrAccessSupported, 0, 0));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaDeviceGetP2PAttribute(nullptr, cudaDevP2PAttrAccessSupported, 0, 0));
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

  check_attributes(device);

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
      "%s: compute capability %d.%d, %d cores, %zu MB, %d KB of L2, %d blocks of 256 threads in a "
      "core\n",
      device.name, device.major, device.minor, cores, total_bytes >> 20, device.l2CacheSize >> 10,
      blocks);
  return 0;
}
