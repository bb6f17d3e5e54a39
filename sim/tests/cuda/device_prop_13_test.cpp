// SPDX-License-Identifier: MIT
#include "sim/cuda/device_prop_13.h"

#include <gtest/gtest.h>

#include <cstring>

namespace paws::cuda {
namespace {

TEST(DeviceProp13, HasTheFieldsThatCuda13KeptWithTheirValues) {
  cudaDeviceProp all;
  unsigned char pattern = 1;
  for (std::size_t byte = 0; byte < sizeof(all); ++byte) {
    pattern = static_cast<unsigned char>(pattern * 5 + 3);
    std::memcpy(reinterpret_cast<unsigned char*>(&all) + byte, &pattern, 1);
  }
  const DeviceProp13 kept = properties_13(all);
#define PAWS_KEPT(field) \
  EXPECT_EQ(std::memcmp(&kept.field, &all.field, sizeof(kept.field)), 0) << #field
  PAWS_KEPT(name);
  PAWS_KEPT(uuid);
  PAWS_KEPT(luid);
  PAWS_KEPT(luidDeviceNodeMask);
  PAWS_KEPT(totalGlobalMem);
  PAWS_KEPT(sharedMemPerBlock);
  PAWS_KEPT(regsPerBlock);
  PAWS_KEPT(warpSize);
  PAWS_KEPT(memPitch);
  PAWS_KEPT(maxThreadsPerBlock);
  PAWS_KEPT(maxThreadsDim);
  PAWS_KEPT(maxGridSize);
  PAWS_KEPT(totalConstMem);
  PAWS_KEPT(major);
  PAWS_KEPT(minor);
  PAWS_KEPT(textureAlignment);
  PAWS_KEPT(texturePitchAlignment);
  PAWS_KEPT(multiProcessorCount);
  PAWS_KEPT(integrated);
  PAWS_KEPT(canMapHostMemory);
  PAWS_KEPT(maxTexture1D);
  PAWS_KEPT(maxTexture1DMipmap);
  PAWS_KEPT(maxTexture2D);
  PAWS_KEPT(maxTexture2DMipmap);
  PAWS_KEPT(maxTexture2DLinear);
  PAWS_KEPT(maxTexture2DGather);
  PAWS_KEPT(maxTexture3D);
  PAWS_KEPT(maxTexture3DAlt);
  PAWS_KEPT(maxTextureCubemap);
  PAWS_KEPT(maxTexture1DLayered);
  PAWS_KEPT(maxTexture2DLayered);
  PAWS_KEPT(maxTextureCubemapLayered);
  PAWS_KEPT(maxSurface1D);
  PAWS_KEPT(maxSurface2D);
  PAWS_KEPT(maxSurface3D);
  PAWS_KEPT(maxSurface1DLayered);
  PAWS_KEPT(maxSurface2DLayered);
  PAWS_KEPT(maxSurfaceCubemap);
  PAWS_KEPT(maxSurfaceCubemapLayered);
  PAWS_KEPT(surfaceAlignment);
  PAWS_KEPT(concurrentKernels);
  PAWS_KEPT(ECCEnabled);
  PAWS_KEPT(pciBusID);
  PAWS_KEPT(pciDeviceID);
  PAWS_KEPT(pciDomainID);
  PAWS_KEPT(tccDriver);
  PAWS_KEPT(asyncEngineCount);
  PAWS_KEPT(unifiedAddressing);
  PAWS_KEPT(memoryBusWidth);
  PAWS_KEPT(l2CacheSize);
  PAWS_KEPT(persistingL2CacheMaxSize);
  PAWS_KEPT(maxThreadsPerMultiProcessor);
  PAWS_KEPT(streamPrioritiesSupported);
  PAWS_KEPT(globalL1CacheSupported);
  PAWS_KEPT(localL1CacheSupported);
  PAWS_KEPT(sharedMemPerMultiprocessor);
  PAWS_KEPT(regsPerMultiprocessor);
  PAWS_KEPT(managedMemory);
  PAWS_KEPT(isMultiGpuBoard);
  PAWS_KEPT(multiGpuBoardGroupID);
  PAWS_KEPT(hostNativeAtomicSupported);
  PAWS_KEPT(pageableMemoryAccess);
  PAWS_KEPT(concurrentManagedAccess);
  PAWS_KEPT(computePreemptionSupported);
  PAWS_KEPT(canUseHostPointerForRegisteredMem);
  PAWS_KEPT(cooperativeLaunch);
  PAWS_KEPT(sharedMemPerBlockOptin);
  PAWS_KEPT(pageableMemoryAccessUsesHostPageTables);
  PAWS_KEPT(directManagedMemAccessFromHost);
  PAWS_KEPT(maxBlocksPerMultiProcessor);
  PAWS_KEPT(accessPolicyMaxWindowSize);
  PAWS_KEPT(reservedSharedMemPerBlock);
  PAWS_KEPT(hostRegisterSupported);
  PAWS_KEPT(sparseCudaArraySupported);
  PAWS_KEPT(hostRegisterReadOnlySupported);
  PAWS_KEPT(timelineSemaphoreInteropSupported);
  PAWS_KEPT(memoryPoolsSupported);
  PAWS_KEPT(gpuDirectRDMASupported);
  PAWS_KEPT(gpuDirectRDMAFlushWritesOptions);
  PAWS_KEPT(gpuDirectRDMAWritesOrdering);
  PAWS_KEPT(memoryPoolSupportedHandleTypes);
  PAWS_KEPT(deferredMappingCudaArraySupported);
  PAWS_KEPT(ipcEventSupported);
  PAWS_KEPT(clusterLaunch);
  PAWS_KEPT(unifiedFunctionPointers);
#undef PAWS_KEPT
  // deviceOverlap is gone, so that what stood behind it is nearer to the start.
  EXPECT_LT(offsetof(DeviceProp13, multiProcessorCount),
            offsetof(cudaDeviceProp, multiProcessorCount));
}

TEST(DeviceProp13, WhatIsReservedIsZero) {
  cudaDeviceProp all;
  std::memset(static_cast<void*>(&all), 0xff, sizeof(all));
  const DeviceProp13 kept = properties_13(all);
  for (const int word : kept.reserved) EXPECT_EQ(word, 0);
}

}  // namespace
}  // namespace paws::cuda
