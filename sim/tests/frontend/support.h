// SPDX-License-Identifier: MIT
// What the front-end's tests share: kernels from a few lines of PTX, random seeds, and a small
// interpreter that is independent of everything the front-end knows about dependences.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sim/frontend/frontend.h"
#include "sim/frontend/program.h"
#include "sim/ir/operand_types.h"
#include "sim/support/error.h"

namespace paws::frontend {

/// A module whose only kernel `k` has this body. The body starts on line 8.
inline std::string wrap(const std::string& body, const std::string& before = "") {
  return ".version 7.0\n.target sm_70\n.address_size 64\n" + before +
         "\n.visible .entry k(.param .u64 a, .param .u32 n)\n"
         "{ .reg .pred %p<9>; .reg .b16 %rs<9>; .reg .b32 %r<99>;\n"
         ".reg .b64 %rd<99>; .reg .f32 %f<99>; .reg .f64 %fd<9>;\n" +
         body + "\n}\n";
}

/// Options that leave instructions as they were written.
inline FrontendOptions as_written() {
  FrontendOptions options;
  options.remove_copies = options.remove_dead_code = options.schedule = false;
  options.reserved_registers = 0;
  return options;
}

inline ir::Module compile(const std::string& body, const FrontendOptions& options = as_written(),
                          const std::string& before = "") {
  return compile_text(wrap(body, before), "t.ptx", options);
}

inline ir::Kernel compile_kernel(const std::string& body,
                                 const FrontendOptions& options = as_written(),
                                 const std::string& before = "") {
  return compile(body, options, before).kernels.at(0);
}

inline std::string error_of(const std::string& body, const std::string& before = "") {
  try {
    compile(body, as_written(), before);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

/// The environment's PAWS_SEED, else `fallback`.
inline std::uint64_t seed_or(std::uint64_t fallback) {
  const char* given = std::getenv("PAWS_SEED");
  return given == nullptr ? fallback : std::strtoull(given, nullptr, 0);
}

/// Runs one thread of a program of the operations mov, add, ld, st, red, bar, bra, exit and, with
/// results that only depend on their inputs, anything else.
class Interpreter {
 public:
  Interpreter(const Program& program, std::uint64_t seed)
      : program_(program), seed_(seed), registers_(program.kernel.registers.size(), 0) {}

  std::vector<std::uint64_t>& registers() { return registers_; }

  /// Runs until the exit or for `steps` blocks. What can be seen from outside: stores, barriers
  /// with the memory they publish, the exit.
  std::vector<std::uint64_t> run(unsigned steps) {
    std::uint32_t block = 0;
    while (steps-- > 0 && block < program_.blocks.size()) {
      std::uint32_t next = block + 1;
      for (const ir::Instruction& instruction : program_.blocks[block].code) {
        if (!enabled(instruction)) continue;
        if (instruction.op == ir::Op::exit) {
          publish();
          return trace_;
        }
        if (instruction.op == ir::Op::bra) {
          next = instruction.target;
          break;
        }
        execute(instruction);
      }
      block = next;
    }
    return trace_;
  }

 private:
  static std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    std::uint64_t x = (a ^ (b + 0x9e3779b97f4a7c15u + (a << 6) + (a >> 2))) * 0xbf58476d1ce4e5b9u;
    return x ^ (x >> 29);
  }

  bool enabled(const ir::Instruction& instruction) const {
    if (instruction.guard == ir::kNoReg) return true;
    return ((registers_[instruction.guard] & 1) != 0) != instruction.guard_negated;
  }

  std::uint64_t value(const ir::Operand& operand) const {
    if (operand.kind == ir::Operand::Kind::reg) return registers_[operand.reg];
    return operand.kind == ir::Operand::Kind::imm ? operand.imm : 0;
  }

  std::uint64_t& byte(ir::Space space, std::uint64_t address) {
    // Generic addresses reach global memory.
    if (space == ir::Space::generic) space = ir::Space::global;
    const auto key = std::make_pair(static_cast<int>(space), address);
    const auto hit = memory_.find(key);
    if (hit != memory_.end()) return hit->second;
    return memory_[key] = mix(mix(seed_, address), epoch_) & 0xff;
  }

  /// Other threads see the memory, and may have changed what this one has not written.
  void publish() {
    for (const auto& [key, content] : memory_) {
      if (written_.contains(key)) trace_.push_back(mix(mix(key.second, content), 1));
    }
    trace_.push_back(epoch_++);
    memory_.clear();
    written_.clear();
  }

  void execute(const ir::Instruction& i) {
    const unsigned bytes = ir::size_of(i.type);
    const std::uint64_t address = value(i.src[0]) + static_cast<std::uint64_t>(i.offset);
    switch (i.op) {
      case ir::Op::mov:
      case ir::Op::cvta:
        registers_[i.dst[0]] = value(i.src[0]);
        return;
      case ir::Op::add:
        registers_[i.dst[0]] = value(i.src[0]) + value(i.src[1]);
        return;
      case ir::Op::bar:
        publish();
        return;
      case ir::Op::ld: {
        std::uint64_t result = 0;
        for (unsigned k = 0; k < bytes; ++k) result |= byte(i.space, address + k) << (8 * k);
        registers_[i.dst[0]] = result;
        return;
      }
      case ir::Op::st:
      case ir::Op::red:
        for (unsigned k = 0; k < bytes; ++k) {
          std::uint64_t& place = byte(i.space, address + k);
          const std::uint64_t data = value(i.src[1]) >> (8 * k) & 0xff;
          place = i.op == ir::Op::st ? data : mix(place, data) & 0xff;
          const ir::Space space = i.space == ir::Space::generic ? ir::Space::global : i.space;
          written_[{static_cast<int>(space), address + k}] = true;
        }
        return;
      default: {
        std::uint64_t result =
            mix(static_cast<std::uint64_t>(i.op), static_cast<std::uint64_t>(i.cmp));
        for (const ir::Operand& operand : i.src) result = mix(result, value(operand));
        if (i.dst[0] != ir::kNoReg) registers_[i.dst[0]] = result;
        return;
      }
    }
  }

  const Program& program_;
  std::uint64_t seed_;
  std::vector<std::uint64_t> registers_;
  std::map<std::pair<int, std::uint64_t>, std::uint64_t> memory_;
  std::map<std::pair<int, std::uint64_t>, bool> written_;
  std::uint64_t epoch_ = 0;
  std::vector<std::uint64_t> trace_;
};

/// Random programs over a few registers, so that they are often overwritten.
class RandomProgram {
 public:
  static constexpr ir::RegId kData = 8;        // registers 0..7: b64
  static constexpr ir::RegId kPredicates = 3;  // registers 8..10: pred

  explicit RandomProgram(std::uint64_t seed) : random_(seed) {}

  Program straight_line(unsigned length) {
    Program program = empty();
    program.blocks.resize(1);
    for (unsigned i = 0; i < length; ++i) program.blocks[0].code.push_back(instruction(i));
    program.blocks[0].code.push_back(leave(length));
    return program;
  }

  /// Blocks that end in guarded branches to anywhere, the last one in an exit.
  Program with_branches(unsigned blocks, unsigned length) {
    Program program = empty();
    program.blocks.resize(blocks);
    initialise(program.blocks[0]);
    for (std::uint32_t b = 0; b < blocks; ++b) {
      BasicBlock& block = program.blocks[b];
      for (unsigned i = 0; i < length; ++i) block.code.push_back(instruction(i));
      if (b + 1 == blocks) {
        block.code.push_back(leave(length));
        break;
      }
      ir::Instruction branch;
      branch.op = ir::Op::bra;
      branch.guard = predicate();
      branch.target = pick(blocks);
      block.successors = {b + 1};
      if (branch.target != b + 1) block.successors.push_back(branch.target);
      block.code.push_back(branch);
    }
    return program;
  }

  std::uint32_t pick(std::uint32_t below) { return static_cast<std::uint32_t>(random_() % below); }

 private:
  static Program empty() {
    Program program;
    for (int i = 0; i < kData; ++i)
      program.kernel.registers.push_back({ir::Type::b64, "%rd" + std::to_string(i)});
    for (int i = 0; i < kPredicates; ++i)
      program.kernel.registers.push_back({ir::Type::pred, "%p" + std::to_string(i)});
    return program;
  }

  /// Gives every register a value, so that none is live at the start.
  static void initialise(BasicBlock& block) {
    for (ir::RegId reg = 0; reg < kData + kPredicates; ++reg) {
      ir::Instruction i;
      i.op = reg < kData ? ir::Op::ld : ir::Op::setp;
      i.space = reg < kData ? ir::Space::constant : ir::Space::none;
      i.type = reg < kData ? ir::Type::u32 : ir::Type::u64;
      i.dst[0] = reg;
      i.src[0].kind = ir::Operand::Kind::imm;
      i.src[0].imm = reg < kData ? 0 : reg;
      i.src[1].kind = reg < kData ? ir::Operand::Kind::none : ir::Operand::Kind::reg;
      i.src[1].reg = reg < kData ? ir::kNoReg : 0;
      i.offset = 4 * static_cast<std::int64_t>(reg);
      block.code.push_back(i);
    }
  }

  static ir::Instruction leave(unsigned line) {
    ir::Instruction exit;
    exit.op = ir::Op::exit;
    exit.line = line;
    return exit;
  }

  ir::RegId predicate() { return static_cast<ir::RegId>(kData + pick(kPredicates)); }
  ir::RegId data() { return static_cast<ir::RegId>(pick(kData)); }

  ir::Operand operand() {
    ir::Operand result;
    if (pick(5) == 0) {
      result.kind = ir::Operand::Kind::imm;
      result.imm = pick(3) * 4;
    } else {
      result.kind = ir::Operand::Kind::reg;
      result.reg = data();
    }
    return result;
  }

  ir::Instruction instruction(unsigned line) {
    ir::Instruction i;
    i.line = line;
    i.type = ir::Type::u64;
    if (pick(6) == 0) {
      i.guard = predicate();
      i.guard_negated = pick(2) == 0;
    }
    const std::array spaces = {ir::Space::global, ir::Space::shared, ir::Space::generic};
    switch (pick(12)) {
      case 0:
      case 1:
      case 2:
        i.op = ir::Op::mov;
        i.dst[0] = data();
        i.src[0] = operand();
        break;
      case 3:
      case 4:
        i.op = ir::Op::add;
        i.dst[0] = data();
        i.src[0] = operand();
        i.src[1] = operand();
        break;
      case 5:
        i.op = ir::Op::setp;
        i.cmp = ir::Cmp::lt;
        i.dst[0] = predicate();
        i.src[0] = operand();
        i.src[1] = operand();
        break;
      case 6:
      case 7:
      case 8:
        i.op = ir::Op::ld;
        i.space = spaces.at(pick(3));
        i.type = pick(2) == 0 ? ir::Type::u32 : ir::Type::u64;
        i.dst[0] = data();
        i.src[0] = operand();
        i.offset = 4 * static_cast<std::int64_t>(pick(4));
        break;
      case 9:
      case 10:
        i.op = pick(3) == 0 ? ir::Op::red : ir::Op::st;
        if (i.op == ir::Op::red) i.atom = ir::AtomOp::add;
        i.space = spaces.at(pick(3));
        i.type = pick(2) == 0 ? ir::Type::u32 : ir::Type::u64;
        i.src[0] = operand();
        i.src[1] = operand();
        i.offset = 4 * static_cast<std::int64_t>(pick(4));
        break;
      default:
        if (pick(3) == 0) {
          i.op = ir::Op::bar;
          i.guard = ir::kNoReg;
        } else {
          i.op = ir::Op::mul;
          i.dst[0] = data();
          i.src[0] = operand();
          i.src[1] = operand();
        }
        break;
    }
    return i;
  }

  std::mt19937_64 random_;
};

}  // namespace paws::frontend
