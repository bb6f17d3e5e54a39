// SPDX-License-Identifier: MIT
// Loads from surface objects and stores to them (CUDA C++ Programming Guide, "Surface Object API").
// x counts bytes.
#pragma once

#include "cuda_runtime.h"

#define PAWS_LIST(...) __VA_ARGS__

/// Accesses of 1, 2, 4, 8 or 16 bytes.
template <unsigned bytes>
struct paws_surface;

#define PAWS_LOAD(opcode, edge, values, outputs, place, inputs)                       \
  __asm__ volatile("suld.b." opcode "." edge " " values ", [%[object], {" place "}];" \
                   : outputs                                                          \
                   : [object] "l"(object), inputs                                     \
                   : "memory")
#define PAWS_STORE(opcode, edge, values, stored, place, inputs)                       \
  __asm__ volatile("sust.b." opcode "." edge " [%[object], {" place "}], " values ";" \
                   :                                                                  \
                   : stored, [object] "l"(object), inputs                             \
                   : "memory")
#define PAWS_AT_EDGES(ACCESS, opcode, values, words, place, inputs)              \
  if (mode == cudaBoundaryModeZero) {                                            \
    ACCESS(opcode, "zero", values, PAWS_LIST(words), place, PAWS_LIST(inputs));  \
  } else if (mode == cudaBoundaryModeClamp) {                                    \
    ACCESS(opcode, "clamp", values, PAWS_LIST(words), place, PAWS_LIST(inputs)); \
  } else {                                                                       \
    ACCESS(opcode, "trap", values, PAWS_LIST(words), place, PAWS_LIST(inputs));  \
  }
#define PAWS_ACCESSES(name, opcode, values, outputs, stored, place, parameters, inputs)      \
  static __device__ void load_##name(Word& v, cudaSurfaceObject_t object, parameters,        \
                                     cudaSurfaceBoundaryMode mode) {                         \
    PAWS_AT_EDGES(PAWS_LOAD, opcode, values, PAWS_LIST(outputs), place, PAWS_LIST(inputs))   \
  }                                                                                          \
  static __device__ void store_##name(const Word& v, cudaSurfaceObject_t object, parameters, \
                                      cudaSurfaceBoundaryMode mode) {                        \
    PAWS_AT_EDGES(PAWS_STORE, opcode, values, PAWS_LIST(stored), place, PAWS_LIST(inputs))   \
  }
#define PAWS_SURFACE(bytes, word, type, values, outputs, stored)                               \
  template <>                                                                                  \
  struct paws_surface<bytes> {                                                                 \
    typedef word Word;                                                                         \
    PAWS_ACCESSES(1D, "1d." type, values, PAWS_LIST(outputs), PAWS_LIST(stored), "%[x]",       \
                  PAWS_LIST(int x), PAWS_LIST([x] "r"(x)))                                     \
    PAWS_ACCESSES(2D, "2d." type, values, PAWS_LIST(outputs), PAWS_LIST(stored), "%[x], %[y]", \
                  PAWS_LIST(int x, int y), PAWS_LIST([x] "r"(x), [y] "r"(y)))                  \
    PAWS_ACCESSES(3D, "3d." type, values, PAWS_LIST(outputs), PAWS_LIST(stored),               \
                  "%[x], %[y], %[z], %[z]", PAWS_LIST(int x, int y, int z),                    \
                  PAWS_LIST([x] "r"(x), [y] "r"(y), [z] "r"(z)))                               \
    PAWS_ACCESSES(1DLayered, "a1d." type, values, PAWS_LIST(outputs), PAWS_LIST(stored),       \
                  "%[z], %[x]", PAWS_LIST(int x, int z), PAWS_LIST([x] "r"(x), [z] "r"(z)))    \
    PAWS_ACCESSES(2DLayered, "a2d." type, values, PAWS_LIST(outputs), PAWS_LIST(stored),       \
                  "%[z], %[x], %[y], %[y]", PAWS_LIST(int x, int y, int z),                    \
                  PAWS_LIST([x] "r"(x), [y] "r"(y), [z] "r"(z)))                               \
  };
PAWS_SURFACE(1, unsigned short, "b8", "{%[v]}", [v] "=h"(v), [v] "h"(v))
PAWS_SURFACE(2, unsigned short, "b16", "{%[v]}", [v] "=h"(v), [v] "h"(v))
PAWS_SURFACE(4, unsigned int, "b32", "{%[v]}", [v] "=r"(v), [v] "r"(v))
PAWS_SURFACE(8, unsigned long long, "b64", "{%[v]}", [v] "=l"(v), [v] "l"(v))
PAWS_SURFACE(16, ulonglong2, "v2.b64", "{%[v], %[w]}", PAWS_LIST([v] "=l"(v.x), [w] "=l"(v.y)),
             PAWS_LIST([v] "l"(v.x), [w] "l"(v.y)))
#undef PAWS_SURFACE
#undef PAWS_ACCESSES
#undef PAWS_AT_EDGES
#undef PAWS_STORE
#undef PAWS_LOAD

#define PAWS_FUNCTIONS(name, as, parameters, arguments)                    \
  template <typename Type>                                                 \
  static __inline__ __device__ void surf##name##read(                      \
      Type* value, cudaSurfaceObject_t object, parameters,                 \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {               \
    typename paws_surface<sizeof(Type)>::Word word;                        \
    paws_surface<sizeof(Type)>::load_##as(word, object, arguments, mode);  \
    memcpy(value, &word, sizeof(Type));                                    \
  }                                                                        \
  template <typename Type>                                                 \
  static __inline__ __device__ Type surf##name##read(                      \
      cudaSurfaceObject_t object, parameters,                              \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {               \
    Type value;                                                            \
    surf##name##read(&value, object, arguments, mode);                     \
    return value;                                                          \
  }                                                                        \
  template <typename Type>                                                 \
  static __inline__ __device__ void surf##name##write(                     \
      Type value, cudaSurfaceObject_t object, parameters,                  \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {               \
    typename paws_surface<sizeof(Type)>::Word word = {};                   \
    memcpy(&word, &value, sizeof(Type));                                   \
    paws_surface<sizeof(Type)>::store_##as(word, object, arguments, mode); \
  }
PAWS_FUNCTIONS(1D, 1D, PAWS_LIST(int x), PAWS_LIST(x))
PAWS_FUNCTIONS(2D, 2D, PAWS_LIST(int x, int y), PAWS_LIST(x, y))
PAWS_FUNCTIONS(3D, 3D, PAWS_LIST(int x, int y, int z), PAWS_LIST(x, y, z))
PAWS_FUNCTIONS(1DLayered, 1DLayered, PAWS_LIST(int x, int layer), PAWS_LIST(x, layer))
PAWS_FUNCTIONS(2DLayered, 2DLayered, PAWS_LIST(int x, int y, int layer), PAWS_LIST(x, y, layer))
PAWS_FUNCTIONS(Cubemap, 2DLayered, PAWS_LIST(int x, int y, int face), PAWS_LIST(x, y, face))
// The faces of all cubes, six of each.
PAWS_FUNCTIONS(CubemapLayered, 2DLayered, PAWS_LIST(int x, int y, int face), PAWS_LIST(x, y, face))
#undef PAWS_FUNCTIONS
#undef PAWS_LIST
