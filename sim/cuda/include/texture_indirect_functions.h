// SPDX-License-Identifier: MIT
// Fetches from texture objects (CUDA C++ Programming Guide, "Texture Object API") and references.
#pragma once

#include "cuda_runtime.h"
#include "texture_references.h"

/// What a fetch gives for a type: four 32-bit words, of which the type takes its channels.
template <typename Type>
struct paws_texel;

#define PAWS_TEXELS(scalar, name, quad)                                         \
  template <>                                                                   \
  struct paws_texel<scalar> {                                                   \
    typedef quad words;                                                         \
    static __device__ scalar of(quad q) { return (scalar)q.x; }                 \
  };                                                                            \
  template <>                                                                   \
  struct paws_texel<name##1> {                                                  \
    typedef quad words;                                                         \
    static __device__ name##1 of(quad q) { return {(scalar)q.x}; }              \
  };                                                                            \
  template <>                                                                   \
  struct paws_texel<name##2> {                                                  \
    typedef quad words;                                                         \
    static __device__ name##2 of(quad q) { return {(scalar)q.x, (scalar)q.y}; } \
  };                                                                            \
  template <>                                                                   \
  struct paws_texel<name##4> {                                                  \
    typedef quad words;                                                         \
    static __device__ name##4 of(quad q) {                                      \
      return {(scalar)q.x, (scalar)q.y, (scalar)q.z, (scalar)q.w};              \
    }                                                                           \
  };
PAWS_TEXELS(signed char, char, int4)
PAWS_TEXELS(unsigned char, uchar, uint4)
PAWS_TEXELS(short, short, int4)
PAWS_TEXELS(unsigned short, ushort, uint4)
PAWS_TEXELS(int, int, int4)
PAWS_TEXELS(unsigned int, uint, uint4)
PAWS_TEXELS(float, float, float4)
#undef PAWS_TEXELS
template <>
struct paws_texel<char> {
  typedef int4 words;
  static __device__ char of(int4 q) { return (char)q.x; }
};

#define PAWS_LIST(...) __VA_ARGS__
#define PAWS_FETCH_WORDS(name, words, word, letter, opcode, types, place, parameters, inputs) \
  static __inline__ __device__ void paws_##name(words& q, cudaTextureObject_t object,         \
                                                parameters) {                                 \
    __asm__(opcode ".v4." word types " {%0, %1, %2, %3}, [%4, " place ";"                     \
            : "=" letter(q.x), "=" letter(q.y), "=" letter(q.z), "=" letter(q.w)              \
            : "l"(object), inputs);                                                           \
  }
// `place` closes the bracket: what comes behind it is the level.
#define PAWS_FETCH(name, opcode, types, place, parameters, arguments, inputs)                   \
  PAWS_FETCH_WORDS(name, float4, "f32", "f", opcode, types, place, PAWS_LIST(parameters),       \
                   PAWS_LIST(inputs))                                                           \
  PAWS_FETCH_WORDS(name, int4, "s32", "r", opcode, types, place, PAWS_LIST(parameters),         \
                   PAWS_LIST(inputs))                                                           \
  PAWS_FETCH_WORDS(name, uint4, "u32", "r", opcode, types, place, PAWS_LIST(parameters),        \
                   PAWS_LIST(inputs))                                                           \
  template <typename Type>                                                                      \
  static __inline__ __device__ Type name(cudaTextureObject_t object, parameters) {              \
    typename paws_texel<Type>::words q;                                                         \
    paws_##name(q, object, arguments);                                                          \
    return paws_texel<Type>::of(q);                                                             \
  }                                                                                             \
  template <typename Type>                                                                      \
  static __inline__ __device__ void name(Type* value, cudaTextureObject_t object, parameters) { \
    *value = name<Type>(object, arguments);                                                     \
  }                                                                                             \
  template <typename Type, int Dimension, enum cudaTextureReadMode Mode>                        \
  static __inline__ __device__ typename paws_fetched<Type, Mode>::type name(                    \
      texture<Type, Dimension, Mode> reference, parameters) {                                   \
    return name<typename paws_fetched<Type, Mode>::type>(paws_handle(reference), arguments);    \
  }

PAWS_FETCH(tex1Dfetch, "tex.1d", ".s32", "{%5}]", PAWS_LIST(int x), PAWS_LIST(x), PAWS_LIST("r"(x)))
PAWS_FETCH(tex1D, "tex.1d", ".f32", "{%5}]", PAWS_LIST(float x), PAWS_LIST(x), PAWS_LIST("f"(x)))
PAWS_FETCH(tex2D, "tex.2d", ".f32", "{%5, %6}]", PAWS_LIST(float x, float y), PAWS_LIST(x, y),
           PAWS_LIST("f"(x), "f"(y)))
PAWS_FETCH(tex3D, "tex.3d", ".f32", "{%5, %6, %7, %7}]", PAWS_LIST(float x, float y, float z),
           PAWS_LIST(x, y, z), PAWS_LIST("f"(x), "f"(y), "f"(z)))
PAWS_FETCH(tex1DLayered, "tex.a1d", ".f32", "{%5, %6}]", PAWS_LIST(float x, int layer),
           PAWS_LIST(x, layer), PAWS_LIST("r"(layer), "f"(x)))
PAWS_FETCH(tex2DLayered, "tex.a2d", ".f32", "{%5, %6, %7, %7}]",
           PAWS_LIST(float x, float y, int layer), PAWS_LIST(x, y, layer),
           PAWS_LIST("r"(layer), "f"(x), "f"(y)))
PAWS_FETCH(texCubemap, "tex.cube", ".f32", "{%5, %6, %7, %7}]",
           PAWS_LIST(float x, float y, float z), PAWS_LIST(x, y, z),
           PAWS_LIST("f"(x), "f"(y), "f"(z)))
PAWS_FETCH(texCubemapLayered, "tex.acube", ".f32", "{%5, %6, %7, %8}]",
           PAWS_LIST(float x, float y, float z, int layer), PAWS_LIST(x, y, z, layer),
           PAWS_LIST("r"(layer), "f"(x), "f"(y), "f"(z)))
PAWS_FETCH(tex1DLod, "tex.level.1d", ".f32", "{%5}], %6", PAWS_LIST(float x, float level),
           PAWS_LIST(x, level), PAWS_LIST("f"(x), "f"(level)))
PAWS_FETCH(tex2DLod, "tex.level.2d", ".f32", "{%5, %6}], %7",
           PAWS_LIST(float x, float y, float level), PAWS_LIST(x, y, level),
           PAWS_LIST("f"(x), "f"(y), "f"(level)))
PAWS_FETCH(tex3DLod, "tex.level.3d", ".f32", "{%5, %6, %7, %7}], %8",
           PAWS_LIST(float x, float y, float z, float level), PAWS_LIST(x, y, z, level),
           PAWS_LIST("f"(x), "f"(y), "f"(z), "f"(level)))
PAWS_FETCH(tex1DLayeredLod, "tex.level.a1d", ".f32", "{%5, %6}], %7",
           PAWS_LIST(float x, int layer, float level), PAWS_LIST(x, layer, level),
           PAWS_LIST("r"(layer), "f"(x), "f"(level)))
PAWS_FETCH(tex2DLayeredLod, "tex.level.a2d", ".f32", "{%5, %6, %7, %7}], %8",
           PAWS_LIST(float x, float y, int layer, float level), PAWS_LIST(x, y, layer, level),
           PAWS_LIST("r"(layer), "f"(x), "f"(y), "f"(level)))
PAWS_FETCH(texCubemapLod, "tex.level.cube", ".f32", "{%5, %6, %7, %7}], %8",
           PAWS_LIST(float x, float y, float z, float level), PAWS_LIST(x, y, z, level),
           PAWS_LIST("f"(x), "f"(y), "f"(z), "f"(level)))
PAWS_FETCH(texCubemapLayeredLod, "tex.level.acube", ".f32", "{%5, %6, %7, %8}], %9",
           PAWS_LIST(float x, float y, float z, int layer, float level),
           PAWS_LIST(x, y, z, layer, level),
           PAWS_LIST("r"(layer), "f"(x), "f"(y), "f"(z), "f"(level)))
PAWS_FETCH(tex1DGrad, "tex.grad.1d", ".f32", "{%5}], {%6}, {%7}",
           PAWS_LIST(float x, float dx, float dy), PAWS_LIST(x, dx, dy),
           PAWS_LIST("f"(x), "f"(dx), "f"(dy)))
PAWS_FETCH(tex2DGrad, "tex.grad.2d", ".f32", "{%5, %6}], {%7, %8}, {%9, %10}",
           PAWS_LIST(float x, float y, float2 dx, float2 dy), PAWS_LIST(x, y, dx, dy),
           PAWS_LIST("f"(x), "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y)))
PAWS_FETCH(tex3DGrad, "tex.grad.3d", ".f32",
           "{%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}",
           PAWS_LIST(float x, float y, float z, float4 dx, float4 dy), PAWS_LIST(x, y, z, dx, dy),
           PAWS_LIST("f"(x), "f"(y), "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y),
                     "f"(dy.z)))
PAWS_FETCH(tex1DLayeredGrad, "tex.grad.a1d", ".f32", "{%5, %6}], {%7}, {%8}",
           PAWS_LIST(float x, int layer, float dx, float dy), PAWS_LIST(x, layer, dx, dy),
           PAWS_LIST("r"(layer), "f"(x), "f"(dx), "f"(dy)))
PAWS_FETCH(tex2DLayeredGrad, "tex.grad.a2d", ".f32", "{%5, %6, %7, %7}], {%8, %9}, {%10, %11}",
           PAWS_LIST(float x, float y, int layer, float2 dx, float2 dy),
           PAWS_LIST(x, y, layer, dx, dy),
           PAWS_LIST("r"(layer), "f"(x), "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y)))

#define PAWS_GATHER(number, letter)                                          \
  PAWS_FETCH(paws_gather##number, "tld4." letter ".2d", ".f32", "{%5, %6}]", \
             PAWS_LIST(float x, float y), PAWS_LIST(x, y), PAWS_LIST("f"(x), "f"(y)))
PAWS_GATHER(0, "r")
PAWS_GATHER(1, "g")
PAWS_GATHER(2, "b")
PAWS_GATHER(3, "a")
#undef PAWS_GATHER
#undef PAWS_FETCH
#undef PAWS_FETCH_WORDS
#undef PAWS_LIST

/// One component, 0 to 3, of the four texels around the place; `Type` has four channels.
template <typename Type>
static __inline__ __device__ Type tex2Dgather(cudaTextureObject_t object, float x, float y,
                                              int component = 0) {
  switch (component) {
    case 1:
      return paws_gather1<Type>(object, x, y);
    case 2:
      return paws_gather2<Type>(object, x, y);
    case 3:
      return paws_gather3<Type>(object, x, y);
    default:
      return paws_gather0<Type>(object, x, y);
  }
}
