// SPDX-License-Identifier: MIT
// Builds ir::Kernel by hand, for tests and benchmarks of execution alone.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "sim/ir/kernel.h"

namespace paws::exec::testing {

ir::Operand reg(ir::RegId id);
ir::Operand not_reg(ir::RegId id);  ///< !%p
ir::Operand imm(std::uint64_t bits);
ir::Operand imm_f32(float value);
ir::Operand special(ir::Special which);

struct Label {
  std::size_t index = 0;
};

class KernelBuilder {
 public:
  explicit KernelBuilder(std::string name = "kernel");

  ir::RegId new_reg(ir::Type type);
  /// Offset of a further parameter of the given type.
  std::uint32_t new_param(ir::Type type);
  void shared_bytes(std::uint32_t bytes) { kernel_.shared_bytes = bytes; }
  void local_bytes(std::uint32_t bytes) { kernel_.local_bytes = bytes; }

  /// An instruction with its results and sources in the order of ir::Instruction. The reference
  /// is good until the next one; its line is its number from 1.
  ir::Instruction& emit(ir::Op op, ir::Type type, std::initializer_list<ir::RegId> dst = {},
                        std::initializer_list<ir::Operand> src = {});
  ir::Instruction& load(ir::Space space, ir::Type type, ir::RegId dst, ir::Operand address,
                        std::int64_t offset = 0);
  ir::Instruction& store(ir::Space space, ir::Type type, ir::Operand address, ir::Operand value,
                         std::int64_t offset = 0);

  /// A new register with the parameter's value.
  ir::RegId load_param(ir::Type type, std::uint32_t offset);
  /// A new 64-bit register: base + index * scale, index a 32-bit register.
  ir::RegId element(ir::RegId base, ir::RegId index, std::uint32_t scale);

  Label label();
  void place(Label label);
  void branch(Label target, Label reconverge, ir::RegId guard = ir::kNoReg, bool negated = false);
  void branch_indexed(ir::RegId index, std::vector<Label> targets, Label reconverge);
  void exit() { emit(ir::Op::exit, ir::Type::none); }

  /// Resolves labels. A label placed behind the last instruction is the kernel's end.
  ir::Kernel build();

 private:
  struct Use {
    std::size_t pc;
    std::vector<Label> targets;
    Label reconverge;
  };
  ir::Kernel kernel_;
  std::vector<std::uint32_t> labels_;
  std::vector<Use> uses_;
};

}  // namespace paws::exec::testing
