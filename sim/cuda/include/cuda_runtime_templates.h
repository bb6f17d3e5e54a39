// SPDX-License-Identifier: MIT
// Overloads of the runtime API for C++: typed pointers, kernels and symbols as they are written.
#pragma once

#include "cuda_runtime_api.h"

/// Of a pointer, also one to constants.
template <typename Type>
static inline void** paws_place(Type** pointer) {
  return static_cast<void**>(static_cast<void*>(pointer));
}

template <typename Type>
static inline cudaError_t cudaMalloc(Type** pointer, size_t bytes) {
  return ::cudaMalloc(paws_place(pointer), bytes);
}
template <typename Type>
static inline cudaError_t cudaMallocManaged(Type** pointer, size_t bytes,
                                            unsigned int flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged(paws_place(pointer), bytes, flags);
}
template <typename Type>
static inline cudaError_t cudaMallocHost(Type** pointer, size_t bytes, unsigned int flags = 0) {
  return ::cudaHostAlloc(paws_place(pointer), bytes, flags);
}
template <typename Type>
static inline cudaError_t cudaHostAlloc(Type** pointer, size_t bytes, unsigned int flags) {
  return ::cudaHostAlloc(paws_place(pointer), bytes, flags);
}
template <typename Type>
static inline cudaError_t cudaHostGetDevicePointer(Type** device, void* host, unsigned int flags) {
  return ::cudaHostGetDevicePointer(paws_place(device), host, flags);
}
template <typename Type>
static inline cudaError_t cudaMallocPitch(Type** pointer, size_t* pitch, size_t width,
                                          size_t height) {
  return ::cudaMallocPitch(paws_place(pointer), pitch, width, height);
}
template <typename Type>
static inline cudaError_t cudaMallocAsync(Type** pointer, size_t bytes, cudaStream_t stream) {
  return ::cudaMallocAsync(paws_place(pointer), bytes, stream);
}
template <typename Type>
static inline cudaError_t cudaMallocFromPoolAsync(Type** pointer, size_t bytes, cudaMemPool_t pool,
                                                  cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(paws_place(pointer), bytes, pool, stream);
}
template <typename Type>
static inline cudaError_t cudaMallocAsync(Type** pointer, size_t bytes, cudaMemPool_t pool,
                                          cudaStream_t stream) {
  return cudaMallocFromPoolAsync(pointer, bytes, pool, stream);
}
template <typename Type>
static inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, Type* pointer,
                                                   size_t bytes = 0,
                                                   unsigned int flags = cudaMemAttachSingle) {
  return ::cudaStreamAttachMemAsync(stream, static_cast<void*>(pointer), bytes, flags);
}

// CUDA 13 names a place of memory by its type and number.
static inline cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes,
                                               cudaMemLocation place, unsigned int /*flags*/,
                                               cudaStream_t stream = nullptr) {
  const bool device = place.type == cudaMemLocationTypeDevice;
  return ::cudaMemPrefetchAsync(pointer, bytes, device ? place.id : cudaCpuDeviceId, stream);
}
static inline cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                                        cudaMemLocation place) {
  const bool device = place.type == cudaMemLocationTypeDevice;
  return ::cudaMemAdvise(pointer, bytes, advice, device ? place.id : cudaCpuDeviceId);
}

template <typename Symbol>
static inline cudaError_t cudaMemcpyToSymbol(const Symbol& symbol, const void* from, size_t bytes,
                                             size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol(reinterpret_cast<const void*>(&symbol), from, bytes, offset, kind);
}
template <typename Symbol>
static inline cudaError_t cudaMemcpyFromSymbol(void* to, const Symbol& symbol, size_t bytes,
                                               size_t offset = 0,
                                               cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(to, reinterpret_cast<const void*>(&symbol), bytes, offset, kind);
}
template <typename Symbol>
static inline cudaError_t cudaMemcpyToSymbolAsync(const Symbol& symbol, const void* from,
                                                  size_t bytes, size_t offset = 0,
                                                  cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                  cudaStream_t stream = nullptr) {
  return ::cudaMemcpyToSymbolAsync(reinterpret_cast<const void*>(&symbol), from, bytes, offset,
                                   kind, stream);
}
template <typename Symbol>
static inline cudaError_t cudaMemcpyFromSymbolAsync(void* to, const Symbol& symbol, size_t bytes,
                                                    size_t offset = 0,
                                                    cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                    cudaStream_t stream = nullptr) {
  return ::cudaMemcpyFromSymbolAsync(to, reinterpret_cast<const void*>(&symbol), bytes, offset,
                                     kind, stream);
}
template <typename Symbol>
static inline cudaError_t cudaGetSymbolAddress(void** pointer, const Symbol& symbol) {
  return ::cudaGetSymbolAddress(pointer, reinterpret_cast<const void*>(&symbol));
}
template <typename Symbol>
static inline cudaError_t cudaGetSymbolSize(size_t* bytes, const Symbol& symbol) {
  return ::cudaGetSymbolSize(bytes, reinterpret_cast<const void*>(&symbol));
}

static inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  return ::cudaEventCreateWithFlags(event, flags);
}

// Of CUDA 11.
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* made, cudaGraph_t graph,
                                               cudaGraphNode_t* errorNode, char* log,
                                               size_t bytes) {
  if (errorNode != nullptr) *errorNode = nullptr;
  if (log != nullptr && bytes != 0) *log = 0;
  return ::cudaGraphInstantiate(made, graph, 0);
}
static inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t made, cudaGraph_t graph,
                                              cudaGraphNode_t* errorNode,
                                              cudaGraphExecUpdateResult* result) {
  cudaGraphExecUpdateResultInfo info;
  const cudaError_t error = ::cudaGraphExecUpdate(made, graph, &info);
  if (errorNode != nullptr) *errorNode = info.errorNode;
  if (result != nullptr) *result = info.result;
  return error;
}

template <typename Function>
static inline cudaError_t cudaLaunchKernel(Function* function, dim3 grid, dim3 block,
                                           void** arguments, size_t shared = 0,
                                           cudaStream_t stream = nullptr) {
  return ::cudaLaunchKernel(reinterpret_cast<const void*>(function), grid, block, arguments, shared,
                            stream);
}
template <typename Function>
static inline cudaError_t cudaLaunchCooperativeKernel(Function* function, dim3 grid, dim3 block,
                                                      void** arguments, size_t shared = 0,
                                                      cudaStream_t stream = nullptr) {
  return ::cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(function), grid, block,
                                       arguments, shared, stream);
}
template <typename... Parameters, typename... Arguments>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config,
                                             void (*kernel)(Parameters...),
                                             Arguments&&... arguments) {
  return [&](Parameters... values) {
    void* pointers[] = {&values..., nullptr};
    return ::cudaLaunchKernelExC(config, reinterpret_cast<const void*>(kernel), pointers);
  }(static_cast<Arguments&&>(arguments)...);
}
template <typename Function>
static inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes,
                                                Function* function) {
  return ::cudaFuncGetAttributes(attributes, reinterpret_cast<const void*>(function));
}
template <typename Function>
static inline cudaError_t cudaFuncSetAttribute(Function* function, cudaFuncAttribute attribute,
                                               int value) {
  return ::cudaFuncSetAttribute(reinterpret_cast<const void*>(function), attribute, value);
}
template <typename Function>
static inline cudaError_t cudaFuncSetCacheConfig(Function* function, cudaFuncCache config) {
  return ::cudaFuncSetCacheConfig(reinterpret_cast<const void*>(function), config);
}
template <typename Function>
static inline cudaError_t cudaFuncGetName(const char** name, Function* function) {
  return ::cudaFuncGetName(name, reinterpret_cast<const void*>(function));
}
template <typename Function>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks,
                                                                        Function function,
                                                                        int threads,
                                                                        size_t shared) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      blocks, reinterpret_cast<const void*>(function), threads, shared);
}
template <typename Function>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, Function function, int threads, size_t shared, unsigned int flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, reinterpret_cast<const void*>(function), threads, shared, flags);
}
template <typename Function>
static inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* shared,
                                                                    Function* function, int blocks,
                                                                    int threads) {
  return ::cudaOccupancyAvailableDynamicSMemPerBlock(
      shared, reinterpret_cast<const void*>(function), blocks, threads);
}

/// The block size, a multiple of a warp, with which most threads are resident, the largest of
/// several; and the blocks that fill the device then.
template <typename Function, typename SharedOfThreads>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* blocks, int* threads,
                                                                         Function function,
                                                                         SharedOfThreads shared,
                                                                         int limit = 0) {
  int cores = 0;
  cudaError_t error = cudaDeviceGetAttribute(&cores, cudaDevAttrMultiProcessorCount, 0);
  cudaFuncAttributes attributes;
  if (error == cudaSuccess) error = cudaFuncGetAttributes(&attributes, function);
  if (error != cudaSuccess) return error;
  const int most =
      limit > 0 && limit < attributes.maxThreadsPerBlock ? limit : attributes.maxThreadsPerBlock;
  int best = 0;
  for (int size = most; size > 0; size = size > 32 ? (size - 1) / 32 * 32 : 0) {
    int resident = 0;
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, function, size, shared(size));
    if (error != cudaSuccess) return error;
    if (resident * size <= best) continue;
    best = resident * size;
    *threads = size;
    *blocks = resident * cores;
  }
  return cudaSuccess;
}
template <typename Function, typename SharedOfThreads>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int* blocks, int* threads, Function function, SharedOfThreads shared, int limit = 0,
    unsigned int = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(blocks, threads, function, shared, limit);
}
template <typename Function>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* blocks, int* threads,
                                                             Function function, size_t shared = 0,
                                                             int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      blocks, threads, function, [shared](int) { return shared; }, limit);
}
template <typename Function>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* blocks, int* threads,
                                                                      Function function,
                                                                      size_t shared = 0,
                                                                      int limit = 0,
                                                                      unsigned int = 0) {
  return cudaOccupancyMaxPotentialBlockSize(blocks, threads, function, shared, limit);
}
