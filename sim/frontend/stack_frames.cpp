// SPDX-License-Identifier: MIT
#include "sim/frontend/stack_frames.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/frontend/liveness.h"
#include "sim/frontend/symbols.h"
#include "sim/ir/operand_types.h"
#include "sim/ir/operands.h"
#include "sim/support/error.h"

namespace paws::frontend {
namespace {

using ir::Op;
using ir::Type;

class FrameLayout {
 public:
  explicit FrameLayout(Program& program) : program_(program), stack_(program.stack) {}

  void run() {
    const Liveness liveness = compute_liveness(program_);
    for (std::uint32_t f = 0; f < stack_.functions.size(); ++f) {
      if (stack_.functions[f].entry == kNone) continue;
      for (const std::uint32_t b : blocks_of(stack_.functions[f].entry)) {
        std::vector<ir::Instruction>& code = program_.blocks[b].code;
        if (code.empty() || code.back().op != Op::call) continue;
        save(f, b, liveness.in[code.back().reconverge]);
      }
    }
    for (CalledFunction& function : stack_.functions) {
      function.bytes = align_up(std::max<std::uint64_t>(function.bytes, 1), CallStack::kAlign);
    }
    for (BasicBlock& block : program_.blocks) {
      for (ir::Instruction& instruction : block.code) set_size(instruction);
    }
    find_successors(program_.blocks, Calls::followed);
  }

 private:
  /// Those of the function that begins with `entry`.
  [[nodiscard]] std::vector<std::uint32_t> blocks_of(std::uint32_t entry) const {
    std::vector<bool> seen(program_.blocks.size(), false);
    std::vector<std::uint32_t> blocks{entry};
    seen[entry] = true;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      for (const std::uint32_t s : program_.blocks[blocks[i]].successors) {
        if (!seen[s]) blocks.push_back(s);
        seen[s] = true;
      }
    }
    return blocks;
  }

  /// Around the call at the end of block `b` of function `f`.
  void save(std::uint32_t f, std::uint32_t b, RegisterSet live) {
    std::vector<ir::Instruction>& before = program_.blocks[b].code;
    const ir::Instruction call = before.back();
    const ir::RegId frame = stack_.functions[f].frame;
    live.reset(stack_.pointer);
    const bool needs_frame = live.any();
    live.reset(frame);
    line_ = call.line;
    before.pop_back();
    std::vector<ir::Instruction> after;
    if (needs_frame) {
      ir::Instruction& where = after.emplace_back(start(Op::sub, Type::u64));
      where.dst[0] = frame;
      where.src[0] = ir::register_operand(stack_.pointer);
      where.src[1] = ir::immediate(1);
      where.other_offset = static_cast<std::int32_t>(f) + 1;
    }
    for (auto reg = live.find_first(); reg != RegisterSet::npos; reg = live.find_next(reg)) {
      save_register(f, static_cast<ir::RegId>(reg), before, after);
    }
    before.push_back(call);
    std::vector<ir::Instruction>& behind = program_.blocks[call.reconverge].code;
    behind.insert(behind.begin(), after.begin(), after.end());
  }

  void save_register(std::uint32_t f, ir::RegId reg, std::vector<ir::Instruction>& before,
                     std::vector<ir::Instruction>& after) {
    const Type type = program_.kernel.registers[reg].type;
    if (type != Type::pred) {
      before.push_back(access(Op::st, f, reg, reg, type));
      after.push_back(access(Op::ld, f, reg, reg, type));
      return;
    }
    const ir::RegId word = new_register();
    ir::Instruction& select = before.emplace_back(start(Op::selp, Type::b32));
    select.dst[0] = word;
    select.src[0] = ir::immediate(1);
    select.src[1] = ir::immediate(0);
    select.src[2] = ir::register_operand(reg);
    before.push_back(access(Op::st, f, reg, word, Type::b32));
    after.push_back(access(Op::ld, f, reg, word, Type::b32));
    ir::Instruction& test = after.emplace_back(start(Op::setp, Type::u32));
    test.cmp = ir::Cmp::ne;
    test.dst[0] = reg;
    test.src[0] = ir::register_operand(word);
    test.src[1] = ir::immediate(0);
  }

  [[nodiscard]] ir::Instruction start(Op op, Type type) const {
    ir::Instruction instruction;
    instruction.op = op;
    instruction.type = type;
    instruction.line = line_;
    return instruction;
  }

  /// Of the place in the frame that register `saved` has, which holds it at every call.
  ir::Instruction access(Op op, std::uint32_t f, ir::RegId saved, ir::RegId value, Type type) {
    CalledFunction& function = stack_.functions[f];
    const unsigned bytes = ir::size_of(type);
    const auto [place, fresh] = places_.try_emplace({f, saved}, 0);
    if (fresh) {
      place->second = align_up(function.bytes, bytes);
      function.bytes = place->second + bytes;
    }
    ir::Instruction instruction = start(op, ir::bits_type(bytes));
    instruction.space = ir::Space::local;
    instruction.src[0] = ir::register_operand(function.frame);
    instruction.offset = static_cast<std::int64_t>(place->second);
    if (op == Op::st) {
      instruction.src[1] = ir::register_operand(value);
    } else {
      instruction.dst[0] = value;
    }
    return instruction;
  }

  ir::RegId new_register() {
    std::vector<ir::Register>& registers = program_.kernel.registers;
    if (registers.size() >= ir::kNoReg) {
      throw InputError(program_.kernel.file, "kernel '" + program_.kernel.name +
                                                 "' uses too many registers across calls");
    }
    registers.push_back({Type::b32, "%saved" + std::to_string(registers.size())});
    return static_cast<ir::RegId>(registers.size() - 1);
  }

  /// Of a call, and of what moves the stack's end by a frame.
  void set_size(ir::Instruction& instruction) const {
    if (instruction.op == Op::call) {
      const CalledFunction& callee =
          stack_.functions[static_cast<std::size_t>(instruction.other_offset)];
      // Behind the frame there must be room for what its own calls exchange.
      instruction.offset = static_cast<std::int64_t>(stack_.end) -
                           static_cast<std::int64_t>(callee.bytes + stack_.exchanged);
    } else if (instruction.op == Op::add || instruction.op == Op::sub) {
      if (instruction.other_offset == 0) return;
      const auto f = static_cast<std::size_t>(instruction.other_offset) - 1;
      instruction.src[1] = ir::immediate(stack_.functions[f].bytes);
      instruction.other_offset = 0;
    }
  }

  Program& program_;
  CallStack& stack_;
  std::map<std::pair<std::uint32_t, ir::RegId>, std::uint64_t> places_;
  std::uint32_t line_ = 0;
};

}  // namespace

void lay_out_frames(Program& program) {
  if (program.stack.pointer != ir::kNoReg) FrameLayout(program).run();
}

}  // namespace paws::frontend
