// SPDX-License-Identifier: MIT
// Asynchronous copies and barrier objects.
#include <utility>

#include "sim/frontend/decode.h"
#include "sim/frontend/kernel_lowerer.h"
#include "sim/ir/operand_types.h"

namespace paws::frontend::lowering {

void KernelLowerer::lower_shared_address(const ptx::Instruction& source,
                                         const ptx::Operand& operand,
                                         ir::Instruction& instruction) {
  const std::uint32_t slot = lower_address(source, operand, instruction);
  if (slot != kNone ||
      (instruction.space != ir::Space::shared && instruction.space != ir::Space::generic)) {
    fail(source.line, quoted(source.text) + " needs an address in shared memory");
  }
}

void KernelLowerer::lower_copy(const ptx::Instruction& source, Decoded decoded) {
  ir::Instruction& instruction = decoded.instruction;
  std::size_t count = source.operands.size();
  if (decoded.cache_hint && count > 0) --count;
  if (count < 3 || count > 4) expect_operands(source, 3, 4);
  const ptx::Operand& size = source.operands[2];
  const std::uint64_t bytes = is_integer(size) ? size.literal.bits : std::uint64_t{0};
  const bool fits = bytes == 16 || (!instruction.cache_global && (bytes == 4 || bytes == 8));
  if (!fits) {
    fail(source.line,
         quoted(source.text) +
             (instruction.cache_global ? " copies 16 bytes" : " copies 4, 8 or 16 bytes"));
  }
  instruction.vector = static_cast<std::uint8_t>(bytes / 4);
  // The place in shared memory is the second source.
  ir::Instruction target;
  target.space = ir::Space::shared;
  lower_shared_address(source, source.operands[0], target);
  instruction.src[1] = target.src[0];
  instruction.other_offset = static_cast<std::int32_t>(target.offset);
  const std::uint32_t slot = lower_address(source, source.operands[1], instruction);
  if (slot != kNone) fail(source.line, "an asynchronous copy of a call's parameter");
  if (count == 4) lower_copy_limit(source, source.operands[3], bytes, instruction);
  emit(std::move(instruction));
}

void KernelLowerer::lower_bulk(const ptx::Instruction& source, const Decoded& decoded) {
  const bool loads = decoded.instruction.copies == ir::CopyKind::bulk_load;
  const bool prefetches = decoded.instruction.op == Op::prefetch;
  const std::size_t wanted = (prefetches ? 2 : loads ? 4 : 3) + (decoded.cache_hint ? 1U : 0U);
  expect_operands(source, wanted, wanted);
  ir::Instruction copy = decoded.instruction;
  if (prefetches) {
    lower_address(source, source.operands[0], copy);
    lower_source(source, source.operands[1], Type::u32);  // what is no size is refused
    emit(std::move(copy));
    return;
  }
  ir::Instruction place;
  place.space = ir::Space::shared;
  lower_shared_address(source, source.operands[loads ? 0 : 1], place);
  copy.src[1] = place.src[0];
  copy.other_offset = static_cast<std::int32_t>(place.offset);
  const std::uint32_t slot = lower_address(source, source.operands[loads ? 1 : 0], copy);
  if (slot != kNone) fail(source.line, "an asynchronous copy of a call's parameter");
  copy.src[2] = lower_source(source, source.operands[2], Type::u32);
  emit(std::move(copy));
  if (!loads) return;
  ir::Instruction complete = decoded.instruction;
  complete.op = Op::mbarrier;
  complete.mbarrier = ir::MbarrierMode::complete_tx;
  complete.after_copies = true;
  complete.space = ir::Space::shared;
  lower_shared_address(source, source.operands[3], complete);
  complete.src[1] = lower_source(source, source.operands[2], Type::u32);
  emit(std::move(complete));
}

void KernelLowerer::lower_copy_limit(const ptx::Instruction& source, const ptx::Operand& operand,
                                     std::uint64_t bytes, ir::Instruction& instruction) {
  const Entity* entity =
      operand.kind == ptx::Operand::Kind::name ? find(source.line, operand.name) : nullptr;
  const bool predicate =
      entity != nullptr && entity->kind == Entity::Kind::reg && type_of(entity->reg) == Type::pred;
  if (!predicate) {
    instruction.src[2] = lower_source(source, operand, Type::u32);
    return;
  }
  ir::Instruction select;
  select.op = Op::selp;
  select.line = source.line;
  select.type = Type::b32;
  select.dst[0] = new_register(source.line, Type::b32, register_name("%bytes"));
  select.src[0] = immediate(0);
  select.src[1] = immediate(bytes);
  select.src[2] = lower_source(source, operand, Type::pred);
  instruction.src[2] = register_operand(select.dst[0]);
  emit(std::move(select));
}

void KernelLowerer::lower_copy_wait(const ptx::Instruction& source, ir::Instruction instruction) {
  expect_operands(source, 1, 1);
  const ptx::Operand& groups = source.operands[0];
  if (!is_integer(groups) || groups.literal.bits > 0xff) {
    fail(source.line, quoted(source.text) + " takes a constant from 0 to 255");
  }
  instruction.groups = static_cast<std::uint8_t>(groups.literal.bits);
  emit(std::move(instruction));
}

void KernelLowerer::emit_wait_all(const ir::Instruction& fields) {
  ir::Instruction step = fields;
  step.dst[0] = ir::kNoReg;
  step.src = {};
  step.offset = 0;
  step.type = Type::none;
  step.space = ir::Space::none;
  step.op = Op::copy_commit;
  emit(step);
  step.op = Op::copy_wait;
  step.groups = 0;
  emit(std::move(step));
}

void KernelLowerer::lower_copy_arrive(const ptx::Instruction& source, const Decoded& decoded) {
  expect_operands(source, 1, 1);
  ir::Instruction arrive = decoded.instruction;
  lower_shared_address(source, source.operands[0], arrive);
  if (!decoded.no_increment) {
    ir::Instruction expect = arrive;
    expect.mbarrier = ir::MbarrierMode::expect_arrival;
    emit(std::move(expect));
  }
  arrive.after_copies = true;
  emit(std::move(arrive));
}

void KernelLowerer::lower_mbarrier(const ptx::Instruction& source, const Decoded& decoded) {
  ir::Instruction instruction = decoded.instruction;
  std::size_t next = decoded.destinations;
  // arrive on another block's object has no result; a hint of try_wait has no effect.
  const bool no_result = next == 1 && !source.operands.empty() &&
                         source.operands[0].kind == ptx::Operand::Kind::address;
  if (no_result) next = 0;
  expect_operands(source, next + decoded.min_sources, next + decoded.max_sources);
  if (next == 1) {
    instruction.dst[0] =
        lower_destination(source, source.operands[0], ir::dest_type(instruction, 0));
  }
  if (instruction.mbarrier == ir::MbarrierMode::pending_count) {
    instruction.src[0] = lower_source(source, source.operands[next], Type::b64);
    emit(std::move(instruction));
    return;
  }
  lower_shared_address(source, source.operands[next++], instruction);
  if (next < source.operands.size()) {
    instruction.src[1] =
        lower_source(source, source.operands[next], ir::source_type(instruction, 1));
  }
  emit(std::move(instruction));
}

}  // namespace paws::frontend::lowering
