// SPDX-License-Identifier: MIT
#include "sim/frontend/program.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dominator_tree.hpp>
#include <utility>

#include "sim/ir/operand_types.h"

namespace paws::frontend {
namespace {

using ir::Op;

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS>;

std::vector<std::uint32_t> dominators(const Graph& graph, std::uint32_t root) {
  const std::size_t count = boost::num_vertices(graph);
  std::vector<Graph::vertex_descriptor> parents(count, boost::graph_traits<Graph>::null_vertex());
  boost::lengauer_tarjan_dominator_tree(
      graph, root,
      boost::make_iterator_property_map(parents.begin(), boost::get(boost::vertex_index, graph)));
  std::vector<std::uint32_t> result(count, root);
  for (std::size_t i = 0; i < count; ++i) {
    if (parents[i] != boost::graph_traits<Graph>::null_vertex()) {
      result[i] = static_cast<std::uint32_t>(parents[i]);
    }
  }
  return result;
}

bool calls(const BasicBlock& block) {
  return !block.code.empty() && block.code.back().op == Op::call;
}

std::vector<bool> reachable_from_entry(const std::vector<BasicBlock>& blocks) {
  std::vector<bool> seen(blocks.size(), false);
  std::vector<std::uint32_t> work{0};
  seen[0] = true;
  const auto reach = [&](std::uint32_t b) {
    if (!seen[b]) work.push_back(b);
    seen[b] = true;
  };
  while (!work.empty()) {
    const BasicBlock& block = blocks[work.back()];
    work.pop_back();
    for (const std::uint32_t s : block.successors) reach(s);
    if (calls(block)) reach(block.code.back().target);
  }
  return seen;
}

/// Removes blocks that nothing reaches. A removed block never sits between a block and the one it
/// falls into, because falling into it would reach it.
void drop_unreachable(Program& program) {
  std::vector<BasicBlock>& blocks = program.blocks;
  const std::vector<bool> reached = reachable_from_entry(blocks);
  std::vector<std::uint32_t> number(blocks.size(), kNone);
  std::vector<BasicBlock> kept;
  for (std::uint32_t b = 0; b < blocks.size(); ++b) {
    if (!reached[b]) continue;
    number[b] = static_cast<std::uint32_t>(kept.size());
    kept.push_back(std::move(blocks[b]));
  }
  for (BasicBlock& block : kept) {
    if (block.code.empty()) continue;
    ir::Instruction& last = block.code.back();
    if (last.op == Op::bra || last.op == Op::call) last.target = number[last.target];
    if (last.op == Op::call) last.reconverge = number[last.reconverge];
    for (std::uint32_t& target : last.table) target = number[target];
    std::erase(last.table, kNone);  // calls of a function that nothing reaches
  }
  for (CalledFunction& function : program.stack.functions) function.entry = number[function.entry];
  blocks = std::move(kept);
  find_successors(blocks, Calls::passed);
}

template <typename Function>
void for_each_register(ir::Instruction& instruction, Function&& apply) {
  if (instruction.guard != ir::kNoReg) apply(instruction.guard);
  for (ir::RegId& reg : instruction.dst) {
    if (reg != ir::kNoReg) apply(reg);
  }
  for (ir::Operand& operand : instruction.src) {
    if (operand.kind == ir::Operand::Kind::reg) apply(operand.reg);
  }
}

void drop_unused_registers(ir::Kernel& kernel) {
  std::vector<bool> used(kernel.registers.size(), false);
  for (ir::Instruction& instruction : kernel.code) {
    for_each_register(instruction, [&](ir::RegId& reg) { used[reg] = true; });
  }
  std::vector<ir::RegId> number(kernel.registers.size(), ir::kNoReg);
  std::vector<ir::Register> kept;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) continue;
    number[i] = static_cast<ir::RegId>(kept.size());
    kept.push_back(std::move(kernel.registers[i]));
  }
  kernel.registers = std::move(kept);
  for (ir::Instruction& instruction : kernel.code) {
    for_each_register(instruction, [&](ir::RegId& reg) { reg = number[reg]; });
  }
}

/// Jumps to the block that follows anyway are not in machine code.
void drop_jumps_to_next(std::vector<BasicBlock>& blocks) {
  for (auto b = static_cast<std::uint32_t>(blocks.size()); b-- > 0;) {
    std::vector<ir::Instruction>& code = blocks[b].code;
    if (code.empty() || code.back().op != Op::bra) continue;
    std::uint32_t next = b + 1;
    // Empty blocks in between are no instructions.
    while (next < blocks.size() && next < code.back().target && blocks[next].code.empty()) ++next;
    if (code.back().target == next) code.pop_back();
  }
}

}  // namespace

void find_successors(std::vector<BasicBlock>& blocks, Calls calls) {
  for (std::uint32_t b = 0; b < blocks.size(); ++b) {
    std::vector<std::uint32_t>& successors = blocks[b].successors;
    successors.clear();
    bool falls_through = true;
    if (!blocks[b].code.empty() && ends_block(blocks[b].code.back())) {
      const ir::Instruction& last = blocks[b].code.back();
      const bool follow = calls == Calls::followed;
      falls_through = last.guard != ir::kNoReg;
      if (last.op == Op::bra) successors.push_back(last.target);
      if (last.op == Op::brx || (last.op == Op::ret && follow)) successors = last.table;
      if (last.op == Op::call) successors.push_back(follow ? last.target : last.reconverge);
    }
    if (falls_through && b + 1 < blocks.size()) successors.push_back(b + 1);
    std::sort(successors.begin(), successors.end());
    successors.erase(std::unique(successors.begin(), successors.end()), successors.end());
  }
}

bool ends_block(const ir::Instruction& instruction) {
  return ir::transfers_control(instruction.op);
}

Program build_program(Draft draft) {
  Program program;
  program.max_registers = draft.max_registers;
  program.min_blocks = draft.min_blocks;
  std::vector<BasicBlock>& blocks = program.blocks;
  std::vector<std::uint32_t> block_of_label(draft.labels, kNone);
  blocks.emplace_back();
  bool open = false;  // the last block has instructions and may take more
  for (DraftItem& item : draft.items) {
    if (item.label != kNone) {
      if (open) blocks.emplace_back();
      open = false;
      block_of_label[item.label] = static_cast<std::uint32_t>(blocks.size() - 1);
      continue;
    }
    const bool last = ends_block(item.instruction);
    blocks.back().code.push_back(std::move(item.instruction));
    open = true;
    if (last) {
      blocks.emplace_back();
      open = false;
    }
  }
  // The draft's last instruction is an unconditional exit, so the block after it is empty.
  blocks.pop_back();
  for (BasicBlock& block : blocks) {
    if (block.code.empty()) continue;
    ir::Instruction& last = block.code.back();
    if (last.op == Op::bra || last.op == Op::call) last.target = block_of_label[last.target];
    if (last.op == Op::call) last.reconverge = block_of_label[last.reconverge];
    for (std::uint32_t& target : last.table) target = block_of_label[target];
  }
  program.kernel = std::move(draft.kernel);
  program.stack = std::move(draft.stack);
  for (CalledFunction& function : program.stack.functions) {
    function.entry = block_of_label[function.entry];
  }
  find_successors(blocks, Calls::passed);
  drop_unreachable(program);
  return program;
}

std::vector<std::uint32_t> immediate_dominators(const std::vector<BasicBlock>& blocks) {
  Graph graph(blocks.size());
  for (std::uint32_t b = 0; b < blocks.size(); ++b) {
    for (const std::uint32_t s : blocks[b].successors) boost::add_edge(b, s, graph);
    if (calls(blocks[b])) boost::add_edge(0, blocks[b].code.back().target, graph);
  }
  return dominators(graph, 0);
}

std::vector<std::uint32_t> immediate_post_dominators(const std::vector<BasicBlock>& blocks) {
  const auto end = static_cast<std::uint32_t>(blocks.size());
  std::vector<std::vector<std::uint32_t>> predecessors(blocks.size());
  // A guarded exit is no leaf: the threads that stay go on to the next block together.
  std::vector<std::uint32_t> leaves;
  for (std::uint32_t b = 0; b < end; ++b) {
    for (const std::uint32_t s : blocks[b].successors) predecessors[s].push_back(b);
    if (blocks[b].successors.empty()) leaves.push_back(b);
  }
  std::vector<bool> reaches_end(blocks.size(), false);
  const auto mark = [&](std::uint32_t from) {
    std::vector<std::uint32_t> work{from};
    reaches_end[from] = true;
    while (!work.empty()) {
      const std::uint32_t b = work.back();
      work.pop_back();
      for (const std::uint32_t p : predecessors[b]) {
        if (!reaches_end[p]) work.push_back(p);
        reaches_end[p] = true;
      }
    }
  };
  for (const std::uint32_t leaf : leaves) mark(leaf);
  for (std::uint32_t b = end; b-- > 0;) {
    if (reaches_end[b]) continue;
    leaves.push_back(b);
    mark(b);
  }
  Graph reversed(blocks.size() + 1);
  for (std::uint32_t b = 0; b < end; ++b) {
    for (const std::uint32_t s : blocks[b].successors) boost::add_edge(s, b, reversed);
  }
  for (const std::uint32_t leaf : leaves) boost::add_edge(end, leaf, reversed);
  std::vector<std::uint32_t> result = dominators(reversed, end);
  result.resize(blocks.size());
  return result;
}

ir::Kernel lay_out(Program program) {
  std::vector<BasicBlock>& blocks = program.blocks;
  find_successors(blocks, Calls::passed);
  const std::vector<std::uint32_t> post_dominator = immediate_post_dominators(blocks);
  drop_jumps_to_next(blocks);
  std::vector<std::uint32_t> start;
  std::uint32_t pc = 0;
  for (const BasicBlock& block : blocks) {
    start.push_back(pc);
    pc += static_cast<std::uint32_t>(block.code.size());
  }
  start.push_back(pc);
  ir::Kernel kernel = std::move(program.kernel);
  kernel.code.reserve(pc);
  for (std::uint32_t b = 0; b < blocks.size(); ++b) {
    for (ir::Instruction& instruction : blocks[b].code) {
      instruction.block = b;
      if (instruction.op == Op::bra || instruction.op == Op::call) {
        instruction.target = start[instruction.target];
      }
      if (instruction.op == Op::call) instruction.reconverge = start[instruction.reconverge];
      for (std::uint32_t& target : instruction.table) target = start[target];
      if (instruction.op == Op::bra || instruction.op == Op::brx) {
        instruction.reconverge = start[post_dominator[b]];
      }
      kernel.code.push_back(std::move(instruction));
    }
  }
  drop_unused_registers(kernel);
  kernel.number = ir::KernelNumber::next();
  return kernel;
}

}  // namespace paws::frontend
