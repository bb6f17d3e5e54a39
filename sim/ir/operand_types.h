// SPDX-License-Identifier: MIT
// The type that each operand of an instruction has: what a register must be able to hold there,
// and the width at which an immediate is given.
#pragma once

#include "sim/ir/kernel.h"

namespace paws::ir {

/// Type of dst[index]; none when the instruction has no such destination.
Type dest_type(const Instruction& instruction, unsigned index);

/// Type of src[index]. The base address of a memory operation is u64.
Type source_type(const Instruction& instruction, unsigned index);

/// Twice as wide, same kind: what mul.wide gives. none for types without a wider one.
Type widened(Type type);

/// The untyped bits of `bytes` bytes: b8 to b128, none for other sizes.
Type bits_type(unsigned bytes);

}  // namespace paws::ir
