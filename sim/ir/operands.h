// SPDX-License-Identifier: MIT
// Operands of instructions that a program makes.
#pragma once

#include <cstdint>

#include "sim/ir/kernel.h"

namespace paws::ir {

inline Operand register_operand(RegId reg) {
  Operand operand;
  operand.kind = Operand::Kind::reg;
  operand.reg = reg;
  return operand;
}

/// `bits` at the operation's width.
inline Operand immediate(std::uint64_t bits) {
  Operand operand;
  operand.kind = Operand::Kind::imm;
  operand.imm = bits;
  return operand;
}

}  // namespace paws::ir
