// SPDX-License-Identifier: MIT
// Latencies of instructions in cycles, by class.
#pragma once

#include <cstdint>

#include "sim/ir/kernel.h"

namespace paws::frontend {

/// Cycles from issue to result. Those of loads, stores, branches and barriers are the cycles of
/// their issue: what memory and waiting add is the core's business, and phase lengths (PAWS,
/// Section III) do not count it.
struct LatencyTable {
  std::uint16_t move = 1;         ///< mov, cvta, selection of special registers, pack, unpack
  std::uint16_t branch = 1;       ///< bra, brx, exit, trap
  std::uint16_t barrier = 1;      ///< bar, membar, bar.warp
  std::uint16_t load_issue = 1;   ///< ld, atom
  std::uint16_t store_issue = 1;  ///< st, red, prefetch
  std::uint16_t integer = 4;      ///< 16- and 32-bit integer, logic, comparison, selection
  std::uint16_t integer_mul = 5;  ///< mul, mad, dp4a of up to 32 bits
  std::uint16_t integer64 = 6;    ///< 64-bit integer and logic
  std::uint16_t integer64_mul = 12;
  std::uint16_t integer_div = 70;  ///< div, rem of up to 32 bits: a subroutine on real machines
  std::uint16_t integer64_div = 200;
  std::uint16_t f32 = 4;
  std::uint16_t f32_div = 40;  ///< correctly rounded div, rcp, sqrt
  std::uint16_t f64 = 8;
  std::uint16_t f64_div = 80;     ///< div, rcp, sqrt of doubles
  std::uint16_t special = 16;     ///< ex2, lg2, sin, cos, tanh, approximate rcp, sqrt, rsqrt, div
  std::uint16_t conversion = 16;  ///< cvt
  std::uint16_t warp = 6;         ///< shfl, vote, match, redux, activemask

  bool operator==(const LatencyTable&) const = default;
};

/// The latency of `instruction`.
std::uint16_t latency_of(const ir::Instruction& instruction, const LatencyTable& table);

}  // namespace paws::frontend
