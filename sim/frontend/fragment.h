// SPDX-License-Identifier: MIT
// What wmma becomes. The PTX ISA leaves open which lane holds which element of a fragment; here a
// fragment is one or two matrices of mma, so that wmma.mma is one mma for each, and loads and
// stores are ordinary accesses.
#pragma once

#include <functional>
#include <vector>

#include "sim/frontend/decode.h"
#include "sim/ir/kernel.h"

namespace paws::frontend {

/// Registers that wmma's fragment of a, b or c has in PTX (ISA, "Matrix Fragments for WMMA").
unsigned fragment_registers(const ir::Instruction::Shape& shape, Decoded::MatrixRole role,
                            ir::Type type);

/// The mma instructions of wmma.mma, whose fields `fields` has, on the registers of its fragments.
/// Results of the first one are no operands of the second: d is new registers if they would be,
/// which the caller moves.
std::vector<ir::Instruction> multiply_fragments(const ir::Instruction& fields,
                                                const std::vector<ir::RegId>& d,
                                                const std::vector<ir::Operand>& a,
                                                const std::vector<ir::Operand>& b,
                                                const std::vector<ir::Operand>& c);

/// How a fragment is loaded or stored.
struct FragmentAccess {
  ir::Instruction fields;  ///< ld or st with shape, type, space, guard, line and the offset
  Decoded::MatrixRole role{};
  bool by_rows = false;
  ir::Operand base;    ///< 64 bits
  ir::Operand stride;  ///< u32: elements between rows, or columns
  std::vector<ir::RegId> registers;
};
/// The instructions of the access; `fresh` makes a register.
std::vector<ir::Instruction> access_fragment(const FragmentAccess& access,
                                             const std::function<ir::RegId(ir::Type)>& fresh);

}  // namespace paws::frontend
