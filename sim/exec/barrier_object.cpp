// SPDX-License-Identifier: MIT
#include "sim/exec/barrier_object.h"

namespace paws::exec {
namespace {

constexpr unsigned kCountBits = 20;
constexpr unsigned kBytesBits = 21;  // with the sign
constexpr std::uint64_t kCountMask = (std::uint64_t{1} << kCountBits) - 1;
constexpr std::int64_t kMostBytes = (std::int64_t{1} << (kBytesBits - 1)) - 1;
constexpr std::uint64_t kBytesMask = (std::uint64_t{1} << kBytesBits) - 1;

constexpr bool is_count(std::int64_t arrivals) {
  return arrivals >= 0 && arrivals <= static_cast<std::int64_t>(kCountMask);
}

}  // namespace

BarrierObject BarrierObject::unpack(std::uint64_t bits) {
  BarrierObject object;
  object.pending = static_cast<std::int64_t>(bits & kCountMask);
  object.expected = static_cast<std::int64_t>(bits >> kCountBits & kCountMask);
  const auto raw = static_cast<std::int64_t>(bits >> (2 * kCountBits) & kBytesMask);
  object.bytes = raw >> (kBytesBits - 1) != 0 ? raw - (std::int64_t{1} << kBytesBits) : raw;
  object.odd = bits >> (2 * kCountBits + kBytesBits) != 0;
  return object;
}

std::uint64_t BarrierObject::pack() const {
  return static_cast<std::uint64_t>(pending) | static_cast<std::uint64_t>(expected) << kCountBits |
         (static_cast<std::uint64_t>(bytes) & kBytesMask) << (2 * kCountBits) |
         std::uint64_t{odd} << (2 * kCountBits + kBytesBits);
}

bool BarrierObject::counts_fit() const { return is_count(pending) && is_count(expected); }

bool BarrierObject::bytes_fit() const { return bytes >= -kMostBytes && bytes <= kMostBytes; }

std::optional<std::string> BarrierObject::apply(ir::MbarrierMode mode, std::int64_t count) {
  using Mode = ir::MbarrierMode;
  if (count == 0 && (mode == Mode::arrive || mode == Mode::arrive_drop)) {
    return "an arrival at a barrier object with a count of 0";
  }
  switch (mode) {
    case Mode::init:
      *this = {};
      pending = expected = count;
      if (expected == 0) return "a barrier of no arrival";
      if (!counts_fit()) {
        return "a barrier of " + std::to_string(expected) + " arrivals, and it counts up to " +
               std::to_string(kCountMask);
      }
      return std::nullopt;
    case Mode::inval:
      *this = {};
      return std::nullopt;
    case Mode::expect_arrival:
      pending += count;
      if (!counts_fit()) {
        return "a barrier object is to wait for " + std::to_string(pending) +
               " arrivals, and it counts up to " + std::to_string(kCountMask);
      }
      break;
    case Mode::expect_tx:
      bytes += count;
      break;
    case Mode::complete_tx:
      bytes -= count;
      break;
    case Mode::arrive_expect_tx:
      bytes += count;
      pending -= 1;
      break;
    case Mode::arrive_drop:
      expected -= count;
      pending -= count;
      break;
    default:
      pending -= count;
      break;
  }
  if (!bytes_fit()) {
    return "a barrier object is to wait for " + std::to_string(bytes) +
           " bytes, and it counts up to " + std::to_string(kMostBytes);
  }
  if (!counts_fit()) return "more arrivals at a barrier object than it expects";
  if (pending == 0 && bytes == 0) {
    pending = expected;
    odd = !odd;
  }
  return std::nullopt;
}

bool BarrierObject::has_ended(ir::MbarrierMode mode, std::uint64_t awaited) const {
  const bool parity = mode == ir::MbarrierMode::test ? unpack(awaited).odd : (awaited & 1) != 0;
  return odd != parity;
}

}  // namespace paws::exec
