// SPDX-License-Identifier: MIT
// cvt and cvta (PTX ISA, "Data Movement and Conversion Instructions").
#include "sim/exec/access.h"
#include "sim/exec/lanes/float_traits.h"
#include "sim/exec/rounding.h"

namespace paws::exec::PAWS_LANES {
namespace {

template <class T>
inline constexpr T kMax =
    static_cast<T>(std::is_signed_v<T> ? ~(~u64{0} << (kBits<T> - 1)) : ~u64{0} >> (64 - kBits<T>));
template <class T>
inline constexpr T kMin = static_cast<T>(std::is_signed_v<T> ? ~u64{0} << (kBits<T> - 1) : 0);

/// .ftz concerns f32 only; functions that differ in nothing are not compiled twice.
template <class T>
inline constexpr bool kFlushes = std::is_same_v<T, float>;

/// Integer to integer: truncation or extension; .sat clamps to the destination's range.
template <class D, class S, bool kSat>
struct IntegerToInteger {
  D operator()(S x) const {
    if constexpr (kSat) {
      constexpr bool kSignedSource = std::is_signed_v<S>;
      if constexpr (kSignedSource && !std::is_signed_v<D>) {
        if (x < 0) return 0;
      } else if constexpr (kSignedSource) {
        if (static_cast<s64>(x) < static_cast<s64>(kMin<D>)) return kMin<D>;
      }
      if (x > 0 && static_cast<u64>(x) > static_cast<u64>(kMax<D>)) return kMax<D>;
    }
    return static_cast<D>(x);
  }
};

/// Rounding to an integral value in floating point.
template <ir::Round kRound, class T>
T integral(T x) {
  constexpr bool kIsDouble = sizeof(T) == 8;
  switch (kRound) {
    case ir::Round::rzi:
      return kIsDouble ? __builtin_trunc(x) : __builtin_truncf(x);
    case ir::Round::rmi:
      return kIsDouble ? __builtin_floor(x) : __builtin_floorf(x);
    case ir::Round::rpi:
      return kIsDouble ? __builtin_ceil(x) : __builtin_ceilf(x);
    default:
      return kIsDouble ? __builtin_rint(x) : __builtin_rintf(x);
  }
}

template <bool kFtz>
double widen(float x) {
  return input<kFtz>(x);
}
template <bool>
double widen(double x) {
  return x;
}
template <bool, ByBits T>
double widen(T x) {
  return to_float(x);
}

/// Float to integer: saturates; NaN is 0, but the sign bit alone from or to 64 bits.
template <class D, class S, ir::Round kRound, bool kFtz>
struct FloatToInteger {
  D operator()(S source) const {
    constexpr bool kWide = sizeof(D) == 8 || sizeof(S) == 8;
    constexpr D kNan = kWide ? static_cast<D>(u64{1} << (kBits<D> - 1)) : D{0};
    const double x = integral<kRound>(widen<kFtz>(source));
    if constexpr (sizeof(D) == 8) {
      constexpr double kLimit = std::is_signed_v<D> ? 0x1p63 : 0x1p64;
      if (x != x) return kNan;
      if (x >= kLimit) return kMax<D>;
      if (x < static_cast<double>(kMin<D>)) return kMin<D>;
      return static_cast<D>(x);
    } else {
      const double low = x > double{kMin<D>} ? x : double{kMin<D>};
      const double in_range = low < double{kMax<D>} ? low : double{kMax<D>};
      const D value = static_cast<D>(static_cast<s64>(in_range));
      return x == x ? value : kNan;
    }
  }
};

template <bool kSat>
double saturate(double x) {
  if constexpr (!kSat) return x;
  return x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0;
}

/// Integer to float; the host's rounding mode applies to f32 and f64. Zero is +0 in every mode,
/// which some compilers' sequences for unsigned integers do not give.
template <class D, class S, bool kSat>
struct IntegerToFloat {
  explicit IntegerToFloat(const Decoded& in) : round(in.ir->round) {}
  D operator()(S x) const {
    if constexpr (kIsSmall<D>) {
      return to_small<D>(saturate<kSat>(sticky(x)), round);
    } else {
      const D y = x == 0 ? D{0} : static_cast<D>(x);
      return kSat ? static_cast<D>(saturate<true>(y)) : y;
    }
  }
  /// A double that rounds as the integer does: it holds 53 bits, and of longer integers the lowest
  /// of these says whether anything lies below.
  static double sticky(S x) {
    if constexpr (sizeof(S) < 8) {
      return static_cast<double>(x);
    } else {
      constexpr u64 kBelow = (u64{1} << 11) - 1;
      const bool negative = x < 0;
      const u64 magnitude = negative ? -static_cast<u64>(x) : static_cast<u64>(x);
      const u64 cut = (magnitude & ~kBelow) | ((magnitude & kBelow) != 0 ? kBelow + 1 : 0);
      const double y = static_cast<double>(magnitude >> 53 != 0 ? cut : magnitude);
      return negative ? -y : y;
    }
  }
  ir::Round round;
};

/// Float to float. Narrowing to f32 rounds in the host's mode; to 16 bits here.
template <class D, class S, bool kFtz, bool kSat>
struct FloatToFloat {
  explicit FloatToFloat(const Decoded& in) : round(in.ir->round), relu(in.ir->relu) {}
  D operator()(S x) const {
    if constexpr (kIsSmall<D>) {
      const double y = saturate<kSat>(widen<kFtz>(x));
      return to_small<D>(relu && y < 0.0 ? 0.0 : y, round);
    } else if constexpr (std::is_same_v<D, double>) {
      return output(saturate<kSat>(widen<kFtz>(x)));
    } else {
      return output<kFtz, kSat>(static_cast<float>(widen<kFtz>(x)));
    }
  }
  ir::Round round;
  bool relu;
};

/// f32 to tf32, which has 10 bits of fraction. NaN becomes the canonical one.
struct ToTensorFloat {
  explicit ToTensorFloat(const Decoded& in)
      : away(in.ir->round == ir::Round::rna), relu(in.ir->relu) {}
  float operator()(float x) const {
    constexpr u32 kCut = 0x1fff;
    const u32 bits = __builtin_bit_cast(u32, x);
    const u32 bias = away ? (kCut >> 1) + 1 : (kCut >> 1) + (bits >> 13 & 1);
    const u32 rounded = (bits + bias) & ~kCut;
    const u32 number = (bits & 0x7fffffff) == 0x7f800000 ? bits : rounded;
    const float y = __builtin_bit_cast(float, x == x ? number : kNan32);
    return relu && y < 0.0f ? 0.0f : y;
  }
  bool away, relu;
};

template <class T, ir::Round kRound, bool kFtz, bool kSat>
struct ToIntegral {
  T operator()(T x) const {
    if constexpr (kIsSmall<T>) {
      return to_small<T>(saturate<kSat>(integral<kRound>(widen<false>(x))), ir::Round::rn);
    } else if constexpr (sizeof(T) == 8) {
      return output(saturate<kSat>(integral<kRound>(x)));
    } else {
      return output<kFtz, kSat>(integral<kRound>(input<kFtz>(x)));
    }
  }
};

template <class Pick>
Handler for_any_integer(ir::Type type, Pick pick) {
  switch (type) {
    case ir::Type::u8:
    case ir::Type::b8:
      return pick(u8{});
    case ir::Type::s8:
      return pick(s8{});
    default:
      return for_integer(type, pick);
  }
}
template <class Pick>
Handler for_float(ir::Type type, Pick pick) {
  switch (type) {
    case ir::Type::f16:
      return pick(Half{});
    case ir::Type::bf16:
      return pick(Brain{});
    case ir::Type::f32:
      return pick(float{});
    case ir::Type::f64:
      return pick(double{});
    default:
      return nullptr;
  }
}

template <class Pick>
Handler for_integral_round(ir::Round round, Pick pick) {
  using R = ir::Round;
  switch (round) {
    case R::rni:
      return pick(std::integral_constant<R, R::rni>{});
    case R::rzi:
      return pick(std::integral_constant<R, R::rzi>{});
    case R::rmi:
      return pick(std::integral_constant<R, R::rmi>{});
    case R::rpi:
      return pick(std::integral_constant<R, R::rpi>{});
    default:
      return nullptr;
  }
}

Handler from_integer(const ir::Instruction& in, bool to_float) {
  return for_any_integer(in.src_type, [&](auto s) {
    using S = decltype(s);
    if (to_float) {
      return for_float(in.type, [&](auto d) {
        using D = decltype(d);
        return in.sat ? map<IntegerToFloat<D, S, true>, D, S>()
                      : map<IntegerToFloat<D, S, false>, D, S>();
      });
    }
    return for_any_integer(in.type, [&](auto d) {
      using D = decltype(d);
      return in.sat ? map<IntegerToInteger<D, S, true>, D, S>()
                    : map<IntegerToInteger<D, S, false>, D, S>();
    });
  });
}

Handler float_to_integer(const ir::Instruction& in) {
  return for_float(in.src_type, [&](auto s) {
    using S = decltype(s);
    return for_any_integer(in.type, [&](auto d) {
      using D = decltype(d);
      return for_integral_round(in.round, [&](auto round) {
        constexpr ir::Round kRound = decltype(round)::value;
        if constexpr (kFlushes<S>) {
          if (in.ftz) return map<FloatToInteger<D, S, kRound, true>, D, S>();
        }
        return map<FloatToInteger<D, S, kRound, false>, D, S>();
      });
    });
  });
}

template <class T>
Handler to_integral(const ir::Instruction& in) {
  return for_integral_round(in.round, [&](auto round) {
    constexpr ir::Round kRound = decltype(round)::value;
    if constexpr (kFlushes<T>) {
      if (in.ftz) {
        return in.sat ? map<ToIntegral<T, kRound, true, true>, T, T>()
                      : map<ToIntegral<T, kRound, true, false>, T, T>();
      }
    }
    return in.sat ? map<ToIntegral<T, kRound, false, true>, T, T>()
                  : map<ToIntegral<T, kRound, false, false>, T, T>();
  });
}

bool rounds_to_integral(ir::Round round) { return round >= ir::Round::rni; }

Handler float_to_float(const ir::Instruction& in) {
  return for_float(in.src_type, [&](auto s) {
    using S = decltype(s);
    return for_float(in.type, [&](auto d) -> Handler {
      using D = decltype(d);
      if (rounds_to_integral(in.round)) {
        if constexpr (std::is_same_v<D, S>) return to_integral<D>(in);
        return nullptr;
      }
      if constexpr (kFlushes<D> || kFlushes<S>) {
        if (in.ftz) {
          return in.sat ? map<FloatToFloat<D, S, true, true>, D, S>()
                        : map<FloatToFloat<D, S, true, false>, D, S>();
        }
      }
      return in.sat ? map<FloatToFloat<D, S, false, true>, D, S>()
                    : map<FloatToFloat<D, S, false, false>, D, S>();
    });
  });
}

bool is_float_type(ir::Type type) {
  return type == ir::Type::f16 || type == ir::Type::bf16 || type == ir::Type::f32 ||
         type == ir::Type::f64;
}

Handler select_cvt(const ir::Instruction& in, Decoded& out) {
  if (in.type == ir::Type::tf32) {
    return in.src_type == ir::Type::f32 ? map<ToTensorFloat, float, float>() : nullptr;
  }
  const bool from_float = is_float_type(in.src_type);
  const bool to_float = is_float_type(in.type);
  if (!from_float) {
    const Handler handler = from_integer(in, to_float);
    return to_float ? directed(in, out, handler) : handler;
  }
  if (!to_float) return float_to_integer(in);
  return directed(in, out, float_to_float(in));
}

/// Between a space's addresses and generic ones.
struct Cvta {
  explicit Cvta(const Decoded& in)
      : add(in.ir->cvta_to ? -window_base(in.ir->space) : window_base(in.ir->space)) {}
  u64 operator()(u64 address) const { return address + add; }
  u64 add;
};

Handler select_cvta(const ir::Instruction& in) {
  const bool wide =
      in.type == ir::Type::u64 || in.type == ir::Type::b64 || in.type == ir::Type::s64;
  return wide ? map<Cvta, u64, u64>() : nullptr;
}

}  // namespace

Handler select_convert(const ir::Instruction& in, Decoded& out) {
  if (in.op == ir::Op::cvt) return select_cvt(in, out);
  if (in.op == ir::Op::cvta) return select_cvta(in);
  return nullptr;
}

}  // namespace paws::exec::PAWS_LANES
