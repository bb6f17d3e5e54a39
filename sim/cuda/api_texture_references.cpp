// SPDX-License-Identifier: MIT
// Texture references: variables of a program's modules that are bound to memory, as they were until
// CUDA 11. What a bound one holds is what the handle of a texture object points to.
#include <algorithm>
#include <cstring>
#include <map>

#include "sim/cuda/call.h"

namespace {

using paws::cuda::call;
using paws::cuda::Runtime;
using paws::cuda::VariablePlace;
using paws::exec::ImageDescriptor;

static_assert(sizeof(ImageDescriptor) <= paws::ir::kTextureReferenceBytes);

/// What the registration says of a reference, and where it is bound to.
struct Reference {
  bool normalized_values = false;
  std::size_t offset = 0;  ///< of the last binding to linear memory
};

/// With the runtime's lock held.
std::map<const textureReference*, Reference>& references() {
  static std::map<const textureReference*, Reference> all;
  return all;
}

/// The device's variable of a reference; null: there is none.
std::byte* variable_of(Runtime& runtime, const textureReference* reference) {
  VariablePlace place;
  if (!references().contains(reference) || !runtime.modules().find_variable(reference, place)) {
    return nullptr;
  }
  return place.data;
}

cudaError_t bind(Runtime& runtime, const textureReference* reference,
                 const cudaResourceDesc& resource) {
  std::byte* const variable = variable_of(runtime, reference);
  if (variable == nullptr) return cudaErrorInvalidTexture;
  cudaTextureDesc texture{};
  std::copy_n(reference->addressMode, 3, texture.addressMode);
  texture.filterMode = reference->filterMode;
  texture.readMode = references()[reference].normalized_values ? cudaReadModeNormalizedFloat
                                                               : cudaReadModeElementType;
  texture.sRGB = reference->sRGB;
  texture.normalizedCoords = reference->normalized;
  texture.maxAnisotropy = reference->maxAnisotropy;
  texture.mipmapFilterMode = reference->mipmapFilterMode;
  texture.mipmapLevelBias = reference->mipmapLevelBias;
  texture.minMipmapLevelClamp = reference->minMipmapLevelClamp;
  texture.maxMipmapLevelClamp = reference->maxMipmapLevelClamp;
  ImageDescriptor image;
  const cudaError_t error = runtime.images().describe(resource, texture, image);
  if (error == cudaSuccess) std::memcpy(variable, &image, sizeof(image));
  return error;
}

/// Where a texture of the memory at `pointer` begins, as aligned as textures must be; the kernel
/// adds the rest, which goes to `offset`.
cudaError_t align(const void* pointer, std::size_t* offset, const textureReference* reference,
                  void*& base) {
  constexpr std::size_t kAlign = 256;  // of what cudaMalloc() gives, too
  const std::size_t rest = reinterpret_cast<std::uintptr_t>(pointer) % kAlign;
  if (rest != 0 && offset == nullptr) return cudaErrorInvalidValue;
  if (offset != nullptr) *offset = rest;
  references()[reference].offset = rest;
  base = static_cast<std::byte*>(const_cast<void*>(pointer)) - rest;
  return cudaSuccess;
}

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier): the compiler's name.
PAWS_CUDA_API void __cudaRegisterTexture(void** handle, const textureReference* reference,
                                         const void**, const char* name, int /*dimension*/,
                                         int normalized, int) {
  Runtime& runtime = Runtime::instance();
  const std::lock_guard<std::recursive_mutex> held(runtime.lock());
  references()[reference] = {normalized == cudaReadModeNormalizedFloat};
  runtime.modules().add_variable(reinterpret_cast<paws::cuda::Module*>(handle), reference,
                                 {nullptr, name, paws::ir::kTextureReferenceBytes});
}
// NOLINTEND(bugprone-reserved-identifier)

PAWS_CUDA_API cudaError_t cudaBindTexture(size_t* offset, const textureReference* reference,
                                          const void* pointer,
                                          const cudaChannelFormatDesc* channels, size_t bytes) {
  return call([&](Runtime& runtime) {
    if (variable_of(runtime, reference) == nullptr) return cudaErrorInvalidTexture;
    if (channels == nullptr) return cudaErrorInvalidValue;
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    auto& linear = resource.res.linear;
    if (const cudaError_t error = align(pointer, offset, reference, linear.devPtr);
        error != cudaSuccess) {
      return error;
    }
    // Without a size, and with one that is too large, it ends where the memory does.
    const auto address = reinterpret_cast<std::uint64_t>(linear.devPtr);
    const paws::cuda::Heap::Block* const block = runtime.heap().find(address);
    if (block == nullptr) return cudaErrorInvalidValue;
    linear.desc = *channels;
    linear.sizeInBytes = std::min<std::uint64_t>(bytes + references()[reference].offset,
                                                 block->bytes - (address - block->address));
    return bind(runtime, reference, resource);
  });
}

PAWS_CUDA_API cudaError_t cudaBindTexture2D(size_t* offset, const textureReference* reference,
                                            const void* pointer,
                                            const cudaChannelFormatDesc* channels, size_t width,
                                            size_t height, size_t pitch) {
  return call([&](Runtime& runtime) {
    if (variable_of(runtime, reference) == nullptr) return cudaErrorInvalidTexture;
    if (channels == nullptr) return cudaErrorInvalidValue;
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypePitch2D;
    auto& rows = resource.res.pitch2D;
    if (const cudaError_t error = align(pointer, offset, reference, rows.devPtr);
        error != cudaSuccess) {
      return error;
    }
    rows.desc = *channels;
    rows.width = width;
    rows.height = height;
    rows.pitchInBytes = pitch;
    return bind(runtime, reference, resource);
  });
}

PAWS_CUDA_API cudaError_t cudaBindTextureToArray(const textureReference* reference,
                                                 cudaArray_const_t array,
                                                 const cudaChannelFormatDesc* channels) {
  return call([&](Runtime& runtime) {
    if (channels == nullptr) return cudaErrorInvalidValue;
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = const_cast<cudaArray_t>(array);
    return bind(runtime, reference, resource);
  });
}

PAWS_CUDA_API cudaError_t cudaBindTextureToMipmappedArray(const textureReference* reference,
                                                          cudaMipmappedArray_const_t array,
                                                          const cudaChannelFormatDesc* channels) {
  return call([&](Runtime& runtime) {
    if (channels == nullptr) return cudaErrorInvalidValue;
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = const_cast<cudaMipmappedArray_t>(array);
    return bind(runtime, reference, resource);
  });
}

PAWS_CUDA_API cudaError_t cudaUnbindTexture(const textureReference* reference) {
  return call([&](Runtime& runtime) {
    std::byte* const variable = variable_of(runtime, reference);
    if (variable == nullptr) return cudaErrorInvalidTexture;
    std::memset(variable, 0, sizeof(ImageDescriptor));
    return cudaSuccess;
  });
}

PAWS_CUDA_API cudaError_t cudaGetTextureAlignmentOffset(size_t* offset,
                                                        const textureReference* reference) {
  return call([&](Runtime&) {
    const auto found = references().find(reference);
    if (offset == nullptr || found == references().end()) return cudaErrorInvalidTexture;
    *offset = found->second.offset;
    return cudaSuccess;
  });
}

PAWS_CUDA_API cudaError_t cudaGetTextureReference(const textureReference** reference,
                                                  const void* symbol) {
  return call([&](Runtime&) {
    const auto found = references().find(static_cast<const textureReference*>(symbol));
    if (reference == nullptr || found == references().end()) return cudaErrorInvalidTexture;
    *reference = found->first;
    return cudaSuccess;
  });
}
