// SPDX-License-Identifier: MIT
// Memory pools of the device. Allocations from them are in api_memory.cpp.
#include "sim/cuda/call.h"

namespace {

using paws::cuda::call;
using paws::cuda::MemPools;
using paws::cuda::Runtime;

cudaError_t give_pool(cudaMemPool_t* pool, int device, cudaMemPool_t (MemPools::*which)() const) {
  return call([&](Runtime& runtime) {
    if (device != 0) return cudaErrorInvalidDevice;
    if (pool == nullptr) return cudaErrorInvalidValue;
    *pool = (runtime.pools().*which)();
    return cudaSuccess;
  });
}

/// Does `work` with a pool that is one.
template <typename Work>
cudaError_t with_pool(cudaMemPool_t pool, Work&& work) {
  return call([&](Runtime& runtime) {
    return runtime.pools().knows(pool) ? work(runtime.pools()) : cudaErrorInvalidValue;
  });
}

}  // namespace

PAWS_CUDA_API cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return give_pool(pool, device, &MemPools::default_pool);
}

PAWS_CUDA_API cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return give_pool(pool, device, &MemPools::current);
}

PAWS_CUDA_API cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return with_pool(pool, [&](MemPools& pools) {
    if (device != 0) return cudaErrorInvalidDevice;
    pools.make_current(pool);
    return cudaSuccess;
  });
}

PAWS_CUDA_API cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool,
                                            const cudaMemPoolProps* properties) {
  return call([&](Runtime& runtime) {
    if (pool == nullptr || properties == nullptr ||
        properties->allocType != cudaMemAllocationTypePinned) {
      return cudaErrorInvalidValue;
    }
    if (properties->location.type != cudaMemLocationTypeDevice ||
        properties->handleTypes != cudaMemHandleTypeNone) {
      paws::cuda::tell(
          "cudaMemPoolCreate: only pools of the device's memory without handles "
          "for other processes are supported");
      return cudaErrorNotSupported;
    }
    if (properties->location.id != 0) return cudaErrorInvalidDevice;
    *pool = runtime.pools().create();
    return cudaSuccess;
  });
}

PAWS_CUDA_API cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return with_pool(pool, [&](MemPools& pools) {
    if (pool == pools.default_pool()) return cudaErrorInvalidValue;
    pools.destroy(pool);
    return cudaSuccess;
  });
}

PAWS_CUDA_API cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute,
                                                  void* value) {
  return with_pool(pool, [&](MemPools&) {
    if (value == nullptr) return cudaErrorInvalidValue;
    const std::uint64_t number = MemPools::is_int(attribute)
                                     ? static_cast<std::uint64_t>(*static_cast<int*>(value))
                                     : *static_cast<std::uint64_t*>(value);
    return MemPools::set(pool, attribute, number) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

PAWS_CUDA_API cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute,
                                                  void* value) {
  return with_pool(pool, [&](MemPools&) {
    const auto number = MemPools::get(pool, attribute);
    if (value == nullptr || !number) return cudaErrorInvalidValue;
    if (MemPools::is_int(attribute)) {
      *static_cast<int*>(value) = static_cast<int>(*number);
    } else {
      *static_cast<std::uint64_t*>(value) = *number;
    }
    return cudaSuccess;
  });
}

PAWS_CUDA_API cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  return with_pool(pool, [](MemPools&) { return cudaSuccess; });
}
