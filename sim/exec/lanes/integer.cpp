// SPDX-License-Identifier: MIT
// Integer arithmetic (PTX ISA, "Integer Arithmetic Instructions" and "Extended-Precision").
#include "sim/exec/lanes/lane.h"

namespace paws::exec::PAWS_LANES {
namespace {

using s128 = __int128;
using u128 = unsigned __int128;

template <class T>
T clamp_to(s64 value) {
  constexpr s64 kMax = (s64{1} << (kBits<T> - 1)) - 1;
  return static_cast<T>(value > kMax ? kMax : value < -kMax - 1 ? -kMax - 1 : value);
}

struct Add {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(static_cast<Wrap<T>>(a) + static_cast<Wrap<T>>(b));
  }
};
struct Sub {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(static_cast<Wrap<T>>(a) - static_cast<Wrap<T>>(b));
  }
};
struct AddSat {
  s32 operator()(s32 a, s32 b) const { return clamp_to<s32>(s64{a} + b); }
};
struct SubSat {
  s32 operator()(s32 a, s32 b) const { return clamp_to<s32>(s64{a} - b); }
};

template <class T>
T mul_lo(T a, T b) {
  return static_cast<T>(static_cast<Wrap<T>>(a) * static_cast<Wrap<T>>(b));
}
template <class T>
T mul_hi(T a, T b) {
  if constexpr (sizeof(T) == 8) {
    using Product = std::conditional_t<std::is_signed_v<T>, s128, u128>;
    return static_cast<T>(static_cast<Product>(a) * b >> 64);
  } else {
    using Product = std::conditional_t<std::is_signed_v<T>, s64, u64>;
    return static_cast<T>(static_cast<Product>(a) * b >> kBits<T>);
  }
}

template <class T>
struct Widened;
template <>
struct Widened<u16> {
  using type = u32;
};
template <>
struct Widened<s16> {
  using type = s32;
};
template <>
struct Widened<u32> {
  using type = u64;
};
template <>
struct Widened<s32> {
  using type = s64;
};
template <class T>
using Wide = typename Widened<T>::type;

struct MulLo {
  template <class T>
  T operator()(T a, T b) const {
    return mul_lo(a, b);
  }
  template <class T>
  T operator()(T a, T b, T c) const {
    return Add()(mul_lo(a, b), c);
  }
};
struct MulHi {
  template <class T>
  T operator()(T a, T b) const {
    return mul_hi(a, b);
  }
  template <class T>
  T operator()(T a, T b, T c) const {
    return Add()(mul_hi(a, b), c);
  }
};
struct MulWide {
  template <class T>
  Wide<T> operator()(T a, T b) const {
    return static_cast<Wide<T>>(static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b));
  }
  template <class T>
  Wide<T> operator()(T a, T b, Wide<T> c) const {
    return Add()((*this)(a, b), c);
  }
};
struct MadHiSat {
  s32 operator()(s32 a, s32 b, s32 c) const { return clamp_to<s32>(s64{mul_hi(a, b)} + c); }
};

/// 24-bit operands, 48-bit product; lo: bits 31..0, hi: bits 47..16.
template <class T>
u64 product24(T a, T b) {
  const auto extend = [](T x) { return s64{static_cast<T>(static_cast<u32>(x) << 8)} >> 8; };
  return static_cast<u64>(extend(a) * extend(b));
}
struct Mul24Lo {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(product24(a, b));
  }
  template <class T>
  T operator()(T a, T b, T c) const {
    return Add()((*this)(a, b), c);
  }
};
struct Mul24Hi {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(product24(a, b) >> 16);
  }
  template <class T>
  T operator()(T a, T b, T c) const {
    return Add()((*this)(a, b), c);
  }
};
struct Mad24HiSat {
  s32 operator()(s32 a, s32 b, s32 c) const { return clamp_to<s32>(s64{Mul24Hi()(a, b)} + c); }
};

/// Division by zero gives all ones, its remainder the dividend, as the hardware's sequences do.
struct Div {
  template <class T>
  T operator()(T a, T b) const {
    if (b == 0) return static_cast<T>(~T{0});
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return Sub()(T{0}, a);
    }
    return static_cast<T>(a / b);
  }
};
struct Rem {
  template <class T>
  T operator()(T a, T b) const {
    if (b == 0) return a;
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return 0;
    }
    return static_cast<T>(a % b);
  }
};

struct Neg {
  template <class T>
  T operator()(T a) const {
    return Sub()(T{0}, a);
  }
};
struct Abs {
  template <class T>
  T operator()(T a) const {
    const T negative = Sub()(T{0}, a);
    return a < 0 ? negative : a;
  }
};
struct Min {
  template <class T>
  T operator()(T a, T b) const {
    return a < b ? a : b;
  }
};
struct Max {
  template <class T>
  T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
struct Sad {
  template <class T>
  T operator()(T a, T b, T c) const {
    const T up = Sub()(a, b);
    const T down = Sub()(b, a);
    return Add()(c, a < b ? down : up);
  }
};

/// dp4a, dp2a: A and B are the element types, `kFirst` the first byte of b that dp2a uses.
template <class A, class B, unsigned kFirst>
struct DotProduct {
  u32 operator()(u32 a, u32 b, u32 c) const {
    constexpr unsigned kElements = 4 / sizeof(A);
    u32 sum = c;
    for (unsigned i = 0; i < kElements; ++i) {
      const auto x = static_cast<A>(a >> (kBits<A> * i));
      const auto y = static_cast<B>(b >> (8 * (i + kFirst)));
      sum += static_cast<u32>(s32{x} * s32{y});
    }
    return sum;
  }
};

struct AbsoluteDifference {
  s64 operator()(s64 a, s64 b) const { return a < b ? b - a : a - b; }
};

/// The bits of a word that a selector means.
struct Field {
  unsigned first, count;
};
Field field_of(ir::Selector selector) {
  switch (selector) {
    case ir::Selector::none:
      return {0, 32};
    case ir::Selector::h0:
      return {0, 16};
    case ir::Selector::h1:
      return {16, 16};
    default:
      return {8 * (static_cast<unsigned>(selector) - static_cast<unsigned>(ir::Selector::b0)), 8};
  }
}

/// A word, or a part of it, as an integer of its type.
class Selected {
 public:
  Selected(ir::Selector selector, ir::Type type)
      : up_(32 - field_of(selector).first - field_of(selector).count),
        down_(32 - field_of(selector).count),
        with_sign_(type == ir::Type::s32) {}
  s64 operator()(u32 word) const {
    const u32 top = word << up_;
    return with_sign_ ? s64{static_cast<s32>(top) >> down_} : s64{top >> down_};
  }

 private:
  unsigned up_, down_;
  bool with_sign_;
};

/// Scalar video: F of a and b, saturated or exact; then a second operation with c, or the result
/// replaces a part of c. What is written wraps at last.
template <class F>
class Video {
 public:
  explicit Video(const Decoded& in)
      : a_(in.ir->asel, in.ir->src_type),
        b_(in.ir->bsel, in.ir->other_type),
        whole_(ir::Selector::none, in.ir->type),
        second_(in.ir->atom) {
    const Field field = field_of(in.ir->dsel);
    shift_ = field.first;
    mask_ = ~u32{0} >> (32 - field.count) << field.first;
    if (!in.ir->sat) return;
    const bool with_sign = in.ir->type == ir::Type::s32;
    high_ = (s64{1} << (with_sign ? field.count - 1 : field.count)) - 1;
    low_ = with_sign ? ~high_ : 0;
  }
  u32 operator()(u32 a, u32 b) const { return static_cast<u32>(first(a, b)); }
  u32 operator()(u32 a, u32 b, u32 c) const {
    const s64 value = first(a, b);
    switch (second_) {
      case ir::AtomOp::add:
        return static_cast<u32>(value) + c;
      case ir::AtomOp::min:
        return static_cast<u32>(Min()(value, whole_(c)));
      case ir::AtomOp::max:
        return static_cast<u32>(Max()(value, whole_(c)));
      default:
        return (static_cast<u32>(value) << shift_ & mask_) | (c & ~mask_);
    }
  }

 private:
  s64 first(u32 a, u32 b) const {
    const s64 exact = F()(a_(a), b_(b));
    return exact < low_ ? low_ : exact > high_ ? high_ : exact;
  }

  Selected a_, b_, whole_;
  ir::AtomOp second_;
  unsigned shift_ = 0;
  u32 mask_ = 0;
  // No sum or difference of two words is beyond these.
  s64 low_ = -(s64{1} << 33);
  s64 high_ = s64{1} << 33;
};

template <class F, class T>
Handler two() {
  return map<F, T, T, T>();
}
template <class F, class T>
Handler three() {
  return map<F, T, T, T, T>();
}

/// Which multiplicative root comes before the sum of an extended-precision instruction.
enum class Product { none, lo, hi };

/// add, sub and mad with carry in, carry out or both. As in hardware, where a - b is a + ~b + 1,
/// the carry of sub is 1 where nothing is borrowed: nvcc's division of 128-bit integers reads it by
/// addc.
template <class T, Product kProduct, bool kBorrow>
void carry_chain(const Decoded& in, WarpContext& ctx) {
  constexpr unsigned kSum = kProduct == Product::none ? 1 : 2;  // the operand added last
  const Raw<T>* a = ctx.lanes<Raw<T>>(in.src.data()[0]);
  const Raw<T>* b = ctx.lanes<Raw<T>>(in.src.data()[1]);
  const Raw<T>* c = ctx.lanes<Raw<T>>(in.src.data()[kSum]);
  const LaneMask none = kBorrow ? ~LaneMask{0} : 0;
  const LaneMask carry_in = in.ir->carry_in ? ctx.mask(in.src.data()[kSum + 1]) : none;
  Raw<T>* out = result<Raw<T>>(in, ctx);
  LaneMask carry_out = 0;
  for (u32 i = 0; i < ir::kWarpSize; ++i) {
    u128 x = a[i];
    if constexpr (kProduct == Product::lo) x = to_raw<T>(mul_lo(from_raw<T>(a[i]), T(b[i])));
    if constexpr (kProduct == Product::hi) x = to_raw<T>(mul_hi(from_raw<T>(a[i]), T(b[i])));
    const u128 carry = carry_in >> i & 1;
    const u128 sum = x + (kBorrow ? static_cast<Raw<T>>(~c[i]) : c[i]) + carry;
    out[i] = static_cast<Raw<T>>(sum);
    carry_out |= static_cast<LaneMask>(sum >> kBits<T> & 1) << i;
  }
  finish<Raw<T>>(in, ctx);
  if (in.ir->carry_out) ctx.set_mask(in.dst.data()[1], carry_out);
}

Handler select_carry(const ir::Instruction& in) {
  return for_wide_integer(in.type, [&](auto t) -> Handler {
    using T = decltype(t);
    if (in.op == ir::Op::add) return &carry_chain<T, Product::none, false>;
    if (in.op == ir::Op::sub) return &carry_chain<T, Product::none, true>;
    if (in.op != ir::Op::mad || in.part == ir::MulPart::wide) return nullptr;
    return in.part == ir::MulPart::hi ? &carry_chain<T, Product::hi, false>
                                      : &carry_chain<T, Product::lo, false>;
  });
}

template <class F>
Handler select_wide(ir::Type type, bool mad) {
  const auto pick = [&](auto t) -> Handler {
    using T = decltype(t);
    return mad ? map<F, Wide<T>, T, T, Wide<T>>() : map<F, Wide<T>, T, T>();
  };
  switch (type) {
    case ir::Type::u16:
      return pick(u16{});
    case ir::Type::s16:
      return pick(s16{});
    case ir::Type::u32:
      return pick(u32{});
    case ir::Type::s32:
      return pick(s32{});
    default:
      return nullptr;
  }
}

Handler select_mul(const ir::Instruction& in) {
  const bool mad = in.op == ir::Op::mad;
  if (in.part == ir::MulPart::wide) return select_wide<MulWide>(in.type, mad);
  const bool hi = in.part == ir::MulPart::hi;
  if (in.sat) return mad && hi && in.type == ir::Type::s32 ? three<MadHiSat, s32>() : nullptr;
  return for_integer(in.type, [&](auto t) -> Handler {
    using T = decltype(t);
    if (hi) return mad ? three<MulHi, T>() : two<MulHi, T>();
    return mad ? three<MulLo, T>() : two<MulLo, T>();
  });
}

Handler select_mul24(const ir::Instruction& in) {
  if (in.type != ir::Type::u32 && in.type != ir::Type::s32) return nullptr;
  if (in.part == ir::MulPart::wide) return nullptr;
  const bool mad = in.op == ir::Op::mad24;
  const bool hi = in.part == ir::MulPart::hi;
  if (in.sat) return mad && hi && in.type == ir::Type::s32 ? three<Mad24HiSat, s32>() : nullptr;
  return for_wide_integer(in.type, [&](auto t) -> Handler {
    using T = std::conditional_t<std::is_signed_v<decltype(t)>, s32, u32>;
    if (hi) return mad ? three<Mul24Hi, T>() : two<Mul24Hi, T>();
    return mad ? three<Mul24Lo, T>() : two<Mul24Lo, T>();
  });
}

Handler select_dot(const ir::Instruction& in) {
  const bool a_signed = in.type == ir::Type::s32;
  const bool b_signed = in.src_type == ir::Type::s32;
  const auto pick = [&](auto a, auto b) -> Handler {
    using A = decltype(a);
    using B = decltype(b);
    if constexpr (sizeof(A) == 1) {
      return three<DotProduct<A, B, 0>, u32>();
    } else {
      return in.part == ir::MulPart::hi ? three<DotProduct<A, B, 2>, u32>()
                                        : three<DotProduct<A, B, 0>, u32>();
    }
  };
  const auto with_b = [&](auto a) { return b_signed ? pick(a, s8{}) : pick(a, u8{}); };
  if (in.op == ir::Op::dp4a) return a_signed ? with_b(s8{}) : with_b(u8{});
  return a_signed ? with_b(s16{}) : with_b(u16{});
}

template <class F>
Handler select_video(const ir::Instruction& in) {
  const bool has_c = in.src[2].kind != ir::Operand::Kind::none;
  return has_c ? three<Video<F>, u32>() : two<Video<F>, u32>();
}

}  // namespace

Handler select_integer(const ir::Instruction& in, Decoded&) {
  if (in.carry_in || in.carry_out) return select_carry(in);
  switch (in.op) {
    case ir::Op::add:
    case ir::Op::sub:
      if (in.sat) {
        if (in.type != ir::Type::s32) return nullptr;
        return in.op == ir::Op::add ? two<AddSat, s32>() : two<SubSat, s32>();
      }
      return for_integer(in.type, [&](auto t) {
        using T = decltype(t);
        return in.op == ir::Op::add ? two<Add, T>() : two<Sub, T>();
      });
    case ir::Op::mul:
    case ir::Op::mad:
      return select_mul(in);
    case ir::Op::mul24:
    case ir::Op::mad24:
      return select_mul24(in);
    case ir::Op::div:
      return for_integer(in.type, [](auto t) { return two<Div, decltype(t)>(); });
    case ir::Op::rem:
      return for_integer(in.type, [](auto t) { return two<Rem, decltype(t)>(); });
    case ir::Op::neg:
      return for_integer(in.type, [](auto t) { return map<Neg, decltype(t), decltype(t)>(); });
    case ir::Op::abs:
      return for_integer(in.type, [](auto t) { return map<Abs, decltype(t), decltype(t)>(); });
    case ir::Op::min:
      return for_integer(in.type, [](auto t) { return two<Min, decltype(t)>(); });
    case ir::Op::max:
      return for_integer(in.type, [](auto t) { return two<Max, decltype(t)>(); });
    case ir::Op::sad:
      return for_integer(in.type, [](auto t) { return three<Sad, decltype(t)>(); });
    case ir::Op::dp4a:
    case ir::Op::dp2a:
      return select_dot(in);
    case ir::Op::vadd:
      return select_video<Add>(in);
    case ir::Op::vsub:
      return select_video<Sub>(in);
    case ir::Op::vabsdiff:
      return select_video<AbsoluteDifference>(in);
    case ir::Op::vmin:
      return select_video<Min>(in);
    case ir::Op::vmax:
      return select_video<Max>(in);
    default:
      return nullptr;
  }
}

}  // namespace paws::exec::PAWS_LANES
