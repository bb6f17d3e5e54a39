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

u16 to_small(Small type, Round round, long double x) {
  // In units of the result's last place, where the host's rounding to an integer does the work.
  const int fraction = type == Small::f16 ? 10 : 7;
  const int least = type == Small::f16 ? -24 : -133;  // of the smallest number
  const unsigned infinity = type == Small::f16 ? 0x7c00 : 0x7f80;
  if (x != x) return 0x7fff;
  const unsigned sign = std::signbit(x) ? 0x8000 : 0;
  const long double magnitude = std::fabs(x);
  int exponent = 0;
  if (std::isfinite(x)) std::frexp(magnitude, &exponent);
  const int place = std::max(exponent - (fraction + 1), least);
  long double count = std::ldexp(magnitude, -place);
  if (std::isfinite(x)) {
    const Mode mode(sign == 0            ? round
                    : round == Round::rm ? Round::rp
                    : round == Round::rp ? Round::rm
                                         : round);
    volatile long double exact = count;
    count = std::nearbyint(exact);
  }
  const long double rounded = std::ldexp(count, place);
  const int greatest = type == Small::f16 ? 16 : 128;
  if (rounded >= std::ldexp(1.0L, greatest)) {
    const bool away = round == Round::rn || std::isinf(x) || (round == Round::rp && sign == 0) ||
                      (round == Round::rm && sign != 0);
    return static_cast<u16>(sign | (away ? infinity : infinity - 1));
  }
  if (rounded < std::ldexp(1.0L, least + fraction)) {
    return static_cast<u16>(sign | static_cast<unsigned>(std::ldexp(rounded, -least)));
  }
  const int power = std::ilogb(rounded);
  const auto mantissa = static_cast<unsigned>(std::ldexp(rounded, fraction - power));
  const auto field = static_cast<unsigned>(power - (least + fraction) + 1);
  return static_cast<u16>(sign | field << fraction | (mantissa & ((1U << fraction) - 1)));
}

double from_small(Small type, u16 bits) {
  const int fraction = type == Small::f16 ? 10 : 7;
  const int least = type == Small::f16 ? -24 : -133;
  const int special = type == Small::f16 ? 31 : 255;
  const int field = (bits & 0x7fff) >> fraction;
  const int mantissa = bits & ((1 << fraction) - 1);
  double value =
      std::ldexp(mantissa + (field != 0 ? 1 << fraction : 0), least + (field != 0 ? field - 1 : 0));
  if (field == special) value = mantissa != 0 ? std::nan("") : INFINITY;
  return (bits & 0x8000) != 0 ? -value : value;
}

double to_odd(Arithmetic operation, double a, double b, double c) {
  const Mode mode(Round::rz);
  std::feclearexcept(FE_INEXACT);
  const double cut = compute(operation, a, b, c);
  const bool inexact = std::fetestexcept(FE_INEXACT) != 0;
  return inexact ? std::bit_cast<double>(std::bit_cast<u64>(cut) | 1) : cut;
}

float to_tf32(bool away, float x) {
  if (x != x) return std::bit_cast<float>(u32{0x7fffffff});
  if (std::isinf(x) || x == 0) return x;
  int exponent = 0;
  std::frexp(x, &exponent);
  const int place = std::max(exponent - 11, -136);
  const double count = std::ldexp(double{x}, -place);
  return static_cast<float>(std::ldexp(away ? std::round(count) : std::nearbyint(count), place));
}

}  // namespace paws::differential
