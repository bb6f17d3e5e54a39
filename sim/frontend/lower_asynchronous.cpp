// SPDX-License-Identifier: MIT
// Asynchronous copies and barrier objects.
#include <utility>

#include "sim/frontend/lower_instruction.h"
#include "sim/ir/operand_types.h"

namespace paws::frontend::lowering {

void CopyLowerer::lower_copy(const ptx::Instruction& source, Decoded decoded) {
  ir::Instruction& instruction = decoded.instruction;
  std::size_t count = source.operands.size();
  if (decoded.cache_hint && count > 0) --count;
  if (count < 3 || count > 4) operands_.expect(source, 3, 4);
  const ptx::Operand& size = source.operands[2];
  const std::uint64_t bytes = is_integer(size) ? size.literal.bits : std::uint64_t{0};
  const bool fits = bytes == 16 || (!instruction.cache_global && (bytes == 4 || bytes == 8));
  if (!fits) {
    draft_.fail(source.line,
                quote(source.text) +
                    (instruction.cache_global ? " copies 16 bytes" : " copies 4, 8 or 16 bytes"));
  }
  instruction.vector = static_cast<std::uint8_t>(bytes / 4);
  lower_places(source, source.operands[0], source.operands[1], instruction);
  if (count == 4) lower_copy_limit(source, source.operands[3], bytes, instruction);
  draft_.emit(std::move(instruction));
}

void CopyLowerer::lower_bulk(const ptx::Instruction& source, const Decoded& decoded) {
  const bool loads = decoded.instruction.copies == ir::CopyKind::bulk_load;
  const bool prefetches = decoded.instruction.op == Op::prefetch;
  const std::size_t wanted = (prefetches ? 2 : loads ? 4 : 3) + (decoded.cache_hint ? 1U : 0U);
  operands_.expect(source, wanted, wanted);
  ir::Instruction copy = decoded.instruction;
  if (prefetches) {
    operands_.lower_address(source, source.operands[0], copy);
    operands_.lower_source(source, source.operands[1], Type::u32);  // what is no size is refused
    draft_.emit(std::move(copy));
    return;
  }
  lower_places(source, source.operands[loads ? 0 : 1], source.operands[loads ? 1 : 0], copy);
  copy.src[2] = operands_.lower_source(source, source.operands[2], Type::u32);
  draft_.emit(std::move(copy));
  if (!loads) return;
  ir::Instruction complete = decoded.instruction;
  complete.op = Op::mbarrier;
  complete.mbarrier = ir::MbarrierMode::complete_tx;
  complete.after_copies = true;
  complete.space = ir::Space::shared;
  operands_.lower_shared_address(source, source.operands[3], complete);
  complete.src[1] = operands_.lower_source(source, source.operands[2], Type::u32);
  draft_.emit(std::move(complete));
}

void CopyLowerer::lower_places(const ptx::Instruction& source, const ptx::Operand& shared,
                               const ptx::Operand& global, ir::Instruction& copy) {
  ir::Instruction place;
  place.space = ir::Space::shared;
  operands_.lower_shared_address(source, shared, place);
  copy.src[1] = place.src[0];
  copy.other_offset = static_cast<std::int32_t>(place.offset);
  const std::uint32_t slot = operands_.lower_address(source, global, copy);
  if (slot != kNone) draft_.fail(source.line, "an asynchronous copy of a call's parameter");
}

void CopyLowerer::lower_copy_limit(const ptx::Instruction& source, const ptx::Operand& operand,
                                   std::uint64_t bytes, ir::Instruction& instruction) {
  const std::optional<Entity> entity = operand.kind == ptx::Operand::Kind::name
                                           ? names_.find(source.line, operand.name)
                                           : std::nullopt;
  const bool predicate =
      entity && entity->kind == Entity::Kind::reg && draft_.type_of(entity->reg) == Type::pred;
  if (!predicate) {
    instruction.src[2] = operands_.lower_source(source, operand, Type::u32);
    return;
  }
  ir::Instruction select = start(Op::selp, Type::b32, source.line);
  select.dst[0] = names_.new_register(source.line, Type::b32, "%bytes");
  select.src[0] = immediate(0);
  select.src[1] = immediate(bytes);
  select.src[2] = operands_.lower_source(source, operand, Type::pred);
  instruction.src[2] = register_operand(select.dst[0]);
  draft_.emit(std::move(select));
}

void CopyLowerer::lower_wait(const ptx::Instruction& source, ir::Instruction instruction) {
  operands_.expect(source, 1, 1);
  const ptx::Operand& groups = source.operands[0];
  if (!is_integer(groups) || groups.literal.bits > 0xff) {
    draft_.fail(source.line, quote(source.text) + " takes a constant from 0 to 255");
  }
  instruction.groups = static_cast<std::uint8_t>(groups.literal.bits);
  draft_.emit(std::move(instruction));
}

void CopyLowerer::lower_wait_all(const ptx::Instruction& source, const ir::Instruction& fields) {
  operands_.expect(source, 0, 0);
  ir::Instruction step = fields;
  step.dst[0] = ir::kNoReg;
  step.src = {};
  step.offset = 0;
  step.type = Type::none;
  step.space = ir::Space::none;
  step.op = Op::copy_commit;
  draft_.emit(step);
  step.op = Op::copy_wait;
  step.groups = 0;
  draft_.emit(std::move(step));
}

void CopyLowerer::lower_arrive(const ptx::Instruction& source, const Decoded& decoded) {
  operands_.expect(source, 1, 1);
  ir::Instruction arrive = decoded.instruction;
  operands_.lower_shared_address(source, source.operands[0], arrive);
  if (!decoded.no_increment) {
    ir::Instruction expect = arrive;
    expect.mbarrier = ir::MbarrierMode::expect_arrival;
    draft_.emit(std::move(expect));
  }
  arrive.after_copies = true;
  draft_.emit(std::move(arrive));
}

void CopyLowerer::lower_mbarrier(const ptx::Instruction& source, const Decoded& decoded) {
  ir::Instruction instruction = decoded.instruction;
  std::size_t next = decoded.destinations;
  // arrive on another block's object has no result; a hint of try_wait has no effect.
  const bool no_result = next == 1 && !source.operands.empty() &&
                         source.operands[0].kind == ptx::Operand::Kind::address;
  if (no_result) next = 0;
  operands_.expect(source, next + decoded.min_sources, next + decoded.max_sources);
  if (next == 1) {
    instruction.dst[0] =
        operands_.lower_destination(source, source.operands[0], ir::dest_type(instruction, 0));
  }
  if (instruction.mbarrier == ir::MbarrierMode::pending_count) {
    instruction.src[0] = operands_.lower_source(source, source.operands[next], Type::b64);
    draft_.emit(std::move(instruction));
    return;
  }
  operands_.lower_shared_address(source, source.operands[next++], instruction);
  if (next < source.operands.size()) {
    instruction.src[1] =
        operands_.lower_source(source, source.operands[next], ir::source_type(instruction, 1));
  }
  draft_.emit(std::move(instruction));
}

}  // namespace paws::frontend::lowering
