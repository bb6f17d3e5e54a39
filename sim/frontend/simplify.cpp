// SPDX-License-Identifier: MIT
#include "sim/frontend/simplify.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "sim/frontend/liveness.h"
#include "sim/ir/operand_types.h"

namespace paws::frontend {
namespace {

using ir::Op;
using ir::Operand;

bool is_plain_move(const ir::Instruction& instruction) {
  return instruction.op == Op::mov && instruction.guard == ir::kNoReg &&
         instruction.dst[0] != ir::kNoReg && !instruction.src[0].negated &&
         (instruction.src[0].kind == Operand::Kind::reg ||
          instruction.src[0].kind == Operand::Kind::imm);
}

/// Whether src[index] may be a constant in machine code: data of stores, atomics and exchanges
/// come from registers (zero is one), and operations on one value would have been folded.
bool accepts_constant(const ir::Instruction& instruction, unsigned index, std::uint64_t value) {
  switch (ir::facts(instruction.op).constants) {
    case ir::Constants::none:
      return false;
    case ir::Constants::any:
      return true;
    case ir::Constants::second:
      return instruction.src[1].kind != Operand::Kind::none &&
             ir::source_type(instruction, index) != ir::Type::pred;
    case ir::Constants::address:
      return index == 0;
    case ir::Constants::stored:
      return index == 0 || value == 0;
    case ir::Constants::not_first:
      return index != 0;
    case ir::Constants::zero:
      return value == 0;
  }
  return false;
}

std::uint64_t cut_to(std::uint64_t value, ir::Type type) {
  const unsigned bits = 8 * ir::size_of(type);
  return bits == 0 || bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

/// Puts `value` in the place of register `from`; leaves places that cannot take it.
void substitute(ir::Instruction& instruction, ir::RegId from, const Operand& value) {
  const bool is_register = value.kind == Operand::Kind::reg;
  if (is_register && instruction.guard == from) instruction.guard = value.reg;
  for (unsigned i = 0; i < ir::kMaxSrc; ++i) {
    Operand& operand = instruction.src[i];
    if (operand.kind != Operand::Kind::reg || operand.reg != from) continue;
    if (is_register) {
      operand.reg = value.reg;
      continue;
    }
    if (!accepts_constant(instruction, i, value.imm)) continue;
    operand = value;
    if (i == 0 && ir::has_address(instruction.op)) {
      instruction.offset += static_cast<std::int64_t>(value.imm);
      operand.imm = 0;
    } else {
      operand.imm = cut_to(value.imm, ir::source_type(instruction, i));
    }
  }
}

struct Place {
  std::uint32_t block = 0;
  std::uint32_t index = 0;
};

/// Registers that behave as in SSA form: written by exactly one instruction, which dominates every
/// read.
class SingleDefinitions {
 public:
  explicit SingleDefinitions(const Program& program)
      : definition_(program.kernel.registers.size()),
        writes_(program.kernel.registers.size(), 0),
        good_(program.kernel.registers.size(), true) {
    number_dominator_tree(immediate_dominators(program.blocks));
    visit(program, [&](const ir::Instruction& instruction, Place place) {
      for_each_write(instruction, [&](ir::RegId reg) {
        ++writes_[reg];
        definition_[reg] = place;
      });
    });
    visit(program, [&](const ir::Instruction& instruction, Place place) {
      for_each_read(instruction, [&](ir::RegId reg) {
        if (writes_[reg] != 1 || !dominates(definition_[reg], place)) good_[reg] = false;
      });
    });
  }

  [[nodiscard]] bool contains(ir::RegId reg) const { return good_[reg] && writes_[reg] == 1; }

 private:
  template <typename Function>
  static void visit(const Program& program, Function&& apply) {
    for (std::uint32_t b = 0; b < program.blocks.size(); ++b) {
      const std::vector<ir::Instruction>& code = program.blocks[b].code;
      for (std::uint32_t i = 0; i < code.size(); ++i) apply(code[i], Place{b, i});
    }
  }

  void number_dominator_tree(const std::vector<std::uint32_t>& parents) {
    std::vector<std::vector<std::uint32_t>> children(parents.size());
    for (std::uint32_t b = 1; b < parents.size(); ++b) children[parents[b]].push_back(b);
    enter_.resize(parents.size());
    leave_.resize(parents.size());
    std::uint32_t clock = 0;
    std::vector<std::pair<std::uint32_t, std::size_t>> stack{{0, 0}};
    enter_[0] = clock++;
    while (!stack.empty()) {
      auto& [block, next] = stack.back();
      if (next == children[block].size()) {
        leave_[block] = clock++;
        stack.pop_back();
      } else {
        const std::uint32_t child = children[block][next++];
        enter_[child] = clock++;
        stack.emplace_back(child, 0);
      }
    }
  }

  [[nodiscard]] bool dominates(Place definition, Place use) const {
    if (definition.block == use.block) return definition.index < use.index;
    return enter_[definition.block] <= enter_[use.block] &&
           leave_[use.block] <= leave_[definition.block];
  }

  std::vector<Place> definition_;
  std::vector<unsigned> writes_;
  std::vector<bool> good_;
  std::vector<std::uint32_t> enter_, leave_;
};

/// Where source and destination of a move are both single definitions, the destination is another
/// name of the source wherever it is read.
void propagate_globally(Program& program) {
  const SingleDefinitions single(program);
  std::vector<std::optional<Operand>> value(program.kernel.registers.size());
  for (const BasicBlock& block : program.blocks) {
    for (const ir::Instruction& instruction : block.code) {
      if (!is_plain_move(instruction) || !single.contains(instruction.dst[0])) continue;
      const Operand& source = instruction.src[0];
      if (source.kind == Operand::Kind::reg && !single.contains(source.reg)) continue;
      value[instruction.dst[0]] = source;
    }
  }
  // Chains end: every link goes from a definition to one that strictly dominates it.
  const auto root = [&](ir::RegId reg) {
    Operand found = *value[reg];
    while (found.kind == Operand::Kind::reg && value[found.reg]) found = *value[found.reg];
    return found;
  };
  for (BasicBlock& block : program.blocks) {
    for (ir::Instruction& instruction : block.code) {
      std::vector<ir::RegId> reads;
      for_each_read(instruction, [&](ir::RegId reg) {
        if (value[reg]) reads.push_back(reg);
      });
      for (const ir::RegId reg : reads) substitute(instruction, reg, root(reg));
    }
  }
}

/// x + 0 and its like, which appear when addresses of variables turn out to be zero, are moves.
bool simplify_identities(Program& program) {
  bool changed = false;
  for (BasicBlock& block : program.blocks) {
    for (ir::Instruction& i : block.code) {
      const bool neutral_zero = i.op == Op::add || i.op == Op::or_ || i.op == Op::xor_;
      if (!neutral_zero || ir::is_float(i.type) || i.type == ir::Type::pred || i.carry_in ||
          i.carry_out || i.sat) {
        continue;
      }
      const auto is_zero = [](const Operand& o) {
        return o.kind == Operand::Kind::imm && o.imm == 0;
      };
      if (is_zero(i.src[0])) std::swap(i.src[0], i.src[1]);
      if (!is_zero(i.src[1])) continue;
      i.op = Op::mov;
      i.src[1] = {};
      changed = true;
    }
  }
  return changed;
}

/// The moves that hold at a point of a block: by destination, its source.
class Copies {
 public:
  explicit Copies(std::size_t registers) : source_(registers), users_(registers) {}

  [[nodiscard]] const Operand* find(ir::RegId reg) const {
    return source_[reg] ? &*source_[reg] : nullptr;
  }

  void add(ir::RegId to, const Operand& from) {
    source_[to] = from;
    touched_.push_back(to);
    if (from.kind == Operand::Kind::reg) users_[from.reg].push_back(to);
  }

  /// `reg` is written: neither its own move nor those that read it hold any more.
  void forget(ir::RegId reg) {
    source_[reg].reset();
    for (const ir::RegId user : users_[reg]) {
      if (source_[user] && source_[user]->reg == reg) source_[user].reset();
    }
    users_[reg].clear();
  }

  void clear() {
    for (const ir::RegId reg : touched_) {
      if (source_[reg] && source_[reg]->kind == Operand::Kind::reg)
        users_[source_[reg]->reg].clear();
      source_[reg].reset();
    }
    touched_.clear();
  }

 private:
  std::vector<std::optional<Operand>> source_;
  std::vector<std::vector<ir::RegId>> users_;  // by source; may name moves that no longer hold
  std::vector<ir::RegId> touched_;
};

/// Inside a block a move holds until its source or its destination is written again.
void propagate_locally(Program& program) {
  Copies copies(program.kernel.registers.size());
  for (BasicBlock& block : program.blocks) {
    for (ir::Instruction& instruction : block.code) {
      std::vector<ir::RegId> reads;
      for_each_read(instruction, [&](ir::RegId reg) {
        if (copies.find(reg) != nullptr) reads.push_back(reg);
      });
      for (const ir::RegId reg : reads) substitute(instruction, reg, Operand(*copies.find(reg)));
      for_each_write(instruction, [&](ir::RegId reg) { copies.forget(reg); });
      if (!is_plain_move(instruction)) continue;
      const Operand& source = instruction.src[0];
      if (source.kind == Operand::Kind::reg && source.reg == instruction.dst[0]) continue;
      copies.add(instruction.dst[0], source);
    }
    copies.clear();
  }
}

/// Moves that propagation left without readers; they would only get in the way of merging.
void drop_unread_moves(Program& program) {
  std::vector<bool> read(program.kernel.registers.size(), false);
  for (const BasicBlock& block : program.blocks) {
    for (const ir::Instruction& instruction : block.code) {
      for_each_read(instruction, [&](ir::RegId reg) { read[reg] = true; });
    }
  }
  for (BasicBlock& block : program.blocks) {
    std::erase_if(block.code, [&](const ir::Instruction& instruction) {
      return is_plain_move(instruction) && !read[instruction.dst[0]];
    });
  }
}

/// Merges the two registers of a move when neither is written while the other one is needed.
class Coalescer {
 public:
  /// The table of conflicts grows with the square; kernels beyond this keep their moves.
  static constexpr std::size_t kMaxRelated = 8192;

  explicit Coalescer(Program& program) : program_(program) {}

  void run() {
    find_moves();
    if (moves_.empty() || related_.size() > kMaxRelated) return;
    find_interference();
    parent_.resize(related_.size());
    std::iota(parent_.begin(), parent_.end(), 0u);
    for (const auto& [to, from] : moves_) merge(find(index_[to]), find(index_[from]));
    rename();
  }

 private:
  void find_moves() {
    index_.assign(program_.kernel.registers.size(), kNone);
    const auto relate = [&](ir::RegId reg) {
      if (index_[reg] != kNone) return;
      index_[reg] = static_cast<std::uint32_t>(related_.size());
      related_.push_back(reg);
    };
    for (const BasicBlock& block : program_.blocks) {
      for (const ir::Instruction& instruction : block.code) {
        if (!is_plain_move(instruction)) continue;
        const Operand& source = instruction.src[0];
        if (source.kind != Operand::Kind::reg || source.reg == instruction.dst[0]) continue;
        const ir::Type to = program_.kernel.registers[instruction.dst[0]].type;
        const ir::Type from = program_.kernel.registers[source.reg].type;
        if (ir::size_of(to) != ir::size_of(from)) continue;
        relate(instruction.dst[0]);
        relate(source.reg);
        moves_.emplace_back(instruction.dst[0], source.reg);
      }
    }
  }

  void find_interference() {
    interference_.assign(related_.size(), RegisterSet(related_.size()));
    const Liveness liveness = compute_liveness(program_);
    RegisterSet mask(program_.kernel.registers.size());
    for (const ir::RegId reg : related_) mask.set(reg);
    for (std::size_t b = 0; b < program_.blocks.size(); ++b) {
      RegisterSet live = liveness.out[b];
      const std::vector<ir::Instruction>& code = program_.blocks[b].code;
      for (auto instruction = code.rbegin(); instruction != code.rend(); ++instruction) {
        const bool move =
            is_plain_move(*instruction) && instruction->src[0].kind == Operand::Kind::reg;
        for_each_write(*instruction, [&](ir::RegId reg) {
          if (index_[reg] == kNone) return;
          RegisterSet others = live & mask;
          for_each_write(*instruction, [&](ir::RegId other) {
            if (index_[other] != kNone) others.set(other);
          });
          others.reset(reg);
          if (move) others.reset(instruction->src[0].reg);
          for (auto o = others.find_first(); o != RegisterSet::npos; o = others.find_next(o)) {
            interference_[index_[reg]].set(index_[o]);
            interference_[index_[o]].set(index_[reg]);
          }
        });
        step_back(*instruction, live);
      }
    }
    // Registers read before they are written hold zeros at the start, each its own.
    const RegisterSet entry = liveness.in[0] & mask;
    for (auto a = entry.find_first(); a != RegisterSet::npos; a = entry.find_next(a)) {
      for (std::uint32_t other = 0; other < related_.size(); ++other) {
        if (related_[other] == a) continue;
        interference_[index_[a]].set(other);
        interference_[other].set(index_[a]);
      }
    }
  }

  std::uint32_t find(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }

  void merge(std::uint32_t a, std::uint32_t b) {
    if (a == b || interference_[a].test(b)) return;
    parent_[b] = a;
    interference_[a] |= interference_[b];
    for (RegisterSet& row : interference_) {
      if (row.test(b)) row.set(a);
    }
  }

  void rename() {
    const auto renamed = [&](ir::RegId reg) {
      return index_[reg] == kNone ? reg : related_[find(index_[reg])];
    };
    for (BasicBlock& block : program_.blocks) {
      for (ir::Instruction& instruction : block.code) {
        if (instruction.guard != ir::kNoReg) instruction.guard = renamed(instruction.guard);
        for (ir::RegId& reg : instruction.dst) {
          if (reg != ir::kNoReg) reg = renamed(reg);
        }
        for (Operand& operand : instruction.src) {
          if (operand.kind == Operand::Kind::reg) operand.reg = renamed(operand.reg);
        }
      }
      std::erase_if(block.code, [](const ir::Instruction& instruction) {
        return instruction.op == Op::mov && instruction.src[0].kind == Operand::Kind::reg &&
               !instruction.src[0].negated && instruction.src[0].reg == instruction.dst[0];
      });
    }
  }

  Program& program_;
  std::vector<std::pair<ir::RegId, ir::RegId>> moves_;  // destination, source
  std::vector<ir::RegId> related_;                      // registers of moves
  std::vector<std::uint32_t> index_;                    // register to place in related_
  std::vector<RegisterSet> interference_;               // by place in related_
  std::vector<std::uint32_t> parent_;
};

bool has_effect(const ir::Instruction& instruction) {
  return ir::facts(instruction.op).effect == ir::Effect::acts ||
         (instruction.op == Op::ld && instruction.volatile_access);
}

/// Results that are never read are not written: the second one of a pair, the carry, an atomic's.
void drop_unread_results(ir::Instruction& instruction, const std::vector<bool>& read) {
  const auto unread = [&](unsigned i) {
    return instruction.dst[i] != ir::kNoReg && !read[instruction.dst[i]];
  };
  if (unread(1) && (ir::has_pair(instruction.op) ||
                    ir::facts(instruction.op).results == ir::Results::arithmetic)) {
    instruction.dst[1] = ir::kNoReg;
    instruction.carry_out = false;
  }
  if (instruction.op == Op::tex) {
    for (unsigned i = 0; i < ir::kMaxDst; ++i) {
      if (unread(i)) instruction.dst[i] = ir::kNoReg;
    }
  }
  if (instruction.op == Op::atom && (instruction.dst[0] == ir::kNoReg || unread(0))) {
    instruction.dst[0] = ir::kNoReg;
    if (instruction.atom != ir::AtomOp::exch && instruction.atom != ir::AtomOp::cas) {
      instruction.op = Op::red;
    }
  }
}

}  // namespace

void remove_copies(Program& program) {
  for (BasicBlock& block : program.blocks) {
    for (ir::Instruction& instruction : block.code) {
      if (instruction.op != Op::cvta || instruction.space != ir::Space::global) continue;
      instruction.op = Op::mov;
      instruction.space = ir::Space::none;
      instruction.cvta_to = false;
    }
  }
  propagate_globally(program);
  if (simplify_identities(program)) propagate_globally(program);
  propagate_locally(program);
  drop_unread_moves(program);
  Coalescer(program).run();
}

void remove_dead_code(Program& program) {
  // Backwards from instructions with effects to all writers of what they read, wherever they are.
  std::vector<std::vector<ir::Instruction*>> writers(program.kernel.registers.size());
  std::vector<const ir::Instruction*> work;
  for (BasicBlock& block : program.blocks) {
    for (ir::Instruction& instruction : block.code) {
      for_each_write(instruction, [&](ir::RegId reg) { writers[reg].push_back(&instruction); });
      if (has_effect(instruction)) work.push_back(&instruction);
    }
  }
  std::vector<bool> read(program.kernel.registers.size(), false);
  while (!work.empty()) {
    const ir::Instruction& instruction = *work.back();
    work.pop_back();
    for_each_read(instruction, [&](ir::RegId reg) {
      if (read[reg]) return;
      read[reg] = true;
      work.insert(work.end(), writers[reg].begin(), writers[reg].end());
    });
  }
  for (BasicBlock& block : program.blocks) {
    std::erase_if(block.code, [&](const ir::Instruction& instruction) {
      if (has_effect(instruction)) return false;
      bool needed = false;
      for_each_write(instruction, [&](ir::RegId reg) { needed = needed || read[reg]; });
      return !needed;
    });
    for (ir::Instruction& instruction : block.code) drop_unread_results(instruction, read);
  }
}

}  // namespace paws::frontend
