// SPDX-License-Identifier: MIT
#include "sim/exec/access.h"

#include "sim/exec/fault.h"
#include "sim/exec/side_by_side.h"

namespace paws::exec {
ir::Space space_of(std::uint64_t address) {
  switch (address / ir::kWindowBytes * ir::kWindowBytes) {
    case ir::kSharedWindow:
      return ir::Space::shared;
    case ir::kLocalWindow:
      return ir::Space::local;
    case ir::kConstWindow:
      return ir::Space::constant;
    case ir::kParamWindow:
      return ir::Space::param;
    default:
      return ir::Space::global;
  }
}

namespace {

bool read_only(ir::Space space) {
  return space == ir::Space::constant || space == ir::Space::param;
}

bool holds(const Window& window, std::uint64_t address, unsigned bytes) {
  const std::uint64_t offset = address - window.base;
  return offset <= window.bytes && bytes <= window.bytes - offset;
}

std::byte* resolve(const Decoded& in, WarpContext& ctx, ir::Space space, std::uint64_t address,
                   unsigned bytes, unsigned lane) {
  Window window = window_of(in, ctx, space);
  if (!holds(window, address, bytes)) {
    if (space != ir::Space::global) return nullptr;
    const DeviceMemory::Allocation* found = ctx.memory->find(address, bytes);
    if (found == nullptr) return nullptr;
    ctx.hits[in.hit] = found;
    window = window_of(in, ctx, space);
  }
  if (space == ir::Space::global && ctx.accesses != nullptr) {
    ctx.accesses->access(in.ir->op, *ctx.hits[in.hit], address - window.base, bytes);
  }
  const std::uint64_t own = space == ir::Space::local ? lane * ctx.local_bytes : 0;
  return window.data + own + (address - window.base);
}

}  // namespace

Window window_of(const Decoded& in, const WarpContext& ctx, ir::Space space) {
  switch (space) {
    case ir::Space::global: {
      const DeviceMemory::Allocation* hit = ctx.hits[in.hit];
      return hit == nullptr ? Window{} : Window{hit->address, hit->bytes, hit->data};
    }
    case ir::Space::shared:
      return {0, ctx.shared_bytes, ctx.shared};
    case ir::Space::local:
      return {0, ctx.local_bytes, ctx.local};
    case ir::Space::constant:
      return {0, ctx.memory->constant_bytes(), ctx.memory->constant(0, 0)};
    case ir::Space::param:
      return {0, ctx.param_bytes, ctx.params};
    default:
      return {};
  }
}

std::uint64_t window_base(ir::Space space) {
  switch (space) {
    case ir::Space::shared:
      return ir::kSharedWindow;
    case ir::Space::local:
      return ir::kLocalWindow;
    case ir::Space::constant:
      return ir::kConstWindow;
    case ir::Space::param:
      return ir::kParamWindow;
    default:
      return 0;
  }
}

std::byte* host_address(const WarpContext& ctx, unsigned lane, std::uint64_t address,
                        std::uint64_t bytes) {
  const ir::Space space = space_of(address);
  if (space == ir::Space::global) return ctx.memory->at(address, bytes);
  const Window window = window_of(Decoded{}, ctx, space);
  const std::uint64_t offset = address % ir::kWindowBytes;
  if (offset > window.bytes || bytes > window.bytes - offset) return nullptr;
  return window.data + (space == ir::Space::local ? lane * ctx.local_bytes : 0) + offset;
}

bool may_access_global(const ir::Instruction& in) {
  switch (in.op) {
    case ir::Op::ld:
    case ir::Op::st:
    case ir::Op::atom:
    case ir::Op::red:
    case ir::Op::copy_async:
    case ir::Op::copy_bulk:
    case ir::Op::tex:
    case ir::Op::suld:
    case ir::Op::sust:
      return in.space == ir::Space::global || in.space == ir::Space::generic ||
             in.space == ir::Space::none;
    default:
      return false;
  }
}

bool stores(const ir::Instruction& in) {
  if (in.op == ir::Op::copy_bulk) return in.copies == ir::CopyKind::bulk_store;
  return in.op != ir::Op::ld && in.op != ir::Op::copy_async;
}

void addresses_of(const Decoded& in, const WarpContext& ctx,
                  std::array<std::uint64_t, ir::kWarpSize>& addresses) {
  if (in.address64) {
    const auto* base = ctx.lanes<std::uint64_t>(in.src[0]);
    const auto offset = static_cast<std::uint64_t>(in.offset);
    for (unsigned i = 0; i < ir::kWarpSize; ++i) addresses[i] = base[i] + offset;
  } else {
    const auto* base = ctx.lanes<std::uint32_t>(in.src[0]);
    const auto offset = static_cast<std::uint32_t>(in.offset);
    for (unsigned i = 0; i < ir::kWarpSize; ++i) addresses[i] = base[i] + offset;
  }
}

LaneMask global_lanes(const WarpContext& ctx,
                      const std::array<std::uint64_t, ir::kWarpSize>& addresses) {
  LaneMask global = 0;
  for (LaneMask left = ctx.active; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(left));
    if (space_of(addresses[lane]) == ir::Space::global) global |= LaneMask{1} << lane;
  }
  return global;
}

ir::Space resolve_generic(const WarpContext& ctx,
                          std::array<std::uint64_t, ir::kWarpSize>& addresses) {
  const auto first = static_cast<unsigned>(__builtin_ctz(ctx.active));
  const ir::Space space = space_of(addresses[first]);
  for (LaneMask left = ctx.active; left != 0; left &= left - 1) {
    if (space_of(addresses[unsigned(__builtin_ctz(left))]) != space) return ir::Space::generic;
  }
  if (space != ir::Space::global) {
    for (std::uint64_t& address : addresses) address %= ir::kWindowBytes;
  }
  return space;
}

void resolve_lanes(const Decoded& in, WarpContext& ctx, ir::Space space, unsigned bytes,
                   const std::array<std::uint64_t, ir::kWarpSize>& addresses,
                   std::array<std::byte*, ir::kWarpSize>& lanes) {
  const bool writes = in.ir->op != ir::Op::ld;
  for (LaneMask left = ctx.active; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(left));
    std::uint64_t address = addresses[lane];
    ir::Space own = space;
    if (space == ir::Space::generic) {
      own = space_of(address);
      if (own != ir::Space::global) address %= ir::kWindowBytes;
    }
    if (address % bytes != 0 || (writes && read_only(own))) {
      access_fault(in, ctx, lane, own, address, bytes);
    }
    lanes[lane] = resolve(in, ctx, own, address, bytes, lane);
    if (lanes[lane] == nullptr) {
      outside(in, ctx, lane, own, address, bytes);
      ctx.nowhere[lane] = {};
      lanes[lane] = ctx.nowhere[lane].data();
    }
  }
}

void tell_store(const Decoded& in, const WarpContext& ctx, std::uint64_t place,
                std::uint64_t bytes) {
  ctx.accesses->store(*ctx.hits[in.hit], place, bytes);
}

}  // namespace paws::exec
