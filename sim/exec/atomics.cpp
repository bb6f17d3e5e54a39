// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <sstream>
#include <type_traits>

#include "sim/exec/access.h"
#include "sim/exec/families.h"
#include "sim/exec/fault.h"
#include "sim/support/small_float.h"

namespace paws::exec {
namespace {

template <class T>
using Raw = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

float flushed(float x) { return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x; }

/// PTX ISA, atom: the addition in global memory flushes subnormals, in shared it does not.
float add_float(float a, float b, bool flushes) {
  const float sum = flushes ? flushed(flushed(a) + flushed(b)) : a + b;
  return std::isnan(sum) ? std::bit_cast<float>(0x7fffffffu) : sum;
}
double add_float(double a, double b, bool) {
  const double sum = a + b;
  return std::isnan(sum) ? std::bit_cast<double>(std::uint64_t{0x7ff8000000000000}) : sum;
}

/// Two numbers of 16 bits, the first in the low half.
template <class Small>
struct Pair {
  std::uint32_t bits;
};
template <class T>
concept ByBits = requires(T value) { value.bits; };

/// Never flushes. A double holds the sum, or all of it that matters to the rounding.
template <class Small>
Small add_small(Small a, Small b) {
  const double sum = a.widen() + b.widen();
  return std::isnan(sum) ? Small{0x7fff} : Small::round(sum);
}
template <class Small>
Pair<Small> add_small(Pair<Small> a, Pair<Small> b) {
  const auto half = [&](unsigned shift) {
    return std::uint32_t{add_small(Small{static_cast<std::uint16_t>(a.bits >> shift)},
                                   Small{static_cast<std::uint16_t>(b.bits >> shift)})
                             .bits};
  };
  return {half(16) << 16 | half(0)};
}

template <ir::AtomOp kOp, class T>
T combine(T old, T b, T c, bool flushes) {
  (void)c;
  (void)flushes;
  if constexpr (std::is_floating_point_v<T>) {
    return add_float(old, b, flushes);
  } else if constexpr (ByBits<T>) {
    return add_small(old, b);
  } else {
    switch (kOp) {
      case ir::AtomOp::add:
        return static_cast<T>(static_cast<Raw<T>>(old) + static_cast<Raw<T>>(b));
      case ir::AtomOp::min:
        return std::min(old, b);
      case ir::AtomOp::max:
        return std::max(old, b);
      case ir::AtomOp::exch:
        return b;
      case ir::AtomOp::cas:
        return old == b ? c : old;
      case ir::AtomOp::and_:
        return old & b;
      case ir::AtomOp::or_:
        return old | b;
      case ir::AtomOp::xor_:
        return old ^ b;
      case ir::AtomOp::inc:
        return old >= b ? T{0} : static_cast<T>(old + 1);
      case ir::AtomOp::dec:
        return old == 0 || old > b ? b : static_cast<T>(old - 1);
      default:
        return old;
    }
  }
}

template <class T>
T from_raw(Raw<T> raw) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::bit_cast<T>(raw);
  } else if constexpr (ByBits<T>) {
    return {static_cast<decltype(T::bits)>(raw)};
  } else {
    return static_cast<T>(raw);
  }
}
template <class T>
Raw<T> to_raw(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::bit_cast<Raw<T>>(value);
  } else if constexpr (ByBits<T>) {
    return value.bits;
  } else {
    return static_cast<Raw<T>>(value);
  }
}

template <ir::AtomOp kOp, class T>
void atomic(const Decoded& in, WarpContext& ctx) {
  Outcome& outcome = *ctx.outcome;
  addresses_of(in, ctx, outcome.addresses);
  ir::Space space = in.ir->space;
  if (space == ir::Space::generic || space == ir::Space::none) {
    space = resolve_generic(ctx, outcome.addresses);
  }
  outcome.memory = true;
  outcome.store = true;
  outcome.space = space;
  outcome.bytes = sizeof(T);
  std::array<std::byte*, ir::kWarpSize> lanes;
  resolve_lanes(in, ctx, space, sizeof(T), outcome.addresses, lanes);
  // Copies: the result may share the operands' lanes.
  std::array<Raw<T>, ir::kWarpSize> b;
  std::array<Raw<T>, ir::kWarpSize> c{};
  std::memcpy(b.data(), ctx.lanes<Raw<T>>(in.src[1]), sizeof(b));
  if (kOp == ir::AtomOp::cas) std::memcpy(c.data(), ctx.lanes<Raw<T>>(in.src[2]), sizeof(c));
  auto* result =
      in.dst[0] == kNoSlot ? nullptr : reinterpret_cast<Raw<T>*>(ctx.base[0] + in.dst[0]);
  for (LaneMask left = ctx.active; left != 0; left &= left - 1) {
    const auto i = static_cast<unsigned>(std::countr_zero(left));
    Raw<T> old = 0;
    std::memcpy(&old, lanes[i], sizeof(T));
    const Raw<T> value = to_raw(combine<kOp>(from_raw<T>(old), from_raw<T>(b[i]), from_raw<T>(c[i]),
                                             space == ir::Space::global));
    std::memcpy(lanes[i], &value, sizeof(T));
    if (result != nullptr) result[i] = old;
  }
}

/// malloc and free of the lanes, in order.
void heap(const Decoded& in, WarpContext& ctx) {
  Outcome& outcome = *ctx.outcome;
  addresses_of(in, ctx, outcome.addresses);
  outcome.memory = true;
  outcome.store = true;
  outcome.space = ir::Space::global;
  outcome.bytes = sizeof(std::uint64_t);
  std::array<std::uint64_t, ir::kWarpSize> operand;
  std::memcpy(operand.data(), ctx.lanes<std::uint64_t>(in.src[1]), sizeof(operand));
  auto* const result =
      in.dst[0] == kNoSlot ? nullptr : reinterpret_cast<std::uint64_t*>(ctx.base[0] + in.dst[0]);
  for (LaneMask left = ctx.active; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    if (in.ir->atom == ir::AtomOp::allocate) {
      const std::uint64_t address = ctx.memory->allocate_in_kernel(operand[lane]);
      if (result != nullptr) result[lane] = address;
    } else if (operand[lane] != 0 && !ctx.memory->free_in_kernel(operand[lane])) {
      std::ostringstream text;
      text << "free of address 0x" << std::hex << operand[lane]
           << ", where no block of the device's heap begins, or not any more";
      fault(in, ctx, static_cast<int>(lane), text.str());
    }
  }
}

template <class T>
Handler integer_atomic(ir::AtomOp op) {
  switch (op) {
    case ir::AtomOp::add:
      return &atomic<ir::AtomOp::add, T>;
    case ir::AtomOp::min:
      return &atomic<ir::AtomOp::min, T>;
    case ir::AtomOp::max:
      return &atomic<ir::AtomOp::max, T>;
    case ir::AtomOp::exch:
      return &atomic<ir::AtomOp::exch, T>;
    case ir::AtomOp::cas:
      return &atomic<ir::AtomOp::cas, T>;
    case ir::AtomOp::and_:
      return &atomic<ir::AtomOp::and_, T>;
    case ir::AtomOp::or_:
      return &atomic<ir::AtomOp::or_, T>;
    case ir::AtomOp::xor_:
      return &atomic<ir::AtomOp::xor_, T>;
    case ir::AtomOp::inc:
      return &atomic<ir::AtomOp::inc, T>;
    case ir::AtomOp::dec:
      return &atomic<ir::AtomOp::dec, T>;
    default:
      return nullptr;
  }
}

/// Numbers that can only be added.
template <class T>
Handler addition(ir::AtomOp op) {
  return op == ir::AtomOp::add ? &atomic<ir::AtomOp::add, T> : nullptr;
}

}  // namespace

Handler select_atomic(const ir::Instruction& in) {
  if (in.atom == ir::AtomOp::allocate || in.atom == ir::AtomOp::release) return &heap;
  const bool moves = in.atom == ir::AtomOp::exch || in.atom == ir::AtomOp::cas;
  switch (in.type) {
    case ir::Type::b32:
    case ir::Type::u32:
      return integer_atomic<std::uint32_t>(in.atom);
    case ir::Type::s32:
      return integer_atomic<std::int32_t>(in.atom);
    case ir::Type::b64:
    case ir::Type::u64:
      return integer_atomic<std::uint64_t>(in.atom);
    case ir::Type::s64:
      return integer_atomic<std::int64_t>(in.atom);
    case ir::Type::f32:
      if (moves) return integer_atomic<std::uint32_t>(in.atom);
      return addition<float>(in.atom);
    case ir::Type::f64:
      if (moves) return integer_atomic<std::uint64_t>(in.atom);
      return addition<double>(in.atom);
    case ir::Type::b16:
      return in.atom == ir::AtomOp::cas ? &atomic<ir::AtomOp::cas, std::uint16_t> : nullptr;
    case ir::Type::f16:
      return addition<Float16>(in.atom);
    case ir::Type::bf16:
      return addition<Bfloat16>(in.atom);
    case ir::Type::f16x2:
      return addition<Pair<Float16>>(in.atom);
    case ir::Type::bf16x2:
      return addition<Pair<Bfloat16>>(in.atom);
    default:
      return nullptr;
  }
}

}  // namespace paws::exec
