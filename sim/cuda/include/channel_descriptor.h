// SPDX-License-Identifier: MIT
// cudaCreateChannelDesc<T>(): the channels of a type.
#pragma once

#include "cuda_runtime_api.h"

/// Channels of types that no texel has: none.
template <typename Type>
static inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}

#define PAWS_CHANNELS(type, kind, y, z, w)                                 \
  template <>                                                              \
  inline cudaChannelFormatDesc cudaCreateChannelDesc<type>() {             \
    const int bits = 8 * sizeof(decltype(paws_channel((type*)nullptr)));   \
    return cudaCreateChannelDesc(bits, (y) * bits, (z) * bits, (w) * bits, \
                                 cudaChannelFormatKind##kind);             \
  }
#define PAWS_TYPES(scalar, name, kind)  \
  scalar paws_channel(scalar*);         \
  scalar paws_channel(name##1 *);       \
  scalar paws_channel(name##2 *);       \
  scalar paws_channel(name##4 *);       \
  PAWS_CHANNELS(scalar, kind, 0, 0, 0)  \
  PAWS_CHANNELS(name##1, kind, 0, 0, 0) \
  PAWS_CHANNELS(name##2, kind, 1, 0, 0) \
  PAWS_CHANNELS(name##4, kind, 1, 1, 1)
PAWS_TYPES(signed char, char, Signed)
PAWS_TYPES(unsigned char, uchar, Unsigned)
PAWS_TYPES(short, short, Signed)
PAWS_TYPES(unsigned short, ushort, Unsigned)
PAWS_TYPES(int, int, Signed)
PAWS_TYPES(unsigned int, uint, Unsigned)
PAWS_TYPES(float, float, Float)
char paws_channel(char*);
PAWS_CHANNELS(char, Signed, 0, 0, 0)
/// Channels of 16 bits that a fetch gives as float.
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() {
  return cudaCreateChannelDescHalf();
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
  return cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
  return cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
}
#undef PAWS_TYPES
#undef PAWS_CHANNELS
