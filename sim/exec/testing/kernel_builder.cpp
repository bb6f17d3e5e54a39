// SPDX-License-Identifier: MIT
#include "sim/exec/testing/kernel_builder.h"

#include <algorithm>
#include <bit>

#include "sim/ir/operands.h"

namespace paws::exec::testing {
namespace {

std::uint32_t bytes_of(ir::Type type) {
  switch (type) {
    case ir::Type::b64:
    case ir::Type::u64:
    case ir::Type::s64:
    case ir::Type::f64:
      return 8;
    default:
      return 4;
  }
}

}  // namespace

ir::Operand reg(ir::RegId id) { return ir::register_operand(id); }
ir::Operand not_reg(ir::RegId id) {
  ir::Operand operand = reg(id);
  operand.negated = true;
  return operand;
}
ir::Operand imm(std::uint64_t bits) { return ir::immediate(bits); }
ir::Operand imm_f32(float value) { return imm(std::bit_cast<std::uint32_t>(value)); }
ir::Operand special(ir::Special which) {
  ir::Operand operand;
  operand.kind = ir::Operand::Kind::special;
  operand.special = which;
  return operand;
}

KernelBuilder::KernelBuilder(std::string name) {
  kernel_.name = std::move(name);
  kernel_.file = "built.ptx";
}

ir::RegId KernelBuilder::new_reg(ir::Type type) {
  kernel_.registers.push_back(
      {type, std::string("%r").append(std::to_string(kernel_.registers.size()))});
  return static_cast<ir::RegId>(kernel_.registers.size() - 1);
}

std::uint32_t KernelBuilder::new_param(ir::Type type) {
  const std::uint32_t bytes = bytes_of(type);
  const std::uint32_t offset = (kernel_.param_bytes + bytes - 1) / bytes * bytes;
  kernel_.params.push_back({.name = std::string("p").append(std::to_string(kernel_.params.size())),
                            .type = type,
                            .offset = offset,
                            .bytes = bytes,
                            .align = bytes});
  kernel_.param_bytes = offset + bytes;
  return offset;
}

ir::Instruction& KernelBuilder::emit(ir::Op op, ir::Type type, std::initializer_list<ir::RegId> dst,
                                     std::initializer_list<ir::Operand> src) {
  ir::Instruction in;
  in.op = op;
  in.type = type;
  std::copy(dst.begin(), dst.end(), in.dst.begin());
  std::copy(src.begin(), src.end(), in.src.begin());
  in.line = static_cast<std::uint32_t>(kernel_.code.size() + 1);
  kernel_.code.push_back(in);
  return kernel_.code.back();
}

ir::Instruction& KernelBuilder::load(ir::Space space, ir::Type type, ir::RegId dst,
                                     ir::Operand address, std::int64_t offset) {
  ir::Instruction& in = emit(ir::Op::ld, type, {dst}, {address});
  in.space = space;
  in.offset = offset;
  return in;
}

ir::Instruction& KernelBuilder::store(ir::Space space, ir::Type type, ir::Operand address,
                                      ir::Operand value, std::int64_t offset) {
  ir::Instruction& in = emit(ir::Op::st, type, {}, {address, value});
  in.space = space;
  in.offset = offset;
  return in;
}

ir::RegId KernelBuilder::load_param(ir::Type type, std::uint32_t offset) {
  const ir::RegId to = new_reg(type);
  load(ir::Space::param, type, to, imm(0), offset);
  return to;
}

ir::RegId KernelBuilder::element(ir::RegId base, ir::RegId index, std::uint32_t scale) {
  const ir::RegId address = new_reg(ir::Type::u64);
  emit(ir::Op::mad, ir::Type::u32, {address}, {reg(index), imm(scale), reg(base)}).part =
      ir::MulPart::wide;
  return address;
}

Label KernelBuilder::label() {
  labels_.push_back(0);
  return {labels_.size() - 1};
}

void KernelBuilder::place(Label label) {
  labels_[label.index] = static_cast<std::uint32_t>(kernel_.code.size());
}

void KernelBuilder::branch(Label target, Label reconverge, ir::RegId guard, bool negated) {
  ir::Instruction& in = emit(ir::Op::bra, ir::Type::none);
  in.guard = guard;
  in.guard_negated = negated;
  uses_.push_back({kernel_.code.size() - 1, {target}, reconverge});
}

void KernelBuilder::branch_indexed(ir::RegId index, std::vector<Label> targets, Label reconverge) {
  emit(ir::Op::brx, ir::Type::none, {}, {reg(index)});
  uses_.push_back({kernel_.code.size() - 1, std::move(targets), reconverge});
}

ir::Kernel KernelBuilder::build() {
  for (const Use& use : uses_) {
    ir::Instruction& in = kernel_.code[use.pc];
    in.reconverge = labels_[use.reconverge.index];
    if (in.op == ir::Op::bra) {
      in.target = labels_[use.targets[0].index];
      continue;
    }
    for (const Label& target : use.targets) in.table.push_back(labels_[target.index]);
  }
  return kernel_;
}

}  // namespace paws::exec::testing
