// SPDX-License-Identifier: MIT
// The code that the scripts of a ScriptedBlock name.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "sim/ir/kernel.h"

namespace paws::core {

/// Its instructions; kUse reads what kLoad writes.
enum Pc : std::uint32_t { kAdd, kLoad, kUse, kBranch, kBarrier, kExit, kCode };

/// One phase of so many cycles.
inline ir::Kernel make_kernel(const std::string& name = "scripted", unsigned phase = 100) {
  ir::Kernel kernel;
  kernel.name = name;
  kernel.phases = {{0, kCode - 1, phase}};
  kernel.registers.resize(3);
  for (unsigned i = 0; i < 3; ++i) {
    kernel.registers[i].type = ir::Type::u32;
    kernel.registers[i].machine = static_cast<std::uint16_t>(i);
  }
  kernel.code.resize(kCode);
  const std::array ops{ir::Op::add, ir::Op::ld,  ir::Op::add,
                       ir::Op::bra, ir::Op::bar, ir::Op::exit};
  for (unsigned pc = 0; pc < kCode; ++pc) {
    kernel.code[pc].op = ops.at(pc);
    kernel.code[pc].type = ir::Type::u32;
    kernel.code[pc].line = 10 + pc;
  }
  kernel.code[kAdd].dst[0] = 0;
  kernel.code[kLoad].dst[0] = 1;
  kernel.code[kLoad].space = ir::Space::global;
  kernel.code[kLoad].long_op = true;
  kernel.code[kUse].dst[0] = 2;
  kernel.code[kUse].src[0].kind = ir::Operand::Kind::reg;
  kernel.code[kUse].src[0].reg = 1;
  return kernel;
}

}  // namespace paws::core
