// SPDX-License-Identifier: MIT
#include "sim/frontend/phases.h"

#include <algorithm>
#include <vector>

#include "sim/frontend/latency.h"

namespace paws::frontend {
namespace {

using ir::Op;

bool is_long(const ir::Instruction& instruction, const PhaseRule& rule) {
  if (!ir::returns_data(instruction.op)) return false;
  // No instruction can wait for a result that is not written.
  const bool writes = std::any_of(instruction.dst.begin(), instruction.dst.end(),
                                  [](ir::RegId reg) { return reg != ir::kNoReg; });
  if (!writes) return false;
  switch (instruction.space) {
    case ir::Space::global:
    case ir::Space::local:
    case ir::Space::generic:
      return true;
    case ir::Space::shared:
      return rule.shared_loads_long;
    default:
      return false;
  }
}

/// Registers that outstanding long operations of the current phase will write.
class LongSet {
 public:
  explicit LongSet(std::size_t registers) : member_(registers, false) {}

  [[nodiscard]] bool reads(const ir::Instruction& instruction) const {
    if (instruction.guard != ir::kNoReg && member_[instruction.guard]) return true;
    return std::any_of(instruction.src.begin(), instruction.src.end(), [&](const auto& operand) {
      return operand.kind == ir::Operand::Kind::reg && member_[operand.reg];
    });
  }

  void add(const ir::Instruction& instruction) {
    for (const ir::RegId reg : instruction.dst) {
      if (reg == ir::kNoReg) continue;
      if (!member_[reg]) members_.push_back(reg);
      member_[reg] = true;
    }
  }

  void clear() {
    for (const ir::RegId reg : members_) member_[reg] = false;
    members_.clear();
  }

 private:
  std::vector<bool> member_;
  std::vector<ir::RegId> members_;
};

bool cuts_after(const ir::Instruction& instruction, const PhaseRule& rule) {
  if (rule.cut_at_barriers && instruction.op == Op::bar) return true;
  return rule.cut_at_branches && (instruction.op == Op::bra || instruction.op == Op::brx);
}

}  // namespace

void assign_phases(ir::Kernel& kernel, const LatencyTable& latencies, const PhaseRule& rule) {
  std::vector<ir::Instruction>& code = kernel.code;
  kernel.phases.clear();
  LongSet pending(kernel.registers.size());
  for (std::uint32_t pc = 0; pc < code.size(); ++pc) {
    ir::Instruction& instruction = code[pc];
    instruction.latency = latency_of(instruction, latencies);
    instruction.long_op = is_long(instruction, rule);
    // A wait for asynchronous copies names no register; which of them it waits for is known only
    // when it runs.
    const bool cut = pc == 0 || pending.reads(instruction) || instruction.op == Op::copy_wait ||
                     cuts_after(code[pc - 1], rule) ||
                     (rule.cut_at_blocks && instruction.block != code[pc - 1].block);
    if (cut) {
      pending.clear();
      kernel.phases.push_back({.first = pc, .last = pc});
    }
    if (instruction.long_op) pending.add(instruction);
    instruction.phase = static_cast<std::uint32_t>(kernel.phases.size() - 1);
    kernel.phases.back().last = pc;
  }
  for (ir::Phase& phase : kernel.phases) {
    for (std::uint32_t pc = phase.last + 1; pc-- > phase.first;) {
      phase.length += code[pc].latency;
      code[pc].distance = phase.length;
    }
  }
}

}  // namespace paws::frontend
