// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "sim/exec/families.h"

namespace paws::exec {
namespace {

template <class Lane>
std::array<Lane, ir::kWarpSize> copy_lanes(const WarpContext& ctx, const Source& source) {
  std::array<Lane, ir::kWarpSize> lanes;
  std::memcpy(lanes.data(), ctx.lanes<Lane>(source), sizeof(lanes));
  return lanes;
}

void write_lanes(const Decoded& in, const WarpContext& ctx,
                 const std::array<std::uint32_t, ir::kWarpSize>& values) {
  if (in.dst[0] == kNoSlot) return;
  auto* out = reinterpret_cast<std::uint32_t*>(ctx.base[0] + in.dst[0]);
  for (unsigned i = 0; i < ir::kWarpSize; ++i) {
    if ((ctx.active >> i & 1) != 0) out[i] = values[i];
  }
}

/// Calls `work` for each group of lanes that take part together: the lanes that execute, and, in
/// .sync forms, those of them that name the same members.
template <class Work>
void for_each_group(const WarpContext& ctx, const Source& members, Work&& work) {
  if (members.offset == kNoSlot) return work(ctx.active);
  const auto masks = copy_lanes<std::uint32_t>(ctx, members);
  for (LaneMask left = ctx.active; left != 0;) {
    const std::uint32_t mask = masks[static_cast<unsigned>(std::countr_zero(left))];
    LaneMask same = 0;
    for (LaneMask rest = left; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      if (masks[lane] == mask) same |= LaneMask{1} << lane;
    }
    left &= ~same;
    work(same & mask);
  }
}

void vote(const Decoded& in, WarpContext& ctx) {
  const LaneMask predicate = ctx.mask(in.src[0]);
  std::array<std::uint32_t, ir::kWarpSize> ballot{};
  LaneMask verdict = 0;
  for_each_group(ctx, in.src[1], [&](LaneMask members) {
    const LaneMask holds = predicate & members;
    const bool yes = in.ir->vote == ir::VoteMode::all   ? holds == members
                     : in.ir->vote == ir::VoteMode::any ? holds != 0
                                                        : holds == 0 || holds == members;
    if (yes) verdict |= members;
    for (LaneMask left = members; left != 0; left &= left - 1) {
      ballot[static_cast<unsigned>(std::countr_zero(left))] = holds;
    }
  });
  if (in.ir->vote == ir::VoteMode::ballot) return write_lanes(in, ctx, ballot);
  ctx.set_mask(in.dst[0], verdict);
}

void activemask(const Decoded& in, WarpContext& ctx) {
  std::array<std::uint32_t, ir::kWarpSize> out;
  out.fill(ctx.active);
  write_lanes(in, ctx, out);
}

template <class Lane>
void match(const Decoded& in, WarpContext& ctx) {
  const auto a = copy_lanes<Lane>(ctx, in.src[0]);
  std::array<std::uint32_t, ir::kWarpSize> equal{};
  LaneMask agree = 0;
  for_each_group(ctx, in.src[1], [&](LaneMask members) {
    bool all = true;
    for (LaneMask left = members; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      for (LaneMask others = members; others != 0; others &= others - 1) {
        const auto other = static_cast<unsigned>(std::countr_zero(others));
        if (a[lane] == a[other]) equal[lane] |= LaneMask{1} << other;
      }
      all = all && equal[lane] == members;
    }
    if (all) agree |= members;
  });
  if (in.ir->match == ir::MatchMode::all) {
    for (unsigned lane = 0; lane < ir::kWarpSize; ++lane) {
      if ((agree >> lane & 1) == 0) equal[lane] = 0;
    }
    ctx.set_mask(in.dst[1], agree);
  }
  write_lanes(in, ctx, equal);
}

template <class T>
void redux(const Decoded& in, WarpContext& ctx) {
  const auto a = copy_lanes<std::uint32_t>(ctx, in.src[0]);
  std::array<std::uint32_t, ir::kWarpSize> out{};
  for_each_group(ctx, in.src[1], [&](LaneMask members) {
    const auto first = static_cast<unsigned>(std::countr_zero(members));
    std::uint32_t sum = members == 0 ? 0 : a[first];
    for (LaneMask left = members & (members - 1); left != 0; left &= left - 1) {
      const std::uint32_t value = a[static_cast<unsigned>(std::countr_zero(left))];
      switch (in.ir->atom) {
        case ir::AtomOp::add:
          sum += value;
          break;
        case ir::AtomOp::min:
          sum = static_cast<std::uint32_t>(std::min(static_cast<T>(sum), static_cast<T>(value)));
          break;
        case ir::AtomOp::max:
          sum = static_cast<std::uint32_t>(std::max(static_cast<T>(sum), static_cast<T>(value)));
          break;
        case ir::AtomOp::and_:
          sum &= value;
          break;
        case ir::AtomOp::or_:
          sum |= value;
          break;
        default:
          sum ^= value;
          break;
      }
    }
    for (LaneMask left = members; left != 0; left &= left - 1) {
      out[static_cast<unsigned>(std::countr_zero(left))] = sum;
    }
  });
  write_lanes(in, ctx, out);
}

/// The warp executes in lockstep, so its lanes have always met.
void nothing(const Decoded&, WarpContext&) {}

Handler select_redux(const ir::Instruction& in) {
  switch (in.atom) {
    case ir::AtomOp::add:
    case ir::AtomOp::min:
    case ir::AtomOp::max:
    case ir::AtomOp::and_:
    case ir::AtomOp::or_:
    case ir::AtomOp::xor_:
      break;
    default:
      return nullptr;
  }
  switch (in.type) {
    case ir::Type::s32:
      return &redux<std::int32_t>;
    case ir::Type::u32:
    case ir::Type::b32:
      return &redux<std::uint32_t>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler select_warp_wide(const ir::Instruction& in) {
  switch (in.op) {
    case ir::Op::vote:
      return &vote;
    case ir::Op::activemask:
      return &activemask;
    case ir::Op::match:
      switch (in.type) {
        case ir::Type::b32:
        case ir::Type::u32:
        case ir::Type::s32:
          return &match<std::uint32_t>;
        case ir::Type::b64:
        case ir::Type::u64:
        case ir::Type::s64:
          return &match<std::uint64_t>;
        default:
          return nullptr;
      }
    case ir::Op::redux:
      return select_redux(in);
    case ir::Op::bar_warp:
      return &nothing;
    default:
      return nullptr;
  }
}

}  // namespace paws::exec
