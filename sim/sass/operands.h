// SPDX-License-Identifier: MIT
// Which registers an instruction of a trace reads and writes, and the virtual registers that stand
// for them.
//
// A tracer names the first register of an operand alone: "R4" of LDG.E.64 is R4 and R5. The opcode
// says how many there are. Two neighbours that no instruction of the kernel names apart are one
// register of 64 bits, as in our own kernels: then an instruction has few operands to wait for.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/ir/kernel.h"
#include "sim/sass/opcodes.h"
#include "sim/sass/trace_reader.h"

namespace paws::sass {

/// Whether it always holds the same value: RZ, URZ, PT, UPT. Nothing waits for it.
bool is_constant(MachineRegister reg);

/// "R4", "UP1".
std::string name_of(MachineRegister reg);

struct OperandRegister {
  MachineRegister reg;
  bool implied = false;  ///< not named by the trace
};

struct OperandRegisters {
  std::vector<OperandRegister> destinations, sources;  ///< without constant ones
};

/// The registers of an instruction. `whole`: the trace names every one of them. Throws
/// std::invalid_argument for an operand that goes on beyond the last register.
OperandRegisters registers_of(const Definition& definition, const Opcode& opcode,
                              const ir::Instruction& operation, bool whole);

/// Gives the instructions of a kernel their operands.
class RegisterTable {
 public:
  /// `all`: of every instruction of the kernel. Throws std::invalid_argument for more registers
  /// than a kernel can have.
  explicit RegisterTable(const std::vector<OperandRegisters>& all);

  /// Fills destinations, sources and guard. Of more than fit, implied ones are left out, odd ones
  /// first: what waits for a value of 64 bits waits for its even half too. Throws
  /// std::invalid_argument when there are too many even so.
  void assign(const OperandRegisters& registers, ir::Instruction& instruction) const;

  [[nodiscard]] const std::vector<ir::Register>& registers() const { return registers_; }

 private:
  [[nodiscard]] bool is_pair(MachineRegister first) const;
  /// Virtual registers of a list, each once per place; implied ones that stand for no other.
  struct Named {
    ir::RegId id = ir::kNoReg;
    bool implied = false;
    bool odd = false;
  };
  static void leave_out(std::vector<Named>& list, unsigned most, const char* what);
  [[nodiscard]] std::vector<Named> named(const std::vector<OperandRegister>& list) const;

  /// By the even register: whether each instruction that names one of the two names both in a row.
  std::map<MachineRegister, bool> pairs_;
  std::map<MachineRegister, ir::RegId> ids_;  ///< of single ones, and of pairs by their first
  std::vector<ir::Register> registers_;
};

}  // namespace paws::sass
