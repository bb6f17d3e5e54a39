// SPDX-License-Identifier: MIT
// Logic, shift and bit-field instructions.
#include <algorithm>

#include "sim/exec/lanes/lane.h"

namespace paws::exec::PAWS_LANES {
namespace {

struct And {
  template <class T>
  T operator()(T a, T b) const {
    return a & b;
  }
};
struct Or {
  template <class T>
  T operator()(T a, T b) const {
    return a | b;
  }
};
struct Xor {
  template <class T>
  T operator()(T a, T b) const {
    return a ^ b;
  }
};
struct Not {
  template <class T>
  T operator()(T a) const {
    return static_cast<T>(~a);
  }
};
struct Cnot {
  template <class T>
  T operator()(T a) const {
    return a == 0 ? 1 : 0;
  }
};

template <class F>
void on_predicates(const Decoded& in, WarpContext& ctx) {
  ctx.set_mask(in.dst.data()[0], F()(ctx.mask(in.src.data()[0]), ctx.mask(in.src.data()[1])));
}
void not_predicate(const Decoded& in, WarpContext& ctx) {
  ctx.set_mask(in.dst.data()[0], ~ctx.mask(in.src.data()[0]));
}

/// Any function of three inputs by its truth table, as a sum of its eight minterms.
struct Lop3 {
  explicit Lop3(const Decoded& in) {
    for (unsigned i = 0; i < 8; ++i) minterm[i] = (in.ir->lut >> i & 1) != 0 ? ~u32{0} : 0;
  }
  u32 operator()(u32 a, u32 b, u32 c) const {
    const u32 when_a = (b & ((c & minterm[7]) | (~c & minterm[6]))) |
                       (~b & ((c & minterm[5]) | (~c & minterm[4])));
    const u32 when_not = (b & ((c & minterm[3]) | (~c & minterm[2]))) |
                         (~b & ((c & minterm[1]) | (~c & minterm[0])));
    return (a & when_a) | (~a & when_not);
  }
  u32 minterm[8];
};

/// Its second result: whether the first is not zero, combined with a predicate (PTX ISA, "lop3").
void lop3_combined(const Decoded& in, WarpContext& ctx) {
  const Lop3 function(in);
  const u32* a = ctx.lanes<u32>(in.src.data()[0]);
  const u32* b = ctx.lanes<u32>(in.src.data()[1]);
  const u32* c = ctx.lanes<u32>(in.src.data()[2]);
  const LaneMask given = ctx.mask(in.src.data()[3]);
  u32 values[ir::kWarpSize];
  LaneMask nonzero = 0;
  for (u32 i = 0; i < ir::kWarpSize; ++i) {
    values[i] = function(a[i], b[i], c[i]);
    nonzero |= LaneMask{values[i] != 0} << i;
  }
  if (in.ir->dst[0] != ir::kNoReg) {
    std::copy_n(values, ir::kWarpSize, result<u32>(in, ctx));
    finish<u32>(in, ctx);
  }
  ctx.set_mask(in.dst.data()[1],
               in.ir->bool_op == ir::BoolOp::and_ ? nonzero & given : nonzero | given);
}

/// Shift amounts are unsigned 32-bit and clamp at the width.
struct Shl {
  template <class T>
  T operator()(T a, u32 n) const {
    const auto shifted = static_cast<T>(static_cast<Wrap<T>>(a) << (n & (kBits<Wrap<T>> - 1)));
    return n >= kBits<T> ? T{0} : shifted;
  }
};
struct Shr {
  template <class T>
  T operator()(T a, u32 n) const {
    if constexpr (std::is_signed_v<T>) {
      return static_cast<T>(a >> (n >= kBits<T> ? kBits<T> - 1 : n));
    } else {
      const auto shifted = static_cast<T>(a >> (n & (kBits<T> - 1)));
      return n >= kBits<T> ? T{0} : shifted;
    }
  }
};

template <bool kRight, bool kClamp>
struct Funnel {
  u32 operator()(u32 low, u32 high, u32 c) const {
    const u32 n = kClamp ? (c > 32 ? 32 : c) : c & 31;
    const u64 both = u64{high} << 32 | low;
    return static_cast<u32>(kRight ? both >> n : (both << n) >> 32);
  }
};

struct Bfe {
  template <class T>
  T operator()(T a, u32 b, u32 c) const {
    const u32 start = b & 0xff;
    const u32 length = c & 0xff;
    constexpr u32 kTop = kBits<T> - 1;
    if (length == 0) return 0;
    using U = Raw<T>;
    const U bits = static_cast<U>(a);
    U field = start > kTop ? 0 : bits >> start;
    if (length <= kTop) field &= (U{1} << length) - 1;
    if constexpr (std::is_signed_v<T>) {
      const u32 last = start + length - 1;
      const U sign = bits >> (last > kTop ? kTop : last) & 1;
      const u32 taken = start > kTop ? 0 : (length > kBits<T> - start ? kBits<T> - start : length);
      if (sign != 0 && taken < kBits<T>) field |= ~U{0} << taken;
    }
    return static_cast<T>(field);
  }
};
struct Bfi {
  template <class T>
  T operator()(T a, T b, u32 c, u32 d) const {
    const u32 start = c & 0xff;
    const u32 length = d & 0xff;
    if (start >= kBits<T> || length == 0) return b;
    const T ones =
        length >= kBits<T> ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << length) - 1);
    const T mask = static_cast<T>(ones << start);
    return static_cast<T>((b & ~mask) | ((a << start) & mask));
  }
};

struct Popc {
  template <class T>
  u32 operator()(T a) const {
    return static_cast<u32>(__builtin_popcountll(a));
  }
};
struct Clz {
  template <class T>
  u32 operator()(T a) const {
    return a == 0 ? kBits<T> : static_cast<u32>(__builtin_clzll(a)) - (64 - kBits<T>);
  }
};
struct Brev {
  template <class T>
  T operator()(T a) const {
    u64 x = a;
    x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
    x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0f) | (x & 0x0f0f0f0f0f0f0f0f) << 4;
    return static_cast<T>(__builtin_bswap64(x) >> (64 - kBits<T>));
  }
};
template <bool kShiftAmount>
struct Bfind {
  template <class T>
  u32 operator()(T a) const {
    using U = Raw<T>;
    const U bits = static_cast<U>(a < 0 ? ~a : a);
    if (bits == 0) return ~u32{0};
    const u32 top = 63 - static_cast<u32>(__builtin_clzll(bits));
    return kShiftAmount ? kBits<T> - 1 - top : top;
  }
};

/// Byte of b:a by the four low bits of a selector; its bit 3 replicates the byte's sign.
u32 select_byte(u64 bytes, u32 selector) {
  const u32 byte = static_cast<u32>(bytes >> (8 * (selector & 7))) & 0xff;
  if ((selector & 8) == 0) return byte;
  return (byte & 0x80) != 0 ? 0xff : 0;
}

template <ir::PrmtMode kMode>
struct Prmt {
  u32 operator()(u32 a, u32 b, u32 c) const {
    const u64 bytes = u64{b} << 32 | a;
    u32 permuted = 0;
    for (u32 i = 0; i < 4; ++i) permuted |= select_byte(bytes, selector(i, c)) << (8 * i);
    return permuted;
  }
  static u32 selector(u32 i, u32 c) {
    const u32 n = c & 3;
    switch (kMode) {
      case ir::PrmtMode::f4e:
        return n + i;
      case ir::PrmtMode::b4e:
        return (n - i) & 7;
      case ir::PrmtMode::rc8:
        return n;
      case ir::PrmtMode::ecl:
        return i < n ? n : i;
      case ir::PrmtMode::ecr:
        return i < n ? i : n;
      case ir::PrmtMode::rc16:
        return (n & 1) * 2 + (i & 1);
      default:
        return c >> (4 * i) & 15;
    }
  }
};

/// Position of the n-th set bit of the mask from a base (PTX ISA, fns).
struct Fns {
  u32 operator()(u32 mask, u32 base, s32 offset) const {
    if (base > 31) return ~u32{0};
    if (offset == 0) return (mask >> base & 1) != 0 ? base : ~u32{0};
    const s32 step = offset < 0 ? -1 : 1;
    s64 left = offset < 0 ? -s64{offset} : s64{offset};
    for (s32 at = static_cast<s32>(base); at >= 0 && at < 32; at += step) {
      if ((mask >> at & 1) != 0 && --left == 0) return static_cast<u32>(at);
    }
    return ~u32{0};
  }
};

template <bool kClamp>
struct Bmsk {
  u32 operator()(u32 a, u32 b) const {
    const u32 start = kClamp ? a : a & 31;
    const u32 length = kClamp ? b : b & 31;
    if (start > 31) return 0;
    const u32 ones = length > 31 ? ~u32{0} : (u32{1} << length) - 1;
    return ones << start;
  }
};
template <bool kClamp, class T>
struct Szext {
  T operator()(T a, u32 b) const {
    const u32 n = kClamp ? b : b & 31;
    if (n == 0) return 0;
    if (n >= 32) return a;
    return static_cast<T>(static_cast<T>(static_cast<u32>(a) << (32 - n)) >> (32 - n));
  }
};

template <class F>
Handler logic(ir::Type type) {
  if (type == ir::Type::pred) return &on_predicates<F>;
  return for_bits(type, [](auto t) {
    using T = decltype(t);
    return map<F, T, T, T>();
  });
}

Handler select_prmt(ir::PrmtMode mode) {
  switch (mode) {
    case ir::PrmtMode::none:
      return map<Prmt<ir::PrmtMode::none>, u32, u32, u32, u32>();
    case ir::PrmtMode::f4e:
      return map<Prmt<ir::PrmtMode::f4e>, u32, u32, u32, u32>();
    case ir::PrmtMode::b4e:
      return map<Prmt<ir::PrmtMode::b4e>, u32, u32, u32, u32>();
    case ir::PrmtMode::rc8:
      return map<Prmt<ir::PrmtMode::rc8>, u32, u32, u32, u32>();
    case ir::PrmtMode::ecl:
      return map<Prmt<ir::PrmtMode::ecl>, u32, u32, u32, u32>();
    case ir::PrmtMode::ecr:
      return map<Prmt<ir::PrmtMode::ecr>, u32, u32, u32, u32>();
    case ir::PrmtMode::rc16:
      return map<Prmt<ir::PrmtMode::rc16>, u32, u32, u32, u32>();
  }
  return nullptr;
}

Handler select_funnel(const ir::Instruction& in) {
  const bool clamp = in.shift == ir::ShiftMode::clamp;
  if (in.shift_right) {
    return clamp ? map<Funnel<true, true>, u32, u32, u32, u32>()
                 : map<Funnel<true, false>, u32, u32, u32, u32>();
  }
  return clamp ? map<Funnel<false, true>, u32, u32, u32, u32>()
               : map<Funnel<false, false>, u32, u32, u32, u32>();
}

Handler select_szext(const ir::Instruction& in) {
  const bool clamp = in.shift == ir::ShiftMode::clamp;
  if (in.type == ir::Type::s32) {
    return clamp ? map<Szext<true, s32>, s32, s32, u32>() : map<Szext<false, s32>, s32, s32, u32>();
  }
  return clamp ? map<Szext<true, u32>, u32, u32, u32>() : map<Szext<false, u32>, u32, u32, u32>();
}

}  // namespace

Handler select_bits(const ir::Instruction& in, Decoded&) {
  switch (in.op) {
    case ir::Op::and_:
      return logic<And>(in.type);
    case ir::Op::or_:
      return logic<Or>(in.type);
    case ir::Op::xor_:
      return logic<Xor>(in.type);
    case ir::Op::not_:
      if (in.type == ir::Type::pred) return &not_predicate;
      return for_bits(in.type, [](auto t) { return map<Not, decltype(t), decltype(t)>(); });
    case ir::Op::cnot:
      return for_bits(in.type, [](auto t) { return map<Cnot, decltype(t), decltype(t)>(); });
    case ir::Op::lop3:
      return in.bool_op == ir::BoolOp::none ? map<Lop3, u32, u32, u32, u32>() : &lop3_combined;
    case ir::Op::shl:
      return for_bits(in.type, [](auto t) { return map<Shl, decltype(t), decltype(t), u32>(); });
    case ir::Op::shr:
      return for_integer(in.type, [](auto t) { return map<Shr, decltype(t), decltype(t), u32>(); });
    case ir::Op::shf:
      return select_funnel(in);
    case ir::Op::bfe:
      return for_wide_integer(
          in.type, [](auto t) { return map<Bfe, decltype(t), decltype(t), u32, u32>(); });
    case ir::Op::bfi:
      return for_bits(in.type, [](auto t) {
        using T = decltype(t);
        return map<Bfi, T, T, T, u32, u32>();
      });
    case ir::Op::bfind:
      return for_wide_integer(in.type, [&](auto t) {
        return in.shift_amount ? map<Bfind<true>, u32, decltype(t)>()
                               : map<Bfind<false>, u32, decltype(t)>();
      });
    case ir::Op::popc:
      return for_bits(in.type, [](auto t) { return map<Popc, u32, decltype(t)>(); });
    case ir::Op::clz:
      return for_bits(in.type, [](auto t) { return map<Clz, u32, decltype(t)>(); });
    case ir::Op::brev:
      return for_bits(in.type, [](auto t) { return map<Brev, decltype(t), decltype(t)>(); });
    case ir::Op::prmt:
      return select_prmt(in.prmt);
    case ir::Op::fns:
      return map<Fns, u32, u32, u32, s32>();
    case ir::Op::bmsk:
      return in.shift == ir::ShiftMode::clamp ? map<Bmsk<true>, u32, u32, u32>()
                                              : map<Bmsk<false>, u32, u32, u32>();
    case ir::Op::szext:
      return select_szext(in);
    default:
      return nullptr;
  }
}

}  // namespace paws::exec::PAWS_LANES
