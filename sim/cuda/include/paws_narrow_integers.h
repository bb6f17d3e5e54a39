// SPDX-License-Identifier: MIT
// Arithmetic of the floating-point formats of 16 bits in integers, for the host: IEEE binary16 with
// 10 bits of fraction and bfloat16 with 7. Every result is rounded once, and NaN is always 0x7fff,
// as on the device. Options of the host's compiler change nothing of it.
#pragma once

#include "host_defines.h"

// __inline__ alone: in C++, a template or not, one definition serves all.
#define PAWS_BOTH static __inline__ __host__ __device__

enum paws_rounding { paws_nearest, paws_to_zero, paws_down, paws_up };

// What a format of `kFraction` bits of fraction is made of, as bits.
#define PAWS_INFINITY (0x7fff >> kFraction << kFraction)
#define PAWS_ONE (0x3fff >> kFraction << kFraction)
#define PAWS_MINUS_ONE (PAWS_ONE | 0x8000)
// The exponent of the smallest number.
#define PAWS_LEAST (kFraction == 10 ? -24 : -133)

template <int kFraction>
PAWS_BOTH bool paws_is_nan(unsigned short bits) {
  return (bits & 0x7fff) > PAWS_INFINITY;
}

/// A finite number: magnitude * 2^exponent.
struct paws_unpacked {
  bool negative;
  unsigned long long magnitude;
  int exponent;
};

template <int kFraction>
PAWS_BOTH paws_unpacked paws_unpack(unsigned short bits) {
  const int field = (bits & 0x7fff) >> kFraction;
  const unsigned int fraction = bits & ((1 << kFraction) - 1);
  paws_unpacked number;
  number.negative = bits >> 15 != 0;
  number.magnitude = field == 0 ? fraction : fraction | 1 << kFraction;
  number.exponent = PAWS_LEAST + (field == 0 ? 0 : field - 1);
  return number;
}

PAWS_BOTH int paws_width(unsigned long long magnitude) {
  return magnitude == 0 ? 0 : 64 - __builtin_clzll(magnitude);
}

/// magnitude / 2^drop as an integer. magnitude < 2^62, drop > 0.
PAWS_BOTH unsigned long long paws_round_off(bool negative, unsigned long long magnitude, int drop,
                                            paws_rounding rounding) {
  const int shift = drop < 63 ? drop : 63;
  const unsigned long long kept = magnitude >> shift;
  const unsigned long long rest = magnitude & ((1ull << shift) - 1);
  const unsigned long long half = 1ull << (shift - 1);
  bool further = rest > half || (rest == half && (kept & 1) != 0);
  if (rounding != paws_nearest) further = rest != 0 && rounding == (negative ? paws_down : paws_up);
  return kept + (further ? 1 : 0);
}

/// The format's number for magnitude * 2^exponent, magnitude < 2^62. The lowest bit of a magnitude
/// of more than 20 bits may stand for everything below it.
template <int kFraction>
PAWS_BOTH unsigned short paws_pack(bool negative, unsigned long long magnitude, int exponent,
                                   paws_rounding rounding) {
  const unsigned int sign = negative ? 0x8000 : 0;
  if (magnitude == 0) return static_cast<unsigned short>(sign);
  // The exponent of the lowest bit that is kept.
  int lowest = exponent + paws_width(magnitude) - (kFraction + 1);
  if (lowest < PAWS_LEAST) lowest = PAWS_LEAST;
  const int drop = lowest - exponent;
  const unsigned long long kept =
      drop > 0 ? paws_round_off(negative, magnitude, drop, rounding) : magnitude << -drop;
  // The leading one of a normal number counts as 1 in the field of the exponent.
  const unsigned long long bits =
      (static_cast<unsigned long long>(lowest - PAWS_LEAST) << kFraction) + kept;
  if (bits < PAWS_INFINITY) return static_cast<unsigned short>(sign | bits);
  const bool further = rounding == paws_nearest || rounding == (negative ? paws_down : paws_up);
  return static_cast<unsigned short>(sign | (further ? PAWS_INFINITY : PAWS_INFINITY - 1));
}

template <int kFraction>
PAWS_BOTH unsigned short paws_from_double(double value, paws_rounding rounding) {
  unsigned long long bits;
  __builtin_memcpy(&bits, &value, sizeof(bits));
  const bool negative = bits >> 63 != 0;
  const unsigned long long fraction = bits & ((1ull << 52) - 1);
  const int field = static_cast<int>(bits >> 52 & 0x7ff);
  if (field == 0x7ff) {
    if (fraction != 0) return 0x7fff;
    return static_cast<unsigned short>((negative ? 0x8000 : 0) | PAWS_INFINITY);
  }
  const unsigned long long magnitude = field == 0 ? fraction : fraction | 1ull << 52;
  return paws_pack<kFraction>(negative, magnitude, (field == 0 ? 1 : field) - 1075, rounding);
}

/// The integer type of 64 bits that holds a shorter one.
template <class T, bool kSigned = (static_cast<T>(-1) < static_cast<T>(0))>
struct paws_widest {
  typedef unsigned long long integer;
};
template <class T>
struct paws_widest<T, true> {
  typedef long long integer;
};

template <int kFraction>
PAWS_BOTH unsigned short paws_from_magnitude(bool negative, unsigned long long magnitude,
                                             paws_rounding rounding) {
  if (magnitude >> 61 == 0) return paws_pack<kFraction>(negative, magnitude, 0, rounding);
  const unsigned long long below = (magnitude & 7) != 0 ? 1 : 0;
  return paws_pack<kFraction>(negative, magnitude >> 3 | below, 3, rounding);
}
template <int kFraction>
PAWS_BOTH unsigned short paws_from_integer(long long value, paws_rounding rounding) {
  const unsigned long long bits = static_cast<unsigned long long>(value);
  return paws_from_magnitude<kFraction>(value < 0, value < 0 ? 0 - bits : bits, rounding);
}
template <int kFraction>
PAWS_BOTH unsigned short paws_from_integer(unsigned long long value, paws_rounding rounding) {
  return paws_from_magnitude<kFraction>(false, value, rounding);
}

/// Exact. binary16's NaN becomes the one of binary32; bfloat16 is the upper half of binary32.
template <int kFraction>
PAWS_BOTH float paws_to_float(unsigned short bits) {
  unsigned int wide = static_cast<unsigned int>(bits) << 16;
  if (kFraction == 10) {
    const unsigned int sign = wide & 0x80000000u;
    const paws_unpacked number = paws_unpack<kFraction>(bits);
    const int width = paws_width(number.magnitude);
    if (paws_is_nan<kFraction>(bits)) {
      wide = 0x7fffffff;
    } else if ((bits & 0x7fff) == PAWS_INFINITY) {
      wide = sign | 0x7f800000;
    } else if (width == 0) {
      wide = sign;
    } else {
      const unsigned int fraction = static_cast<unsigned int>(number.magnitude) << (24 - width);
      const unsigned int field = static_cast<unsigned int>(number.exponent + width - 1 + 127);
      wide = sign | (fraction & 0x7fffff) | field << 23;
    }
  }
  float value;
  __builtin_memcpy(&value, &wide, sizeof(value));
  return value;
}

/// Out of range becomes the nearest integer, NaN 0, but of 64 bits the highest bit alone.
template <class T, int kFraction>
PAWS_BOTH T paws_to_integer(unsigned short bits, paws_rounding rounding) {
  const bool is_signed = static_cast<T>(-1) < static_cast<T>(0);
  const unsigned long long all = ~0ull >> (64 - 8 * sizeof(T));
  const unsigned long long most = is_signed ? all >> 1 : all;
  if (paws_is_nan<kFraction>(bits)) return sizeof(T) == 8 ? static_cast<T>(1ull << 63) : 0;
  const paws_unpacked number = paws_unpack<kFraction>(bits);
  unsigned long long magnitude = ~0ull;
  if (number.exponent < 0) {
    magnitude = paws_round_off(number.negative, number.magnitude, -number.exponent, rounding);
  } else if ((bits & 0x7fff) != PAWS_INFINITY &&
             paws_width(number.magnitude) + number.exponent <= 64) {
    magnitude = number.magnitude << number.exponent;
  }
  const unsigned long long limit = !number.negative ? most : is_signed ? most + 1 : 0;
  if (magnitude > limit) magnitude = limit;
  return static_cast<T>(number.negative ? 0 - magnitude : magnitude);
}

/// The sum of two finite numbers, neither of which is zero; of at most 22 bits each.
template <int kFraction>
PAWS_BOTH unsigned short paws_sum(paws_unpacked a, paws_unpacked b) {
  if (a.exponent + paws_width(a.magnitude) < b.exponent + paws_width(b.magnitude)) {
    const paws_unpacked other = a;
    a = b;
    b = other;
  }
  // The greater one gets 60 bits, the other one the same exponent.
  const int up = 60 - paws_width(a.magnitude);
  a.magnitude <<= up;
  a.exponent -= up;
  const int by = b.exponent - a.exponent;
  if (by >= 0) {
    b.magnitude <<= by;
  } else {
    const unsigned long long kept = by > -64 ? b.magnitude >> -by : 0;
    const bool exact = by > -64 && kept << -by == b.magnitude;
    b.magnitude = kept | (exact ? 0 : 1);
  }
  if (a.negative == b.negative) {
    return paws_pack<kFraction>(a.negative, a.magnitude + b.magnitude, a.exponent, paws_nearest);
  }
  if (a.magnitude == b.magnitude) return 0;
  const bool less = a.magnitude < b.magnitude;
  return paws_pack<kFraction>(less ? b.negative : a.negative,
                              less ? b.magnitude - a.magnitude : a.magnitude - b.magnitude,
                              a.exponent, paws_nearest);
}

/// a * b + c.
template <int kFraction>
PAWS_BOTH unsigned short paws_fma(unsigned short a, unsigned short b, unsigned short c) {
  if (paws_is_nan<kFraction>(a) || paws_is_nan<kFraction>(b) || paws_is_nan<kFraction>(c)) {
    return 0x7fff;
  }
  const unsigned short sign = (a ^ b) & 0x8000;
  if ((a & 0x7fff) == PAWS_INFINITY || (b & 0x7fff) == PAWS_INFINITY) {
    const bool opposite = (c & 0x7fff) == PAWS_INFINITY && (c & 0x8000) != sign;
    if ((a & 0x7fff) == 0 || (b & 0x7fff) == 0 || opposite) return 0x7fff;
    return static_cast<unsigned short>(sign | PAWS_INFINITY);
  }
  if ((c & 0x7fff) == PAWS_INFINITY) return c;
  const paws_unpacked x = paws_unpack<kFraction>(a);
  const paws_unpacked y = paws_unpack<kFraction>(b);
  const paws_unpacked product = {sign != 0, x.magnitude * y.magnitude, x.exponent + y.exponent};
  if (product.magnitude == 0) return (c & 0x7fff) != 0 ? c : c & sign;
  if ((c & 0x7fff) == 0) {
    return paws_pack<kFraction>(product.negative, product.magnitude, product.exponent,
                                paws_nearest);
  }
  return paws_sum<kFraction>(product, paws_unpack<kFraction>(c));
}

template <int kFraction>
PAWS_BOTH unsigned short paws_add(unsigned short a, unsigned short b) {
  return paws_fma<kFraction>(a, PAWS_ONE, b);
}
template <int kFraction>
PAWS_BOTH unsigned short paws_sub(unsigned short a, unsigned short b) {
  return paws_fma<kFraction>(b, PAWS_MINUS_ONE, a);
}
template <int kFraction>
PAWS_BOTH unsigned short paws_mul(unsigned short a, unsigned short b) {
  return paws_fma<kFraction>(a, b, 0x8000);
}

template <int kFraction>
PAWS_BOTH unsigned short paws_div(unsigned short a, unsigned short b) {
  const int x = a & 0x7fff;
  const int y = b & 0x7fff;
  const unsigned short sign = (a ^ b) & 0x8000;
  if (x > PAWS_INFINITY || y > PAWS_INFINITY || (x == 0 && y == 0) ||
      (x == PAWS_INFINITY && y == PAWS_INFINITY)) {
    return 0x7fff;
  }
  if (x == PAWS_INFINITY || y == 0) return static_cast<unsigned short>(sign | PAWS_INFINITY);
  if (x == 0 || y == PAWS_INFINITY) return sign;
  const paws_unpacked over = paws_unpack<kFraction>(a);
  const paws_unpacked under = paws_unpack<kFraction>(b);
  // A quotient of 30 bits or more, whose lowest one says whether anything is left.
  const unsigned long long wide = over.magnitude << 40;
  const unsigned long long left = wide % under.magnitude != 0 ? 1 : 0;
  return paws_pack<kFraction>(sign != 0, wide / under.magnitude | left,
                              over.exponent - 40 - under.exponent, paws_nearest);
}

/// Whether a < b; neither is NaN. -0 is less than +0 if `zeros_differ`.
PAWS_BOTH bool paws_less(unsigned short a, unsigned short b, bool zeros_differ) {
  const int x = (a & 0x8000) != 0 ? -(a & 0x7fff) : a & 0x7fff;
  const int y = (b & 0x8000) != 0 ? -(b & 0x7fff) : b & 0x7fff;
  return x < y || (zeros_differ && x == 0 && y == 0 && a > b);
}

/// A number wins over NaN, unless NaN is wanted.
template <int kFraction>
PAWS_BOTH unsigned short paws_extreme(unsigned short a, unsigned short b, bool greatest,
                                      bool wants_nan) {
  const bool a_is_nan = paws_is_nan<kFraction>(a);
  const bool b_is_nan = paws_is_nan<kFraction>(b);
  if ((a_is_nan && b_is_nan) || (wants_nan && (a_is_nan || b_is_nan))) return 0x7fff;
  if (a_is_nan || b_is_nan) return a_is_nan ? b : a;
  return paws_less(a, b, true) != greatest ? a : b;
}

/// What a comparison says when a is less than b, equal, greater, and when one of them is NaN.
template <int kFraction>
PAWS_BOTH bool paws_compare(unsigned short a, unsigned short b, bool less, bool equal, bool greater,
                            bool unordered) {
  if (paws_is_nan<kFraction>(a) || paws_is_nan<kFraction>(b)) return unordered;
  if (paws_less(a, b, false)) return less;
  return paws_less(b, a, false) ? greater : equal;
}

/// To [0, 1]; NaN becomes 0.
template <int kFraction>
PAWS_BOTH unsigned short paws_saturate(unsigned short a) {
  if (a >= 0x8000 || paws_is_nan<kFraction>(a)) return 0;
  return a < PAWS_ONE ? a : PAWS_ONE;
}

/// Negative numbers become 0.
PAWS_BOTH unsigned short paws_relu(unsigned short a) { return a >= 0x8000 ? 0 : a; }

#undef PAWS_INFINITY
#undef PAWS_ONE
#undef PAWS_MINUS_ONE
#undef PAWS_LEAST
