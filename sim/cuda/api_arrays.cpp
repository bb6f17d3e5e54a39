// SPDX-License-Identifier: MIT
// Arrays: allocation, copies, what they are.
#include "sim/cuda/array_copy.h"
#include "sim/cuda/call.h"

namespace {

using paws::cuda::BoxSide;
using paws::cuda::call;
using paws::cuda::kSynchronous;
using paws::cuda::Runtime;
using paws::cuda::Submission;

BoxSide in_array(cudaArray_const_t array, std::size_t x, std::size_t y) {
  BoxSide side;
  side.array = array;
  side.x = x;
  side.y = y;
  return side;
}

BoxSide in_rows(const void* pointer, std::size_t pitch) {
  BoxSide side;
  side.pointer = pointer;
  side.pitch = pitch;
  return side;
}

cudaError_t copy(const BoxSide& to, const BoxSide& from, std::size_t width, std::size_t height,
                 cudaMemcpyKind kind, const Submission& submission) {
  return submit(submission, cudaGraphNodeTypeMemcpy,
                [=](Runtime& runtime, const Submission& later) {
                  return paws::cuda::copy_box(runtime, to, from, width, height, 1, kind, later);
                });
}

cudaError_t copy_rows(const BoxSide& to, const BoxSide& from, std::size_t bytes,
                      cudaMemcpyKind kind, const Submission& submission) {
  return submit(submission, cudaGraphNodeTypeMemcpy,
                [=](Runtime& runtime, const Submission& later) {
                  return paws::cuda::copy_rows(runtime, to, from, bytes, kind, later);
                });
}

}  // namespace

// --- allocation ----------------------------------------------------------------------------------

PAWS_CUDA_API cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                          cudaChannelFormatKind f) {
  return {x, y, z, w, f};
}

PAWS_CUDA_API cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* desc,
                                          size_t width, size_t height, unsigned int flags) {
  return call([&](Runtime& runtime) {
    return runtime.images().allocate(array, desc, {width, height, 0}, flags, "cudaMallocArray");
  });
}

PAWS_CUDA_API cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* desc,
                                            cudaExtent extent, unsigned int flags) {
  return call([&](Runtime& runtime) {
    return runtime.images().allocate(array, desc, extent, flags, "cudaMalloc3DArray");
  });
}

PAWS_CUDA_API cudaError_t cudaFreeArray(cudaArray_t array) {
  return call([&](Runtime& runtime) {
    runtime.timeline().host_waits_for_all();
    return runtime.images().release(array);
  });
}

PAWS_CUDA_API cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array,
                                                   const cudaChannelFormatDesc* desc,
                                                   cudaExtent extent, unsigned int levels,
                                                   unsigned int flags) {
  return call([&](Runtime& runtime) {
    return runtime.images().allocate(array, desc, extent, levels, flags);
  });
}

PAWS_CUDA_API cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array) {
  return call([&](Runtime& runtime) {
    runtime.timeline().host_waits_for_all();
    return runtime.images().release(array);
  });
}

PAWS_CUDA_API cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* level,
                                                     cudaMipmappedArray_const_t array,
                                                     unsigned int number) {
  return call([&](Runtime& runtime) {
    if (level == nullptr || !runtime.images().knows(array) || number >= array->levels.size()) {
      return cudaErrorInvalidValue;
    }
    *level = array->levels[number].get();
    return cudaSuccess;
  });
}

PAWS_CUDA_API cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* desc, cudaExtent* extent,
                                           unsigned int* flags, cudaArray_t array) {
  return call([&](Runtime& runtime) {
    if (!runtime.images().knows(array)) return cudaErrorInvalidResourceHandle;
    if (desc != nullptr) *desc = array->channels;
    if (extent != nullptr) *extent = array->extent;
    if (flags != nullptr) *flags = array->flags;
    return cudaSuccess;
  });
}

PAWS_CUDA_API cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* desc, cudaArray_const_t array) {
  return call([&](Runtime& runtime) {
    if (desc == nullptr || !runtime.images().knows(array)) return cudaErrorInvalidValue;
    *desc = array->channels;
    return cudaSuccess;
  });
}

// --- copies --------------------------------------------------------------------------------------

PAWS_CUDA_API cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from,
                                              size_t pitch, size_t width, size_t height,
                                              cudaMemcpyKind kind) {
  return copy(in_array(to, x, y), in_rows(from, pitch), width, height, kind, kSynchronous);
}

PAWS_CUDA_API cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y,
                                                   const void* from, size_t pitch, size_t width,
                                                   size_t height, cudaMemcpyKind kind,
                                                   cudaStream_t stream) {
  return copy(in_array(to, x, y), in_rows(from, pitch), width, height, kind, {stream});
}

PAWS_CUDA_API cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from,
                                                size_t x, size_t y, size_t width, size_t height,
                                                cudaMemcpyKind kind) {
  return copy(in_rows(to, pitch), in_array(from, x, y), width, height, kind, kSynchronous);
}

PAWS_CUDA_API cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from,
                                                     size_t x, size_t y, size_t width,
                                                     size_t height, cudaMemcpyKind kind,
                                                     cudaStream_t stream) {
  return copy(in_rows(to, pitch), in_array(from, x, y), width, height, kind, {stream});
}

PAWS_CUDA_API cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                                   cudaArray_const_t from, size_t from_x,
                                                   size_t from_y, size_t width, size_t height,
                                                   cudaMemcpyKind kind) {
  return copy(in_array(to, to_x, to_y), in_array(from, from_x, from_y), width, height, kind,
              kSynchronous);
}

PAWS_CUDA_API cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from,
                                            size_t bytes, cudaMemcpyKind kind) {
  return copy_rows(in_array(to, x, y), in_rows(from, 0), bytes, kind, kSynchronous);
}

PAWS_CUDA_API cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y,
                                                 const void* from, size_t bytes,
                                                 cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_rows(in_array(to, x, y), in_rows(from, 0), bytes, kind, {stream});
}

PAWS_CUDA_API cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y,
                                              size_t bytes, cudaMemcpyKind kind) {
  return copy_rows(in_rows(to, 0), in_array(from, x, y), bytes, kind, kSynchronous);
}

PAWS_CUDA_API cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x,
                                                   size_t y, size_t bytes, cudaMemcpyKind kind,
                                                   cudaStream_t stream) {
  return copy_rows(in_rows(to, 0), in_array(from, x, y), bytes, kind, {stream});
}
