// SPDX-License-Identifier: MIT
// Opcodes of tensor cores (HMMA, IMMA, DMMA, BMMA) and of the rows of matrices in shared memory
// (LDSM, STSM). Their modifiers are the shape and the types of the elements, from which the time on
// a tensor core follows: "HMMA.16816.F32.BF16" is PTX's mma.m16n8k16 of bf16.
#pragma once

#include <string>

#include "sim/ir/kernel.h"
#include "sim/sass/opcodes.h"

namespace paws::sass {

/// Fills shape and types of a product whose op is mma. Elements of 4 bits and of one become those
/// of 8 bits, with as many bits of k: a tensor core does that many in the same time. Throws
/// std::invalid_argument for modifiers that name no product of the model.
void refine_product(ir::Instruction& operation, const Opcode& opcode);

/// Machine registers of each operand of a product. HMMA.884, which is a part of a product, has two
/// of each.
struct ProductRegisters {
  unsigned a = 0, b = 0, c = 0;
};
ProductRegisters registers_of_product(const ir::Instruction& mma);

/// The opcode of a mma.
std::string product_opcode(const ir::Instruction& mma);

/// Fills type, vector and space of ldmatrix and stmatrix.
void refine_rows(ir::Instruction& operation, const Opcode& opcode);

/// The opcode of ldmatrix and stmatrix. Of stmatrix it is an STS with the modifiers of an STSM.
std::string rows_opcode(const ir::Instruction& in);

}  // namespace paws::sass
