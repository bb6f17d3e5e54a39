// SPDX-License-Identifier: MIT
// Division by a number that is known only at run time and then stays: sets of a cache, slices,
// cycles of an issue interval. Addresses and cycles are divided in every look-up and every cycle,
// and the processor's own division takes longer than all the rest of it.
#pragma once

#include <bit>
#include <cstdint>

namespace paws {

class Divisor {
 public:
  /// `divisor` is not 0.
  explicit constexpr Divisor(std::uint64_t divisor)
      : divisor_(divisor),
        shift_(std::has_single_bit(divisor) ? static_cast<unsigned>(std::countr_zero(divisor))
                                            : kNoShift),
        reciprocal_(~std::uint64_t{0} / divisor + 1),
        limit_(shift_ == kNoShift ? ~std::uint64_t{0} / (reciprocal_ * divisor) : 0) {}

  [[nodiscard]] constexpr std::uint64_t value() const { return divisor_; }

  [[nodiscard]] constexpr std::uint64_t quotient(std::uint64_t number) const {
    if (shift_ != kNoShift) return number >> shift_;
    if (number > limit_) return number / divisor_;
    return static_cast<std::uint64_t>(Wide{reciprocal_} * number >> 64);
  }
  [[nodiscard]] constexpr std::uint64_t remainder(std::uint64_t number) const {
    if (shift_ != kNoShift) return number & (divisor_ - 1);
    return number - quotient(number) * divisor_;
  }

 private:
  __extension__ using Wide = unsigned __int128;
  static constexpr unsigned kNoShift = 64;

  std::uint64_t divisor_;
  unsigned shift_;            ///< kNoShift: no power of two
  std::uint64_t reciprocal_;  ///< 2^64 / divisor, rounded up; void with a shift
  /// Rounding makes reciprocal * divisor larger than 2^64. A quotient is wrong only when the excess
  /// times the number reaches 2^64: never for numbers up to this one.
  std::uint64_t limit_;
};

}  // namespace paws
