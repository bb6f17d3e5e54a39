// SPDX-License-Identifier: MIT
// Matrix instructions: fragments, mma, and rows of shared memory.
#include <algorithm>
#include <utility>

#include "sim/frontend/decode.h"
#include "sim/frontend/fragment.h"
#include "sim/frontend/kernel_lowerer.h"
#include "sim/ir/matrix.h"

namespace paws::frontend::lowering {

std::vector<ptx::Operand> KernelLowerer::elements_of(const ptx::Operand& operand) {
  if (operand.kind == ptx::Operand::Kind::vector) return operand.elements;
  return {operand};
}

std::vector<ir::Operand> KernelLowerer::fragment_sources(const ptx::Instruction& source,
                                                         const ptx::Operand& operand,
                                                         unsigned count, Type type) {
  const std::vector<ptx::Operand> elements = elements_of(operand);
  check_fragment(source, elements.size(), count);
  std::vector<ir::Operand> lowered;
  lowered.reserve(count);
  for (const ptx::Operand& element : elements) {
    lowered.push_back(lower_source(source, element, type));
  }
  return lowered;
}

std::vector<ir::RegId> KernelLowerer::fragment_destinations(const ptx::Instruction& source,
                                                            const ptx::Operand& operand,
                                                            unsigned count, Type type) {
  const std::vector<ptx::Operand> elements = elements_of(operand);
  check_fragment(source, elements.size(), count);
  std::vector<ir::RegId> lowered;
  lowered.reserve(count);
  for (const ptx::Operand& element : elements) {
    lowered.push_back(lower_destination(source, element, type));
  }
  return lowered;
}

void KernelLowerer::check_fragment(const ptx::Instruction& source, std::size_t found,
                                   unsigned wanted) const {
  if (found == wanted) return;
  fail(source.line, quoted(source.text) + " takes " + std::to_string(wanted) +
                        " registers for this operand, found " + std::to_string(found));
}

void KernelLowerer::lower_mma(const ptx::Instruction& source, const ir::Instruction& fields,
                              bool fragments) {
  expect_operands(source, 4, 4);
  using MatrixRole = Decoded::MatrixRole;
  const ir::MatrixRegisters plain = fragments ? ir::MatrixRegisters{} : ir::registers_of(fields);
  const auto count = [&](MatrixRole role, unsigned of_mma, Type type) {
    return fragments ? fragment_registers(fields.shape, role, type) : of_mma;
  };
  const Type result = ir::register_type(fields.type);
  const unsigned c_count = count(MatrixRole::c, plain.c, fields.type);
  std::vector<ir::RegId> d = fragment_destinations(source, source.operands[0], c_count, result);
  const std::vector<ir::Operand> a =
      fragment_sources(source, source.operands[1], count(MatrixRole::a, plain.a, fields.src_type),
                       ir::register_type(fields.src_type));
  const std::vector<ir::Operand> b =
      fragment_sources(source, source.operands[2], count(MatrixRole::b, plain.b, fields.other_type),
                       ir::register_type(fields.other_type));
  const std::vector<ir::Operand> c = fragment_sources(source, source.operands[3], c_count, result);
  if (!fragments) {
    ir::Instruction mma = fields;
    std::copy(d.begin(), d.end(), mma.dst.begin());
    auto next = std::copy(a.begin(), a.end(), mma.src.begin());
    next = std::copy(b.begin(), b.end(), next);
    std::copy(c.begin(), c.end(), next);
    emit(std::move(mma));
    return;
  }
  // The first of two products must not overwrite what the second one reads.
  std::vector<std::pair<ir::RegId, ir::RegId>> moves;
  for (std::size_t i = 0; i < d.size() / 2; ++i) {
    const auto reads = [&](const std::vector<ir::Operand>& operands) {
      return std::any_of(operands.begin(), operands.end(), [&](const ir::Operand& operand) {
        return operand.kind == ir::Operand::Kind::reg && operand.reg == d[i];
      });
    };
    const bool own = c[i].kind == ir::Operand::Kind::reg && c[i].reg == d[i];
    if (!reads(a) && !reads(b) && (own || !reads(c))) continue;
    moves.emplace_back(d[i], new_register(source.line, result, register_name("%fragment")));
    d[i] = moves.back().second;
  }
  for (ir::Instruction& part : multiply_fragments(fields, d, a, b, c)) emit(std::move(part));
  for (const auto& [to, from] : moves) emit_guarded_move(fields, to, register_operand(from));
}

void KernelLowerer::lower_fragment(const ptx::Instruction& source, const Decoded& decoded) {
  expect_operands(source, 2, 3);
  const bool loads = decoded.pseudo == Decoded::Pseudo::wmma_load;
  FragmentAccess access;
  access.fields = decoded.instruction;
  access.role = decoded.matrix;
  access.by_rows = decoded.by_rows;
  const ptx::Operand& registers = source.operands[loads ? 0 : 1];
  const unsigned count =
      fragment_registers(access.fields.shape, decoded.matrix, access.fields.type);
  const Type type = ir::register_type(access.fields.type);
  if (loads) {
    access.registers = fragment_destinations(source, registers, count, type);
  } else {
    for (const ir::Operand& operand : fragment_sources(source, registers, count, type)) {
      access.registers.push_back(in_register(source.line, type, operand));
    }
  }
  if (lower_address(source, source.operands[loads ? 1 : 0], access.fields) != kNone) {
    fail(source.line, "a fragment in the parameters of a call is not modelled");
  }
  access.base = register_operand(wide_address(source.line, access.fields));
  access.stride = source.operands.size() == 3 ? lower_source(source, source.operands[2], Type::u32)
                                              : immediate(dense_stride(decoded));
  access.fields.src[0] = {};
  const auto fresh = [&](Type of) {
    return new_register(source.line, of, register_name("%fragment"));
  };
  for (ir::Instruction& part : access_fragment(access, fresh)) emit(std::move(part));
}

unsigned KernelLowerer::dense_stride(const Decoded& decoded) {
  const ir::Instruction::Shape& shape = decoded.instruction.shape;
  switch (decoded.matrix) {
    case Decoded::MatrixRole::a:
      return decoded.by_rows ? shape.k : shape.m;
    case Decoded::MatrixRole::b:
      return decoded.by_rows ? shape.n : shape.k;
    default:
      return decoded.by_rows ? shape.n : shape.m;
  }
}

void KernelLowerer::lower_matrix_rows(const ptx::Instruction& source, ir::Instruction instruction) {
  expect_operands(source, 2, 2);
  const bool loads = instruction.op == Op::ldmatrix;
  const ptx::Operand& registers = source.operands[loads ? 0 : 1];
  if (loads) {
    const auto to = fragment_destinations(source, registers, instruction.vector, Type::b32);
    std::copy(to.begin(), to.end(), instruction.dst.begin());
  } else {
    const auto from = fragment_sources(source, registers, instruction.vector, Type::b32);
    std::copy(from.begin(), from.end(), instruction.src.begin() + 1);
  }
  lower_shared_address(source, source.operands[loads ? 1 : 0], instruction);
  emit(std::move(instruction));
}

}  // namespace paws::frontend::lowering
