// SPDX-License-Identifier: MIT
// Texture references, as CUDA 11 has them for C++ ("CUDA C++ Programming Guide", "Texture Reference
// API"). clang makes a .texref of such a variable, whose address is what a fetch needs.
#pragma once

#include "channel_descriptor.h"
#include "cuda_runtime_api.h"

template <class Type, int Dimension = cudaTextureType1D,
          enum cudaTextureReadMode Mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
  texture(int with_normalized = 0, enum cudaTextureFilterMode filter = cudaFilterModePoint,
          enum cudaTextureAddressMode mode = cudaAddressModeClamp)
      : texture(with_normalized, filter, mode, cudaCreateChannelDesc<Type>()) {}
  texture(int with_normalized, enum cudaTextureFilterMode filter, enum cudaTextureAddressMode mode,
          const cudaChannelFormatDesc& channels)
      : textureReference{} {
    normalized = with_normalized;
    filterMode = filter;
    for (enum cudaTextureAddressMode& each : addressMode) each = mode;
    channelDesc = channels;
  }
};

template <class Type, int Dimension, enum cudaTextureReadMode Mode>
static inline cudaError_t cudaBindTexture(size_t* offset,
                                          const texture<Type, Dimension, Mode>& reference,
                                          const void* pointer,
                                          const cudaChannelFormatDesc& channels,
                                          size_t bytes = 0xffffffffU) {
  return ::cudaBindTexture(offset, static_cast<const textureReference*>(&reference), pointer,
                           &channels, bytes);
}
template <class Type, int Dimension, enum cudaTextureReadMode Mode>
static inline cudaError_t cudaBindTexture(size_t* offset,
                                          const texture<Type, Dimension, Mode>& reference,
                                          const void* pointer, size_t bytes = 0xffffffffU) {
  return cudaBindTexture(offset, reference, pointer, reference.channelDesc, bytes);
}
template <class Type, int Dimension, enum cudaTextureReadMode Mode>
static inline cudaError_t cudaBindTexture2D(size_t* offset,
                                            const texture<Type, Dimension, Mode>& reference,
                                            const void* pointer,
                                            const cudaChannelFormatDesc& channels, size_t width,
                                            size_t height, size_t pitch) {
  return ::cudaBindTexture2D(offset, static_cast<const textureReference*>(&reference), pointer,
                             &channels, width, height, pitch);
}
template <class Type, int Dimension, enum cudaTextureReadMode Mode>
static inline cudaError_t cudaBindTexture2D(size_t* offset,
                                            const texture<Type, Dimension, Mode>& reference,
                                            const void* pointer, size_t width, size_t height,
                                            size_t pitch) {
  return cudaBindTexture2D(offset, reference, pointer, reference.channelDesc, width, height, pitch);
}
template <class Type, int Dimension, enum cudaTextureReadMode Mode>
static inline cudaError_t cudaBindTextureToArray(const texture<Type, Dimension, Mode>& reference,
                                                 cudaArray_const_t array,
                                                 const cudaChannelFormatDesc& channels) {
  return ::cudaBindTextureToArray(static_cast<const textureReference*>(&reference), array,
                                  &channels);
}
template <class Type, int Dimension, enum cudaTextureReadMode Mode>
static inline cudaError_t cudaBindTextureToArray(const texture<Type, Dimension, Mode>& reference,
                                                 cudaArray_const_t array) {
  return cudaBindTextureToArray(reference, array, reference.channelDesc);
}
template <class Type, int Dimension, enum cudaTextureReadMode Mode>
static inline cudaError_t cudaBindTextureToMipmappedArray(
    const texture<Type, Dimension, Mode>& reference, cudaMipmappedArray_const_t array,
    const cudaChannelFormatDesc& channels) {
  return ::cudaBindTextureToMipmappedArray(static_cast<const textureReference*>(&reference), array,
                                           &channels);
}
template <class Type, int Dimension, enum cudaTextureReadMode Mode>
static inline cudaError_t cudaUnbindTexture(const texture<Type, Dimension, Mode>& reference) {
  return ::cudaUnbindTexture(static_cast<const textureReference*>(&reference));
}
template <class Type, int Dimension, enum cudaTextureReadMode Mode>
static inline cudaError_t cudaGetTextureAlignmentOffset(
    size_t* offset, const texture<Type, Dimension, Mode>& reference) {
  return ::cudaGetTextureAlignmentOffset(offset, static_cast<const textureReference*>(&reference));
}

/// What a fetch gives: the type of the texels, or as many floats.
template <class Type, enum cudaTextureReadMode Mode>
struct paws_fetched {
  typedef Type type;
};
#define PAWS_NORMALIZED(scalar, name)                         \
  template <>                                                 \
  struct paws_fetched<scalar, cudaReadModeNormalizedFloat> {  \
    typedef float type;                                       \
  };                                                          \
  template <>                                                 \
  struct paws_fetched<name##1, cudaReadModeNormalizedFloat> { \
    typedef float1 type;                                      \
  };                                                          \
  template <>                                                 \
  struct paws_fetched<name##2, cudaReadModeNormalizedFloat> { \
    typedef float2 type;                                      \
  };                                                          \
  template <>                                                 \
  struct paws_fetched<name##4, cudaReadModeNormalizedFloat> { \
    typedef float4 type;                                      \
  };
PAWS_NORMALIZED(signed char, char)
PAWS_NORMALIZED(unsigned char, uchar)
PAWS_NORMALIZED(short, short)
PAWS_NORMALIZED(unsigned short, ushort)
#undef PAWS_NORMALIZED
template <>
struct paws_fetched<char, cudaReadModeNormalizedFloat> {
  typedef float type;
};

/// The handle that fetches from objects take: to a kernel a reference is its address.
template <class Type, int Dimension, enum cudaTextureReadMode Mode>
static __inline__ __device__ cudaTextureObject_t
paws_handle(texture<Type, Dimension, Mode> reference) {
  return *reinterpret_cast<cudaTextureObject_t*>(&reference);
}
