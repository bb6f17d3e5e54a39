// SPDX-License-Identifier: MIT
// A kernel as basic blocks, between lowering and final layout.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/frontend/draft.h"
#include "sim/ir/kernel.h"

namespace paws::frontend {

/// Control enters at the first instruction and leaves after the last. A branch, an exit or a trap,
/// guarded or not, is always the last instruction.
struct BasicBlock {
  std::vector<ir::Instruction> code;      ///< targets are block numbers
  std::vector<std::uint32_t> successors;  ///< each once; none when the block always ends the thread
                                          ///< or returns from a call
};

struct Program {
  ir::Kernel kernel;               ///< everything but code and phases
  std::vector<BasicBlock> blocks;  ///< in layout order; block 0 is the entry
  CallStack stack;
  std::uint32_t max_registers = 0;  ///< .maxnreg, 0 when absent
  std::uint32_t min_blocks = 0;     ///< .minnctapersm, 0 when absent
};

/// Whether the instruction ends a basic block.
bool ends_block(const ir::Instruction& instruction);

/// What follows a call: the code behind it, as if the function were an instruction that changes no
/// register, or the function's code, from which its end leads back behind all of its calls.
enum class Calls : std::uint8_t { passed, followed };

/// Sets BasicBlock::successors.
void find_successors(std::vector<BasicBlock>& blocks, Calls calls);

/// Cuts a draft (parameters of calls already placed) into basic blocks and drops unreachable ones.
Program build_program(Draft draft);

/// Immediate post-dominator of every block; blocks.size() stands for the end of the kernel, or of
/// the block's function. Calls must be passed.
/// Blocks on an infinite loop count as if their last one could end the kernel.
std::vector<std::uint32_t> immediate_post_dominators(const std::vector<BasicBlock>& blocks);

/// Immediate dominator of every block; block 0's is 0, and that of a function that is called. All
/// blocks must be reachable.
std::vector<std::uint32_t> immediate_dominators(const std::vector<BasicBlock>& blocks);

/// The final instruction list: targets, reconvergence points and block numbers filled in, unused
/// registers dropped, branches to the next instruction removed.
ir::Kernel lay_out(Program program);

}  // namespace paws::frontend
