// SPDX-License-Identifier: MIT
#include "sim/frontend/liveness.h"

#include <algorithm>

namespace paws::frontend {

void step_back(const ir::Instruction& instruction, RegisterSet& live) {
  if (instruction.guard == ir::kNoReg) {
    for_each_write(instruction, [&](ir::RegId reg) { live.reset(reg); });
  }
  for_each_read(instruction, [&](ir::RegId reg) { live.set(reg); });
}

Liveness compute_liveness(const Program& program) {
  const std::size_t registers = program.kernel.registers.size();
  const std::size_t count = program.blocks.size();
  // Reads before any write, and unguarded writes, per block.
  std::vector<RegisterSet> reads(count, RegisterSet(registers));
  std::vector<RegisterSet> writes(count, RegisterSet(registers));
  for (std::size_t b = 0; b < count; ++b) {
    for (const ir::Instruction& instruction : program.blocks[b].code) {
      for_each_read(instruction, [&](ir::RegId reg) {
        if (!writes[b].test(reg)) reads[b].set(reg);
      });
      if (instruction.guard != ir::kNoReg) continue;
      for_each_write(instruction, [&](ir::RegId reg) { writes[b].set(reg); });
    }
  }
  Liveness liveness{std::vector<RegisterSet>(count, RegisterSet(registers)),
                    std::vector<RegisterSet>(count, RegisterSet(registers))};
  bool changed = true;
  while (changed) {
    changed = false;
    for (std::size_t b = count; b-- > 0;) {
      RegisterSet& out = liveness.out[b];
      for (const std::uint32_t s : program.blocks[b].successors) out |= liveness.in[s];
      RegisterSet in = (out - writes[b]) | reads[b];
      if (in == liveness.in[b]) continue;
      liveness.in[b] = std::move(in);
      changed = true;
    }
  }
  return liveness;
}

unsigned max_pressure(const Program& program) {
  const Liveness liveness = compute_liveness(program);
  const std::vector<ir::Register>& registers = program.kernel.registers;
  unsigned most = 0;
  for (std::size_t b = 0; b < program.blocks.size(); ++b) {
    RegisterSet live = liveness.out[b];
    unsigned pressure = 0;
    for (auto reg = live.find_first(); reg != RegisterSet::npos; reg = live.find_next(reg)) {
      pressure += ir::machine_registers(registers[reg].type);
    }
    most = std::max(most, pressure);
    const std::vector<ir::Instruction>& code = program.blocks[b].code;
    for (auto instruction = code.rbegin(); instruction != code.rend(); ++instruction) {
      // A result that is never read still needs its register while it is written.
      unsigned unread = 0;
      for_each_write(*instruction, [&](ir::RegId reg) {
        if (!live.test(reg)) unread += ir::machine_registers(registers[reg].type);
      });
      most = std::max(most, pressure + unread);
      if (instruction->guard == ir::kNoReg) {
        for_each_write(*instruction, [&](ir::RegId reg) {
          if (live.test(reg)) pressure -= ir::machine_registers(registers[reg].type);
          live.reset(reg);
        });
      }
      for_each_read(*instruction, [&](ir::RegId reg) {
        if (!live.test(reg)) pressure += ir::machine_registers(registers[reg].type);
        live.set(reg);
      });
      most = std::max(most, pressure);
    }
  }
  return most;
}

}  // namespace paws::frontend
