// SPDX-License-Identifier: MIT
// RISC-V machine code as far as phases need it: which registers an instruction reads and writes,
// and its class of latency.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace paws::riscv {

/// Register numbers: x0 to x31, then f0 to f31. x0 stands for none.
using Register = std::uint8_t;
inline constexpr Register kNone = 0;
inline constexpr unsigned kRegisters = 64;

/// Classes of instructions with a latency of their own (LatencyTable).
enum class Kind : std::uint8_t {
  move,
  branch,
  barrier,
  load,
  atomic,
  store,
  integer,
  integer_mul,
  integer_div,
  f32,
  f32_div,
  f64,
  f64_div,
  conversion,
  other,  ///< neither of RV32/RV64 IMAFD nor Zicsr, or no instruction that LLVM knows
};

struct Instruction {
  std::uint64_t address = 0;
  std::string text;
  Kind kind = Kind::other;
  std::vector<Register> reads;  ///< without x0
  Register writes = kNone;
  Register base = kNone;  ///< of a load, a store or an atomic: the register of its address
  std::optional<std::uint64_t> target;  ///< of a branch, where the code names it
  // By assign_phases():
  bool long_op = false;
  std::uint16_t latency = 0;   ///< cycles
  std::uint32_t phase = 0;     ///< number in the function
  std::uint32_t distance = 0;  ///< cycles from here to the end of the phase
};

struct Phase {
  std::size_t first = 0;  ///< number of its first instruction in the function
  std::size_t last = 0;
  std::uint32_t length = 0;  ///< cycles
};

/// What stands under one symbol.
struct Function {
  std::string name;
  std::vector<Instruction> code;
  std::vector<Phase> phases;
};

/// The functions of `listing`, which disassemble() made. A symbol without code is left out.
std::vector<Function> functions_of(std::string_view listing);

/// The number of a register's name, "x2", "sp" or "f0"; kRegisters for another word.
unsigned register_number(std::string_view name);

}  // namespace paws::riscv
