// SPDX-License-Identifier: MIT
// Memory: allocation, copies, symbols. Copies are done when they are called: launches before them
// have ended by then. How long they take is the timeline's.
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "sim/cuda/array_copy.h"
#include "sim/cuda/call.h"
#include "sim/cuda/copy_time.h"
#include "sim/cuda/graphs.h"
#include "sim/cuda/memory_side.h"
#include "sim/ir/kernel.h"

namespace {

using paws::cuda::address_of;
using paws::cuda::check;
using paws::cuda::fits;
using paws::cuda::Heap;
using paws::cuda::kSynchronous;
using paws::cuda::MemoryKind;
using paws::cuda::Runtime;
using paws::cuda::Side;
using paws::cuda::side_of;
using paws::cuda::Submission;
using paws::cuda::submit;
using paws::cuda::VariablePlace;

cudaError_t allocate(Runtime& runtime, MemoryKind kind, void** pointer, std::size_t bytes,
                     const char* call, unsigned flags = 0) {
  if (pointer == nullptr) return cudaErrorInvalidValue;
  *pointer = nullptr;
  const cudaError_t refused = runtime.graphs().refuse_unsafe();
  if (refused != cudaSuccess) return refused;
  if (bytes == 0) return cudaSuccess;
  const std::uint64_t address = runtime.heap().allocate(kind, bytes, call, flags);
  if (address == 0) return cudaErrorMemoryAllocation;
  *pointer = paws::cuda::pointer_to(address);
  return cudaSuccess;
}

cudaError_t release(Runtime& runtime, void* pointer, bool host) {
  if (pointer == nullptr) return cudaSuccess;
  const Heap::Block* block = runtime.heap().find(address_of(pointer));
  if (block == nullptr || block->address != address_of(pointer)) return cudaErrorInvalidValue;
  if (paws::cuda::is_opaque(block->kind)) return cudaErrorInvalidValue;
  const bool pinned = block->kind == MemoryKind::pinned;
  if (block->kind == MemoryKind::registered || pinned != host) return cudaErrorInvalidValue;
  runtime.pools().remove(block->address);
  runtime.heap().release(block->address);
  return cudaSuccess;
}

/// Of a pool's memory.
cudaError_t allocate_from(Runtime& runtime, cudaMemPool_t pool, void** pointer, std::size_t bytes,
                          const char* call) {
  const cudaError_t error = allocate(runtime, MemoryKind::device, pointer, bytes, call);
  if (error == cudaSuccess && *pointer != nullptr) {
    runtime.pools().add(pool, address_of(*pointer), bytes);
  }
  return error;
}

/// As cudaFree() and cudaFreeHost() do: when all work has ended.
cudaError_t wait_and_release(Runtime& runtime, void* pointer, bool host) {
  const cudaError_t refused = runtime.graphs().refuse_unsafe();
  if (refused != cudaSuccess) return refused;
  runtime.timeline().host_waits_for_all();
  return release(runtime, pointer, host);
}

/// A box of memory: `height` rows of so many bytes, in slices.
struct Layout {
  std::size_t pitch = 0, slice = 0;
};

/// No memory is so large.
constexpr std::size_t kTooMuch = std::numeric_limits<std::size_t>::max();

/// a * b, at most kTooMuch.
std::size_t product(std::size_t a, std::size_t b) {
  std::size_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? kTooMuch : result;
}

/// a + b, at most kTooMuch.
std::size_t sum(std::size_t a, std::size_t b) {
  std::size_t result = 0;
  return __builtin_add_overflow(a, b, &result) ? kTooMuch : result;
}

std::size_t extent(const Layout& layout, std::size_t width, std::size_t height, std::size_t depth) {
  return sum(sum(product(depth - 1, layout.slice), product(height - 1, layout.pitch)), width);
}

cudaError_t copy(Runtime& runtime, void* to, const Layout& to_layout, const void* from,
                 const Layout& from_layout, std::size_t width, std::size_t height,
                 std::size_t depth, cudaMemcpyKind kind, const Submission& submission) {
  if (width == 0 || height == 0 || depth == 0) return cudaSuccess;
  if (height > 1 && (to_layout.pitch < width || from_layout.pitch < width)) {
    return cudaErrorInvalidPitchValue;
  }
  const Side target = side_of(runtime, to, extent(to_layout, width, height, depth));
  const Side source = side_of(runtime, from, extent(from_layout, width, height, depth));
  if (const cudaError_t error = check(target, source, kind); error != cudaSuccess) return error;
  for (std::size_t z = 0; z < depth; ++z) {
    for (std::size_t y = 0; y < height; ++y) {
      std::memmove(target.data + z * to_layout.slice + y * to_layout.pitch,
                   source.data + z * from_layout.slice + y * from_layout.pitch, width);
    }
  }
  paws::cuda::time_copy(runtime, target, source, width * height * depth, kind, submission);
  return cudaSuccess;
}

cudaError_t copy(Runtime& runtime, void* to, const void* from, std::size_t bytes,
                 cudaMemcpyKind kind, const Submission& submission) {
  return copy(runtime, to, {bytes, 0}, from, {bytes, 0}, bytes, 1, 1, kind, submission);
}

cudaError_t fill(Runtime& runtime, void* to, const Layout& layout, int value, std::size_t width,
                 std::size_t height, std::size_t depth, const Submission& submission) {
  if (width == 0 || height == 0 || depth == 0) return cudaSuccess;
  if (height > 1 && layout.pitch < width) return cudaErrorInvalidValue;
  const Side target = side_of(runtime, to, extent(layout, width, height, depth));
  if (!fits(target, true)) return cudaErrorInvalidValue;
  for (std::size_t z = 0; z < depth; ++z) {
    for (std::size_t y = 0; y < height; ++y) {
      std::memset(target.data + z * layout.slice + y * layout.pitch, value, width);
    }
  }
  paws::cuda::time_fill(runtime, target, width * height * depth, submission);
  return cudaSuccess;
}

enum class Into { variable, memory };

/// Copies between other memory and `bytes` of a variable from `offset` on.
cudaError_t copy_variable(Runtime& runtime, Into into, const void* symbol, const void* other,
                          std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                          const Submission& submission) {
  VariablePlace place;
  if (!runtime.modules().find_variable(symbol, place)) return cudaErrorInvalidSymbol;
  if (offset > place.bytes || bytes > place.bytes - offset) return cudaErrorInvalidValue;
  if (bytes == 0) return cudaSuccess;
  const Side variable{place.data + offset, true, true, false};
  const Side memory = side_of(runtime, other, bytes);
  const Side& target = into == Into::variable ? variable : memory;
  const Side& source = into == Into::variable ? memory : variable;
  if (const cudaError_t error = check(target, source, kind); error != cudaSuccess) return error;
  std::memmove(target.data, source.data, bytes);
  paws::cuda::time_copy(runtime, target, source, bytes, kind, submission);
  return cudaSuccess;
}

/// Does `work`, which is no node of a graph, if the stream is one.
template <typename Work>
cudaError_t in_stream(cudaStream_t stream, Work&& work) {
  return paws::cuda::call([&](Runtime& runtime) {
    if (!runtime.knows(stream)) return cudaErrorInvalidResourceHandle;
    const cudaError_t error = runtime.graphs().refuse_in(runtime.time_of(stream));
    return error == cudaSuccess ? work(runtime) : error;
  });
}

constexpr std::size_t kPitch = 512;

/// kTooMuch is rounded down, and is too much still.
std::size_t pitch_of(std::size_t width) { return sum(width, kPitch - 1) / kPitch * kPitch; }

/// Whether the process has memory there.
bool is_mapped(const void* pointer, std::size_t bytes) {
  constexpr std::uint64_t kPage = 4096;
  constexpr std::uint64_t kAtOnce = 1024 * kPage;
  const std::uint64_t end = address_of(pointer) + bytes;
  if (end < bytes) return false;
  std::array<unsigned char, kAtOnce / kPage> resident;
  for (std::uint64_t at = address_of(pointer) / kPage * kPage; at < end; at += kAtOnce) {
    void* const part = paws::cuda::pointer_to(at);
    if (mincore(part, std::min(kAtOnce, end - at), resident.data()) != 0) return false;
  }
  return true;
}

}  // namespace

using paws::cuda::call;

// --- allocation ----------------------------------------------------------------------------------

PAWS_CUDA_API cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  return call([&](Runtime& runtime) {
    return allocate(runtime, MemoryKind::device, pointer, bytes, "cudaMalloc");
  });
}

PAWS_CUDA_API cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
  return in_stream(stream, [&](Runtime& runtime) {
    return allocate_from(runtime, runtime.pools().current(), pointer, bytes, "cudaMallocAsync");
  });
}

PAWS_CUDA_API cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool,
                                                  cudaStream_t stream) {
  return in_stream(stream, [&](Runtime& runtime) {
    if (!runtime.pools().knows(pool)) return cudaErrorInvalidValue;
    return allocate_from(runtime, pool, pointer, bytes, "cudaMallocFromPoolAsync");
  });
}

PAWS_CUDA_API cudaError_t cudaFree(void* pointer) {
  return call([&](Runtime& runtime) { return wait_and_release(runtime, pointer, false); });
}

PAWS_CUDA_API cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return in_stream(stream, [&](Runtime& runtime) { return release(runtime, pointer, false); });
}

PAWS_CUDA_API cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned int flags) {
  return call([&](Runtime& runtime) {
    return allocate(runtime, MemoryKind::managed, pointer, bytes, "cudaMallocManaged", flags);
  });
}

PAWS_CUDA_API cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
  return call([&](Runtime& runtime) {
    return allocate(runtime, MemoryKind::pinned, pointer, bytes, "cudaMallocHost");
  });
}

PAWS_CUDA_API cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned int flags) {
  return call([&](Runtime& runtime) {
    return allocate(runtime, MemoryKind::pinned, pointer, bytes, "cudaHostAlloc", flags);
  });
}

PAWS_CUDA_API cudaError_t cudaFreeHost(void* pointer) {
  return call([&](Runtime& runtime) { return wait_and_release(runtime, pointer, true); });
}

PAWS_CUDA_API cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned int flags) {
  return call([&](Runtime& runtime) {
    if (pointer == nullptr || bytes == 0) return cudaErrorInvalidValue;
    const Heap& heap = runtime.heap();
    const std::uint64_t address = address_of(pointer);
    const bool of_nobody = heap.gives(address) && heap.find(address) == nullptr;
    if (of_nobody || !is_mapped(pointer, bytes)) return cudaErrorInvalidValue;
    return runtime.heap().take(MemoryKind::registered, pointer, bytes, "cudaHostRegister", flags)
               ? cudaSuccess
               : cudaErrorHostMemoryAlreadyRegistered;
  });
}

PAWS_CUDA_API cudaError_t cudaHostUnregister(void* pointer) {
  return call([&](Runtime& runtime) {
    const Heap::Block* block = runtime.heap().find(address_of(pointer));
    if (block == nullptr || block->kind != MemoryKind::registered ||
        block->address != address_of(pointer)) {
      return cudaErrorHostMemoryNotRegistered;
    }
    runtime.heap().release(block->address);
    return cudaSuccess;
  });
}

PAWS_CUDA_API cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int) {
  return call([&](Runtime& runtime) {
    const Heap::Block* block = runtime.heap().find(address_of(host));
    if (device == nullptr || block == nullptr || block->kind == MemoryKind::device) {
      return cudaErrorInvalidValue;
    }
    *device = host;
    return cudaSuccess;
  });
}

PAWS_CUDA_API cudaError_t cudaHostGetFlags(unsigned int* flags, void* host) {
  return call([&](Runtime& runtime) {
    const Heap::Block* block = runtime.heap().find(address_of(host));
    if (flags == nullptr || block == nullptr || block->kind != MemoryKind::pinned) {
      return cudaErrorInvalidValue;
    }
    *flags = block->flags | cudaHostAllocMapped;
    return cudaSuccess;
  });
}

PAWS_CUDA_API cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width,
                                          size_t height) {
  return call([&](Runtime& runtime) {
    if (pitch == nullptr) return cudaErrorInvalidValue;
    *pitch = pitch_of(width);
    return allocate(runtime, MemoryKind::device, pointer, product(*pitch, height),
                    "cudaMallocPitch");
  });
}

PAWS_CUDA_API cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
  return call([&](Runtime& runtime) {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    const std::size_t pitch = pitch_of(extent.width);
    *pointer = make_cudaPitchedPtr(nullptr, pitch, extent.width, extent.height);
    return allocate(runtime, MemoryKind::device, &pointer->ptr,
                    product(product(pitch, extent.height), extent.depth), "cudaMalloc3D");
  });
}

PAWS_CUDA_API cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  return call([&](Runtime& runtime) {
    if (free == nullptr || total == nullptr) return cudaErrorInvalidValue;
    *free = runtime.heap().free();
    *total = runtime.heap().total();
    return cudaSuccess;
  });
}

PAWS_CUDA_API cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes,
                                                   const void* pointer) {
  return call([&](Runtime& runtime) {
    if (attributes == nullptr || pointer == nullptr) return cudaErrorInvalidValue;
    *attributes = {cudaMemoryTypeUnregistered, 0, nullptr, nullptr};
    void* same = const_cast<void*>(pointer);
    const Heap::Block* block = runtime.heap().find(address_of(pointer));
    const Side side = side_of(runtime, pointer, 0);
    if (side.managed) {
      *attributes = {cudaMemoryTypeManaged, 0, same, same};
    } else if (side.device) {
      *attributes = {cudaMemoryTypeDevice, 0, same, nullptr};
    } else if (block != nullptr) {
      *attributes = {cudaMemoryTypeHost, 0, same, same};
    } else {
      attributes->hostPointer = same;
    }
    return cudaSuccess;
  });
}

// --- copies --------------------------------------------------------------------------------------

PAWS_CUDA_API cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes,
                                     cudaMemcpyKind kind) {
  return submit(kSynchronous, cudaGraphNodeTypeMemcpy,
                [=](Runtime& runtime, const Submission& submission) {
                  return copy(runtime, to, from, bytes, kind, submission);
                });
}

PAWS_CUDA_API cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes,
                                          cudaMemcpyKind kind, cudaStream_t stream) {
  return submit({stream}, cudaGraphNodeTypeMemcpy,
                [=](Runtime& runtime, const Submission& submission) {
                  return copy(runtime, to, from, bytes, kind, submission);
                });
}

PAWS_CUDA_API cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                                         size_t bytes) {
  return submit(kSynchronous, cudaGraphNodeTypeMemcpy,
                [=](Runtime& runtime, const Submission& submission) {
                  if (to_device != 0 || from_device != 0) return cudaErrorInvalidDevice;
                  return copy(runtime, to, from, bytes, cudaMemcpyDeviceToDevice, submission);
                });
}

PAWS_CUDA_API cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from,
                                              int from_device, size_t bytes, cudaStream_t stream) {
  return submit({stream}, cudaGraphNodeTypeMemcpy,
                [=](Runtime& runtime, const Submission& submission) {
                  if (to_device != 0 || from_device != 0) return cudaErrorInvalidDevice;
                  return copy(runtime, to, from, bytes, cudaMemcpyDeviceToDevice, submission);
                });
}

PAWS_CUDA_API cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from,
                                       size_t from_pitch, size_t width, size_t height,
                                       cudaMemcpyKind kind) {
  return submit(kSynchronous, cudaGraphNodeTypeMemcpy,
                [=](Runtime& runtime, const Submission& submission) {
                  return copy(runtime, to, {to_pitch, 0}, from, {from_pitch, 0}, width, height, 1,
                              kind, submission);
                });
}

PAWS_CUDA_API cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from,
                                            size_t from_pitch, size_t width, size_t height,
                                            cudaMemcpyKind kind, cudaStream_t stream) {
  return submit({stream}, cudaGraphNodeTypeMemcpy,
                [=](Runtime& runtime, const Submission& submission) {
                  return copy(runtime, to, {to_pitch, 0}, from, {from_pitch, 0}, width, height, 1,
                              kind, submission);
                });
}

PAWS_CUDA_API cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  return submit(kSynchronous, cudaGraphNodeTypeMemcpy,
                [=](Runtime& runtime, const Submission& submission) {
                  return paws::cuda::copy_box(runtime, parameters, submission);
                });
}

PAWS_CUDA_API cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters,
                                            cudaStream_t stream) {
  if (parameters == nullptr) return paws::cuda::note(cudaErrorInvalidValue);
  return submit({stream}, cudaGraphNodeTypeMemcpy,
                [copy = *parameters](Runtime& runtime, const Submission& submission) {
                  return paws::cuda::copy_box(runtime, &copy, submission);
                });
}

PAWS_CUDA_API cudaError_t cudaMemset(void* to, int value, size_t bytes) {
  return submit(kSynchronous, cudaGraphNodeTypeMemset,
                [=](Runtime& runtime, const Submission& submission) {
                  return fill(runtime, to, {}, value, bytes, 1, 1, submission);
                });
}

PAWS_CUDA_API cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream) {
  return submit({stream}, cudaGraphNodeTypeMemset,
                [=](Runtime& runtime, const Submission& submission) {
                  return fill(runtime, to, {}, value, bytes, 1, 1, submission);
                });
}

PAWS_CUDA_API cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width,
                                       size_t height) {
  return submit(kSynchronous, cudaGraphNodeTypeMemset,
                [=](Runtime& runtime, const Submission& submission) {
                  return fill(runtime, to, {pitch, 0}, value, width, height, 1, submission);
                });
}

PAWS_CUDA_API cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width,
                                            size_t height, cudaStream_t stream) {
  return submit({stream}, cudaGraphNodeTypeMemset,
                [=](Runtime& runtime, const Submission& submission) {
                  return fill(runtime, to, {pitch, 0}, value, width, height, 1, submission);
                });
}

PAWS_CUDA_API cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
  return submit(kSynchronous, cudaGraphNodeTypeMemset,
                [=](Runtime& runtime, const Submission& submission) {
                  return fill(runtime, to.ptr, {to.pitch, to.pitch * to.ysize}, value, extent.width,
                              extent.height, extent.depth, submission);
                });
}

PAWS_CUDA_API cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int,
                                               cudaStream_t stream) {
  return in_stream(stream, [&](Runtime& runtime) {
    const Side side = side_of(runtime, pointer, bytes);
    return !side.bad && side.managed ? cudaSuccess : cudaErrorInvalidValue;
  });
}

PAWS_CUDA_API cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise, int) {
  return call([&](Runtime& runtime) {
    const Side side = side_of(runtime, pointer, bytes);
    return side.known && !side.bad ? cudaSuccess : cudaErrorInvalidValue;
  });
}

// --- symbols -------------------------------------------------------------------------------------

PAWS_CUDA_API cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes,
                                             size_t offset, cudaMemcpyKind kind) {
  return submit(kSynchronous, cudaGraphNodeTypeMemcpy,
                [=](Runtime& runtime, const Submission& submission) {
                  return copy_variable(runtime, Into::variable, symbol, from, bytes, offset, kind,
                                       submission);
                });
}

PAWS_CUDA_API cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from,
                                                  size_t bytes, size_t offset, cudaMemcpyKind kind,
                                                  cudaStream_t stream) {
  return submit({stream}, cudaGraphNodeTypeMemcpy,
                [=](Runtime& runtime, const Submission& submission) {
                  return copy_variable(runtime, Into::variable, symbol, from, bytes, offset, kind,
                                       submission);
                });
}

PAWS_CUDA_API cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes,
                                               size_t offset, cudaMemcpyKind kind) {
  return submit(
      kSynchronous, cudaGraphNodeTypeMemcpy, [=](Runtime& runtime, const Submission& submission) {
        return copy_variable(runtime, Into::memory, symbol, to, bytes, offset, kind, submission);
      });
}

PAWS_CUDA_API cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes,
                                                    size_t offset, cudaMemcpyKind kind,
                                                    cudaStream_t stream) {
  return submit(
      {stream}, cudaGraphNodeTypeMemcpy, [=](Runtime& runtime, const Submission& submission) {
        return copy_variable(runtime, Into::memory, symbol, to, bytes, offset, kind, submission);
      });
}

PAWS_CUDA_API cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return call([&](Runtime& runtime) {
    VariablePlace place;
    if (pointer == nullptr) return cudaErrorInvalidValue;
    if (!runtime.modules().find_variable(symbol, place)) return cudaErrorInvalidSymbol;
    *pointer = paws::cuda::pointer_to(place.address);
    return cudaSuccess;
  });
}

PAWS_CUDA_API cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
  return call([&](Runtime& runtime) {
    VariablePlace place;
    if (bytes == nullptr) return cudaErrorInvalidValue;
    if (!runtime.modules().find_variable(symbol, place)) return cudaErrorInvalidSymbol;
    *bytes = place.bytes;
    return cudaSuccess;
  });
}
