// SPDX-License-Identifier: MIT
#include "sim/frontend/names.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <variant>

#include "sim/frontend/decode.h"

namespace paws::frontend::lowering {

namespace {

constexpr std::uint64_t kMaxParamBytes = 32764;  // PTX ISA, "Kernel Function Parameters"

}  // namespace

Names::Names(const ptx::Module& source, const SymbolTable& symbols, const FunctionTable& functions,
             const SharedLayout& shared, const ptx::Function& entry, DraftBuilder& draft)
    : source_(source), symbols_(symbols), functions_(functions), shared_(shared), draft_(draft) {
  Activation& kernel = activations_.emplace_back();
  kernel.function = &entry;
  kernel.scopes.emplace_back();
}

void Names::enter(const ptx::Function& function, std::uint32_t called) {
  Activation& activation = activations_.emplace_back();
  activation.function = &function;
  activation.instance = ++instances_;
  activation.return_label = draft_.new_label();
  activation.called = called;
  activation.scopes.emplace_back();
}

bool Names::is_active(const ptx::Function& function) const {
  return std::any_of(activations_.begin(), activations_.end(),
                     [&](const Activation& each) { return each.function == &function; });
}

void Names::declare(std::uint32_t line, std::string_view name, const Entity& entity) {
  if (!activations_.back().scopes.back().names.try_emplace(name, entity).second) {
    draft_.fail(line, quote(name) + " is declared twice");
  }
}

void Names::declare_labels(const std::vector<ptx::Statement>& body, std::size_t first) {
  unsigned depth = 0;
  for (std::size_t i = first; i < body.size(); ++i) {
    if (std::holds_alternative<ptx::ScopeBegin>(body[i])) ++depth;
    if (std::holds_alternative<ptx::ScopeEnd>(body[i]) && depth-- == 0) return;
    const auto* label = std::get_if<ptx::Label>(&body[i]);
    if (label == nullptr || depth != 0) continue;
    Entity entity;
    entity.kind = Entity::Kind::label;
    if (i + 1 < body.size()) {
      if (const auto* targets = std::get_if<ptx::BranchTargets>(&body[i + 1])) {
        entity.kind = Entity::Kind::table;
        entity.targets = targets;
      }
    }
    if (entity.kind == Entity::Kind::label) entity.value = draft_.new_label();
    declare(label->line, label->name, entity);
  }
}

std::optional<Entity> Names::find(std::uint32_t line, std::string_view name) {
  std::vector<Scope>& scopes = activations_.back().scopes;
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
    const auto hit = scope->names.find(name);
    if (hit != scope->names.end()) return hit->second;
    if (const auto fresh = find_in_ranges(line, *scope, name)) return fresh;
  }
  if (const auto hit = shared_.named.find(name); hit != shared_.named.end()) {
    return Entity::of_address(ir::Space::shared, hit->second);
  }
  if (const auto hit = symbols_.find(name); hit != symbols_.end()) {
    const Symbol& symbol = hit->second;
    Entity entity = Entity::of_address(symbol.space, symbol.address);
    if (symbol.external) entity.kind = Entity::Kind::external;
    return entity;
  }
  return std::nullopt;
}

std::optional<Entity> Names::find_in_ranges(std::uint32_t line, Scope& scope,
                                            std::string_view name) {
  for (const RegisterRange& range : scope.ranges) {
    if (!name.starts_with(range.prefix)) continue;
    const std::string_view digits = name.substr(range.prefix.size());
    if (digits.empty() || (digits.size() > 1 && digits[0] == '0')) continue;
    std::uint64_t number = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, number);
    if (error != std::errc() || stop != end || number >= range.count) continue;
    const ir::RegId reg = new_register(line, range.type, name);
    return scope.names.try_emplace(name, Entity::of_register(reg)).first->second;
  }
  return std::nullopt;
}

std::optional<std::uint32_t> Names::find_slot(std::uint32_t line, const ptx::Operand& operand) {
  if (operand.kind != ptx::Operand::Kind::name) return std::nullopt;
  const std::optional<Entity> entity = find(line, operand.name);
  if (!entity || entity->kind != Entity::Kind::slot) return std::nullopt;
  return static_cast<std::uint32_t>(entity->value);
}

Entity Names::resolve(std::uint32_t line, std::string_view name) {
  const std::optional<Entity> entity = find(line, name);
  if (!entity) {
    if (functions_.find(name) != nullptr) {
      draft_.fail(line,
                  "the address of function " + quote(name) + ", which has no body in this file");
    }
    for (const ptx::Variable& variable : source_.variables) {
      if (variable.name == name && variable.type.ends_with("ref")) {
        draft_.fail(line, quote(name) + " is a ." + std::string(variable.type) +
                              ": surface references and samplers are not modelled, objects are");
      }
    }
    draft_.fail(line, quote(name) + " is not declared");
  }
  if (entity->kind == Entity::Kind::external) {
    draft_.fail(line, quote(name) + " is .extern and not defined in this file");
  }
  return *entity;
}

ir::RegId Names::register_of(std::uint32_t line, std::string_view name) {
  const Entity entity = resolve(line, name);
  if (entity.kind != Entity::Kind::reg) draft_.fail(line, quote(name) + " is not a register");
  return entity.reg;
}

std::uint32_t Names::label_of(std::uint32_t line, const ptx::Operand& operand) {
  if (operand.kind != ptx::Operand::Kind::name) draft_.fail(line, "expected a label");
  const Entity entity = resolve(line, operand.name);
  if (entity.kind != Entity::Kind::label) {
    draft_.fail(line, quote(operand.name) + " is not a label of this function");
  }
  return static_cast<std::uint32_t>(entity.value);
}

ir::RegId Names::carry(std::uint32_t line) {
  ir::RegId& carry = activations_.back().carry;
  if (carry == ir::kNoReg) carry = new_register(line, Type::pred, "%cc");
  return carry;
}

ir::RegId Names::new_register(std::uint32_t line, Type type, std::string_view name) {
  std::string text(name);
  const unsigned instance = activations_.back().instance;
  if (instance != 0) text += "@" + std::to_string(instance);
  return draft_.new_register(line, type, std::move(text));
}

std::uint32_t Names::new_slot(const Extent& extent) {
  return draft_.new_slot({extent.bytes, extent.align, false, activations_.back().called});
}

void Declarations::declare_params(const ptx::Function& entry) {
  std::uint64_t offset = 0;
  for (const ptx::Variable& variable : entry.params) {
    const Extent extent = extent_of(variable, draft_.kernel().file);
    if (extent.unsized)
      draft_.fail(variable.line, "parameter " + quote(variable.name) + " has no size");
    offset = align_up(offset, extent.align);
    ir::Param param;
    param.name = std::string(variable.name);
    param.type = extent.element;
    param.offset = static_cast<std::uint32_t>(offset);
    param.bytes = static_cast<std::uint32_t>(extent.bytes);
    param.align = static_cast<std::uint32_t>(extent.align);
    names_.declare(variable.line, variable.name, Entity::of_address(ir::Space::param, offset));
    offset += extent.bytes;
    if (offset > kMaxParamBytes) draft_.fail(variable.line, "more than 32764 bytes of parameters");
    draft_.kernel().params.push_back(std::move(param));
  }
  draft_.kernel().param_bytes = static_cast<std::uint32_t>(offset);
}

void Declarations::declare_variable(const ptx::Variable& variable) {
  if (variable.space == "reg") {
    declare_registers(variable);
    return;
  }
  Entity entity;
  const Extent extent = extent_of(variable, draft_.kernel().file);
  if (variable.space == "shared") {
    entity = Entity::of_address(ir::Space::shared, shared_.offsets.at(&variable));
  } else if (extent.unsized) {
    draft_.fail(variable.line, quote(variable.name) + " has no size");
  } else if (variable.space == "local") {
    entity = local_variable(variable, extent);
  } else if (variable.space == "param") {
    entity = Entity::of_slot(names_.new_slot(extent));
  } else {
    draft_.fail(variable.line,
                "." + std::string(variable.space) + " variables inside functions are not modelled");
  }
  names_.declare(variable.line, variable.name, entity);
}

void Declarations::declare_registers(const ptx::Variable& variable) {
  const Type type = type_named(variable.type);
  if (type == Type::none || variable.vector != 1 || !variable.dimensions.empty()) {
    draft_.fail(variable.line, "registers of type ." + std::string(variable.type) +
                                   (variable.vector != 1 ? " (vector)" : "") + " are not modelled");
  }
  if (variable.range) {
    names_.declare_range({variable.name, *variable.range, type});
    return;
  }
  const ir::RegId reg = names_.new_register(variable.line, type, variable.name);
  names_.declare(variable.line, variable.name, Entity::of_register(reg));
}

Entity Declarations::local_variable(const ptx::Variable& variable, const Extent& extent) {
  if (names_.activation().called == kNone) {
    return Entity::of_address(ir::Space::local,
                              draft_.allocate_local(variable.line, extent.bytes, extent.align));
  }
  // Each activation has its own: the name stands for a register with the address.
  if (extent.align > CallStack::kAlign) {
    draft_.fail(variable.line, quote(variable.name) + " of a recursive function is aligned to " +
                                   std::to_string(extent.align) +
                                   " bytes; at most 16 are modelled");
  }
  CalledFunction& function = draft_.stack().functions[names_.activation().called];
  const std::uint64_t offset = align_up(function.bytes, extent.align);
  function.bytes = offset + extent.bytes;
  ir::Instruction address = start(Op::add, Type::u64, variable.line);
  address.src[0] = register_operand(function.frame);
  address.src[1] = immediate(offset);
  const ir::RegId reg = names_.new_register(variable.line, Type::b64, variable.name);
  address.dst[0] = reg;
  draft_.emit(std::move(address));
  return Entity::of_register(reg);
}

}  // namespace paws::frontend::lowering
