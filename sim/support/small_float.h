// SPDX-License-Identifier: MIT
// Floating-point numbers of 16 bits in buffers, by their bits: IEEE binary16 and bfloat16.
#pragma once

#include <cstdint>

namespace paws {

/// A floating-point format of `kExponent` exponent and `kFraction` fraction bits below a sign, with
/// IEEE's subnormal numbers, infinities and NaNs.
template <unsigned kExponent, unsigned kFraction>
struct SmallFloat {
  static_assert(kExponent + kFraction == 15, "16 bits with the sign");
  static_assert(kExponent <= 8, "all its numbers are normal in double precision");

  std::uint16_t bits = 0;

  /// Rounds once, to nearest, ties to even; beyond the largest finite number becomes infinity. NaN
  /// stays NaN with its sign and the upper bits of its payload, and becomes quiet.
  static SmallFloat round(double value);

  /// The same for an integer, which a double might not hold.
  static SmallFloat round(std::int64_t value);

  [[nodiscard]] double widen() const;  ///< exact
};

using Float16 = SmallFloat<5, 10>;
using Bfloat16 = SmallFloat<8, 7>;

extern template struct SmallFloat<5, 10>;
extern template struct SmallFloat<8, 7>;

}  // namespace paws
