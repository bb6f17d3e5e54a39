// SPDX-License-Identifier: MIT
// What SIMD video instructions become (PTX ISA, "SIMD Video Instructions"): two halves or four
// bytes of 32-bit registers are computed one after the other, by ordinary instructions. So do GPUs
// of compute capability 5.0 and later for nearly all of them.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sim/ir/kernel.h"

namespace paws::frontend {

enum class PackedOp : std::uint8_t { add, sub, average, absolute_difference, min, max, set };

/// d of type `type`, a of `src_type`, b of `other_type`: u32 or s32, which say how their elements
/// are read.
struct Packed {
  ir::Instruction fields;  ///< types, cmp of set, sat, guard and line
  PackedOp op{};
  unsigned elements = 0;    ///< 2 or 4
  bool accumulate = false;  ///< .add: the sum of the elements is added to c
  ir::Operand a, b, c;
  ir::RegId d = ir::kNoReg;
};
/// The instructions; `fresh` makes a register.
std::vector<ir::Instruction> expand_packed(const Packed& packed,
                                           const std::function<ir::RegId(ir::Type)>& fresh);

}  // namespace paws::frontend
