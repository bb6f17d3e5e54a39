// SPDX-License-Identifier: MIT
// Sums and comparisons in one step, for host and kernels ("CUDA Math API", SIMD intrinsics: DPX).
// Sums wrap around. Those with "16x2" work on the two halves of a word.
#pragma once

#define PAWS_DPX static __inline__ __host__ __device__

template <typename T>
PAWS_DPX T paws_dpx_max(T a, T b) {
  return a < b ? b : a;
}
template <typename T>
PAWS_DPX T paws_dpx_min(T a, T b) {
  return b < a ? b : a;
}
template <typename T>
PAWS_DPX T paws_dpx_add(T a, T b) {
  return static_cast<T>(static_cast<unsigned int>(a) + static_cast<unsigned int>(b));
}

/// Each half of the result from the halves of a, b and c.
template <typename T>
PAWS_DPX unsigned int paws_by_halves(unsigned int a, unsigned int b, unsigned int c,
                                     T (*function)(T, T, T)) {
  const T low = function(static_cast<T>(a), static_cast<T>(b), static_cast<T>(c));
  const T high =
      function(static_cast<T>(a >> 16), static_cast<T>(b >> 16), static_cast<T>(c >> 16));
  return static_cast<unsigned short>(low) |
         static_cast<unsigned int>(static_cast<unsigned short>(high)) << 16;
}

// Of three arguments: a sum and a third, or three. For 16x2 of one half.
#define PAWS_OF_THREE(which)                             \
  template <typename T>                                  \
  PAWS_DPX T paws_add##which(T a, T b, T c) {            \
    return paws_dpx_##which(paws_dpx_add(a, b), c);      \
  }                                                      \
  template <typename T>                                  \
  PAWS_DPX T paws_##which##3(T a, T b, T c) {            \
    return paws_dpx_##which(paws_dpx_##which(a, b), c);  \
  }                                                      \
  template <typename T>                                  \
  PAWS_DPX T paws_add##which##_relu(T a, T b, T c) {     \
    return paws_dpx_max<T>(paws_add##which(a, b, c), 0); \
  }                                                      \
  template <typename T>                                  \
  PAWS_DPX T paws_##which##3_relu(T a, T b, T c) {       \
    return paws_dpx_max<T>(paws_##which##3(a, b, c), 0); \
  }
PAWS_OF_THREE(max)
PAWS_OF_THREE(min)
#undef PAWS_OF_THREE

#define PAWS_WORD(name, function, T) \
  PAWS_DPX T name(T a, T b, T c) { return function<T>(a, b, c); }
#define PAWS_HALVES(name, function, T)                                         \
  PAWS_DPX unsigned int name(unsigned int a, unsigned int b, unsigned int c) { \
    return paws_by_halves<T>(a, b, c, function<T>);                            \
  }
// Of two and zero.
#define PAWS_NOT_NEGATIVE(which)                                                   \
  PAWS_DPX int __vi##which##_s32_relu(int a, int b) {                              \
    return paws_##which##3_relu < int > (a, b, b);                                 \
  }                                                                                \
  PAWS_DPX unsigned int __vi##which##_s16x2_relu(unsigned int a, unsigned int b) { \
    return paws_by_halves<short>(a, b, b, paws_##which##3_relu < short >);         \
  }
// Of two, and whether it is the first; of equal ones it is.
#define PAWS_FIRST(which, suffix, T)                                \
  PAWS_DPX T __vib##which##_##suffix(T a, T b, bool* const first) { \
    *first = paws_dpx_##which(a, b) == a;                           \
    return paws_dpx_##which(a, b);                                  \
  }
#define PAWS_FIRST_HALVES(which, suffix, T)                                                      \
  PAWS_DPX unsigned int __vib##which##_##suffix(unsigned int a, unsigned int b,                  \
                                                bool* const high_first, bool* const low_first) { \
    const T high = static_cast<T>(a >> 16), low = static_cast<T>(a);                             \
    *high_first = paws_dpx_##which(high, static_cast<T>(b >> 16)) == high;                       \
    *low_first = paws_dpx_##which(low, static_cast<T>(b)) == low;                                \
    return paws_by_halves<T>(a, b, b, paws_##which##3 < T >);                                    \
  }
#define PAWS_BOTH(which)                                                  \
  PAWS_WORD(__viadd##which##_s32, paws_add##which, int)                   \
  PAWS_WORD(__viadd##which##_u32, paws_add##which, unsigned int)          \
  PAWS_WORD(__viadd##which##_s32_relu, paws_add##which##_relu, int)       \
  PAWS_WORD(__vi##which##3_s32, paws_##which##3, int)                     \
  PAWS_WORD(__vi##which##3_u32, paws_##which##3, unsigned int)            \
  PAWS_WORD(__vi##which##3_s32_relu, paws_##which##3_relu, int)           \
  PAWS_HALVES(__viadd##which##_s16x2, paws_add##which, short)             \
  PAWS_HALVES(__viadd##which##_u16x2, paws_add##which, unsigned short)    \
  PAWS_HALVES(__viadd##which##_s16x2_relu, paws_add##which##_relu, short) \
  PAWS_HALVES(__vi##which##3_s16x2, paws_##which##3, short)               \
  PAWS_HALVES(__vi##which##3_u16x2, paws_##which##3, unsigned short)      \
  PAWS_HALVES(__vi##which##3_s16x2_relu, paws_##which##3_relu, short)     \
  PAWS_NOT_NEGATIVE(which)                                                \
  PAWS_FIRST(which, s32, int)                                             \
  PAWS_FIRST(which, u32, unsigned int)                                    \
  PAWS_FIRST_HALVES(which, s16x2, short)                                  \
  PAWS_FIRST_HALVES(which, u16x2, unsigned short)
PAWS_BOTH(max)
PAWS_BOTH(min)
#undef PAWS_BOTH
#undef PAWS_FIRST_HALVES
#undef PAWS_FIRST
#undef PAWS_NOT_NEGATIVE
#undef PAWS_HALVES
#undef PAWS_WORD
#undef PAWS_DPX
