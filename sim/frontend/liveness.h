// SPDX-License-Identifier: MIT
// Which registers are live where.
#pragma once

#include <boost/dynamic_bitset.hpp>
#include <vector>

#include "sim/frontend/program.h"

namespace paws::frontend {

using RegisterSet = boost::dynamic_bitset<>;

struct Liveness {
  std::vector<RegisterSet> in;   ///< per block, at its start
  std::vector<RegisterSet> out;  ///< per block, at its end
};

/// A guarded instruction may leave its destinations as they were, so it does not end their lives.
Liveness compute_liveness(const Program& program);

/// Steps backwards over one instruction: `live` after it becomes `live` before it.
void step_back(const ir::Instruction& instruction, RegisterSet& live);

/// Calls `apply` for every register that the instruction reads.
template <typename Function>
void for_each_read(const ir::Instruction& instruction, Function&& apply) {
  if (instruction.guard != ir::kNoReg) apply(instruction.guard);
  for (const ir::Operand& operand : instruction.src) {
    if (operand.kind == ir::Operand::Kind::reg) apply(operand.reg);
  }
}

/// Calls `apply` for every register that the instruction writes.
template <typename Function>
void for_each_write(const ir::Instruction& instruction, Function&& apply) {
  for (const ir::RegId reg : instruction.dst) {
    if (reg != ir::kNoReg) apply(reg);
  }
}

/// The largest number of 32-bit machine registers live at once.
unsigned max_pressure(const Program& program);

}  // namespace paws::frontend
