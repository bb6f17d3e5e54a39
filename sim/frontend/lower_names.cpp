// SPDX-License-Identifier: MIT
// Names, and what declarations make of them.
#include <algorithm>
#include <charconv>
#include <utility>

#include "sim/frontend/kernel_lowerer.h"
#include "sim/ir/matrix.h"

namespace paws::frontend::lowering {

namespace {

constexpr std::uint64_t kMaxParamBytes = 32764;  // PTX ISA, "Kernel Function Parameters"
constexpr std::uint64_t kMaxLocalBytes = std::uint64_t{512} * 1024;    // per thread
constexpr std::uint64_t kMaxSharedBytes = std::uint64_t{1024} * 1024;  // beyond any GPU's
constexpr unsigned kDynamicSharedAlign = 16;
constexpr std::string_view kReservedShared = "%reserved_smem_offset_1";

}  // namespace

namespace {

struct SpecialName {
  std::string_view name;
  ir::Special special;
};
constexpr auto kSpecials = std::to_array<SpecialName>({
    {"%tid.x", ir::Special::tid_x},
    {"%tid.y", ir::Special::tid_y},
    {"%tid.z", ir::Special::tid_z},
    {"%ntid.x", ir::Special::ntid_x},
    {"%ntid.y", ir::Special::ntid_y},
    {"%ntid.z", ir::Special::ntid_z},
    {"%ctaid.x", ir::Special::ctaid_x},
    {"%ctaid.y", ir::Special::ctaid_y},
    {"%ctaid.z", ir::Special::ctaid_z},
    {"%nctaid.x", ir::Special::nctaid_x},
    {"%nctaid.y", ir::Special::nctaid_y},
    {"%nctaid.z", ir::Special::nctaid_z},
    {"%laneid", ir::Special::laneid},
    {"%warpid", ir::Special::warpid},
    {"%nwarpid", ir::Special::nwarpid},
    {"%smid", ir::Special::smid},
    {"%nsmid", ir::Special::nsmid},
    {"%gridid", ir::Special::gridid},
    {"%lanemask_eq", ir::Special::lanemask_eq},
    {"%lanemask_le", ir::Special::lanemask_le},
    {"%lanemask_lt", ir::Special::lanemask_lt},
    {"%lanemask_ge", ir::Special::lanemask_ge},
    {"%lanemask_gt", ir::Special::lanemask_gt},
    {"%clock", ir::Special::clock},
    {"%clock_hi", ir::Special::clock_hi},
    {"%clock64", ir::Special::clock64},
    {"%globaltimer", ir::Special::globaltimer},
    {"%globaltimer_lo", ir::Special::globaltimer},
    {"%dynamic_smem_size", ir::Special::dynamic_smem_size},
    {"%total_smem_size", ir::Special::total_smem_size},
    {"%clusterid.x", ir::Special::ctaid_x},
    {"%clusterid.y", ir::Special::ctaid_y},
    {"%clusterid.z", ir::Special::ctaid_z},
    {"%nclusterid.x", ir::Special::nctaid_x},
    {"%nclusterid.y", ir::Special::nctaid_y},
    {"%nclusterid.z", ir::Special::nctaid_z},
});
struct ConstantName {
  std::string_view name;
  std::uint64_t value;
};
// A cluster is one block.
constexpr auto kConstants = std::to_array<ConstantName>({
    {"%is_explicit_cluster", 0},
    {"%cluster_ctaid.x", 0},
    {"%cluster_ctaid.y", 0},
    {"%cluster_ctaid.z", 0},
    {"%cluster_nctaid.x", 1},
    {"%cluster_nctaid.y", 1},
    {"%cluster_nctaid.z", 1},
    {"%cluster_ctarank", 0},
    {"%cluster_nctarank", 1},
});
// Special registers that PTX has and the simulator has not.
constexpr auto kMissingSpecials =
    std::to_array<std::string_view>({"%envreg", "%pm", "%aggr_smem_size", "%reserved_smem_offset",
                                     "%current_graph_exec", "%globaltimer_hi"});

}  // namespace

ir::RegId KernelLowerer::new_register(std::uint32_t line, Type type, std::string name) {
  std::vector<ir::Register>& registers = draft_.kernel.registers;
  if (registers.size() >= ir::kNoReg) {
    fail(line, "kernel " + quoted(entry_.name) + " uses more than " + std::to_string(ir::kNoReg) +
                   " registers after inlining");
  }
  registers.push_back({type, std::move(name)});
  return static_cast<ir::RegId>(registers.size() - 1);
}

std::string KernelLowerer::register_name(std::string_view name) {
  std::string text(name);
  if (frame().instance != 0) text += "@" + std::to_string(frame().instance);
  return text;
}

void KernelLowerer::collect_names(const ptx::Operand& operand, std::set<std::string_view>& names) {
  if (!operand.name.empty()) names.insert(operand.name);
  for (const ptx::Operand& element : operand.elements) collect_names(element, names);
}

void KernelLowerer::lay_out_shared() {
  std::vector<const ptx::Function*> reached{&entry_};
  std::set<const ptx::Function*> seen{&entry_};
  std::set<std::string_view> names;
  const auto reach = [&](const ptx::Function* callee) {
    if (callee != nullptr && seen.insert(callee).second) reached.push_back(callee);
  };
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (const ptx::Statement& statement : reached[i]->body) {
      const auto* instruction = std::get_if<ptx::Instruction>(&statement);
      if (instruction == nullptr) continue;
      std::set<std::string_view> here;
      for (const ptx::Operand& operand : instruction->operands) collect_names(operand, here);
      bool direct = false;
      for (const std::string_view name : here) {
        const ptx::Function* callee = functions_.find(name);
        direct = direct || callee != nullptr;
        reach(callee);
      }
      if (instruction->root == "call" && !direct) {
        for (const Candidate& candidate : functions_.candidates()) reach(candidate.function);
      }
      names.merge(here);
    }
  }
  std::uint64_t offset = 0;
  std::uint64_t dynamic_align = 1;
  std::vector<const ptx::Variable*> dynamic;
  const auto place = [&](const ptx::Variable& variable) {
    if (variable.space != "shared") return;
    const Extent extent = extent_of(variable, source_.file);
    if (variable.initial) fail(variable.line, "shared memory cannot have initial values");
    if (variable.external || extent.unsized) {
      dynamic.push_back(&variable);
      dynamic_align = std::max({dynamic_align, extent.align, std::uint64_t{kDynamicSharedAlign}});
      return;
    }
    offset = align_up(offset, extent.align);
    shared_[&variable] = offset;
    offset += extent.bytes;
    if (offset > kMaxSharedBytes) {
      fail(variable.line,
           "kernel " + quoted(entry_.name) + " has more than 1 MiB of shared memory");
    }
  };
  for (const ptx::Variable& variable : source_.variables) {
    if (names.contains(variable.name)) place(variable);
  }
  for (const ptx::Function* function : reached) {
    for (const ptx::Statement& statement : function->body) {
      if (const auto* variable = std::get_if<ptx::Variable>(&statement)) place(*variable);
    }
  }
  if (names.contains(kReservedShared)) {
    offset = align_up(offset, kDynamicSharedAlign);
    reserved_shared_ = offset;
    offset += kReservedSharedBytes;
  }
  offset = align_up(offset, dynamic_align);
  for (const ptx::Variable* variable : dynamic) shared_[variable] = offset;
  draft_.kernel.shared_bytes = static_cast<std::uint32_t>(offset);
  for (const ptx::Variable& variable : source_.variables) {
    const auto hit = shared_.find(&variable);
    if (hit == shared_.end()) continue;
    module_shared_[variable.name] = {Entity::Kind::address, ir::kNoReg, ir::Space::shared,
                                     hit->second, nullptr};
  }
}

void KernelLowerer::lay_out_params() {
  std::uint64_t offset = 0;
  for (const ptx::Variable& variable : entry_.params) {
    const Extent extent = extent_of(variable, source_.file);
    if (extent.unsized) fail(variable.line, "parameter " + quoted(variable.name) + " has no size");
    offset = align_up(offset, extent.align);
    ir::Param param;
    param.name = std::string(variable.name);
    param.type = extent.element;
    param.offset = static_cast<std::uint32_t>(offset);
    param.bytes = static_cast<std::uint32_t>(extent.bytes);
    param.align = static_cast<std::uint32_t>(extent.align);
    declare(variable.line, variable.name,
            {Entity::Kind::address, ir::kNoReg, ir::Space::param, offset, nullptr});
    offset += extent.bytes;
    if (offset > kMaxParamBytes) fail(variable.line, "more than 32764 bytes of parameters");
    draft_.kernel.params.push_back(std::move(param));
  }
  draft_.kernel.param_bytes = static_cast<std::uint32_t>(offset);
}

void KernelLowerer::declare(std::uint32_t line, std::string_view name, const Entity& entity) {
  if (!frame().scopes.back().names.try_emplace(name, entity).second) {
    fail(line, quoted(name) + " is declared twice");
  }
}

const Entity* KernelLowerer::find(std::uint32_t line, std::string_view name) {
  std::vector<Scope>& scopes = frame().scopes;
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
    const auto hit = scope->names.find(name);
    if (hit != scope->names.end()) return &hit->second;
    if (const Entity* fresh = find_in_ranges(line, *scope, name)) return fresh;
  }
  if (const auto hit = module_shared_.find(name); hit != module_shared_.end()) return &hit->second;
  if (const auto hit = symbols_.find(name); hit != symbols_.end()) {
    const Symbol& symbol = hit->second;
    module_entity_ = {symbol.external ? Entity::Kind::external : Entity::Kind::address, ir::kNoReg,
                      symbol.space, symbol.address, nullptr};
    return &module_entity_;
  }
  return nullptr;
}

const Entity* KernelLowerer::find_in_ranges(std::uint32_t line, Scope& scope,
                                            std::string_view name) {
  for (const RegisterRange& range : scope.ranges) {
    if (!name.starts_with(range.prefix)) continue;
    const std::string_view digits = name.substr(range.prefix.size());
    if (digits.empty() || (digits.size() > 1 && digits[0] == '0')) continue;
    std::uint64_t number = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, number);
    if (error != std::errc() || stop != end || number >= range.count) continue;
    const ir::RegId reg = new_register(line, range.type, register_name(name));
    return &scope.names.try_emplace(name, Entity{Entity::Kind::reg, reg, {}, 0, nullptr})
                .first->second;
  }
  return nullptr;
}

const Entity& KernelLowerer::resolve(std::uint32_t line, std::string_view name) {
  const Entity* entity = find(line, name);
  if (entity == nullptr) {
    if (functions_.find(name) != nullptr) {
      fail(line, "the address of function " + quoted(name) + ", which has no body in this file");
    }
    for (const ptx::Variable& variable : source_.variables) {
      if (variable.name == name && variable.type.ends_with("ref")) {
        fail(line, quoted(name) + " is a ." + std::string(variable.type) +
                       ": surface references and samplers are not modelled, objects are");
      }
    }
    fail(line, quoted(name) + " is not declared");
  }
  if (entity->kind == Entity::Kind::external) {
    fail(line, quoted(name) + " is .extern and not defined in this file");
  }
  return *entity;
}

ir::RegId KernelLowerer::register_of(std::uint32_t line, std::string_view name) {
  const Entity& entity = resolve(line, name);
  if (entity.kind != Entity::Kind::reg) fail(line, quoted(name) + " is not a register");
  return entity.reg;
}

ir::RegId KernelLowerer::carry(std::uint32_t line) {
  if (frame().carry == ir::kNoReg) {
    frame().carry = new_register(line, Type::pred, register_name("%cc"));
  }
  return frame().carry;
}

void KernelLowerer::declare_labels(const std::vector<ptx::Statement>& body, std::size_t first) {
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
    if (entity.kind == Entity::Kind::label) entity.value = new_label();
    declare(label->line, label->name, entity);
  }
}

void KernelLowerer::declare_variable(const ptx::Variable& variable) {
  if (variable.space == "reg") {
    declare_registers(variable);
    return;
  }
  Entity entity;
  entity.kind = Entity::Kind::address;
  const Extent extent = extent_of(variable, source_.file);
  if (variable.space == "shared") {
    entity.space = ir::Space::shared;
    entity.value = shared_.at(&variable);
  } else if (extent.unsized) {
    fail(variable.line, quoted(variable.name) + " has no size");
  } else if (variable.space == "local") {
    entity = local_variable(variable, extent);
  } else if (variable.space == "param") {
    entity = new_slot(extent);
  } else {
    fail(variable.line,
         "." + std::string(variable.space) + " variables inside functions are not modelled");
  }
  declare(variable.line, variable.name, entity);
}

Entity KernelLowerer::local_variable(const ptx::Variable& variable, const Extent& extent) {
  Entity entity;
  if (frame().called == kNone) {
    entity.kind = Entity::Kind::address;
    entity.space = ir::Space::local;
    entity.value = allocate_local(variable.line, extent.bytes, extent.align);
    return entity;
  }
  // Each activation has its own: the name stands for a register with the address.
  if (extent.align > CallStack::kAlign) {
    fail(variable.line, quoted(variable.name) + " of a recursive function is aligned to " +
                            std::to_string(extent.align) + " bytes; at most 16 are modelled");
  }
  CalledFunction& function = draft_.stack.functions[frame().called];
  const std::uint64_t offset = align_up(function.bytes, extent.align);
  function.bytes = offset + extent.bytes;
  ir::Instruction address;
  address.op = Op::add;
  address.type = Type::u64;
  address.line = variable.line;
  address.src[0] = register_operand(function.frame);
  address.src[1] = immediate(offset);
  entity.reg = new_register(variable.line, Type::b64, register_name(variable.name));
  address.dst[0] = entity.reg;
  emit(std::move(address));
  return entity;
}

std::uint64_t KernelLowerer::allocate_local(std::uint32_t line, std::uint64_t bytes,
                                            std::uint64_t align) {
  const std::uint64_t offset = align_up(draft_.kernel.local_bytes, align);
  if (offset + bytes > kMaxLocalBytes) {
    fail(line, "kernel " + quoted(entry_.name) + " needs more than 512 KiB of local memory");
  }
  draft_.kernel.local_bytes = static_cast<std::uint32_t>(offset + bytes);
  return offset;
}

Entity KernelLowerer::new_slot(const Extent& extent) {
  Entity entity;
  entity.kind = Entity::Kind::slot;
  entity.value = draft_.slots.size();
  draft_.slots.push_back({extent.bytes, extent.align, false, frame().called});
  return entity;
}

void KernelLowerer::declare_registers(const ptx::Variable& variable) {
  const Type type = type_named(variable.type);
  if (type == Type::none || variable.vector != 1 || !variable.dimensions.empty()) {
    fail(variable.line, "registers of type ." + std::string(variable.type) +
                            (variable.vector != 1 ? " (vector)" : "") + " are not modelled");
  }
  if (variable.range) {
    frame().scopes.back().ranges.push_back({variable.name, *variable.range, type});
    return;
  }
  const ir::RegId reg = new_register(variable.line, type, register_name(variable.name));
  declare(variable.line, variable.name, {Entity::Kind::reg, reg, {}, 0, nullptr});
}

std::uint32_t KernelLowerer::label_of(std::uint32_t line, const ptx::Operand& operand) {
  if (operand.kind != ptx::Operand::Kind::name) fail(line, "expected a label");
  const Entity& entity = resolve(line, operand.name);
  if (entity.kind != Entity::Kind::label) {
    fail(line, quoted(operand.name) + " is not a label of this function");
  }
  return static_cast<std::uint32_t>(entity.value);
}

std::optional<std::uint64_t> KernelLowerer::constant_special(std::string_view name) {
  if (name[0] != '%') return std::nullopt;
  for (const ConstantName& row : kConstants) {
    if (row.name == name) return row.value;
  }
  if (name == kReservedShared) return reserved_shared_;
  // The halves of an address (CUDA's cooperative_groups/details/driver_abi.h).
  const bool high = name == "%envreg1";
  if (!high && name != "%envreg2") return std::nullopt;
  draft_.kernel.cooperative = true;
  const std::uint64_t address = grid_workspace_;
  return high ? address >> 32 : address & 0xffff'ffffU;
}

std::optional<ir::Special> KernelLowerer::special_named(std::uint32_t line, std::string_view name) {
  if (name[0] != '%') return std::nullopt;
  for (const SpecialName& row : kSpecials) {
    // A declared register of the same name hides nothing: PTX reserves these names.
    if (row.name == name) return row.special;
  }
  for (const std::string_view prefix : kMissingSpecials) {
    if (name.starts_with(prefix) && find(line, name) == nullptr) {
      fail(line, "special register " + quoted(name) + " is not modelled");
    }
  }
  return std::nullopt;
}

Type KernelLowerer::register_type(const ptx::Variable& variable) const {
  const Type type = type_named(variable.type);
  if (type == Type::none) {
    fail(variable.line, "registers of type ." + std::string(variable.type) + " are not modelled");
  }
  return type;
}

}  // namespace paws::frontend::lowering
