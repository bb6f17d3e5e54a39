// SPDX-License-Identifier: MIT
// Matrix instructions: fragments, mma, and rows of shared memory.
#include <algorithm>
#include <utility>

#include "sim/frontend/fragment.h"
#include "sim/frontend/lower_instruction.h"
#include "sim/ir/matrix.h"

namespace paws::frontend::lowering {

namespace {

/// Elements between the rows or columns of a matrix that has nothing between them.
unsigned dense_stride(const Decoded& decoded) {
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

}  // namespace

void MatrixLowerer::lower_mma(const ptx::Instruction& source, const ir::Instruction& fields,
                              bool fragments) {
  operands_.expect(source, 4, 4);
  using MatrixRole = Decoded::MatrixRole;
  const ir::MatrixRegisters plain = fragments ? ir::MatrixRegisters{} : ir::registers_of(fields);
  const auto count = [&](MatrixRole role, unsigned of_mma, Type type) {
    return fragments ? fragment_registers(fields.shape, role, type) : of_mma;
  };
  const Type result = ir::register_type(fields.type);
  const unsigned c_count = count(MatrixRole::c, plain.c, fields.type);
  std::vector<ir::RegId> d =
      operands_.lower_destinations(source, source.operands[0], c_count, result);
  const std::vector<ir::Operand> a = operands_.lower_sources(
      source, source.operands[1], count(MatrixRole::a, plain.a, fields.src_type),
      ir::register_type(fields.src_type));
  const std::vector<ir::Operand> b = operands_.lower_sources(
      source, source.operands[2], count(MatrixRole::b, plain.b, fields.other_type),
      ir::register_type(fields.other_type));
  const std::vector<ir::Operand> c =
      operands_.lower_sources(source, source.operands[3], c_count, result);
  if (!fragments) {
    ir::Instruction mma = fields;
    std::copy(d.begin(), d.end(), mma.dst.begin());
    auto next = std::copy(a.begin(), a.end(), mma.src.begin());
    next = std::copy(b.begin(), b.end(), next);
    std::copy(c.begin(), c.end(), next);
    draft_.emit(std::move(mma));
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
    moves.emplace_back(d[i], names_.new_register(source.line, result, "%fragment"));
    d[i] = moves.back().second;
  }
  for (ir::Instruction& part : multiply_fragments(fields, d, a, b, c)) draft_.emit(std::move(part));
  for (const auto& [to, from] : moves) draft_.emit_guarded_move(fields, to, register_operand(from));
}

void MatrixLowerer::lower_fragment(const ptx::Instruction& source, const Decoded& decoded) {
  operands_.expect(source, 2, 3);
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
    access.registers = operands_.lower_destinations(source, registers, count, type);
  } else {
    for (const ir::Operand& operand : operands_.lower_sources(source, registers, count, type)) {
      access.registers.push_back(operands_.in_register(source.line, type, operand));
    }
  }
  if (operands_.lower_address(source, source.operands[loads ? 1 : 0], access.fields) != kNone) {
    draft_.fail(source.line, "a fragment in the parameters of a call is not modelled");
  }
  access.base = register_operand(operands_.wide_address(source.line, access.fields));
  access.stride = source.operands.size() == 3
                      ? operands_.lower_source(source, source.operands[2], Type::u32)
                      : immediate(dense_stride(decoded));
  access.fields.src[0] = {};
  const auto fresh = [&](Type of) { return names_.new_register(source.line, of, "%fragment"); };
  for (ir::Instruction& part : access_fragment(access, fresh)) draft_.emit(std::move(part));
}

void MatrixLowerer::lower_rows(const ptx::Instruction& source, ir::Instruction instruction) {
  operands_.expect(source, 2, 2);
  const bool loads = instruction.op == Op::ldmatrix;
  const ptx::Operand& registers = source.operands[loads ? 0 : 1];
  if (loads) {
    const auto to = operands_.lower_destinations(source, registers, instruction.vector, Type::b32);
    std::copy(to.begin(), to.end(), instruction.dst.begin());
  } else {
    const auto from = operands_.lower_sources(source, registers, instruction.vector, Type::b32);
    std::copy(from.begin(), from.end(), instruction.src.begin() + 1);
  }
  operands_.lower_shared_address(source, source.operands[loads ? 1 : 0], instruction);
  draft_.emit(std::move(instruction));
}

}  // namespace paws::frontend::lowering
