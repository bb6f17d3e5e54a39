// SPDX-License-Identifier: MIT
// Two 16-bit or four 8-bit integers in a word ("CUDA Math API", SIMD intrinsics), as functions of
// libdevice, under which clang has had them. PTX has instructions for them that the front-end does
// not execute; ptxas makes sequences of ordinary ones of those on all GPUs since Maxwell.
#pragma once

/// Each part of the result from the parts of a and b.
template <typename Part, typename Function>
static __inline__ __device__ unsigned int paws_by_parts(unsigned int a, unsigned int b,
                                                        Function function) {
  constexpr unsigned int kBits = 8 * sizeof(Part);
  constexpr unsigned int kMask = (1u << kBits) - 1;
  unsigned int result = 0;
  for (unsigned int shift = 0; shift < 32; shift += kBits) {
    const int part = function(static_cast<int>(static_cast<Part>(a >> shift)),
                              static_cast<int>(static_cast<Part>(b >> shift)));
    result |= (static_cast<unsigned int>(part) & kMask) << shift;
  }
  return result;
}

template <typename Part>
static __inline__ __device__ int paws_saturated(int value) {
  constexpr int kBits = 8 * sizeof(Part);
  constexpr bool kSigned = static_cast<Part>(-1) < static_cast<Part>(0);
  constexpr int kMost = kSigned ? (1 << (kBits - 1)) - 1 : (1 << kBits) - 1;
  constexpr int kLeast = kSigned ? -kMost - 1 : 0;
  return value < kLeast ? kLeast : value > kMost ? kMost : value;
}

#define PAWS_SIMD2(name, Part, expression)                                                    \
  extern "C" __device__ inline __attribute__((always_inline)) int __nv_##name(int a, int b) { \
    return paws_by_parts<Part>(a, b, [](int x, int y) { return expression; });                \
  }
#define PAWS_SIMD1(name, Part, expression)                                             \
  extern "C" __device__ inline __attribute__((always_inline)) int __nv_##name(int a) { \
    return paws_by_parts<Part>(a, 0, [](int x, int) { return expression; });           \
  }
#define PAWS_COMPARED(name, Part, number, condition)        \
  PAWS_SIMD2(vset##name##number, Part, (condition) ? 1 : 0) \
  PAWS_SIMD2(vcmp##name##number, Part, (condition) ? -1 : 0)
// Signed and unsigned parts.
#define PAWS_ALL(number, S, U)                                      \
  PAWS_SIMD1(vabs##number, S, x < 0 ? -x : x)                       \
  PAWS_SIMD1(vabsss##number, S, paws_saturated<S>(x < 0 ? -x : x))  \
  PAWS_SIMD1(vneg##number, S, -x)                                   \
  PAWS_SIMD1(vnegss##number, S, paws_saturated<S>(-x))              \
  PAWS_SIMD2(vadd##number, U, x + y)                                \
  PAWS_SIMD2(vaddss##number, S, paws_saturated<S>(x + y))           \
  PAWS_SIMD2(vaddus##number, U, paws_saturated<U>(x + y))           \
  PAWS_SIMD2(vsub##number, U, x - y)                                \
  PAWS_SIMD2(vsubss##number, S, paws_saturated<S>(x - y))           \
  PAWS_SIMD2(vsubus##number, U, paws_saturated<U>(x - y))           \
  PAWS_SIMD2(vabsdiffs##number, S, x > y ? x - y : y - x)           \
  PAWS_SIMD2(vabsdiffu##number, U, x > y ? x - y : y - x)           \
  PAWS_SIMD2(vavgs##number, S, (x + y + (x + y >= 0 ? 1 : 0)) >> 1) \
  PAWS_SIMD2(vavgu##number, U, (x + y + 1) >> 1)                    \
  PAWS_SIMD2(vhaddu##number, U, (x + y) >> 1)                       \
  PAWS_SIMD2(vmaxs##number, S, x > y ? x : y)                       \
  PAWS_SIMD2(vmaxu##number, U, x > y ? x : y)                       \
  PAWS_SIMD2(vmins##number, S, x < y ? x : y)                       \
  PAWS_SIMD2(vminu##number, U, x < y ? x : y)                       \
  PAWS_COMPARED(eq, U, number, x == y)                              \
  PAWS_COMPARED(ne, U, number, x != y)                              \
  PAWS_COMPARED(ges, S, number, x >= y)                             \
  PAWS_COMPARED(geu, U, number, x >= y)                             \
  PAWS_COMPARED(gts, S, number, x > y)                              \
  PAWS_COMPARED(gtu, U, number, x > y)                              \
  PAWS_COMPARED(les, S, number, x <= y)                             \
  PAWS_COMPARED(leu, U, number, x <= y)                             \
  PAWS_COMPARED(lts, S, number, x < y)                              \
  PAWS_COMPARED(ltu, U, number, x < y)                              \
  PAWS_SUM(vsads##number, S)                                        \
  PAWS_SUM(vsadu##number, U)
/// The sum of the parts' absolute differences.
#define PAWS_SUM(name, Part)                                                                  \
  extern "C" __device__ inline __attribute__((always_inline)) int __nv_##name(int a, int b) { \
    int sum = 0;                                                                              \
    paws_by_parts<Part>(a, b, [&sum](int x, int y) { return sum += x > y ? x - y : y - x; }); \
    return sum;                                                                               \
  }
PAWS_ALL(2, short, unsigned short)
PAWS_ALL(4, signed char, unsigned char)
#undef PAWS_SUM
#undef PAWS_ALL
#undef PAWS_COMPARED
#undef PAWS_SIMD1
#undef PAWS_SIMD2
