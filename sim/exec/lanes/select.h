// SPDX-License-Identifier: MIT
// Entry points of the lane code: from an instruction to the handler that executes it.
//
// Everything under sim/exec/lanes is compiled for the baseline instruction set or for x86-64-v3,
// each into a namespace of its own (PAWS_LANES), so that a program can have both and no function
// compiled for one is linked into the other. Results are the same bit for bit.
#pragma once

#include <vector>

#include "sim/exec/decoded.h"
#include "sim/ir/kernel.h"

namespace paws::exec {

/// Each returns nullptr when the family has no handler for the instruction's types and modifiers;
/// it may set what the handler needs in `out`.
struct LaneLibrary {
  Handler (*integer)(const ir::Instruction& in, Decoded& out);
  Handler (*bits)(const ir::Instruction& in, Decoded& out);
  Handler (*floating)(const ir::Instruction& in, Decoded& out);
  Handler (*convert)(const ir::Instruction& in, Decoded& out);
  Handler (*compare)(const ir::Instruction& in, Decoded& out);
  Handler (*move)(const ir::Instruction& in, Decoded& out);
  Handler (*memory)(const ir::Instruction& in, Decoded& out);
  /// ld and st without an outcome.
  Handler (*quick_memory)(const ir::Instruction& in, Decoded& out);
};

enum class LaneLevel { baseline, v3 };

/// Those that this program has and this processor runs, the best one last. Throws
/// std::runtime_error if there is none.
std::vector<LaneLevel> lane_levels();

/// The level that later constructed Executables use, the best one until it is set. For comparing
/// levels; not to be called while kernels run.
void use_lane_level(LaneLevel level);

const LaneLibrary& lane_library();

}  // namespace paws::exec
