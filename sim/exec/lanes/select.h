// SPDX-License-Identifier: MIT
// Entry points of the lane code: from an instruction to the handler that executes it.
//
// Everything under sim/exec/lanes is compiled once for the baseline instruction set and, on x86-64,
// once for x86-64-v3, each time into a namespace of its own (PAWS_LANES), so that no function
// compiled for one can be linked into the other. Results are the same bit for bit.
#pragma once

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

/// The best level that this build has and this processor runs.
LaneLevel best_lane_level();

/// Throws std::logic_error when the build has no such level.
const LaneLibrary& lane_library(LaneLevel level);

/// The level that later constructed Executables use; best_lane_level() until set. For comparing
/// the two; not to be called while kernels run.
void use_lane_level(LaneLevel level);
LaneLevel lane_level();

namespace baseline {
extern const LaneLibrary kLibrary;
}
namespace v3 {
extern const LaneLibrary kLibrary;
}

}  // namespace paws::exec
