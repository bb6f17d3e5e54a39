// SPDX-License-Identifier: MIT
// Floating-point arithmetic and the approximate functions.
#include "sim/exec/lanes/approximate.h"
#include "sim/exec/lanes/float_traits.h"
#include "sim/exec/rounding.h"

namespace paws::exec::PAWS_LANES {
namespace {

// Plain functions on float and double; the host rounds as the mode set around the handler says.
struct Add {
  template <class T>
  T operator()(T a, T b) const {
    return a + b;
  }
};
struct Sub {
  template <class T>
  T operator()(T a, T b) const {
    return a - b;
  }
};
struct Mul {
  template <class T>
  T operator()(T a, T b) const {
    return a * b;
  }
};
struct Fma {
  float operator()(float a, float b, float c) const { return __builtin_fmaf(a, b, c); }
  double operator()(double a, double b, double c) const { return __builtin_fma(a, b, c); }
};
/// For operands whose product a double holds. What the sum loses sets its lowest bit, so that
/// rounding it once more gives what rounding the exact sum gives.
struct FmaToOdd {
  double operator()(double a, double b, double c) const {
    const double product = a * b;
    const double sum = product + c;
    const double part = sum - product;
    const double lost = (product - (sum - part)) + (c - part);
    const u64 bits = __builtin_bit_cast(u64, sum);
    const bool further = (lost > 0.0) == (sum > 0.0);
    const bool inexact = lost > 0.0 || lost < 0.0;
    const u64 odd = (bits & 1) != 0 ? bits : further ? bits + 1 : bits - 1;
    return inexact ? __builtin_bit_cast(double, odd) : sum;
  }
};
struct Div {
  template <class T>
  T operator()(T a, T b) const {
    return a / b;
  }
};
/// PTX ISA, div.approx.f32: a finite number over |b| in (2^126, 2^128) is zero, infinity NaN.
struct DivApprox {
  float operator()(float a, float b) const {
    const float huge = a * 0.0f;  // NaN for infinite a
    const float sign = __builtin_copysignf(1.0f, b);
    const float quotient = a / b;
    return __builtin_fabsf(b) > 0x1p126f ? huge * sign : quotient;
  }
};
struct Rcp {
  template <class T>
  T operator()(T a) const {
    return T{1} / a;
  }
};
struct Sqrt {
  float operator()(float a) const { return __builtin_sqrtf(a); }
  double operator()(double a) const { return __builtin_sqrt(a); }
};
struct Rsqrt {
  float operator()(float a) const {
    return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(a)));
  }
  double operator()(double a) const { return 1.0 / __builtin_sqrt(a); }
};
/// PTX ISA, rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64: F on the operand's high word; the result's
/// low word is 0. Subnormal operands and results are zeros of the same sign.
template <class F>
struct HighWord {
  double operator()(double a) const {
    constexpr u64 kHigh = 0xffffffff00000000;
    constexpr u64 kHalfOfLow = 0x80000000;
    constexpr u64 kNan = 0x7fffffff00000000;
    const double high = flush(from_raw<double>(to_raw(a) & kHigh));
    const double y = F()(high);
    // Rounded to nearest; an infinity has no low word that could change it.
    const double rounded = flush(from_raw<double>((to_raw(y) + kHalfOfLow) & kHigh));
    return y == y ? rounded : from_raw<double>(kNan);
  }
};
struct Ex2 {
  float operator()(float a) const { return static_cast<float>(ex2(a)); }
  double operator()(double a) const { return ex2(a); }
};
struct Lg2 {
  float operator()(float a) const { return static_cast<float>(lg2(a)); }
};
struct Sin {
  float operator()(float a) const { return static_cast<float>(sine(a, 0)); }
};
struct Cos {
  float operator()(float a) const { return static_cast<float>(sine(a, 1)); }
};
struct Tanh {
  float operator()(float a) const { return static_cast<float>(tangent(a)); }
  double operator()(double a) const { return tangent(a); }
};

/// A number wins over NaN; -0 is less than +0.
struct Min {
  template <class T>
  T operator()(T a, T b) const {
    const T least =
        from_raw<T>(to_raw(a) | to_raw(b));  // of equals: sets the sign if either has it
    const T ordered = a < b ? a : a == b ? least : b;
    return a != a ? b : b != b ? a : ordered;
  }
};
struct Max {
  template <class T>
  T operator()(T a, T b) const {
    const T greatest = from_raw<T>(to_raw(a) & to_raw(b));
    const T ordered = a > b ? a : a == b ? greatest : b;
    return a != a ? b : b != b ? a : ordered;
  }
};

/// A NaN operand gives NaN.
template <class F>
struct PropagateNan {
  template <class T>
  T operator()(T a, T b) const {
    return a == a && b == b ? F()(a, b) : a + b;
  }
};
/// Of the magnitudes; the result has the sign of the product of the operands.
template <class F>
struct XorSign {
  template <class T>
  T operator()(T a, T b) const {
    constexpr Raw<T> kSign = Raw<T>{1} << (kBits<T> - 1);
    const Raw<T> sign = (to_raw(a) ^ to_raw(b)) & kSign;
    return from_raw<T>(
        to_raw(F()(from_raw<T>(to_raw(a) & ~kSign), from_raw<T>(to_raw(b) & ~kSign))) | sign);
  }
};

// The sign operations work on the bits, so that NaN keeps its payload.
struct Neg {
  template <class T>
  T operator()(T a) const {
    return -a;
  }
};
struct Abs {
  float operator()(float a) const { return __builtin_fabsf(a); }
  double operator()(double a) const { return __builtin_fabs(a); }
};
struct Copysign {
  template <class T>
  T operator()(T a, T b) const {  // the sign of a, the magnitude of b
    constexpr Raw<T> kSign = Raw<T>{1} << (kBits<T> - 1);
    return from_raw<T>((to_raw(a) & kSign) | (to_raw(b) & ~kSign));
  }
};

/// An operation as PTX defines it on f32: flushes, saturates, canonical NaN.
template <class F, bool kFtz, bool kSat>
struct Single {
  template <class... A>
  float operator()(A... a) const {
    return output<kFtz, kSat>(F()(input<kFtz>(a)...));
  }
};
template <class F>
struct Double {
  template <class... A>
  double operator()(A... a) const {
    return output(F()(a...));
  }
};
/// On f16 and bf16: computed in double, where sums and products are exact or round to odd, and
/// quotients and roots carry more than twice the digits, then rounded once.
template <class F, class T, bool kFtz, bool kSat>
struct Small {
  explicit Small(const Decoded& in) : round(in.ir->round), relu(in.ir->relu) {}
  template <class... A>
  T operator()(A... a) const {
    double x = F()(double{to_float(kFtz ? flush16(a) : a)}...);
    if (kSat) x = x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0;
    if (relu) x = x > 0.0 || x != x ? x : 0.0;
    const T y = to_small<T>(x, round);
    return kFtz ? flush16(y) : y;
  }
  ir::Round round;
  bool relu;
};
template <class F, class T>
struct BothHalves {
  using Pair = typename SmallFormat<T>::Pair;
  explicit BothHalves(const Decoded& in) : f(make<F>(in)) {}
  template <class... A>
  Pair operator()(A... a) const {
    const T low = f(T{static_cast<u16>(a.bits)}...);
    const T high = f(T{static_cast<u16>(a.bits >> 16)}...);
    return Pair{u32{high.bits} << 16 | low.bits};
  }
  F f;
};
/// neg, abs and copysign: no NaN is touched.
template <class F, bool kFtz>
struct SignOnly {
  template <class... A>
  float operator()(A... a) const {
    return F()(input<kFtz>(a)...);
  }
};

template <class F, class T, unsigned kSources>
constexpr Handler repeat() {
  if constexpr (kSources == 1) return map<F, T, T>();
  if constexpr (kSources == 2) return map<F, T, T, T>();
  if constexpr (kSources == 3) return map<F, T, T, T, T>();
}

template <class F, unsigned kSources>
Handler single(const ir::Instruction& in) {
  if (in.ftz) {
    return in.sat ? repeat<Single<F, true, true>, float, kSources>()
                  : repeat<Single<F, true, false>, float, kSources>();
  }
  return in.sat ? repeat<Single<F, false, true>, float, kSources>()
                : repeat<Single<F, false, false>, float, kSources>();
}

template <class F, class T, unsigned kSources, bool kPair>
Handler small(const ir::Instruction& in) {
  const auto handler = [](auto f) -> Handler {
    using G = typename decltype(f)::type;
    if constexpr (kPair) {
      return repeat<BothHalves<G, T>, typename SmallFormat<T>::Pair, kSources>();
    } else {
      return repeat<G, T, kSources>();
    }
  };
  if (in.ftz) {
    return in.sat ? handler(std::type_identity<Small<F, T, true, true>>{})
                  : handler(std::type_identity<Small<F, T, true, false>>{});
  }
  return in.sat ? handler(std::type_identity<Small<F, T, false, true>>{})
                : handler(std::type_identity<Small<F, T, false, false>>{});
}

/// On the types of 16 bits and their pairs.
template <class F, unsigned kSources>
Handler of_small_type(const ir::Instruction& in) {
  switch (in.type) {
    case ir::Type::f16:
      return small<F, Half, kSources, false>(in);
    case ir::Type::f16x2:
      return small<F, Half, kSources, true>(in);
    case ir::Type::bf16:
      return small<F, Brain, kSources, false>(in);
    case ir::Type::bf16x2:
      return small<F, Brain, kSources, true>(in);
    default:
      return nullptr;
  }
}

template <class F, unsigned kSources>
Handler of_type(const ir::Instruction& in) {
  switch (in.type) {
    case ir::Type::f32:
      return single<F, kSources>(in);
    case ir::Type::f64:
      return in.sat ? nullptr : repeat<Double<F>, double, kSources>();
    default:
      return of_small_type<F, kSources>(in);
  }
}

/// f32 and f64 only.
template <class F, unsigned kSources>
Handler of_wide_type(const ir::Instruction& in) {
  return in.type == ir::Type::f32 || in.type == ir::Type::f64 ? of_type<F, kSources>(in) : nullptr;
}

/// The reciprocals; of the approximate ones of f64, those with .ftz work on the high word.
template <class F>
Handler reciprocal(const ir::Instruction& in) {
  if (in.type == ir::Type::f64 && in.approx && in.ftz) return map<HighWord<F>, double, double>();
  return of_wide_type<F, 1>(in);
}

template <class F>
Handler f32_only(const ir::Instruction& in) {
  return in.type == ir::Type::f32 ? single<F, 1>(in) : nullptr;
}

template <class F>
Handler not_f64(const ir::Instruction& in) {
  return in.type == ir::Type::f32 ? single<F, 1>(in) : of_small_type<F, 1>(in);
}

Handler select_fma(const ir::Instruction& in) {
  // The product and the sum of f16 numbers fit a double.
  const bool brain = in.type == ir::Type::bf16 || in.type == ir::Type::bf16x2;
  return brain ? of_small_type<FmaToOdd, 3>(in) : of_type<Fma, 3>(in);
}

template <class F>
Handler select_extreme(const ir::Instruction& in) {
  if (in.nan && in.xorsign) return of_type<PropagateNan<XorSign<F>>, 2>(in);
  if (in.nan) return of_type<PropagateNan<F>, 2>(in);
  if (in.xorsign) return of_type<XorSign<F>, 2>(in);
  return of_type<F, 2>(in);
}

template <class F, unsigned kSources>
Handler sign_only(const ir::Instruction& in) {
  switch (in.type) {
    case ir::Type::f32:
      return in.ftz ? repeat<SignOnly<F, true>, float, kSources>()
                    : repeat<SignOnly<F, false>, float, kSources>();
    case ir::Type::f64:
      return repeat<F, double, kSources>();
    default:
      return nullptr;
  }
}

/// On the sign bits of types of 16 bits and their pairs; only f16 and f16x2 flush.
template <bool kAbs, u32 kSigns, bool kFtz>
struct HalfSign {
  u32 operator()(u32 a) const {
    if constexpr (kFtz) {
      const u32 low = (a & 0x7c00) == 0 ? a & 0x8000 : a & 0xffff;
      const u32 high = (a & 0x7c000000) == 0 ? a & 0x80000000 : a & 0xffff0000;
      a = low | high;
    }
    return kAbs ? a & ~kSigns : a ^ kSigns;
  }
};
template <bool kAbs>
Handler half_sign(const ir::Instruction& in) {
  if (in.type == ir::Type::f16 || in.type == ir::Type::bf16) {
    return in.ftz ? map<HalfSign<kAbs, 0x8000, true>, u32, u32>()
                  : map<HalfSign<kAbs, 0x8000, false>, u32, u32>();
  }
  return in.ftz ? map<HalfSign<kAbs, 0x80008000, true>, u32, u32>()
                : map<HalfSign<kAbs, 0x80008000, false>, u32, u32>();
}

Handler select_unrounded(const ir::Instruction& in) {
  const bool half_type = in.type == ir::Type::f16 || in.type == ir::Type::f16x2 ||
                         in.type == ir::Type::bf16 || in.type == ir::Type::bf16x2;
  switch (in.op) {
    case ir::Op::add:
      return of_type<Add, 2>(in);
    case ir::Op::sub:
      return of_type<Sub, 2>(in);
    case ir::Op::mul:
      return of_type<Mul, 2>(in);
    case ir::Op::mad:
    case ir::Op::fma:
      return select_fma(in);
    case ir::Op::min:
      return select_extreme<Min>(in);
    case ir::Op::max:
      return select_extreme<Max>(in);
    case ir::Op::div:
      return in.approx && in.type == ir::Type::f32 ? single<DivApprox, 2>(in)
                                                   : of_wide_type<Div, 2>(in);
    case ir::Op::rcp:
      return reciprocal<Rcp>(in);
    case ir::Op::sqrt:
      return of_wide_type<Sqrt, 1>(in);
    case ir::Op::rsqrt:
      return reciprocal<Rsqrt>(in);
    case ir::Op::ex2:
      return not_f64<Ex2>(in);
    case ir::Op::lg2:
      return f32_only<Lg2>(in);
    case ir::Op::sin:
      return f32_only<Sin>(in);
    case ir::Op::cos:
      return f32_only<Cos>(in);
    case ir::Op::tanh:
      return not_f64<Tanh>(in);
    case ir::Op::neg:
      return half_type ? half_sign<false>(in) : sign_only<Neg, 1>(in);
    case ir::Op::abs:
      return half_type ? half_sign<true>(in) : sign_only<Abs, 1>(in);
    case ir::Op::copysign:
      return sign_only<Copysign, 2>(in);
    default:
      return nullptr;
  }
}

}  // namespace

Handler select_floating(const ir::Instruction& in, Decoded& out) {
  return directed(in, out, select_unrounded(in));
}

}  // namespace paws::exec::PAWS_LANES
