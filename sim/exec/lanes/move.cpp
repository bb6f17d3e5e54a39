// SPDX-License-Identifier: MIT
// mov, pack, unpack, selp, slct, isspacep and shfl.
#include "sim/exec/lanes/float_traits.h"
#include "sim/exec/shuffle.h"

namespace paws::exec::PAWS_LANES {
namespace {

struct Copy {
  template <class T>
  T operator()(T a) const {
    return a;
  }
};

void move_predicate(const Decoded& in, WarpContext& ctx) {
  ctx.set_mask(in.dst.data()[0], ctx.mask(in.src.data()[0]));
}

template <class Lane>
void selp(const Decoded& in, WarpContext& ctx) {
  const Lane* a = ctx.lanes<Lane>(in.src.data()[0]);
  const Lane* b = ctx.lanes<Lane>(in.src.data()[1]);
  const LaneMask chosen = ctx.mask(in.src.data()[2]);
  Lane* out = result<Lane>(in, ctx);
#pragma GCC ivdep
  for (u32 i = 0; i < ir::kWarpSize; ++i) {
    const Lane when = a[i];
    const Lane otherwise = b[i];
    out[i] = (chosen >> i & 1) != 0 ? when : otherwise;
  }
  finish<Lane>(in, ctx);
}

void select_predicate(const Decoded& in, WarpContext& ctx) {
  const LaneMask chosen = ctx.mask(in.src.data()[2]);
  ctx.set_mask(in.dst.data()[0],
               (ctx.mask(in.src.data()[0]) & chosen) | (ctx.mask(in.src.data()[1]) & ~chosen));
}

template <class C, bool kFtz>
struct Slct {
  template <class T>
  T operator()(T a, T b, C c) const {
    if constexpr (std::is_same_v<C, float>) {
      return input<kFtz>(c) >= 0.0f ? a : b;
    } else {
      return c >= 0 ? a : b;
    }
  }
};

Handler select_slct(const ir::Instruction& in) {
  return for_bits(in.type, [&](auto t) -> Handler {
    using T = decltype(t);
    if (in.src_type == ir::Type::s32) return map<Slct<s32, false>, T, T, T, s32>();
    if (in.src_type != ir::Type::f32) return nullptr;
    return in.ftz ? map<Slct<float, true>, T, T, T, float>()
                  : map<Slct<float, false>, T, T, T, float>();
  });
}

template <class T>
inline constexpr unsigned kBitsOf = 8 * sizeof(T);

/// Elements of type E, low first, into one value of type T.
template <class T, class E>
void pack(const Decoded& in, WarpContext& ctx) {
  constexpr unsigned kElements = sizeof(T) / sizeof(E);
  alignas(kSlotAlign) Raw<T> packed[ir::kWarpSize] = {};
  for (unsigned e = 0; e < kElements; ++e) {
    const Raw<E>* from = ctx.lanes<Raw<E>>(in.src.data()[e]);
    for (u32 i = 0; i < ir::kWarpSize; ++i) {
      packed[i] |= static_cast<Raw<T>>(static_cast<E>(from[i])) << (kBitsOf<E> * e);
    }
  }
  Raw<T>* out = result<Raw<T>>(in, ctx);
  for (u32 i = 0; i < ir::kWarpSize; ++i) out[i] = packed[i];
  finish<Raw<T>>(in, ctx);
}

template <class T, class E>
void unpack(const Decoded& in, WarpContext& ctx) {
  constexpr unsigned kElements = sizeof(T) / sizeof(E);
  const Raw<T>* from = ctx.lanes<Raw<T>>(in.src.data()[0]);
  // A result may share the source's lanes.
  alignas(kSlotAlign) Raw<T> packed[ir::kWarpSize];
  for (u32 i = 0; i < ir::kWarpSize; ++i) packed[i] = from[i];
  for (unsigned e = 0; e < kElements; ++e) {
    if (in.dst.data()[e] == kNoSlot) continue;
    Raw<E>* out = result<Raw<E>>(in, ctx, e);
    for (u32 i = 0; i < ir::kWarpSize; ++i) {
      out[i] = static_cast<Raw<E>>(static_cast<E>(packed[i] >> (kBitsOf<E> * e)));
    }
    finish<Raw<E>>(in, ctx, e);
  }
}

Handler select_pack(const ir::Instruction& in) {
  const bool packs = in.op == ir::Op::pack;
  return for_bits(in.type, [&](auto t) -> Handler {
    using T = decltype(t);
    if (sizeof(T) == 8 && in.vector == 2) return packs ? &pack<u64, u32> : &unpack<u64, u32>;
    if (sizeof(T) == 8 && in.vector == 4) return packs ? &pack<u64, u16> : &unpack<u64, u16>;
    if (sizeof(T) == 4 && in.vector == 2) return packs ? &pack<u32, u16> : &unpack<u32, u16>;
    if (sizeof(T) == 4 && in.vector == 4) return packs ? &pack<u32, u8> : &unpack<u32, u8>;
    if (sizeof(T) == 2 && in.vector == 2) return packs ? &pack<u16, u8> : &unpack<u16, u8>;
    return nullptr;
  });
}

/// A generic address lies in a window, or is global.
void isspacep(const Decoded& in, WarpContext& ctx) {
  const u64* address = ctx.lanes<u64>(in.src.data()[0]);
  LaneMask inside = 0;
  for (u32 i = 0; i < ir::kWarpSize; ++i) {
    const u64 window = address[i] / ir::kWindowBytes * ir::kWindowBytes;
    bool holds = false;
    switch (in.ir->space) {
      case ir::Space::shared:
        holds = window == ir::kSharedWindow;
        break;
      case ir::Space::local:
        holds = window == ir::kLocalWindow;
        break;
      case ir::Space::constant:
        holds = window == ir::kConstWindow;
        break;
      case ir::Space::param:
        holds = window == ir::kParamWindow;
        break;
      default:
        holds = window < ir::kSharedWindow || window > ir::kParamWindow;
        break;
    }
    inside |= static_cast<LaneMask>(holds) << i;
  }
  ctx.set_mask(in.dst.data()[0], inside);
}

/// A source lane that does not execute gives 0, and the member mask changes no value
/// (docs/reference/simulator.md, "Shuffles").
template <ir::ShflMode kMode>
void shfl(const Decoded& in, WarpContext& ctx) {
  const u32* a = ctx.lanes<u32>(in.src.data()[0]);
  const u32* b = ctx.lanes<u32>(in.src.data()[1]);
  const u32* c = ctx.lanes<u32>(in.src.data()[2]);
  // A result may share a source's lanes.
  alignas(kSlotAlign) u32 values[ir::kWarpSize];
  alignas(kSlotAlign) u32 from[ir::kWarpSize];
  alignas(kSlotAlign) u32 in_range[ir::kWarpSize];
  for (u32 i = 0; i < ir::kWarpSize; ++i) values[i] = (ctx.active >> i & 1) != 0 ? a[i] : 0;
  for (u32 i = 0; i < ir::kWarpSize; ++i) {
    from[i] = shuffle_source(kMode, i, b[i], c[i]);
    in_range[i] = 0 - u32{in_segment(kMode, i, asked_lane(kMode, i, b[i], c[i]), c[i])};
  }
  if (in.dst.data()[0] != kNoSlot) {
    u32* out = result<u32>(in, ctx);
    for (u32 i = 0; i < ir::kWarpSize; ++i) out[i] = values[from[i]];
    finish<u32>(in, ctx);
  }
  ctx.set_mask(in.dst.data()[1], gather_bits(in_range));
}

Handler select_shfl(ir::ShflMode mode) {
  switch (mode) {
    case ir::ShflMode::up:
      return &shfl<ir::ShflMode::up>;
    case ir::ShflMode::down:
      return &shfl<ir::ShflMode::down>;
    case ir::ShflMode::bfly:
      return &shfl<ir::ShflMode::bfly>;
    case ir::ShflMode::idx:
      return &shfl<ir::ShflMode::idx>;
  }
  return nullptr;
}

}  // namespace

Handler select_move(const ir::Instruction& in, Decoded&) {
  switch (in.op) {
    case ir::Op::mov:
      if (in.type == ir::Type::pred) return &move_predicate;
      return for_bits(in.type,
                      [](auto t) { return map<Copy, Raw<decltype(t)>, Raw<decltype(t)>>(); });
    case ir::Op::shfl:
      return select_shfl(in.shfl);
    case ir::Op::selp:
      if (in.type == ir::Type::pred) return &select_predicate;
      return for_bits(in.type, [](auto t) -> Handler { return &selp<Raw<decltype(t)>>; });
    case ir::Op::slct:
      return select_slct(in);
    case ir::Op::pack:
    case ir::Op::unpack:
      return select_pack(in);
    case ir::Op::isspacep:
      return &isspacep;
    default:
      return nullptr;
  }
}

}  // namespace paws::exec::PAWS_LANES
