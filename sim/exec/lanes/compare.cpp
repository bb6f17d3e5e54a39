// SPDX-License-Identifier: MIT
// setp, set and testp.
#include "sim/exec/lanes/float_traits.h"

namespace paws::exec::PAWS_LANES {
namespace {

// Ordered comparisons: false when an operand is NaN. The others are their inverses.
struct Equal {
  template <class T>
  bool operator()(T a, T b) const {
    return a == b;
  }
};
struct Less {
  template <class T>
  bool operator()(T a, T b) const {
    return a < b;
  }
};
struct LessEqual {
  template <class T>
  bool operator()(T a, T b) const {
    return a <= b;
  }
};
struct Greater {
  template <class T>
  bool operator()(T a, T b) const {
    return a > b;
  }
};
struct GreaterEqual {
  template <class T>
  bool operator()(T a, T b) const {
    return a >= b;
  }
};
struct LessOrGreater {
  template <class T>
  bool operator()(T a, T b) const {
    return a < b || a > b;
  }
};
struct BothNumbers {
  template <class T>
  bool operator()(T a, T b) const {
    return a == a && b == b;
  }
};

template <bool kFtz>
inline float comparable(float x) {
  return input<kFtz>(x);
}
template <bool kFtz, ByBits T>
inline float comparable(T x) {
  return to_float(kFtz ? flush16(x) : x);
}
template <bool kFtz, class T>
inline T comparable(T x) {
  return x;
}

/// What a lane holds from bit kShift on.
template <class F, class T, bool kFtz, unsigned kShift = 0>
LaneMask compare(const Decoded& in, const WarpContext& ctx) {
  const Raw<T>* a = ctx.lanes<Raw<T>>(in.src.data()[0]);
  const Raw<T>* b = ctx.lanes<Raw<T>>(in.src.data()[1]);
  alignas(kSlotAlign) u32 holds[ir::kWarpSize];
  for (u32 i = 0; i < ir::kWarpSize; ++i) {
    const bool bit = F()(comparable<kFtz>(from_raw<T>(a[i] >> kShift)),
                         comparable<kFtz>(from_raw<T>(b[i] >> kShift)));
    holds[i] = bit ? ~u32{0} : 0;
  }
  return gather_bits(holds) ^ in.result_flip;
}

LaneMask combine(const Decoded& in, const WarpContext& ctx, LaneMask compared) {
  switch (in.ir->bool_op) {
    case ir::BoolOp::and_:
      return compared & ctx.mask(in.src.data()[2]);
    case ir::BoolOp::or_:
      return compared | ctx.mask(in.src.data()[2]);
    case ir::BoolOp::xor_:
      return compared ^ ctx.mask(in.src.data()[2]);
    default:
      return compared;
  }
}

template <class F, class T, bool kFtz>
void setp(const Decoded& in, WarpContext& ctx) {
  const LaneMask compared = compare<F, T, kFtz>(in, ctx);
  const LaneMask first = combine(in, ctx, compared);
  if (in.dst.data()[1] == kNoSlot) return ctx.set_mask(in.dst.data()[0], first);
  const LaneMask second = combine(in, ctx, ~compared);
  ctx.set_mask(in.dst.data()[0], first);
  ctx.set_mask(in.dst.data()[1], second);
}

/// Of pairs: the first result is the low halves', the second one the high halves'.
template <class F, class T, bool kFtz>
void setp_pair(const Decoded& in, WarpContext& ctx) {
  const LaneMask low = combine(in, ctx, compare<F, T, kFtz>(in, ctx));
  const LaneMask high = combine(in, ctx, compare<F, T, kFtz, 16>(in, ctx));
  ctx.set_mask(in.dst.data()[0], low);
  ctx.set_mask(in.dst.data()[1], high);
}

/// True is all ones, or 1.0 of a floating-point destination.
u32 yes(ir::Type type) {
  switch (type) {
    case ir::Type::f32:
      return 0x3f800000;
    case ir::Type::f16:
      return kOne16<Half>;
    case ir::Type::f16x2:
      return kOne16<Half> << 16 | kOne16<Half>;
    case ir::Type::bf16:
      return kOne16<Brain>;
    case ir::Type::bf16x2:
      return kOne16<Brain> << 16 | kOne16<Brain>;
    default:
      return ~u32{0};
  }
}

template <class F, class T, bool kFtz>
void set_pair(const Decoded& in, WarpContext& ctx) {
  const LaneMask low = combine(in, ctx, compare<F, T, kFtz>(in, ctx));
  const LaneMask high = combine(in, ctx, compare<F, T, kFtz, 16>(in, ctx));
  const u32 value = yes(in.ir->type);
  u32* out = result<u32>(in, ctx);
  for (u32 i = 0; i < ir::kWarpSize; ++i) {
    out[i] = ((low >> i & 1) != 0 ? value & 0xffff : 0) |
             ((high >> i & 1) != 0 ? value & 0xffff0000 : 0);
  }
  finish<u32>(in, ctx);
}

template <class F, class T, bool kFtz>
void set(const Decoded& in, WarpContext& ctx) {
  const LaneMask holds = combine(in, ctx, compare<F, T, kFtz>(in, ctx));
  const u32 value = yes(in.ir->type);
  u32* out = result<u32>(in, ctx);
  for (u32 i = 0; i < ir::kWarpSize; ++i) out[i] = (holds >> i & 1) != 0 ? value : 0;
  finish<u32>(in, ctx);
}

bool pairs(ir::Type type) { return type == ir::Type::f16x2 || type == ir::Type::bf16x2; }

template <class F, class T, bool kFtz = false>
Handler as(const ir::Instruction& in) {
  if constexpr (kIsSmall<T>) {
    if (pairs(in.op == ir::Op::set ? in.src_type : in.type)) {
      return in.op == ir::Op::set ? &set_pair<F, T, kFtz> : &setp_pair<F, T, kFtz>;
    }
  }
  return in.op == ir::Op::set ? &set<F, T, kFtz> : &setp<F, T, kFtz>;
}

template <class T, bool kFtz>
Handler float_comparison(const ir::Instruction& in, Decoded& out) {
  const auto inverse = [&](Handler handler) {
    out.result_flip = kAllLanes;
    return handler;
  };
  switch (in.cmp) {
    case ir::Cmp::eq:
      return as<Equal, T, kFtz>(in);
    case ir::Cmp::ne:
      return as<LessOrGreater, T, kFtz>(in);
    case ir::Cmp::lt:
      return as<Less, T, kFtz>(in);
    case ir::Cmp::le:
      return as<LessEqual, T, kFtz>(in);
    case ir::Cmp::gt:
      return as<Greater, T, kFtz>(in);
    case ir::Cmp::ge:
      return as<GreaterEqual, T, kFtz>(in);
    case ir::Cmp::equ:
      return inverse(as<LessOrGreater, T, kFtz>(in));
    case ir::Cmp::neu:
      return inverse(as<Equal, T, kFtz>(in));
    case ir::Cmp::ltu:
      return inverse(as<GreaterEqual, T, kFtz>(in));
    case ir::Cmp::leu:
      return inverse(as<Greater, T, kFtz>(in));
    case ir::Cmp::gtu:
      return inverse(as<LessEqual, T, kFtz>(in));
    case ir::Cmp::geu:
      return inverse(as<Less, T, kFtz>(in));
    case ir::Cmp::num:
      return as<BothNumbers, T, kFtz>(in);
    case ir::Cmp::nan:
      return inverse(as<BothNumbers, T, kFtz>(in));
    default:
      return nullptr;
  }
}

template <class T>
Handler integer_comparison(const ir::Instruction& in, Decoded& out) {
  using Unsigned = std::make_unsigned_t<T>;
  const auto inverse = [&](Handler handler) {
    out.result_flip = kAllLanes;
    return handler;
  };
  switch (in.cmp) {
    case ir::Cmp::eq:
      return as<Equal, Unsigned>(in);
    case ir::Cmp::ne:
      return inverse(as<Equal, Unsigned>(in));
    case ir::Cmp::lt:
      return as<Less, T>(in);
    case ir::Cmp::le:
      return as<LessEqual, T>(in);
    case ir::Cmp::gt:
      return inverse(as<LessEqual, T>(in));
    case ir::Cmp::ge:
      return inverse(as<Less, T>(in));
    case ir::Cmp::lo:
      return as<Less, Unsigned>(in);
    case ir::Cmp::ls:
      return as<LessEqual, Unsigned>(in);
    case ir::Cmp::hi:
      return inverse(as<LessEqual, Unsigned>(in));
    case ir::Cmp::hs:
      return inverse(as<Less, Unsigned>(in));
    default:
      return nullptr;
  }
}

Handler select_comparison(const ir::Instruction& in, Decoded& out) {
  switch (in.op == ir::Op::set ? in.src_type : in.type) {
    case ir::Type::f16:
    case ir::Type::f16x2:
      return in.ftz ? float_comparison<Half, true>(in, out)
                    : float_comparison<Half, false>(in, out);
    case ir::Type::bf16:
    case ir::Type::bf16x2:
      return float_comparison<Brain, false>(in, out);
    case ir::Type::f32:
      return in.ftz ? float_comparison<float, true>(in, out)
                    : float_comparison<float, false>(in, out);
    case ir::Type::f64:
      return float_comparison<double, false>(in, out);
    default:
      return for_integer(in.op == ir::Op::set ? in.src_type : in.type,
                         [&](auto t) { return integer_comparison<decltype(t)>(in, out); });
  }
}

template <class T>
bool has_property(Raw<T> bits, ir::TestpMode mode) {
  constexpr unsigned kFraction = sizeof(T) == 8 ? 52 : 23;
  constexpr Raw<T> kExponent = (Raw<T>{1} << (kBits<T> - 1)) - (Raw<T>{1} << kFraction);
  const Raw<T> exponent = bits & kExponent;
  const Raw<T> fraction = bits & ((Raw<T>{1} << kFraction) - 1);
  switch (mode) {
    case ir::TestpMode::finite:
      return exponent != kExponent;
    case ir::TestpMode::infinite:
      return exponent == kExponent && fraction == 0;
    case ir::TestpMode::number:
      return exponent != kExponent || fraction == 0;
    case ir::TestpMode::notanumber:
      return exponent == kExponent && fraction != 0;
    case ir::TestpMode::normal:
      return exponent != kExponent && exponent != 0;
    case ir::TestpMode::subnormal:
      return exponent == 0 && fraction != 0;
  }
  return false;
}

template <class T>
void testp(const Decoded& in, WarpContext& ctx) {
  const Raw<T>* a = ctx.lanes<Raw<T>>(in.src.data()[0]);
  LaneMask holds = 0;
  for (u32 i = 0; i < ir::kWarpSize; ++i) {
    holds |= static_cast<LaneMask>(has_property<T>(a[i], in.ir->testp)) << i;
  }
  ctx.set_mask(in.dst.data()[0], holds);
}

}  // namespace

Handler select_compare(const ir::Instruction& in, Decoded& out) {
  switch (in.op) {
    case ir::Op::set:
      if (ir::size_of(in.type) != 2 && ir::size_of(in.type) != 4) return nullptr;
      return select_comparison(in, out);
    case ir::Op::setp:
      return select_comparison(in, out);
    case ir::Op::testp:
      if (in.type == ir::Type::f32) return &testp<float>;
      return in.type == ir::Type::f64 ? &testp<double> : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace paws::exec::PAWS_LANES
