// SPDX-License-Identifier: MIT
#include "sim/frontend/lower_operands.h"

#include <array>
#include <string>
#include <utility>

namespace paws::frontend::lowering {

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

const char* to_string(ir::Space space) {
  switch (space) {
    case ir::Space::global:
      return ".global";
    case ir::Space::shared:
      return ".shared";
    case ir::Space::local:
      return ".local";
    case ir::Space::constant:
      return ".const";
    case ir::Space::param:
      return ".param";
    default:
      return "generic";
  }
}

}  // namespace

bool is_integer(const ptx::Operand& operand) {
  return operand.kind == ptx::Operand::Kind::literal &&
         operand.literal.kind == ptx::Literal::Kind::integer;
}

std::optional<ir::Operand> SpecialRegisters::find(std::uint32_t line, std::string_view name) {
  if (name[0] != '%') return std::nullopt;
  for (const ConstantName& row : kConstants) {
    if (row.name == name) return immediate(row.value);
  }
  if (name == kReservedShared) return immediate(reserved_shared_);
  // The halves of an address (CUDA's cooperative_groups/details/driver_abi.h).
  const bool high = name == "%envreg1";
  if (high || name == "%envreg2") {
    draft_.kernel().cooperative = true;
    return immediate(high ? grid_workspace_ >> 32 : grid_workspace_ & 0xffff'ffffU);
  }
  for (const SpecialName& row : kSpecials) {
    // A declared register of the same name hides nothing: PTX reserves these names.
    if (row.name != name) continue;
    ir::Operand operand;
    operand.kind = ir::Operand::Kind::special;
    operand.special = row.special;
    return operand;
  }
  for (const std::string_view prefix : kMissingSpecials) {
    if (name.starts_with(prefix) && !names_.find(line, name)) {
      draft_.fail(line, "special register " + quote(name) + " is not modelled");
    }
  }
  return std::nullopt;
}

void OperandLowerer::expect(const ptx::Instruction& source, std::size_t least,
                            std::size_t most) const {
  const std::size_t found = source.operands.size();
  if (found >= least && found <= most) return;
  std::string wanted = std::to_string(least);
  if (most != least) wanted += " to " + std::to_string(most);
  draft_.fail(source.line, quote(source.text) + " takes " + wanted +
                               (wanted == "1" ? " operand, found " : " operands, found ") +
                               std::to_string(found));
}

std::vector<ptx::Operand> OperandLowerer::elements_of(const ptx::Instruction& source,
                                                      const ptx::Operand& operand,
                                                      unsigned count) const {
  const bool vector = operand.kind == ptx::Operand::Kind::vector;
  const std::size_t found = vector ? operand.elements.size() : 1;
  if (found != count) {
    draft_.fail(source.line, quote(source.text) + " takes " + std::to_string(count) +
                                 " registers for this operand, found " + std::to_string(found));
  }
  return vector ? operand.elements : std::vector<ptx::Operand>{operand};
}

ir::Operand OperandLowerer::lower_source(const ptx::Instruction& source,
                                         const ptx::Operand& operand, Type type) {
  if (operand.kind == ptx::Operand::Kind::literal) {
    if (const std::string why = literal_mismatch(operand.literal, type); !why.empty()) {
      draft_.fail(source.line, quote(source.text) + ": " + why);
    }
    return immediate(literal_bits(operand.literal, type));
  }
  if (operand.kind != ptx::Operand::Kind::name || !operand.second.empty()) {
    draft_.fail(source.line, "wrong kind of operand for " + quote(source.text));
  }
  if (const auto special = special_.find(source.line, operand.name)) return *special;
  const Entity entity = names_.resolve(source.line, operand.name);
  switch (entity.kind) {
    case Entity::Kind::reg: {
      if (operand.literal.bits != 0) draft_.fail(source.line, "a register has no offset here");
      check_width(source, operand.name, entity.reg, type, false);
      if (operand.negated && type != Type::pred)
        draft_.fail(source.line, "only predicates can be negated");
      ir::Operand lowered = register_operand(entity.reg);
      lowered.negated = operand.negated;
      return lowered;
    }
    case Entity::Kind::address: {
      ptx::Literal value{ptx::Literal::Kind::integer, entity.value + operand.literal.bits};
      return immediate(literal_bits(value, type));
    }
    default:
      draft_.fail(source.line, quote(operand.name) + " is no operand for " + quote(source.text));
  }
}

std::vector<ir::Operand> OperandLowerer::lower_sources(const ptx::Instruction& source,
                                                       const ptx::Operand& operand, unsigned count,
                                                       Type type) {
  std::vector<ir::Operand> lowered;
  lowered.reserve(count);
  for (const ptx::Operand& element : elements_of(source, operand, count)) {
    lowered.push_back(lower_source(source, element, type));
  }
  return lowered;
}

ir::RegId OperandLowerer::lower_destination(const ptx::Instruction& source,
                                            const ptx::Operand& operand, Type type) {
  if (operand.kind != ptx::Operand::Kind::name || operand.negated || operand.literal.bits != 0) {
    draft_.fail(source.line, "the result of " + quote(source.text) + " must be a register");
  }
  if (operand.name == "_") return ir::kNoReg;
  const ir::RegId reg = names_.register_of(source.line, operand.name);
  check_width(source, operand.name, reg, type, true);
  return reg;
}

std::vector<ir::RegId> OperandLowerer::lower_destinations(const ptx::Instruction& source,
                                                          const ptx::Operand& operand,
                                                          unsigned count, Type type) {
  std::vector<ir::RegId> lowered;
  lowered.reserve(count);
  for (const ptx::Operand& element : elements_of(source, operand, count)) {
    lowered.push_back(lower_destination(source, element, type));
  }
  return lowered;
}

void OperandLowerer::check_width(const ptx::Instruction& source, std::string_view name,
                                 ir::RegId reg, Type type, bool result) const {
  const Type declared = draft_.type_of(reg);
  const bool is_pred = declared == Type::pred;
  bool good = is_pred == (type == Type::pred);
  if (good && !is_pred) {
    const unsigned have = ir::size_of(declared);
    const unsigned need = ir::size_of(type);
    const bool loads = source.root == "ld" || source.root == "suld";
    const bool stores = source.root == "st" || source.root == "sust";
    const bool widens =
        source.root == "cvt" || source.root == "ldu" || (result && loads) || (!result && stores);
    good = have == need || (widens && have > need);
  }
  if (!good) {
    draft_.fail(source.line, quote(name) + " is a ." + ir::to_string(declared) + " register, " +
                                 quote(source.text) + " needs ." + ir::to_string(type));
  }
}

std::uint32_t OperandLowerer::lower_address(const ptx::Instruction& source,
                                            const ptx::Operand& operand,
                                            ir::Instruction& instruction) {
  if (operand.kind != ptx::Operand::Kind::address || operand.elements.size() != 1 ||
      operand.elements[0].kind == ptx::Operand::Kind::vector ||
      operand.elements[0].kind == ptx::Operand::Kind::address ||
      operand.literal.kind != ptx::Literal::Kind::integer) {
    draft_.fail(source.line, quote(source.text) + " takes an address [base+offset]");
  }
  instruction.offset = static_cast<std::int64_t>(operand.literal.bits);
  instruction.src[0] = immediate(0);
  if (operand.name.empty()) return kNone;
  const Entity entity = names_.resolve(source.line, operand.name);
  switch (entity.kind) {
    case Entity::Kind::reg: {
      const unsigned bytes = ir::size_of(draft_.type_of(entity.reg));
      if (bytes != 4 && bytes != 8)
        draft_.fail(source.line, quote(operand.name) + " cannot hold an address");
      instruction.src[0] = register_operand(entity.reg);
      return kNone;
    }
    case Entity::Kind::address:
      // A variable named in a generic access says which space it is in.
      if (instruction.space == ir::Space::generic) instruction.space = entity.space;
      if (instruction.space != entity.space) {
        draft_.fail(source.line, quote(operand.name) + " is a " + to_string(entity.space) +
                                     " variable, " + quote(source.text) + " accesses " +
                                     to_string(instruction.space) + " memory");
      }
      if (entity.space == ir::Space::param)
        check_param_access(source, operand, instruction, entity);
      instruction.offset += static_cast<std::int64_t>(entity.value);
      return kNone;
    case Entity::Kind::slot: {
      const auto slot = static_cast<std::uint32_t>(entity.value);
      if (instruction.space != ir::Space::param) {
        draft_.fail(source.line, quote(operand.name) + " is a .param variable");
      }
      check_extent(source, operand, instruction, draft_.slot(slot).bytes);
      return slot;
    }
    default:
      draft_.fail(source.line, quote(operand.name) + " is not an address");
  }
}

void OperandLowerer::lower_shared_address(const ptx::Instruction& source,
                                          const ptx::Operand& operand,
                                          ir::Instruction& instruction) {
  const std::uint32_t slot = lower_address(source, operand, instruction);
  if (slot != kNone ||
      (instruction.space != ir::Space::shared && instruction.space != ir::Space::generic)) {
    draft_.fail(source.line, quote(source.text) + " needs an address in shared memory");
  }
}

void OperandLowerer::check_param_access(const ptx::Instruction& source, const ptx::Operand& operand,
                                        const ir::Instruction& instruction,
                                        const Entity& entity) const {
  for (const ir::Param& param : draft_.kernel().params) {
    if (param.offset == entity.value && param.bytes != 0) {
      check_extent(source, operand, instruction, param.bytes);
    }
  }
}

void OperandLowerer::check_extent(const ptx::Instruction& source, const ptx::Operand& operand,
                                  const ir::Instruction& instruction, std::uint64_t limit) const {
  const std::uint64_t bytes = std::uint64_t{instruction.vector} * ir::size_of(instruction.type);
  const std::uint64_t offset = operand.literal.bits;
  if (offset > limit || bytes > limit - offset) {
    draft_.fail(source.line,
                quote(source.text) + " accesses beyond the end of " + quote(operand.name));
  }
}

void OperandLowerer::check_slot(const ptx::Instruction& source, const ptx::Variable& formal,
                                const Extent& extent, std::uint64_t slot) const {
  if (draft_.slot(slot).bytes < extent.bytes) {
    draft_.fail(source.line, "argument for " + quote(formal.name) + " has " +
                                 std::to_string(draft_.slot(slot).bytes) + " bytes, " +
                                 std::to_string(extent.bytes) + " are needed");
  }
}

ir::RegId OperandLowerer::in_register(std::uint32_t line, Type type, const ir::Operand& operand) {
  if (operand.kind == ir::Operand::Kind::reg) return operand.reg;
  const ir::RegId reg = names_.new_register(line, type, "%value");
  draft_.emit_move(line, reg, operand);
  return reg;
}

ir::RegId OperandLowerer::wide_address(std::uint32_t line, const ir::Instruction& instruction) {
  const ir::Operand& base = instruction.src[0];
  if (base.kind == ir::Operand::Kind::reg && ir::size_of(draft_.type_of(base.reg)) == 8)
    return base.reg;
  const ir::RegId wide = names_.new_register(line, Type::b64, "%address");
  if (base.kind != ir::Operand::Kind::reg) {
    draft_.emit_move(line, wide, base);
    return wide;
  }
  ir::Instruction extend = start(Op::cvt, Type::u64, line);
  extend.src_type = Type::u32;
  extend.dst[0] = wide;
  extend.src[0] = base;
  draft_.emit(std::move(extend));
  return wide;
}

}  // namespace paws::frontend::lowering
