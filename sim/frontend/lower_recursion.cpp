// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <utility>

#include "sim/frontend/lower_call.h"
#include "sim/ir/operand_types.h"

namespace paws::frontend::lowering {

Extent RecursiveCalls::formal_extent(const ptx::Variable& formal) const {
  if (formal.space != "reg") return extent_of(formal, draft_.kernel().file);
  const Type type = register_type(formal, draft_.kernel().file);
  if (type == Type::pred) {
    draft_.fail(formal.line, quote(formal.name) +
                                 ": predicates that a recursive function takes or gives "
                                 "are not modelled");
  }
  Extent extent;
  extent.element = ir::bits_type(ir::size_of(type));
  extent.bytes = extent.align = ir::size_of(extent.element);
  return extent;
}

std::uint32_t RecursiveCalls::called_function(const ptx::Function& callee) {
  const auto known = std::find_if(called_.begin(), called_.end(),
                                  [&](const Called& each) { return each.function == &callee; });
  if (known != called_.end()) return static_cast<std::uint32_t>(known - called_.begin());
  CallStack& stack = draft_.stack();
  if (stack.pointer == ir::kNoReg) {
    const std::uint64_t begin = draft_.allocate_local(callee.line, stack_bytes_, CallStack::kAlign);
    stack.end = begin + stack_bytes_;
    stack.pointer = draft_.new_register(callee.line, Type::b64, "%stack");
    ir::Instruction set = start(Op::mov, Type::b64, draft_.kernel().line);
    set.dst[0] = stack.pointer;
    set.src[0] = immediate(begin);
    draft_.items().insert(draft_.items().begin(), DraftItem{std::move(set), kNone, kNone});
  }
  Called called;
  called.function = &callee;
  std::uint64_t bytes = 0;
  for (const auto* formals : {&callee.params, &callee.returns}) {
    for (const ptx::Variable& formal : *formals) {
      const Extent extent = formal_extent(formal);
      called.offsets.push_back(align_up(bytes, extent.align));
      bytes = called.offsets.back() + extent.bytes;
    }
  }
  const ir::RegId frame = draft_.new_register(callee.line, Type::b64, "%frame");
  stack.functions.push_back({frame, bytes, draft_.new_label()});
  stack.exchanged = std::max(stack.exchanged, bytes);
  draft_.kernel().called.emplace_back(callee.name);
  called_.push_back(std::move(called));
  return static_cast<std::uint32_t>(called_.size() - 1);
}

void RecursiveCalls::emit_stack_access(std::uint32_t line, Op op, ir::RegId base,
                                       std::uint64_t offset, const ir::Operand& value, Type type) {
  ir::Instruction access = start(op, ir::bits_type(ir::size_of(type)), line);
  access.space = ir::Space::local;
  access.src[0] = register_operand(base);
  access.offset = static_cast<std::int64_t>(offset);
  if (op == Op::st) {
    access.src[1] = value;
  } else {
    access.dst[0] = value.reg;
  }
  draft_.emit(std::move(access));
}

void RecursiveCalls::bind_to_stack(const CallSite& site, const ptx::Variable& formal,
                                   std::uint32_t actual, std::uint64_t offset) {
  operands_.check_slot(site.source, formal, formal_extent(formal), actual);
  ParamSlot& slot = draft_.slot(actual);
  if (slot.base != ir::kNoReg && (slot.base != draft_.stack().pointer || slot.offset != offset)) {
    draft_.fail(site.source.line,
                "a .param variable of two calls of recursive functions is not modelled");
  }
  slot.base = draft_.stack().pointer;
  slot.offset = offset;
}

void RecursiveCalls::lower(const CallSite& site, const ptx::Function& callee) {
  const std::uint32_t line = site.source.line;
  const std::uint32_t index = called_function(callee);
  const std::vector<std::uint64_t> offsets = called_[index].offsets;
  const ir::RegId end = draft_.stack().pointer;
  const std::uint32_t after = draft_.skip_where_guarded(site.fields);
  const std::uint32_t behind = draft_.new_label();
  for (std::size_t i = 0; i < site.arguments.size(); ++i) {
    const ptx::Variable& formal = callee.params[i];
    if (const auto slot = names_.find_slot(line, site.arguments[i])) {
      bind_to_stack(site, formal, *slot, offsets[i]);
      continue;
    }
    const Type type = formal_extent(formal).element;
    emit_stack_access(line, Op::st, end, offsets[i],
                      operands_.lower_source(site.source, site.arguments[i], type), type);
  }
  ir::Instruction call = start(Op::call, Type::none, line);
  call.src[0] = register_operand(end);
  call.target = draft_.stack().functions[index].entry;
  call.reconverge = behind;
  call.other_offset = static_cast<std::int32_t>(index);
  draft_.emit(std::move(call));
  draft_.place_label(behind);
  called_[index].returns.push_back(behind);
  for (std::size_t i = 0; i < site.returns.size(); ++i) {
    const ptx::Variable& formal = callee.returns[i];
    const std::uint64_t offset = offsets[site.arguments.size() + i];
    if (const auto slot = names_.find_slot(line, site.returns[i])) {
      bind_to_stack(site, formal, *slot, offset);
    } else if (site.returns[i].name != "_") {
      const Type type = formal_extent(formal).element;
      emit_stack_access(
          line, Op::ld, end, offset,
          register_operand(operands_.lower_destination(site.source, site.returns[i], type)), type);
    }
  }
  // The code behind the call is a block that nothing else leads to.
  ir::Instruction go_on = start(Op::bra, Type::none, line);
  go_on.target = after;
  draft_.emit(std::move(go_on));
  draft_.place_label(after);
}

void RecursiveCalls::declare_formal(const ptx::Variable& formal, std::uint64_t offset,
                                    bool result) {
  if (formal.name == "_") return;
  const ir::RegId base = draft_.stack().functions[names_.activation().called].frame;
  Entity entity;
  if (formal.space == "reg") {
    const Type type = register_type(formal, draft_.kernel().file);
    entity.reg = names_.new_register(formal.line, type, formal.name);
    if (!result) {
      emit_stack_access(formal.line, Op::ld, base, offset, register_operand(entity.reg), type);
    }
  } else {
    entity = Entity::of_slot(names_.new_slot(formal_extent(formal)));
    ParamSlot& slot = draft_.slot(entity.value);
    slot.base = base;
    slot.offset = offset;
  }
  names_.declare(formal.line, formal.name, entity);
}

void RecursiveCalls::lower_function(std::uint32_t index, const BodyLowering& lower_body) {
  const ptx::Function& callee = *called_[index].function;
  const std::vector<std::uint64_t> offsets = called_[index].offsets;
  const ir::RegId begin = draft_.stack().functions[index].frame;
  const ir::RegId end = draft_.stack().pointer;
  names_.enter(callee, index);
  draft_.place_label(draft_.stack().functions[index].entry);
  draft_.emit_move(callee.line, begin, register_operand(end));
  // The size is known when the frames are laid out.
  ir::Instruction grow = start(Op::add, Type::u64, callee.line);
  grow.dst[0] = end;
  grow.src[0] = register_operand(begin);
  grow.src[1] = immediate(1);
  grow.other_offset = static_cast<std::int32_t>(index) + 1;
  draft_.emit(std::move(grow));
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const bool result = i >= callee.params.size();
    declare_formal(result ? callee.returns[i - callee.params.size()] : callee.params[i], offsets[i],
                   result);
  }
  const std::uint32_t last_line = lower_body(callee);
  draft_.place_label(names_.activation().return_label);
  for (std::size_t i = 0; i < callee.returns.size(); ++i) {
    const ptx::Variable& formal = callee.returns[i];
    if (formal.space != "reg" || formal.name == "_") continue;
    const ir::RegId value = names_.register_of(formal.line, formal.name);
    emit_stack_access(last_line, Op::st, begin, offsets[callee.params.size() + i],
                      register_operand(value), draft_.type_of(value));
  }
  draft_.emit_move(last_line, end, register_operand(begin));
  ir::Instruction ret = start(Op::ret, Type::none, last_line);
  ret.src[0] = register_operand(end);
  called_[index].end = draft_.items().size();
  draft_.emit(std::move(ret));
  names_.leave();
}

void RecursiveCalls::lower_functions(const BodyLowering& lower_body) {
  // Functions that are called may call others.
  for (std::uint32_t i = 0; i < called_.size(); ++i) lower_function(i, lower_body);
  for (Called& called : called_) {
    draft_.items()[called.end].instruction.table = std::move(called.returns);
  }
}

}  // namespace paws::frontend::lowering
