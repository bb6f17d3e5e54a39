// SPDX-License-Identifier: MIT
#include "sim/riscv/machine_phases.h"

#include <algorithm>
#include <bitset>
#include <unordered_set>

namespace paws::riscv {
namespace {

std::uint16_t latency_of(const Instruction& instruction, const LatencyTable& table) {
  switch (instruction.kind) {
    case Kind::move:
    case Kind::other:
      return table.move;
    case Kind::branch:
      return table.branch;
    case Kind::barrier:
      return table.barrier;
    case Kind::load:
    case Kind::atomic:
      return table.load_issue;
    case Kind::store:
      return table.store_issue;
    case Kind::integer:
      return table.integer;
    case Kind::integer_mul:
      return table.integer_mul;
    case Kind::integer_div:
      return table.integer_div;
    case Kind::f32:
      return table.f32;
    case Kind::f32_div:
      return table.f32_div;
    case Kind::f64:
      return table.f64;
    case Kind::f64_div:
      return table.f64_div;
    case Kind::conversion:
      return table.conversion;
  }
  return table.move;
}

bool is_long(const Instruction& instruction, const std::vector<Register>& near) {
  if (instruction.kind != Kind::load && instruction.kind != Kind::atomic) return false;
  return instruction.writes != kNone && std::ranges::find(near, instruction.base) == near.end();
}

/// Whether the instruction behind this one begins a phase whatever it reads.
bool cuts_after(const Instruction& instruction, const PhaseRule& rule) {
  if (rule.cut_at_barriers && instruction.kind == Kind::barrier) return true;
  return (rule.cut_at_branches || rule.cut_at_blocks) && instruction.kind == Kind::branch;
}

}  // namespace

void assign_phases(Function& function, const LatencyTable& latencies, const PhaseRule& rule,
                   const std::vector<Register>& near) {
  std::vector<Instruction>& code = function.code;
  function.phases.clear();
  std::bitset<kRegisters> pending;
  std::unordered_set<std::uint64_t> targets;
  if (rule.cut_at_blocks) {
    for (const Instruction& instruction : code) {
      if (instruction.target) targets.insert(*instruction.target);
    }
  }
  for (std::size_t i = 0; i < code.size(); ++i) {
    Instruction& instruction = code[i];
    instruction.latency = latency_of(instruction, latencies);
    instruction.long_op = is_long(instruction, near);
    // Registers are not renamed: who writes one that a load will write waits for it, too.
    const bool waits =
        pending[instruction.writes] ||
        std::ranges::any_of(instruction.reads, [&](Register each) { return pending[each]; });
    if (i == 0 || waits || cuts_after(code[i - 1], rule) || targets.contains(instruction.address)) {
      pending.reset();
      function.phases.push_back({.first = i, .last = i});
    }
    if (instruction.long_op) pending.set(instruction.writes);
    instruction.phase = static_cast<std::uint32_t>(function.phases.size() - 1);
    function.phases.back().last = i;
  }
  for (Phase& phase : function.phases) {
    for (std::size_t i = phase.last + 1; i-- > phase.first;) {
      phase.length += code[i].latency;
      code[i].distance = phase.length;
    }
  }
}

}  // namespace paws::riscv
