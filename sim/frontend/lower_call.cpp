// SPDX-License-Identifier: MIT
#include "sim/frontend/lower_call.h"

#include <algorithm>
#include <string>
#include <utility>

#include "sim/ir/operand_types.h"

namespace paws::frontend::lowering {

ir::Operand BuiltinCalls::value_of(const CallSite& site, const ptx::Operand& argument, Type type) {
  const std::optional<std::uint32_t> slot = names_.find_slot(site.source.line, argument);
  if (!slot) return operands_.lower_source(site.source, argument, type);
  ir::Instruction load = site.fields;
  load.op = Op::ld;
  load.type = type;
  load.space = ir::Space::param;
  load.src[0] = immediate(0);
  load.dst[0] = names_.new_register(site.source.line, type, "%argument");
  const ir::Operand value = register_operand(load.dst[0]);
  draft_.emit(std::move(load), *slot);
  return value;
}

void BuiltinCalls::set_result(const CallSite& site, ir::RegId value) {
  if (site.returns.empty()) return;
  const ptx::Operand& result = site.returns[0];
  if (result.kind != ptx::Operand::Kind::name || result.name == "_") return;
  const Entity entity = names_.resolve(site.source.line, result.name);
  const Type type = draft_.type_of(value);
  if (entity.kind != Entity::Kind::slot) {
    draft_.emit_guarded_move(site.fields, operands_.lower_destination(site.source, result, type),
                             register_operand(value));
    return;
  }
  ir::Instruction store = site.fields;
  store.op = Op::st;
  store.type = type;
  store.space = ir::Space::param;
  store.src[0] = immediate(0);
  store.src[1] = register_operand(value);
  draft_.emit(std::move(store), static_cast<std::uint32_t>(entity.value));
}

bool BuiltinCalls::lower(const CallSite& site, std::string_view name) {
  const auto expect_arguments = [&](std::size_t wanted) {
    if (site.arguments.size() == wanted) return;
    draft_.fail(site.source.line, "call of " + quote(name) + " with " +
                                      std::to_string(site.arguments.size()) +
                                      " arguments, it has " + std::to_string(wanted));
  };
  if (name == "vprintf") {
    expect_arguments(2);
    ir::Instruction print = site.fields;
    print.op = Op::print;
    for (unsigned i = 0; i < 2; ++i) {
      print.src[i] = value_of(site, site.arguments[i], Type::b64);
    }
    const ir::RegId count = names_.new_register(site.source.line, Type::b32, "%printed");
    print.dst[0] = count;
    draft_.emit(std::move(print));
    set_result(site, count);
    return true;
  }
  if (name == "__assertfail") {
    // A failed assertion of the program ends the run.
    expect_arguments(5);
    ir::Instruction trap = site.fields;
    trap.op = Op::trap;
    trap.trap = ir::TrapCause::assertion;
    for (unsigned i = 0; i < 4; ++i) {
      trap.src[i] = value_of(site, site.arguments[i], i == 2 ? Type::b32 : Type::b64);
    }
    draft_.emit(std::move(trap));
    return true;
  }
  if (name == "malloc" || name == "free") {
    // An atomic on the heap's lock.
    expect_arguments(1);
    ir::Instruction access = site.fields;
    access.op = Op::atom;
    access.atom = name == "malloc" ? ir::AtomOp::allocate : ir::AtomOp::release;
    access.type = Type::b64;
    access.space = ir::Space::global;
    access.volatile_access = true;
    access.src[0] = immediate(ir::kHeapBase);
    access.src[1] = value_of(site, site.arguments[0], Type::b64);
    const ir::RegId block = names_.new_register(site.source.line, Type::b64, "%block");
    if (access.atom == ir::AtomOp::allocate) {
      access.dst[0] = block;
    } else {
      access.op = Op::red;
    }
    draft_.emit(std::move(access));
    set_result(site, block);
    return true;
  }
  if (name.starts_with("cudaLaunchDevice") || name.starts_with("cudaGetParameterBuffer") ||
      name.starts_with("cudaCDP") || name.starts_with("__cudaCDP") ||
      name == "cudaDeviceSynchronize" || name == "cudaStreamCreateWithFlags") {
    draft_.fail(site.source.line,
                "call of " + quote(name) + ": dynamic parallelism is not modelled");
  }
  return false;
}

void CallLowerer::lower(const ptx::Instruction& source, const ir::Instruction& fields) {
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
    draft_.fail(source.line, "call: expected a function name");
  }
  const std::string_view name = operands[next++].name;
  const std::vector<ptx::Operand>& arguments = list();
  const CallSite site{source, fields, arguments, returns};
  const ptx::Function* callee = functions_.find(name);
  if (callee == nullptr) {
    if (names_.find(source.line, name)) {
      lower_indirect(site, name);
      return;
    }
    draft_.fail(source.line, "call of " + quote(name) + ", which is not declared");
  }
  if (callee->entry)
    draft_.fail(source.line,
                "call of kernel " + quote(name) + ": dynamic parallelism is not modelled");
  if (!callee->has_body) {
    if (builtins_.lower(site, name)) return;
    draft_.fail(source.line, "call of " + quote(name) + ", which has no body in this file");
  }
  if (arguments.size() != callee->params.size() || returns.size() != callee->returns.size()) {
    draft_.fail(source.line, "call of " + quote(name) + " with " +
                                 std::to_string(arguments.size()) + " arguments and " +
                                 std::to_string(returns.size()) + " results, it has " +
                                 std::to_string(callee->params.size()) + " and " +
                                 std::to_string(callee->returns.size()));
  }
  if (functions_.recursive(*callee)) {
    recursive_.lower(site, *callee);
  } else {
    inline_call(site, *callee);
  }
}

void CallLowerer::lower_return(const ptx::Instruction& source, ir::Instruction instruction) {
  operands_.expect(source, 0, 0);
  if (names_.activation().instance != 0) {
    instruction.op = Op::bra;
    instruction.target = names_.activation().return_label;
  }
  draft_.emit(std::move(instruction));
}

bool CallLowerer::may_be_called(const ptx::Function& function, const CallSite& site) {
  if (site.arguments.size() != function.params.size() ||
      site.returns.size() != function.returns.size()) {
    return false;
  }
  const auto fits = [&](const ptx::Operand& actual, const ptx::Variable& formal) {
    const std::optional<Entity> entity = names_.find(formal.line, actual.name);
    if (!entity || entity->kind != Entity::Kind::slot) return true;
    return formal.space == "param" &&
           draft_.slot(entity->value).bytes == extent_of(formal, draft_.kernel().file).bytes;
  };
  for (std::size_t i = 0; i < site.arguments.size(); ++i) {
    if (!fits(site.arguments[i], function.params[i])) return false;
  }
  for (std::size_t i = 0; i < site.returns.size(); ++i) {
    if (!fits(site.returns[i], function.returns[i])) return false;
  }
  // A function that is active would be recursive.
  return !names_.is_active(function);
}

void CallLowerer::lower_indirect(const CallSite& site, std::string_view pointer) {
  const std::uint32_t line = site.source.line;
  ptx::Operand named;
  named.name = pointer;
  // A copy: the result may overwrite the pointer.
  const ir::RegId target = names_.new_register(line, Type::b64, "%callee");
  draft_.emit_move(line, target, operands_.lower_source(site.source, named, Type::b64));
  ir::RegId none = names_.new_register(line, Type::pred, "%none");
  draft_.emit_move(line, none, immediate(1));
  ir::Operand guard;
  if (site.fields.guard != ir::kNoReg) {
    guard = register_operand(site.fields.guard);
    guard.negated = site.fields.guard_negated;
    draft_.emit_move(line, none, guard);
  }
  const auto compare = [&](ir::Cmp cmp, std::uint64_t address, const ir::Operand& with) {
    ir::Instruction test = start(Op::setp, Type::u64, line);
    test.cmp = cmp;
    test.src[0] = register_operand(target);
    test.src[1] = immediate(address);
    if (with.kind != ir::Operand::Kind::none) {
      test.bool_op = ir::BoolOp::and_;
      test.src[2] = with;
    }
    test.dst[0] = names_.new_register(line, Type::pred, "%callee");
    const ir::RegId holds = test.dst[0];
    draft_.emit(std::move(test));
    return holds;
  };
  bool any = false;
  for (const Candidate& candidate : functions_.candidates()) {
    if (!may_be_called(*candidate.function, site)) continue;
    any = true;
    CallSite call = site;
    call.fields.guard = compare(ir::Cmp::eq, candidate.address, guard);
    call.fields.guard_negated = false;
    none = compare(ir::Cmp::ne, candidate.address, register_operand(none));
    inline_call(call, *candidate.function);
  }
  if (!any) {
    draft_.fail(line, "call through " + quote(pointer) +
                          ": no function of this file whose address is taken has such "
                          "parameters, or they are recursive");
  }
  ir::Instruction trap = site.fields;
  trap.op = Op::trap;
  trap.trap = ir::TrapCause::no_function;
  trap.guard = none;
  trap.guard_negated = false;
  draft_.emit(std::move(trap));
}

void CallLowerer::inline_call(const CallSite& site, const ptx::Function& callee) {
  const std::uint32_t after = draft_.skip_where_guarded(site.fields);
  // Actual operands belong to the caller, formal names to the callee.
  std::vector<Entity> formals;
  for (std::size_t i = 0; i < callee.params.size(); ++i) {
    formals.push_back(bind_argument(site, callee.params[i], site.arguments[i]));
  }
  std::vector<ir::RegId> return_registers(callee.returns.size(), ir::kNoReg);
  for (std::size_t i = 0; i < callee.returns.size(); ++i) {
    formals.push_back(bind_result(site, callee.returns[i], site.returns[i], return_registers[i]));
  }
  names_.enter(callee, names_.activation().called);
  for (std::size_t i = 0; i < formals.size(); ++i) {
    const bool is_param = i < callee.params.size();
    const ptx::Variable& formal =
        is_param ? callee.params[i] : callee.returns[i - callee.params.size()];
    if (formal.name != "_") names_.declare(formal.line, formal.name, formals[i]);
  }
  lower_body_(callee);
  draft_.place_label(names_.activation().return_label);
  names_.leave();
  for (std::size_t i = 0; i < return_registers.size(); ++i) {
    if (return_registers[i] == ir::kNoReg) continue;
    draft_.emit_move(site.source.line, return_registers[i],
                     register_operand(formals[callee.params.size() + i].reg));
  }
  draft_.place_label(after);
}

Entity CallLowerer::bind_argument(const CallSite& site, const ptx::Variable& formal,
                                  const ptx::Operand& actual) {
  if (formal.space == "reg") {
    const Type type = register_type(formal, draft_.kernel().file);
    const ir::Operand value = operands_.lower_source(site.source, actual, type);
    const ir::RegId reg =
        draft_.new_register(site.source.line, type, std::string(formal.name) + "@arg");
    draft_.emit_move(site.source.line, reg, value);
    return Entity::of_register(reg);
  }
  const Extent extent = extent_of(formal, draft_.kernel().file);
  if (const auto slot = names_.find_slot(site.source.line, actual)) {
    operands_.check_slot(site.source, formal, extent, *slot);
    return Entity::of_slot(*slot);
  }
  const std::uint32_t slot = names_.new_slot(extent);
  ir::Instruction store =
      start(Op::st, ir::bits_type(ir::size_of(extent.element)), site.source.line);
  store.space = ir::Space::param;
  store.src[0] = immediate(0);
  store.src[1] = operands_.lower_source(site.source, actual, store.type);
  draft_.emit(std::move(store), slot);
  return Entity::of_slot(slot);
}

Entity CallLowerer::bind_result(const CallSite& site, const ptx::Variable& formal,
                                const ptx::Operand& actual, ir::RegId& copy_to) {
  if (actual.kind != ptx::Operand::Kind::name)
    draft_.fail(site.source.line, "call: expected a result variable");
  if (formal.space == "reg") {
    const Type type = register_type(formal, draft_.kernel().file);
    const ir::RegId reg =
        draft_.new_register(site.source.line, type, std::string(formal.name) + "@result");
    if (actual.name != "_") {
      copy_to = names_.register_of(site.source.line, actual.name);
      operands_.check_width(site.source, actual.name, copy_to, type, true);
    }
    return Entity::of_register(reg);
  }
  const Entity entity = names_.resolve(site.source.line, actual.name);
  if (entity.kind != Entity::Kind::slot) {
    draft_.fail(site.source.line,
                "the result " + quote(actual.name) + " of a call must be a .param variable");
  }
  operands_.check_slot(site.source, formal, extent_of(formal, draft_.kernel().file), entity.value);
  return entity;
}

}  // namespace paws::frontend::lowering
