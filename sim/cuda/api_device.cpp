// SPDX-License-Identifier: MIT
// The device: there is one, and it is what the GPU configuration says.
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <map>
#include <optional>

#include "sim/cuda/call.h"
#include "sim/cuda/device_attributes.h"
#include "sim/cuda/device_prop_13.h"
#include "sim/cuda/image_limits.h"

namespace {

using paws::cuda::call;
using paws::cuda::Runtime;

constexpr int kVersion = 12000;
constexpr std::size_t kConstantBytes = 65536;
/// Local memory that a thread can have ("CUDA C++ Programming Guide", "Compute Capabilities").
constexpr std::size_t kMostStackBytes = std::size_t{512} * 1024;
constexpr const char* kBusId = "0000:01:00.0";

/// What cudaMallocArray() and its kin accept.
void set_image_limits(cudaDeviceProp& p) {
  using namespace paws::cuda;
  p.maxTexture1D = p.maxTexture2D[0] = p.maxTexture2DLinear[0] = kMaxWidth;
  p.maxTexture2D[1] = p.maxTexture2DLinear[1] = kMaxHeight;
  p.maxTexture2DLinear[2] = static_cast<int>(p.memPitch);
  p.maxTexture1DLinear = kMaxLinear;
  p.maxTexture1DMipmap = p.maxTextureCubemap = kMaxSide;
  for (int& side : p.maxTexture3D) side = kMaxSide3d;
  for (int& side : p.maxTexture3DAlt) side = kMaxSide3d;
  for (int i = 0; i < 2; ++i) {
    p.maxTexture2DMipmap[i] = p.maxTexture2DGather[i] = p.maxTexture2DLayered[i] = kMaxSide;
  }
  p.maxTexture1DLayered[0] = p.maxTextureCubemapLayered[0] = kMaxSide;
  p.maxTexture1DLayered[1] = p.maxTexture2DLayered[2] = kMaxLayers;
  p.maxTextureCubemapLayered[1] = kMaxFaces;
  // Surfaces are of arrays, and may be as large.
  p.maxSurface1D = p.maxTexture1D;
  p.maxSurfaceCubemap = p.maxTextureCubemap;
  std::copy_n(p.maxTexture2D, 2, p.maxSurface2D);
  std::copy_n(p.maxTexture3D, 3, p.maxSurface3D);
  std::copy_n(p.maxTexture1DLayered, 2, p.maxSurface1DLayered);
  std::copy_n(p.maxTexture2DLayered, 3, p.maxSurface2DLayered);
  std::copy_n(p.maxTextureCubemapLayered, 2, p.maxSurfaceCubemapLayered);
}

cudaDeviceProp properties_of(const Runtime& runtime, std::size_t memory) {
  const paws::GpuConfig& config = runtime.config();
  const paws::RegisterFile& file = config.frontend.register_file;
  const auto number = [](auto value) { return static_cast<int>(value); };
  cudaDeviceProp p{};
  std::snprintf(p.name, sizeof(p.name), "PAWS %s", config.name.c_str());
  std::memcpy(p.uuid.bytes, "PAWS", 4);
  p.totalGlobalMem = memory;
  p.sharedMemPerMultiprocessor = config.core.shared_bytes;
  p.sharedMemPerBlock = p.sharedMemPerBlockOptin = runtime.block_shared_bytes();
  p.reservedSharedMemPerBlock = config.core.shared_reserved;
  p.regsPerBlock = p.regsPerMultiprocessor = number(file.registers);
  p.warpSize = 32;
  p.memPitch = 0x7fffffff;
  p.maxThreadsPerMultiProcessor = number(file.threads);
  p.maxThreadsPerBlock = std::min(1024, p.maxThreadsPerMultiProcessor);
  p.maxThreadsDim[0] = p.maxThreadsDim[1] = p.maxThreadsPerBlock;
  p.maxThreadsDim[2] = 64;
  p.maxGridSize[0] = 0x7fffffff;
  p.maxGridSize[1] = p.maxGridSize[2] = 65535;
  p.clockRate = number(config.core.clock_mhz * 1000);
  p.totalConstMem = kConstantBytes;
  p.major = number(config.device.capability / 10);
  p.minor = number(config.device.capability % 10);
  p.textureAlignment = 512;
  set_image_limits(p);
  p.texturePitchAlignment = 32;
  p.multiProcessorCount = number(config.cores);
  p.canMapHostMemory = 1;
  p.surfaceAlignment = 512;
  p.concurrentKernels = 1;
  p.deviceOverlap = 1;
  p.asyncEngineCount = number(config.device.copy_engines);
  p.pciBusID = 1;
  p.unifiedAddressing = 1;
  p.memoryClockRate = number(config.dram.clock_mhz * 1000);
  // Two transfers in a clock, each as wide as the bus.
  p.memoryBusWidth = number(config.dram.channels * config.dram.bytes_per_clock * 8 / 2);
  p.l2CacheSize = number(config.l2.bytes);
  p.streamPrioritiesSupported = 1;
  p.globalL1CacheSupported = p.localL1CacheSupported = config.l1.bytes != 0 ? 1 : 0;
  p.managedMemory = 1;
  p.concurrentManagedAccess = 0;
  p.cooperativeLaunch = 1;
  p.maxBlocksPerMultiProcessor = number(config.core.blocks);
  p.hostRegisterSupported = 1;
  p.canUseHostPointerForRegisteredMem = 1;
  p.memoryPoolsSupported = 1;
  p.singleToDoublePrecisionPerfRatio = 2;
  return p;
}

/// The prefix of cudaDeviceProp that CUDA 11 has.
constexpr std::size_t kProp11Bytes = offsetof(cudaDeviceProp, hostRegisterSupported);

template <typename Copy>
cudaError_t properties(const void* to, int device, Copy&& copy) {
  return call([&](Runtime& runtime) {
    if (device != 0) return cudaErrorInvalidDevice;
    if (to == nullptr) return cudaErrorInvalidValue;
    copy(properties_of(runtime, runtime.heap().total()));
    return cudaSuccess;
  });
}

cudaError_t wait_for_all() {
  return call([](Runtime& runtime) {
    const cudaError_t error = runtime.graphs().refuse_all();
    if (error == cudaSuccess) runtime.timeline().host_waits_for_all();
    return error;
  });
}

cudaError_t nothing_to_do() {
  return call([](Runtime&) { return cudaSuccess; });
}

template <typename Value>
cudaError_t give(Value* to, Value value) {
  return call([&](Runtime&) {
    if (to == nullptr) return cudaErrorInvalidValue;
    *to = value;
    return cudaSuccess;
  });
}

cudaError_t device_is(int device) {
  return call([&](Runtime&) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; });
}

}  // namespace

PAWS_CUDA_API cudaError_t cudaGetDeviceCount(int* count) { return give(count, 1); }

PAWS_CUDA_API cudaError_t cudaGetDevice(int* device) { return give(device, 0); }

PAWS_CUDA_API cudaError_t cudaSetDevice(int device) { return device_is(device); }

PAWS_CUDA_API cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) {
  return device_is(device);
}

PAWS_CUDA_API cudaError_t cudaSetValidDevices(int*, int) { return nothing_to_do(); }

PAWS_CUDA_API cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) {
  return give(device, 0);
}

PAWS_CUDA_API cudaError_t cudaSetDeviceFlags(unsigned int) { return nothing_to_do(); }

PAWS_CUDA_API cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  return give<unsigned>(flags, cudaDeviceScheduleAuto | cudaDeviceMapHost);
}

PAWS_CUDA_API cudaError_t cudaGetDeviceProperties_v2(cudaDeviceProp* prop, int device) {
  return properties(prop, device, [prop](const cudaDeviceProp& all) { *prop = all; });
}

/// The call of this name in CUDA 11.
PAWS_CUDA_API cudaError_t paws_cudaGetDeviceProperties_11(cudaDeviceProp* prop, int device) {
  return properties(prop, device,
                    [prop](const cudaDeviceProp& all) { std::memcpy(prop, &all, kProp11Bytes); });
}

/// The call of this name in CUDA 13.
PAWS_CUDA_API cudaError_t paws_cudaGetDeviceProperties_13(void* prop, int device) {
  return properties(prop, device, [prop](const cudaDeviceProp& all) {
    *static_cast<paws::cuda::DeviceProp13*>(prop) = paws::cuda::properties_13(all);
  });
}

PAWS_CUDA_API cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  std::optional<int> found;
  const cudaError_t error = properties(value, device, [&](const cudaDeviceProp& all) {
    found = paws::cuda::attribute_of(all, attribute);
  });
  if (error != cudaSuccess) return error;
  if (!found) return paws::cuda::note(cudaErrorInvalidValue);
  *value = *found;
  return cudaSuccess;
}

PAWS_CUDA_API cudaError_t cudaDeviceSynchronize() { return wait_for_all(); }

PAWS_CUDA_API cudaError_t cudaThreadSynchronize() { return wait_for_all(); }

PAWS_CUDA_API cudaError_t cudaDeviceReset() {
  return call([](Runtime& runtime) {
    runtime.reset();
    return cudaSuccess;
  });
}

PAWS_CUDA_API cudaError_t cudaThreadExit() { return cudaDeviceReset(); }

PAWS_CUDA_API cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return call([&](Runtime& runtime) {
    if (limit < cudaLimitStackSize || limit > cudaLimitPersistingL2CacheSize) {
      return cudaErrorUnsupportedLimit;
    }
    if (limit == cudaLimitStackSize) {
      if (value > kMostStackBytes) return cudaErrorInvalidValue;
      runtime.modules().set_stack_bytes(static_cast<std::uint32_t>(value));
    }
    if (limit == cudaLimitMallocHeapSize) {
      if (runtime.memory().heap().count() != 0) return cudaErrorInvalidValue;
      if (value > runtime.heap().free()) return cudaErrorMemoryAllocation;
      runtime.memory().heap() = paws::DeviceHeap(value);
    }
    runtime.limits()[limit] = value;
    return cudaSuccess;
  });
}

PAWS_CUDA_API cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return call([&](Runtime& runtime) {
    if (value == nullptr) return cudaErrorInvalidValue;
    // The defaults of CUDA.
    std::map<cudaLimit, std::size_t> limits{
        {cudaLimitStackSize, paws::frontend::kDefaultStackBytes},
        {cudaLimitPrintfFifoSize, std::size_t{1} << 20},
        {cudaLimitMallocHeapSize, paws::DeviceHeap::kDefaultBytes}};
    for (const auto& [set, to] : runtime.limits()) limits[set] = to;
    const auto found = limits.find(limit);
    if (found == limits.end()) return cudaErrorUnsupportedLimit;
    *value = found->second;
    return cudaSuccess;
  });
}

PAWS_CUDA_API cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return nothing_to_do(); }

PAWS_CUDA_API cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return give(config, cudaFuncCachePreferNone);
}

PAWS_CUDA_API cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
  return nothing_to_do();
}

PAWS_CUDA_API cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return give(config, cudaSharedMemBankSizeFourByte);
}

PAWS_CUDA_API cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return call([&](Runtime&) {
    if (least != nullptr) *least = paws::cuda::kLeastPriority;
    if (greatest != nullptr) *greatest = paws::cuda::kGreatestPriority;
    return cudaSuccess;
  });
}

PAWS_CUDA_API cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
  return call([&](Runtime&) {
    if (device != 0) return cudaErrorInvalidDevice;
    if (text == nullptr || length <= 0) return cudaErrorInvalidValue;
    std::snprintf(text, static_cast<std::size_t>(length), "%s", kBusId);
    return cudaSuccess;
  });
}

PAWS_CUDA_API cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
  return call([&](Runtime&) {
    if (device == nullptr || text == nullptr) return cudaErrorInvalidValue;
    if (std::strcmp(text, kBusId) != 0) return cudaErrorInvalidDevice;
    *device = 0;
    return cudaSuccess;
  });
}

PAWS_CUDA_API cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) { return give(can, 0); }

PAWS_CUDA_API cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int,
                                                    int) {
  return call([&](Runtime&) {
    const bool known = attribute >= cudaDevP2PAttrPerformanceRank &&
                       attribute <= cudaDevP2PAttrCudaArrayAccessSupported;
    if (value == nullptr || !known) return cudaErrorInvalidValue;
    return cudaErrorInvalidDevice;  // there are no two devices
  });
}

PAWS_CUDA_API cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int) {
  return call([](Runtime&) { return cudaErrorInvalidDevice; });
}

PAWS_CUDA_API cudaError_t cudaDeviceDisablePeerAccess(int) {
  return call([](Runtime&) { return cudaErrorPeerAccessNotEnabled; });
}

PAWS_CUDA_API cudaError_t cudaDriverGetVersion(int* version) { return give(version, kVersion); }

PAWS_CUDA_API cudaError_t cudaRuntimeGetVersion(int* version) { return give(version, kVersion); }

PAWS_CUDA_API cudaError_t cudaProfilerStart() { return nothing_to_do(); }

PAWS_CUDA_API cudaError_t cudaProfilerStop() { return nothing_to_do(); }
