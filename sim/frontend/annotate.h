// SPDX-License-Identifier: MIT
// Phase lengths written into PTX, and what carrying them in machine code would cost.
#pragma once

#include <cstdint>
#include <string>

#include "sim/ir/kernel.h"

namespace paws::frontend {

/// `text`, the PTX that `module` was compiled from, with a statement
///   .pragma "paws.phase kernel=NAME phase=N length=CYCLES";
/// with codes (phases.code)
///   .pragma "paws.phase kernel=NAME phase=N length=CYCLES code=N";
/// in front of the line that holds the first instruction of each phase. Assemblers ignore pragmas
/// that they do not know. Phases are those of scheduled code, so that their first instructions need
/// not stand in the order of the lines.
std::string annotate(const std::string& text, const ir::Module& module, bool codes);

/// Code size of both encodings of PAWS IV-B, with 8-byte instructions.
struct AnnotationCost {
  std::uint64_t instructions = 0;
  std::uint64_t phases = 0;
  /// Jump targets that do not start a phase: a jump there would not meet the phase's tag, so each
  /// needs one of its own.
  std::uint64_t jump_targets = 0;
  std::uint64_t kernels = 0;
  std::uint64_t kernels_that_fit = 0;  ///< no phase longer than the field holds
  std::uint64_t kernels_in_order = 0;  ///< no two lengths of phases with the same code

  /// A distance of `bits` bits on every instruction, as a fraction of the code.
  [[nodiscard]] static double per_instruction(unsigned bits) { return bits / 64.0; }
  /// A length of `bits` bits per phase and per such jump target, as a fraction of the code.
  [[nodiscard]] double per_phase(unsigned bits) const;
};

AnnotationCost annotation_cost(const ir::Module& module, unsigned bits);

}  // namespace paws::frontend
