// SPDX-License-Identifier: MIT
#include "sim/cuda/device_prop_13.h"

#include <cstring>

namespace paws::cuda {

DeviceProp13 properties_13(const cudaDeviceProp& all) {
  DeviceProp13 prop{};
#define PAWS_FIELD(name)                                \
  static_assert(sizeof(prop.name) == sizeof(all.name)); \
  std::memcpy(&prop.name, &all.name, sizeof(prop.name))
  PAWS_FIELD(name);
  PAWS_FIELD(uuid);
  PAWS_FIELD(luid);
  PAWS_FIELD(luidDeviceNodeMask);
  PAWS_FIELD(totalGlobalMem);
  PAWS_FIELD(sharedMemPerBlock);
  PAWS_FIELD(regsPerBlock);
  PAWS_FIELD(warpSize);
  PAWS_FIELD(memPitch);
  PAWS_FIELD(maxThreadsPerBlock);
  PAWS_FIELD(maxThreadsDim);
  PAWS_FIELD(maxGridSize);
  PAWS_FIELD(totalConstMem);
  PAWS_FIELD(major);
  PAWS_FIELD(minor);
  PAWS_FIELD(textureAlignment);
  PAWS_FIELD(texturePitchAlignment);
  PAWS_FIELD(multiProcessorCount);
  PAWS_FIELD(integrated);
  PAWS_FIELD(canMapHostMemory);
  PAWS_FIELD(maxTexture1D);
  PAWS_FIELD(maxTexture1DMipmap);
  PAWS_FIELD(maxTexture2D);
  PAWS_FIELD(maxTexture2DMipmap);
  PAWS_FIELD(maxTexture2DLinear);
  PAWS_FIELD(maxTexture2DGather);
  PAWS_FIELD(maxTexture3D);
  PAWS_FIELD(maxTexture3DAlt);
  PAWS_FIELD(maxTextureCubemap);
  PAWS_FIELD(maxTexture1DLayered);
  PAWS_FIELD(maxTexture2DLayered);
  PAWS_FIELD(maxTextureCubemapLayered);
  PAWS_FIELD(maxSurface1D);
  PAWS_FIELD(maxSurface2D);
  PAWS_FIELD(maxSurface3D);
  PAWS_FIELD(maxSurface1DLayered);
  PAWS_FIELD(maxSurface2DLayered);
  PAWS_FIELD(maxSurfaceCubemap);
  PAWS_FIELD(maxSurfaceCubemapLayered);
  PAWS_FIELD(surfaceAlignment);
  PAWS_FIELD(concurrentKernels);
  PAWS_FIELD(ECCEnabled);
  PAWS_FIELD(pciBusID);
  PAWS_FIELD(pciDeviceID);
  PAWS_FIELD(pciDomainID);
  PAWS_FIELD(tccDriver);
  PAWS_FIELD(asyncEngineCount);
  PAWS_FIELD(unifiedAddressing);
  PAWS_FIELD(memoryBusWidth);
  PAWS_FIELD(l2CacheSize);
  PAWS_FIELD(persistingL2CacheMaxSize);
  PAWS_FIELD(maxThreadsPerMultiProcessor);
  PAWS_FIELD(streamPrioritiesSupported);
  PAWS_FIELD(globalL1CacheSupported);
  PAWS_FIELD(localL1CacheSupported);
  PAWS_FIELD(sharedMemPerMultiprocessor);
  PAWS_FIELD(regsPerMultiprocessor);
  PAWS_FIELD(managedMemory);
  PAWS_FIELD(isMultiGpuBoard);
  PAWS_FIELD(multiGpuBoardGroupID);
  PAWS_FIELD(hostNativeAtomicSupported);
  PAWS_FIELD(pageableMemoryAccess);
  PAWS_FIELD(concurrentManagedAccess);
  PAWS_FIELD(computePreemptionSupported);
  PAWS_FIELD(canUseHostPointerForRegisteredMem);
  PAWS_FIELD(cooperativeLaunch);
  PAWS_FIELD(sharedMemPerBlockOptin);
  PAWS_FIELD(pageableMemoryAccessUsesHostPageTables);
  PAWS_FIELD(directManagedMemAccessFromHost);
  PAWS_FIELD(maxBlocksPerMultiProcessor);
  PAWS_FIELD(accessPolicyMaxWindowSize);
  PAWS_FIELD(reservedSharedMemPerBlock);
  PAWS_FIELD(hostRegisterSupported);
  PAWS_FIELD(sparseCudaArraySupported);
  PAWS_FIELD(hostRegisterReadOnlySupported);
  PAWS_FIELD(timelineSemaphoreInteropSupported);
  PAWS_FIELD(memoryPoolsSupported);
  PAWS_FIELD(gpuDirectRDMASupported);
  PAWS_FIELD(gpuDirectRDMAFlushWritesOptions);
  PAWS_FIELD(gpuDirectRDMAWritesOrdering);
  PAWS_FIELD(memoryPoolSupportedHandleTypes);
  PAWS_FIELD(deferredMappingCudaArraySupported);
  PAWS_FIELD(ipcEventSupported);
  PAWS_FIELD(clusterLaunch);
  PAWS_FIELD(unifiedFunctionPointers);
#undef PAWS_FIELD
  return prop;
}

}  // namespace paws::cuda
