// SPDX-License-Identifier: MIT
#include "sim/support/small_float.h"

#include <bit>
#include <cmath>

namespace paws {
namespace {

constexpr unsigned kDoubleFraction = 52;
constexpr int kDoubleBias = 1023;
constexpr std::uint64_t kDoubleInfinity = std::uint64_t{0x7ff} << kDoubleFraction;

/// `value` without its lowest `drop` bits, to nearest, ties to even. 1 <= drop <= 63.
std::uint64_t round_off(std::uint64_t value, unsigned drop) {
  const std::uint64_t kept = value >> drop;
  const std::uint64_t rest = value & ((std::uint64_t{1} << drop) - 1);
  const std::uint64_t half = std::uint64_t{1} << (drop - 1);
  return kept + (rest > half || (rest == half && (kept & 1) != 0) ? 1 : 0);
}

/// The integer as a double that rounds to any shorter format as the integer does: cut to 53 bits,
/// the lowest of which is set when anything was cut off.
double to_double_odd(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  const std::uint64_t magnitude = value < 0 ? 0 - bits : bits;
  const int cut = std::bit_width(magnitude) - static_cast<int>(kDoubleFraction) - 1;
  std::uint64_t kept = magnitude;
  if (cut > 0) {
    kept >>= cut;
    if (kept << cut != magnitude) kept |= 1;
  }
  const double out = std::ldexp(static_cast<double>(kept), cut > 0 ? cut : 0);
  return value < 0 ? -out : out;
}

}  // namespace

template <unsigned kExponent, unsigned kFraction>
SmallFloat<kExponent, kFraction> SmallFloat<kExponent, kFraction>::round(double value) {
  constexpr std::uint64_t kInfinity = ((std::uint64_t{1} << kExponent) - 1) << kFraction;
  constexpr unsigned kCut = kDoubleFraction - kFraction;
  constexpr int kBias = (1 << (kExponent - 1)) - 1;
  const auto wide = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t magnitude = wide & ~(std::uint64_t{1} << 63);
  const auto sign = static_cast<std::uint16_t>(wide >> 63 << 15);
  const auto with_sign = [sign](std::uint64_t unsigned_bits) {
    return SmallFloat{static_cast<std::uint16_t>(sign | unsigned_bits)};
  };
  if (magnitude > kDoubleInfinity) {
    const std::uint64_t payload = (magnitude >> kCut) & ((std::uint64_t{1} << kFraction) - 1);
    return with_sign(kInfinity | payload | std::uint64_t{1} << (kFraction - 1));
  }
  // The exponent as this format stores it; below 1 the number is subnormal.
  const int exponent = static_cast<int>(magnitude >> kDoubleFraction) - kDoubleBias + kBias;
  if (exponent < 1) {
    const unsigned drop = kCut + static_cast<unsigned>(1 - exponent);
    const bool subnormal_double = magnitude < std::uint64_t{1} << kDoubleFraction;
    // Below half of the smallest number, or zero.
    if (subnormal_double || drop > kDoubleFraction + 1) return with_sign(0);
    const std::uint64_t fraction = magnitude & ((std::uint64_t{1} << kDoubleFraction) - 1);
    return with_sign(round_off(fraction | std::uint64_t{1} << kDoubleFraction, drop));
  }
  if (exponent >= 1 << kExponent) return with_sign(kInfinity);
  // A carry out of the fraction goes on into the exponent, up to infinity.
  const std::uint64_t rebiased = (magnitude & ((std::uint64_t{1} << kDoubleFraction) - 1)) |
                                 static_cast<std::uint64_t>(exponent) << kDoubleFraction;
  const std::uint64_t rounded = round_off(rebiased, kCut);
  return with_sign(rounded < kInfinity ? rounded : kInfinity);
}

template <unsigned kExponent, unsigned kFraction>
SmallFloat<kExponent, kFraction> SmallFloat<kExponent, kFraction>::round(std::int64_t value) {
  return round(to_double_odd(value));
}

template <unsigned kExponent, unsigned kFraction>
double SmallFloat<kExponent, kFraction>::widen() const {
  constexpr unsigned kSpecial = (1U << kExponent) - 1;
  constexpr int kBias = (1 << (kExponent - 1)) - 1;
  const unsigned exponent = (bits & 0x7fffU) >> kFraction;
  const std::uint64_t fraction = bits & ((1U << kFraction) - 1);
  const std::uint64_t sign = std::uint64_t{bits} >> 15 << 63;
  if (exponent == kSpecial) {
    return std::bit_cast<double>(sign | kDoubleInfinity |
                                 fraction << (kDoubleFraction - kFraction));
  }
  const std::uint64_t significand = exponent == 0 ? fraction : fraction | 1U << kFraction;
  const int scale =
      static_cast<int>(exponent == 0 ? 1 : exponent) - kBias - static_cast<int>(kFraction);
  const double magnitude = std::ldexp(static_cast<double>(significand), scale);
  return sign == 0 ? magnitude : -magnitude;
}

template struct SmallFloat<5, 10>;
template struct SmallFloat<8, 7>;

}  // namespace paws
