// SPDX-License-Identifier: MIT
// What a SASS opcode is to the timing model, and which opcode stands for an instruction of ours.
//
// A trace names opcodes with their modifiers ("LDG.E.64.SYS"). The timing model knows operations
// and types (sim/ir/kernel.h): unit, rate, latency and phase rule follow from them. So an opcode
// becomes the operation that belongs to the same class. docs/reference/sass_traces.md has the
// table.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/ir/kernel.h"

namespace paws::sass {

/// Modifiers of an opcode: "LDG.E.64" has "LDG", "E" and "64".
class Opcode {
 public:
  explicit Opcode(std::string_view text);

  [[nodiscard]] std::string_view base() const { return words_.front(); }
  [[nodiscard]] bool has(std::string_view modifier) const;
  [[nodiscard]] const std::vector<std::string_view>& words() const { return words_; }

 private:
  std::vector<std::string_view> words_;  ///< of the caller's text
};

/// The operation of an opcode: op, type, space and what else timing asks for, without operands.
/// Memory operations have the type whose size is what a lane accesses.
/// Throws std::invalid_argument that says why an opcode cannot be timed: it is not known, or the
/// model has no unit for it.
ir::Instruction operation_of(const Opcode& opcode);

/// Whether a trace gives the addresses of such an instruction: it goes through the load-store unit.
bool has_addresses(const ir::Instruction& operation);

/// Bytes that a lane accesses, of an instruction with addresses.
unsigned lane_bytes(const ir::Instruction& operation);

/// The address of a lane whose asynchronous copy reads nothing. No global memory is there.
inline constexpr std::uint64_t kNoSource = 0;

/// Whether it ends lanes (EXIT, KILL).
bool ends_lanes(const ir::Instruction& operation);

/// The opcode that stands for `instruction` in a trace: operation_of() of it is timed as the
/// instruction itself. Some have modifiers that no machine has, because a machine has a subroutine
/// there (FCHK.DIV) or an operand (LDC.PARAM). What stands before the first point is an opcode of a
/// Volta or an Ampere, so that other readers know what kind of instruction it is. Empty: there is
/// none, as for bulk copies, barrier objects and printf.
std::string opcode_of(const ir::Instruction& instruction);

}  // namespace paws::sass
