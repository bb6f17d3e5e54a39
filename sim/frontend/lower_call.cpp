// SPDX-License-Identifier: MIT
// Calls: inlined, of functions of the runtime, and through pointers.
#include <algorithm>
#include <utility>

#include "sim/frontend/kernel_lowerer.h"
#include "sim/ir/matrix.h"
#include "sim/ir/operand_types.h"

namespace paws::frontend::lowering {

void KernelLowerer::lower_call(const ptx::Instruction& source, const ir::Instruction& fields) {
  std::size_t next = 0;
  const std::vector<ptx::Operand>& operands = source.operands;
  static const std::vector<ptx::Operand> none;
  const auto list = [&]() -> const std::vector<ptx::Operand>& {
    if (next < operands.size() && operands[next].kind == ptx::Operand::Kind::list) {
      return operands[next++].elements;
    }
    return none;
  };
  const std::vector<ptx::Operand>& returns = list();
  if (next >= operands.size() || operands[next].kind != ptx::Operand::Kind::name) {
    fail(source.line, "call: expected a function name");
  }
  const std::string_view name = operands[next++].name;
  const std::vector<ptx::Operand>& arguments = list();
  const ptx::Function* callee = functions_.find(name);
  if (callee == nullptr) {
    if (find(source.line, name) != nullptr) {
      lower_indirect_call(source, fields, name, arguments, returns);
      return;
    }
    fail(source.line, "call of " + quoted(name) + ", which is not declared");
  }
  if (callee->entry)
    fail(source.line, "call of kernel " + quoted(name) + ": dynamic parallelism is not modelled");
  if (!callee->has_body) {
    if (lower_builtin(source, fields, name, arguments, returns)) return;
    fail(source.line, "call of " + quoted(name) + ", which has no body in this file");
  }
  if (arguments.size() != callee->params.size() || returns.size() != callee->returns.size()) {
    fail(source.line, "call of " + quoted(name) + " with " + std::to_string(arguments.size()) +
                          " arguments and " + std::to_string(returns.size()) + " results, it has " +
                          std::to_string(callee->params.size()) + " and " +
                          std::to_string(callee->returns.size()));
  }
  if (functions_.recursive(*callee)) {
    call_function(source, fields, *callee, arguments, returns);
  } else {
    inline_call(source, fields, *callee, arguments, returns);
  }
}

ir::Operand KernelLowerer::value_of(const ptx::Instruction& source, const ir::Instruction& fields,
                                    const ptx::Operand& argument, Type type) {
  const Entity* entity =
      argument.kind == ptx::Operand::Kind::name ? find(source.line, argument.name) : nullptr;
  if (entity == nullptr || entity->kind != Entity::Kind::slot) {
    return lower_source(source, argument, type);
  }
  const auto slot = static_cast<std::uint32_t>(entity->value);
  ir::Instruction load = fields;
  load.op = Op::ld;
  load.type = type;
  load.space = ir::Space::param;
  load.src[0] = immediate(0);
  load.dst[0] = new_register(source.line, type, register_name("%argument"));
  const ir::Operand value = register_operand(load.dst[0]);
  emit(std::move(load), slot);
  return value;
}

void KernelLowerer::set_result(const ptx::Instruction& source, const ir::Instruction& fields,
                               const ptx::Operand& result, ir::RegId value) {
  if (result.kind != ptx::Operand::Kind::name || result.name == "_") return;
  const Entity& entity = resolve(source.line, result.name);
  const Type type = type_of(value);
  if (entity.kind != Entity::Kind::slot) {
    emit_guarded_move(fields, lower_destination(source, result, type), register_operand(value));
    return;
  }
  ir::Instruction store = fields;
  store.op = Op::st;
  store.type = type;
  store.space = ir::Space::param;
  store.src[0] = immediate(0);
  store.src[1] = register_operand(value);
  emit(std::move(store), static_cast<std::uint32_t>(entity.value));
}

bool KernelLowerer::lower_builtin(const ptx::Instruction& source, const ir::Instruction& fields,
                                  std::string_view name, const std::vector<ptx::Operand>& arguments,
                                  const std::vector<ptx::Operand>& returns) {
  const auto expect_arguments = [&](std::size_t wanted) {
    if (arguments.size() == wanted) return;
    fail(source.line, "call of " + quoted(name) + " with " + std::to_string(arguments.size()) +
                          " arguments, it has " + std::to_string(wanted));
  };
  if (name == "vprintf") {
    expect_arguments(2);
    ir::Instruction print = fields;
    print.op = Op::print;
    for (unsigned i = 0; i < 2; ++i) {
      print.src[i] = value_of(source, fields, arguments[i], Type::b64);
    }
    const ir::RegId count = new_register(source.line, Type::b32, register_name("%printed"));
    print.dst[0] = count;
    emit(std::move(print));
    if (!returns.empty()) set_result(source, fields, returns[0], count);
    return true;
  }
  if (name == "__assertfail") {
    // A failed assertion of the program ends the run.
    expect_arguments(5);
    ir::Instruction trap = fields;
    trap.op = Op::trap;
    trap.trap = ir::TrapCause::assertion;
    for (unsigned i = 0; i < 4; ++i) {
      trap.src[i] = value_of(source, fields, arguments[i], i == 2 ? Type::b32 : Type::b64);
    }
    emit(std::move(trap));
    return true;
  }
  if (name == "malloc" || name == "free") {
    // An atomic on the heap's lock.
    expect_arguments(1);
    ir::Instruction access = fields;
    access.op = Op::atom;
    access.atom = name == "malloc" ? ir::AtomOp::allocate : ir::AtomOp::release;
    access.type = Type::b64;
    access.space = ir::Space::global;
    access.volatile_access = true;
    access.src[0] = immediate(ir::kHeapBase);
    access.src[1] = value_of(source, fields, arguments[0], Type::b64);
    const ir::RegId block = new_register(source.line, Type::b64, register_name("%block"));
    if (access.atom == ir::AtomOp::allocate) {
      access.dst[0] = block;
    } else {
      access.op = Op::red;
    }
    emit(std::move(access));
    if (!returns.empty()) set_result(source, fields, returns[0], block);
    return true;
  }
  if (name.starts_with("cudaLaunchDevice") || name.starts_with("cudaGetParameterBuffer") ||
      name.starts_with("cudaCDP") || name.starts_with("__cudaCDP") ||
      name == "cudaDeviceSynchronize" || name == "cudaStreamCreateWithFlags") {
    fail(source.line, "call of " + quoted(name) + ": dynamic parallelism is not modelled");
  }
  return false;
}

bool KernelLowerer::may_be_called(const ptx::Function& function,
                                  const std::vector<ptx::Operand>& arguments,
                                  const std::vector<ptx::Operand>& returns) {
  if (arguments.size() != function.params.size() || returns.size() != function.returns.size()) {
    return false;
  }
  const auto fits = [&](const ptx::Operand& actual, const ptx::Variable& formal) {
    const Entity* entity = find(formal.line, actual.name);
    if (entity == nullptr || entity->kind != Entity::Kind::slot) return true;
    return formal.space == "param" &&
           draft_.slots[entity->value].bytes == extent_of(formal, source_.file).bytes;
  };
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!fits(arguments[i], function.params[i])) return false;
  }
  for (std::size_t i = 0; i < returns.size(); ++i) {
    if (!fits(returns[i], function.returns[i])) return false;
  }
  // A function that is active would be recursive.
  return std::none_of(frames_.begin(), frames_.end(),
                      [&](const Frame& active) { return active.function == &function; });
}

void KernelLowerer::lower_indirect_call(const ptx::Instruction& source,
                                        const ir::Instruction& fields, std::string_view pointer,
                                        const std::vector<ptx::Operand>& arguments,
                                        const std::vector<ptx::Operand>& returns) {
  ptx::Operand named;
  named.name = pointer;
  // A copy: the result may overwrite the pointer.
  const ir::RegId target = new_register(source.line, Type::b64, register_name("%callee"));
  emit_move(source.line, target, lower_source(source, named, Type::b64));
  ir::RegId none = new_register(source.line, Type::pred, register_name("%none"));
  emit_move(source.line, none, immediate(1));
  ir::Operand guard;
  if (fields.guard != ir::kNoReg) {
    guard = register_operand(fields.guard);
    guard.negated = fields.guard_negated;
    emit_move(source.line, none, guard);
  }
  const auto compare = [&](ir::Cmp cmp, std::uint64_t address, const ir::Operand& with) {
    ir::Instruction test;
    test.op = Op::setp;
    test.line = source.line;
    test.type = Type::u64;
    test.cmp = cmp;
    test.src[0] = register_operand(target);
    test.src[1] = immediate(address);
    if (with.kind != ir::Operand::Kind::none) {
      test.bool_op = ir::BoolOp::and_;
      test.src[2] = with;
    }
    test.dst[0] = new_register(source.line, Type::pred, register_name("%callee"));
    const ir::RegId holds = test.dst[0];
    emit(std::move(test));
    return holds;
  };
  bool any = false;
  for (const Candidate& candidate : functions_.candidates()) {
    if (!may_be_called(*candidate.function, arguments, returns)) continue;
    any = true;
    ir::Instruction call = fields;
    call.guard = compare(ir::Cmp::eq, candidate.address, guard);
    call.guard_negated = false;
    none = compare(ir::Cmp::ne, candidate.address, register_operand(none));
    inline_call(source, call, *candidate.function, arguments, returns);
  }
  if (!any) {
    fail(source.line, "call through " + quoted(pointer) +
                          ": no function of this file whose address is taken has such "
                          "parameters, or they are recursive");
  }
  ir::Instruction trap = fields;
  trap.op = Op::trap;
  trap.trap = ir::TrapCause::no_function;
  trap.guard = none;
  trap.guard_negated = false;
  emit(std::move(trap));
}

std::uint32_t KernelLowerer::skip_where_guarded(const ir::Instruction& call) {
  const std::uint32_t after = new_label();
  if (call.guard != ir::kNoReg) {
    ir::Instruction skip = call;
    skip.op = Op::bra;
    skip.guard_negated = !skip.guard_negated;
    skip.target = after;
    emit(std::move(skip));
  }
  return after;
}

void KernelLowerer::inline_call(const ptx::Instruction& source, const ir::Instruction& fields,
                                const ptx::Function& callee,
                                const std::vector<ptx::Operand>& arguments,
                                const std::vector<ptx::Operand>& returns) {
  const std::uint32_t after = skip_where_guarded(fields);
  // Actual operands belong to the caller, formal names to the callee.
  std::vector<Entity> formals;
  for (std::size_t i = 0; i < callee.params.size(); ++i) {
    formals.push_back(bind_argument(source, callee.params[i], arguments[i]));
  }
  std::vector<ir::RegId> return_registers(callee.returns.size(), ir::kNoReg);
  for (std::size_t i = 0; i < callee.returns.size(); ++i) {
    formals.push_back(bind_result(source, callee.returns[i], returns[i], return_registers[i]));
  }
  const std::uint32_t called = frame().called;
  frames_.emplace_back();
  frame().function = &callee;
  frame().called = called;
  frame().instance = ++instances_;
  frame().return_label = new_label();
  frame().scopes.emplace_back();
  for (std::size_t i = 0; i < formals.size(); ++i) {
    const bool is_param = i < callee.params.size();
    const ptx::Variable& formal =
        is_param ? callee.params[i] : callee.returns[i - callee.params.size()];
    if (formal.name != "_") declare(formal.line, formal.name, formals[i]);
  }
  const std::uint32_t call_line = last_line_;
  lower_body(callee);
  place_label(frame().return_label);
  frames_.pop_back();
  last_line_ = call_line;
  for (std::size_t i = 0; i < return_registers.size(); ++i) {
    if (return_registers[i] == ir::kNoReg) continue;
    emit_move(source.line, return_registers[i],
              register_operand(formals[callee.params.size() + i].reg));
  }
  place_label(after);
}

Extent KernelLowerer::formal_extent(const ptx::Variable& formal) const {
  if (formal.space != "reg") return extent_of(formal, source_.file);
  const Type type = register_type(formal);
  if (type == Type::pred) {
    fail(formal.line, quoted(formal.name) +
                          ": predicates that a recursive function takes or gives "
                          "are not modelled");
  }
  Extent extent;
  extent.element = ir::bits_type(ir::size_of(type));
  extent.bytes = extent.align = ir::size_of(extent.element);
  return extent;
}

std::uint32_t KernelLowerer::called_function(const ptx::Function& callee) {
  const auto known = std::find_if(called_.begin(), called_.end(),
                                  [&](const Called& each) { return each.function == &callee; });
  if (known != called_.end()) return static_cast<std::uint32_t>(known - called_.begin());
  CallStack& stack = draft_.stack;
  if (stack.pointer == ir::kNoReg) {
    const std::uint64_t begin = allocate_local(callee.line, stack_bytes_, CallStack::kAlign);
    stack.end = begin + stack_bytes_;
    stack.pointer = new_register(callee.line, Type::b64, "%stack");
    ir::Instruction start;
    start.op = Op::mov;
    start.type = Type::b64;
    start.line = entry_.line;
    start.dst[0] = stack.pointer;
    start.src[0] = immediate(begin);
    draft_.items.insert(draft_.items.begin(), DraftItem{std::move(start), kNone, kNone});
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
  const ir::RegId frame = new_register(callee.line, Type::b64, "%frame");
  stack.functions.push_back({frame, bytes, new_label()});
  stack.exchanged = std::max(stack.exchanged, bytes);
  draft_.kernel.called.emplace_back(callee.name);
  called_.push_back(std::move(called));
  return static_cast<std::uint32_t>(called_.size() - 1);
}

void KernelLowerer::emit_stack_access(std::uint32_t line, Op op, ir::RegId base,
                                      std::uint64_t offset, const ir::Operand& value, Type type) {
  ir::Instruction access;
  access.op = op;
  access.line = line;
  access.type = ir::bits_type(ir::size_of(type));
  access.space = ir::Space::local;
  access.src[0] = register_operand(base);
  access.offset = static_cast<std::int64_t>(offset);
  if (op == Op::st) {
    access.src[1] = value;
  } else {
    access.dst[0] = value.reg;
  }
  emit(std::move(access));
}

void KernelLowerer::bind_to_stack(const ptx::Instruction& source, const ptx::Variable& formal,
                                  const Entity& actual, std::uint64_t offset) {
  check_slot(source, formal, formal_extent(formal), actual);
  ParamSlot& slot = draft_.slots[actual.value];
  if (slot.base != ir::kNoReg && (slot.base != draft_.stack.pointer || slot.offset != offset)) {
    fail(source.line, "a .param variable of two calls of recursive functions is not modelled");
  }
  slot.base = draft_.stack.pointer;
  slot.offset = offset;
}

void KernelLowerer::call_function(const ptx::Instruction& source, const ir::Instruction& fields,
                                  const ptx::Function& callee,
                                  const std::vector<ptx::Operand>& arguments,
                                  const std::vector<ptx::Operand>& returns) {
  const std::uint32_t index = called_function(callee);
  const std::vector<std::uint64_t> offsets = called_[index].offsets;
  const ir::RegId end = draft_.stack.pointer;
  const std::uint32_t after = skip_where_guarded(fields);
  const std::uint32_t behind = new_label();
  const auto slot_of = [&](const ptx::Operand& actual) -> const Entity* {
    if (actual.kind != ptx::Operand::Kind::name) return nullptr;
    const Entity* entity = find(source.line, actual.name);
    return entity != nullptr && entity->kind == Entity::Kind::slot ? entity : nullptr;
  };
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const ptx::Variable& formal = callee.params[i];
    if (const Entity* slot = slot_of(arguments[i])) {
      bind_to_stack(source, formal, *slot, offsets[i]);
      continue;
    }
    const Type type = formal_extent(formal).element;
    emit_stack_access(source.line, Op::st, end, offsets[i],
                      lower_source(source, arguments[i], type), type);
  }
  ir::Instruction call;
  call.op = Op::call;
  call.line = source.line;
  call.src[0] = register_operand(end);
  call.target = draft_.stack.functions[index].entry;
  call.reconverge = behind;
  call.other_offset = static_cast<std::int32_t>(index);
  emit(std::move(call));
  place_label(behind);
  called_[index].returns.push_back(behind);
  for (std::size_t i = 0; i < returns.size(); ++i) {
    const ptx::Variable& formal = callee.returns[i];
    const std::uint64_t offset = offsets[arguments.size() + i];
    if (const Entity* slot = slot_of(returns[i])) {
      bind_to_stack(source, formal, *slot, offset);
    } else if (returns[i].name != "_") {
      const Type type = formal_extent(formal).element;
      emit_stack_access(source.line, Op::ld, end, offset,
                        register_operand(lower_destination(source, returns[i], type)), type);
    }
  }
  // The code behind the call is a block that nothing else leads to.
  ir::Instruction go_on;
  go_on.op = Op::bra;
  go_on.line = source.line;
  go_on.target = after;
  emit(std::move(go_on));
  place_label(after);
}

void KernelLowerer::declare_formal(const ptx::Variable& formal, std::uint64_t offset, bool result) {
  if (formal.name == "_") return;
  const ir::RegId base = draft_.stack.functions[frame().called].frame;
  Entity entity;
  if (formal.space == "reg") {
    const Type type = register_type(formal);
    entity.reg = new_register(formal.line, type, register_name(formal.name));
    if (!result) {
      emit_stack_access(formal.line, Op::ld, base, offset, register_operand(entity.reg), type);
    }
  } else {
    entity = new_slot(formal_extent(formal));
    ParamSlot& slot = draft_.slots[entity.value];
    slot.base = base;
    slot.offset = offset;
  }
  declare(formal.line, formal.name, entity);
}

void KernelLowerer::lower_called(std::uint32_t index) {
  const ptx::Function& callee = *called_[index].function;
  const std::vector<std::uint64_t> offsets = called_[index].offsets;
  const ir::RegId begin = draft_.stack.functions[index].frame;
  const ir::RegId end = draft_.stack.pointer;
  frames_.emplace_back();
  frame().function = &callee;
  frame().instance = ++instances_;
  frame().called = index;
  frame().return_label = new_label();
  frame().scopes.emplace_back();
  place_label(draft_.stack.functions[index].entry);
  emit_move(callee.line, begin, register_operand(end));
  // The size is known when the frames are laid out.
  ir::Instruction grow;
  grow.op = Op::add;
  grow.type = Type::u64;
  grow.line = callee.line;
  grow.dst[0] = end;
  grow.src[0] = register_operand(begin);
  grow.src[1] = immediate(1);
  grow.other_offset = static_cast<std::int32_t>(index) + 1;
  emit(std::move(grow));
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const bool result = i >= callee.params.size();
    declare_formal(result ? callee.returns[i - callee.params.size()] : callee.params[i], offsets[i],
                   result);
  }
  lower_body(callee);
  place_label(frame().return_label);
  for (std::size_t i = 0; i < callee.returns.size(); ++i) {
    const ptx::Variable& formal = callee.returns[i];
    if (formal.space != "reg" || formal.name == "_") continue;
    const ir::RegId value = register_of(formal.line, formal.name);
    emit_stack_access(last_line_, Op::st, begin, offsets[callee.params.size() + i],
                      register_operand(value), type_of(value));
  }
  emit_move(last_line_, end, register_operand(begin));
  ir::Instruction ret;
  ret.op = Op::ret;
  ret.line = last_line_;
  ret.src[0] = register_operand(end);
  returns_.emplace_back(draft_.items.size(), index);
  emit(std::move(ret));
  frames_.pop_back();
}

Entity KernelLowerer::bind_argument(const ptx::Instruction& source, const ptx::Variable& formal,
                                    const ptx::Operand& actual) {
  if (formal.space == "reg") {
    const Type type = register_type(formal);
    const ir::Operand value = lower_source(source, actual, type);
    Entity entity;
    entity.reg = new_register(source.line, type, std::string(formal.name) + "@arg");
    emit_move(source.line, entity.reg, value);
    return entity;
  }
  const Extent extent = extent_of(formal, source_.file);
  if (actual.kind == ptx::Operand::Kind::name) {
    const Entity* entity = find(source.line, actual.name);
    if (entity != nullptr && entity->kind == Entity::Kind::slot) {
      check_slot(source, formal, extent, *entity);
      return *entity;
    }
  }
  const Entity entity = new_slot(extent);
  ir::Instruction store;
  store.op = Op::st;
  store.line = source.line;
  store.space = ir::Space::param;
  store.type = ir::bits_type(ir::size_of(extent.element));
  store.src[0] = immediate(0);
  store.src[1] = lower_source(source, actual, store.type);
  emit(std::move(store), static_cast<std::uint32_t>(entity.value));
  return entity;
}

void KernelLowerer::check_slot(const ptx::Instruction& source, const ptx::Variable& formal,
                               const Extent& extent, const Entity& actual) const {
  if (draft_.slots[actual.value].bytes < extent.bytes) {
    fail(source.line, "argument for " + quoted(formal.name) + " has " +
                          std::to_string(draft_.slots[actual.value].bytes) + " bytes, " +
                          std::to_string(extent.bytes) + " are needed");
  }
}

Entity KernelLowerer::bind_result(const ptx::Instruction& source, const ptx::Variable& formal,
                                  const ptx::Operand& actual, ir::RegId& copy_to) {
  if (actual.kind != ptx::Operand::Kind::name)
    fail(source.line, "call: expected a result variable");
  if (formal.space == "reg") {
    const Type type = register_type(formal);
    Entity entity;
    entity.reg = new_register(source.line, type, std::string(formal.name) + "@result");
    if (actual.name != "_") {
      copy_to = register_of(source.line, actual.name);
      check_width(source, actual.name, copy_to, type, true);
    }
    return entity;
  }
  const Entity& entity = resolve(source.line, actual.name);
  if (entity.kind != Entity::Kind::slot) {
    fail(source.line, "the result " + quoted(actual.name) + " of a call must be a .param variable");
  }
  check_slot(source, formal, extent_of(formal, source_.file), entity);
  return entity;
}

}  // namespace paws::frontend::lowering
