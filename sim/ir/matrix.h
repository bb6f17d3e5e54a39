// SPDX-License-Identifier: MIT
// How the registers of a warp hold the matrices of mma (PTX ISA, "Matrix Fragments for
// mma.m16n8k16" and the like). All shapes with n = 8 but mma.m8n8k4 of f16 have one pattern: lane L
// is in group L / 4 and is thread L % 4 of it; a register holds elements next to each other.
#pragma once

#include "sim/ir/kernel.h"

namespace paws::ir {

/// Bits of an element of a matrix.
unsigned element_bits(Type type);

/// What a register with elements of the type is declared as: the type itself for numbers of 32 and
/// 64 bits that stand alone, else b32.
Type register_type(Type element);

/// Registers of each matrix that a lane holds.
struct MatrixRegisters {
  unsigned a = 0, b = 0, c = 0;
};
MatrixRegisters registers_of(const Instruction& mma);

struct Place {
  unsigned row = 0, column = 0;
};
/// Where element `element` of register `reg` of a lane stands in its matrix; `bits` of an element.
Place place_in_a(unsigned lane, unsigned reg, unsigned element, unsigned bits);
Place place_in_b(unsigned lane, unsigned reg, unsigned element, unsigned bits);
/// In c and d.
Place place_in_c(unsigned lane, unsigned reg, unsigned element, unsigned bits);

}  // namespace paws::ir
