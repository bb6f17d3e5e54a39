// SPDX-License-Identifier: MIT
#include "sim/exec/invariant.h"

#include <algorithm>

namespace paws::exec {
namespace {

bool changes(ir::Special special) {
  using S = ir::Special;
  return ir::is_clock(special) || special == S::ctaid_x || special == S::ctaid_y ||
         special == S::ctaid_z;
}

/// Whether it reads parameters at a place that is known, so that it cannot fail.
bool loads_parameters(const ir::Kernel& kernel, const ir::Instruction& in) {
  if (in.op != ir::Op::ld || in.space != ir::Space::param) return false;
  if (in.src[0].kind != ir::Operand::Kind::imm || in.offset < 0) return false;
  const std::uint64_t bytes = std::uint64_t{in.vector} * ir::size_of(in.type);
  const std::uint64_t at = in.src[0].imm + static_cast<std::uint64_t>(in.offset);
  return at % bytes == 0 && bytes <= kernel.param_bytes && at <= kernel.param_bytes - bytes;
}

bool only_computes(const ir::Kernel& kernel, const ir::Instruction& in) {
  if (in.guard != ir::kNoReg) return false;
  if (loads_parameters(kernel, in)) return true;
  const ir::OpFacts& facts = ir::facts(in.op);
  return facts.effect == ir::Effect::pure && facts.memory == ir::Memory::none &&
         facts.lanes == ir::Lanes::own && in.op != ir::Op::image_query;
}

}  // namespace

std::vector<std::uint32_t> invariant_instructions(const ir::Kernel& kernel,
                                                  const std::vector<bool>& at_entry) {
  std::vector<unsigned> writers(kernel.registers.size());
  for (const ir::Instruction& in : kernel.code) {
    for (const ir::RegId reg : in.dst) {
      if (reg != ir::kNoReg) ++writers[reg];
    }
  }
  std::vector<bool> known(kernel.registers.size());
  const auto is_known = [&](const ir::Operand& source) {
    switch (source.kind) {
      case ir::Operand::Kind::reg:
        return bool{known[source.reg]};
      case ir::Operand::Kind::special:
        return !changes(source.special);
      default:
        return true;
    }
  };
  const auto is_own = [&](ir::RegId reg) {
    return reg == ir::kNoReg || (writers[reg] == 1 && !at_entry[reg]);
  };
  std::vector<std::uint32_t> found;
  std::vector<bool> taken(kernel.code.size());
  for (bool more = true; more;) {
    more = false;
    for (std::uint32_t pc = 0; pc < kernel.code.size(); ++pc) {
      const ir::Instruction& in = kernel.code[pc];
      if (taken[pc] || !only_computes(kernel, in)) continue;
      if (!std::all_of(in.dst.begin(), in.dst.end(), is_own)) continue;
      if (!std::all_of(in.src.begin(), in.src.end(), is_known)) continue;
      for (const ir::RegId reg : in.dst) {
        if (reg != ir::kNoReg) known[reg] = true;
      }
      taken[pc] = true;
      found.push_back(pc);
      more = true;
    }
  }
  return found;
}

}  // namespace paws::exec
