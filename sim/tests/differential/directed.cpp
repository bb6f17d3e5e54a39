// SPDX-License-Identifier: MIT
#include "sim/tests/differential/directed.h"

#include <bit>
#include <cfenv>
#include <cmath>

namespace paws::differential {
namespace {

class Mode {
 public:
  explicit Mode(Round round) { std::fesetround(kModes[static_cast<unsigned>(round)]); }
  ~Mode() { std::fesetround(FE_TONEAREST); }
  Mode(const Mode&) = delete;
  Mode& operator=(const Mode&) = delete;

 private:
  static constexpr int kModes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
};

// The compiler must not inline, analyse or move these functions: their results depend on the
// rounding mode around the call.
template <typename T>
[[gnu::noipa]] T compute(Arithmetic operation, T a, T b, T c) {
  switch (operation) {
    case Arithmetic::add:
      return a + b;
    case Arithmetic::sub:
      return a - b;
    case Arithmetic::mul:
      return a * b;
    case Arithmetic::div:
      return a / b;
    case Arithmetic::fma:
      return std::fma(a, b, c);
    case Arithmetic::sqrt:
      return std::sqrt(a);
    case Arithmetic::rcp:
      return T{1} / a;
  }
  return a;
}

template <typename To, typename From>
[[gnu::noipa]] To convert(From x) {
  return static_cast<To>(x);
}

template <typename To, typename From>
To convert_in(Round round, From x) {
  const Mode mode(round);
  return convert<To>(x);
}

/// Integers that are zero give +0 in every mode: IEEE 754 5.4.1 leaves no choice.
template <typename To, typename From>
To from_integer(Round round, From x) {
  return x == 0 ? To{0} : convert_in<To>(round, x);
}

}  // namespace

float directed(Arithmetic operation, Round round, float a, float b, float c) {
  const Mode mode(round);
  return compute(operation, a, b, c);
}
double directed(Arithmetic operation, Round round, double a, double b, double c) {
  const Mode mode(round);
  return compute(operation, a, b, c);
}
float to_float(Round round, s64 x) { return from_integer<float>(round, x); }
float to_float(Round round, u64 x) { return from_integer<float>(round, x); }
double to_double(Round round, s64 x) { return from_integer<double>(round, x); }
double to_double(Round round, u64 x) { return from_integer<double>(round, x); }
float narrowed(Round round, double x) { return convert_in<float>(round, x); }

u16 to_half(Round round, float x) {
  // In units of the result's last place, where the host's rounding to an integer does the work.
  if (x != x) return 0x7fff;
  const u16 sign = std::signbit(x) ? 0x8000 : 0;
  int exponent = 0;
  std::frexp(x, &exponent);
  const int place = std::max(exponent - 11, -24);
  double scaled = std::ldexp(double{x}, -place);
  if (std::isfinite(x)) {
    const Mode mode(round);
    volatile double exact = scaled;
    scaled = std::nearbyint(exact);
  }
  const double rounded = std::ldexp(std::fabs(scaled), place);
  constexpr double kLargest = 65504;
  if (rounded > kLargest) {
    const bool away = round == Round::rn || std::isinf(x) || (round == Round::rp && sign == 0) ||
                      (round == Round::rm && sign != 0);
    return sign | (away ? 0x7c00 : 0x7bff);
  }
  if (rounded < 0x1p-14) return static_cast<u16>(sign | static_cast<u16>(rounded * 0x1p24));
  const int power = std::ilogb(rounded);
  const auto mantissa = static_cast<unsigned>(std::ldexp(rounded, 10 - power));
  return static_cast<u16>(sign | (static_cast<unsigned>(power + 15) << 10) | (mantissa & 0x3ff));
}

float from_half(u16 bits) {
  const int exponent = bits >> 10 & 31;
  const int mantissa = bits & 0x3ff;
  float value = std::ldexp(static_cast<float>(mantissa + (exponent != 0 ? 0x400 : 0)),
                           (exponent != 0 ? exponent : 1) - 25);
  if (exponent == 31) value = mantissa != 0 ? std::nanf("") : INFINITY;
  return (bits & 0x8000) != 0 ? -value : value;
}

}  // namespace paws::differential
