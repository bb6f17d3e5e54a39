// SPDX-License-Identifier: MIT
// Instructions whose operands are registers, constants and addresses.
#include <algorithm>
#include <array>
#include <utility>

#include "sim/frontend/decode.h"
#include "sim/frontend/fragment.h"
#include "sim/frontend/kernel_lowerer.h"
#include "sim/frontend/packed.h"
#include "sim/ir/operand_types.h"

namespace paws::frontend::lowering {

namespace {

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

/// Operations whose PTX operands are data and [address].
bool is_memory(Op op) {
  return op == Op::ld || op == Op::st || op == Op::atom || op == Op::red || op == Op::prefetch;
}

/// Takes the selector off an operand that has one: %r1.b0.
ir::Selector take_selector(ptx::Operand& operand) {
  const std::size_t dot = operand.name.rfind('.');
  if (dot == std::string_view::npos) return ir::Selector::none;
  const auto* const found =
      std::find(ir::kSelectorNames.begin(), ir::kSelectorNames.end(), operand.name.substr(dot + 1));
  if (found == ir::kSelectorNames.end()) return ir::Selector::none;
  operand.name = operand.name.substr(0, dot);
  return static_cast<ir::Selector>(found - ir::kSelectorNames.begin());
}

}  // namespace

void KernelLowerer::expect_operands(const ptx::Instruction& source, std::size_t least,
                                    std::size_t most) const {
  const std::size_t found = source.operands.size();
  if (found >= least && found <= most) return;
  std::string wanted = std::to_string(least);
  if (most != least) wanted += " to " + std::to_string(most);
  fail(source.line, quoted(source.text) + " takes " + wanted +
                        (wanted == "1" ? " operand, found " : " operands, found ") +
                        std::to_string(found));
}

void KernelLowerer::lower_brx(const ptx::Instruction& source, ir::Instruction instruction) {
  expect_operands(source, 2, 2);
  instruction.src[0] = lower_source(source, source.operands[0], Type::u32);
  const ptx::Operand& table = source.operands[1];
  if (table.kind != ptx::Operand::Kind::name)
    fail(source.line, "expected a list of branch targets");
  const Entity& entity = resolve(source.line, table.name);
  if (entity.kind != Entity::Kind::table) {
    fail(source.line, quoted(table.name) + " is not a list of branch targets");
  }
  for (const std::string_view name : entity.targets->names) {
    ptx::Operand label;
    label.name = name;
    instruction.table.push_back(label_of(source.line, label));
  }
  emit(std::move(instruction));
}

void KernelLowerer::emit_without_operands(const ptx::Instruction& source, Decoded decoded) {
  if (decoded.instruction.op == Op::prefetch) {
    expect_operands(source, 1, 1);
    lower_address(source, source.operands[0], decoded.instruction);
  } else {
    expect_operands(source, decoded.min_sources, decoded.max_sources);
  }
  emit(std::move(decoded.instruction));
}

bool KernelLowerer::lower_vector_mov(const ptx::Instruction& source, ir::Instruction& instruction) {
  if (source.operands.size() != 2) return false;
  const ptx::Operand& to = source.operands[0];
  const ptx::Operand& from = source.operands[1];
  const bool unpack = to.kind == ptx::Operand::Kind::vector;
  const bool pack = from.kind == ptx::Operand::Kind::vector;
  if (unpack == pack) return false;
  const std::vector<ptx::Operand>& elements = unpack ? to.elements : from.elements;
  const unsigned bytes = ir::size_of(instruction.type);
  if ((elements.size() != 2 && elements.size() != 4) || bytes % elements.size() != 0) {
    fail(source.line,
         quoted(source.text) + " cannot take " + std::to_string(elements.size()) + " elements");
  }
  instruction.vector = static_cast<std::uint8_t>(elements.size());
  instruction.op = unpack ? Op::unpack : Op::pack;
  const Type part = ir::bits_type(bytes / instruction.vector);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (unpack) {
      instruction.dst[i] = lower_destination(source, elements[i], part);
    } else {
      instruction.src[i] = lower_source(source, elements[i], part);
    }
  }
  if (unpack) {
    instruction.src[0] = lower_source(source, from, instruction.type);
  } else {
    instruction.dst[0] = lower_destination(source, to, instruction.type);
  }
  emit(std::move(instruction));
  return true;
}

void KernelLowerer::lower_elect(const ptx::Instruction& source, const ir::Instruction& fields) {
  expect_operands(source, 2, 2);
  const ptx::Operand& to = source.operands[0];
  if (to.kind != ptx::Operand::Kind::name || to.second.empty()) fail(source.line, "expected d|p");
  const ir::Operand mask = lower_source(source, source.operands[1], Type::b32);
  ir::RegId leader = lower_destination(source, to, Type::b32);
  if (leader == ir::kNoReg) leader = new_register(source.line, Type::b32, register_name("%elect"));
  ptx::Operand predicate;
  predicate.name = to.second;
  ir::Instruction step = fields;
  step.op = Op::brev;
  step.type = Type::b32;
  step.src[0] = mask;
  step.dst[0] = leader;
  emit(step);
  step.op = Op::clz;
  step.src[0] = register_operand(leader);
  emit(step);
  step.op = Op::setp;
  step.type = Type::u32;
  step.cmp = ir::Cmp::eq;
  step.src[1].kind = ir::Operand::Kind::special;
  step.src[1].special = ir::Special::laneid;
  step.dst[0] = lower_destination(source, predicate, Type::pred);
  emit(step);
}

void KernelLowerer::lower_pair(const ptx::Instruction& source, const ir::Instruction& fields) {
  expect_operands(source, 3, 3);
  ir::Instruction pack = fields;
  pack.op = Op::pack;
  pack.type = Type::b32;
  pack.src_type = Type::none;
  pack.round = ir::Round::none;
  pack.vector = 2;
  for (unsigned half = 2; half-- > 0;) {
    ir::Instruction convert = fields;
    convert.src[0] = lower_source(source, source.operands[2 - half], fields.src_type);
    convert.dst[0] = new_register(source.line, Type::b16, register_name("%half"));
    pack.src[half] = register_operand(convert.dst[0]);
    emit(std::move(convert));
  }
  pack.dst[0] = lower_destination(source, source.operands[0], Type::b32);
  emit(std::move(pack));
}

void KernelLowerer::lower_video(const ptx::Instruction& source, Decoded decoded) {
  ptx::Instruction whole = source;
  ir::Instruction& instruction = decoded.instruction;
  const std::array selectors{&instruction.dsel, &instruction.asel, &instruction.bsel};
  for (std::size_t i = 0; i < std::min(selectors.size(), whole.operands.size()); ++i) {
    *selectors.at(i) = take_selector(whole.operands[i]);
  }
  const bool merges = instruction.dsel != ir::Selector::none;
  const bool second = instruction.atom != ir::AtomOp::none;
  if (merges && second) {
    fail(source.line, quoted(source.text) + " has no selector of its result");
  }
  decoded.min_sources = decoded.max_sources = merges || second ? 3 : 2;
  lower_operands(whole, std::move(decoded));
}

void KernelLowerer::lower_packed(const ptx::Instruction& source, const Decoded& decoded) {
  expect_operands(source, 4, 4);
  Packed packed;
  packed.fields = decoded.instruction;
  packed.op = decoded.packed.op;
  packed.elements = decoded.packed.elements;
  packed.accumulate = decoded.packed.accumulate;
  packed.a = lower_source(source, source.operands[1], decoded.instruction.src_type);
  packed.b = lower_source(source, source.operands[2], decoded.instruction.other_type);
  packed.c = lower_source(source, source.operands[3], decoded.instruction.type);
  packed.d = lower_destination(source, source.operands[0], decoded.instruction.type);
  const auto fresh = [&](Type type) {
    return new_register(source.line, type, register_name("%element"));
  };
  for (ir::Instruction& step : expand_packed(packed, fresh)) emit(std::move(step));
}

void KernelLowerer::emit_guarded_move(const ir::Instruction& fields, ir::RegId to,
                                      const ir::Operand& from) {
  ir::Instruction move;
  move.op = Op::mov;
  move.line = fields.line;
  move.guard = fields.guard;
  move.guard_negated = fields.guard_negated;
  move.type = ir::bits_type(ir::size_of(type_of(to)));
  move.dst[0] = to;
  move.src[0] = from;
  emit(std::move(move));
}

ir::RegId KernelLowerer::in_register(std::uint32_t line, Type type, const ir::Operand& operand) {
  if (operand.kind == ir::Operand::Kind::reg) return operand.reg;
  const ir::RegId reg = new_register(line, type, register_name("%value"));
  emit_move(line, reg, operand);
  return reg;
}

ir::RegId KernelLowerer::wide_address(std::uint32_t line, const ir::Instruction& instruction) {
  const ir::Operand& base = instruction.src[0];
  if (base.kind == ir::Operand::Kind::reg && ir::size_of(type_of(base.reg)) == 8) return base.reg;
  const ir::RegId wide = new_register(line, Type::b64, register_name("%address"));
  if (base.kind != ir::Operand::Kind::reg) {
    emit_move(line, wide, base);
    return wide;
  }
  ir::Instruction extend;
  extend.op = Op::cvt;
  extend.line = line;
  extend.type = Type::u64;
  extend.src_type = Type::u32;
  extend.dst[0] = wide;
  extend.src[0] = base;
  emit(std::move(extend));
  return wide;
}

void KernelLowerer::lower_image(const ptx::Instruction& source, ir::Instruction instruction) {
  const ir::ImageAccess& image = instruction.image;
  const bool writes = instruction.op == Op::sust;
  const bool asks = instruction.op == Op::image_query;
  const std::size_t count = source.operands.size();
  const std::size_t levels = image.mode == ir::TexMode::grad    ? 2
                             : image.mode == ir::TexMode::level ? 1
                                                                : 0;
  expect_operands(source, 2 + levels, 2 + levels);
  const ptx::Operand& target = source.operands[writes ? 0 : 1];
  if (target.kind != ptx::Operand::Kind::address || target.literal.bits != 0 ||
      target.elements.size() != (asks ? 1U : 2U)) {
    const bool sampler = target.elements.size() == 3;
    fail(source.line,
         quoted(source.text) + (sampler ? ": separate samplers are not modelled, a texture object "
                                          "has its own"
                                : asks  ? " takes [handle]"
                                        : " takes [handle, coordinates]"));
  }
  ptx::Operand handle;
  handle.name = target.elements[0].name;
  unsigned next = 0;
  const auto add = [&](const ptx::Operand& operand) {
    instruction.src[next] = lower_source(source, operand, ir::source_type(instruction, next));
    ++next;
  };
  add(handle);
  const auto named = std::find_if(source_.variables.begin(), source_.variables.end(),
                                  [&](const auto& each) { return each.name == handle.name; });
  if (instruction.src[0].kind == ir::Operand::Kind::imm &&
      (named == source_.variables.end() || named->type != "texref")) {
    fail(source.line, quoted(handle.name) +
                          " is no texture reference, and the handle of an object stands in a "
                          "register");
  }
  if (!asks) add_elements(source, target.elements[1], ir::place_operands(image.shape), add);
  for (std::size_t i = 2; i < count; ++i) {
    const unsigned wanted = image.mode == ir::TexMode::grad ? ir::coordinates_of(image.shape) : 1;
    add_elements(source, source.operands[i], wanted, add);
  }
  if (writes) {
    add_elements(source, source.operands[1], instruction.vector, add);
  } else {
    const auto to = fragment_destinations(source, source.operands[0], instruction.vector,
                                          ir::dest_type(instruction, 0));
    std::copy(to.begin(), to.end(), instruction.dst.begin());
  }
  emit(std::move(instruction));
}

void KernelLowerer::lower_operands(const ptx::Instruction& source, Decoded decoded) {
  ir::Instruction& instruction = decoded.instruction;
  std::size_t count = source.operands.size();
  if (decoded.cache_hint && count > 0) --count;
  const std::size_t least = decoded.destinations + decoded.min_sources;
  const std::size_t most = decoded.destinations + decoded.max_sources;
  if (count < least || count > most) expect_operands(source, least, most);
  std::size_t next = 0;
  if (decoded.destinations == 1) lower_destinations(source, source.operands[next++], instruction);

  if (decoded.combines) {
    if ((instruction.bool_op != ir::BoolOp::none) != (count - next == decoded.max_sources)) {
      fail(source.line, quoted(source.text) +
                            " takes a predicate to combine with exactly when "
                            "it has .and, .or or .xor");
    }
  }
  if (instruction.op == Op::bar && instruction.bar >= ir::BarMode::red_popc) {
    lower_reduction(source, instruction, count);
    return;
  }
  const bool memory = is_memory(instruction.op);
  std::uint32_t slot = kNone;
  unsigned index = 0;
  if (memory) {
    slot = lower_address(source, source.operands[next++], instruction);
    index = 1;
  }
  for (; next < count; ++next) {
    const ptx::Operand& operand = source.operands[next];
    if (instruction.op == Op::st) {
      lower_vector_sources(source, operand, instruction);
      continue;
    }
    if (instruction.op == Op::lop3 && next == decoded.destinations + 3) {
      instruction.lut = constant_byte(source, operand);
      continue;
    }
    if (instruction.op == Op::mov && slot_address(source, operand, instruction)) return;
    instruction.src[index] = lower_source(source, operand, ir::source_type(instruction, index));
    ++index;
  }
  if (instruction.carry_in) instruction.src[index] = register_operand(carry(source.line));
  if (instruction.carry_out) instruction.dst[1] = carry(source.line);
  convert_space(instruction);
  emit(std::move(instruction), slot);
}

void KernelLowerer::lower_reduction(const ptx::Instruction& source, ir::Instruction& instruction,
                                    std::size_t count) {
  instruction.src[0] = lower_source(source, source.operands[1], Type::u32);
  if (count == 4) instruction.src[1] = lower_source(source, source.operands[2], Type::u32);
  instruction.src[2] = lower_source(source, source.operands[count - 1], Type::pred);
  emit(std::move(instruction));
}

bool KernelLowerer::slot_address(const ptx::Instruction& source, const ptx::Operand& operand,
                                 ir::Instruction& instruction) {
  if (operand.kind != ptx::Operand::Kind::name) return false;
  const Entity* entity = find(source.line, operand.name);
  if (entity == nullptr || entity->kind != Entity::Kind::slot) return false;
  const auto slot = static_cast<std::uint32_t>(entity->value);
  draft_.slots[slot].address_taken = true;
  instruction.src[0] = immediate(operand.literal.bits);
  emit(std::move(instruction), slot);
  return true;
}

void KernelLowerer::convert_space(ir::Instruction& instruction) {
  if (instruction.space != ir::Space::param || frame().instance == 0) return;
  const bool by_register =
      is_memory(instruction.op) && instruction.src[0].kind == ir::Operand::Kind::reg;
  if (by_register || instruction.op == Op::cvta || instruction.op == Op::isspacep) {
    instruction.space = ir::Space::local;
  }
}

std::uint8_t KernelLowerer::constant_byte(const ptx::Instruction& source,
                                          const ptx::Operand& operand) const {
  if (!is_integer(operand) || operand.literal.bits > 0xff) {
    fail(source.line, "the table of lop3 must be a constant from 0 to 255");
  }
  return static_cast<std::uint8_t>(operand.literal.bits);
}

void KernelLowerer::lower_destinations(const ptx::Instruction& source, const ptx::Operand& operand,
                                       ir::Instruction& instruction) {
  if (operand.kind == ptx::Operand::Kind::vector) {
    if (instruction.op != Op::ld || operand.elements.size() != instruction.vector) {
      fail(source.line, quoted(source.text) + " cannot have " +
                            std::to_string(operand.elements.size()) + " results");
    }
    for (unsigned i = 0; i < instruction.vector; ++i) {
      instruction.dst[i] = lower_destination(source, operand.elements[i], instruction.type);
    }
    return;
  }
  if (instruction.op == Op::ld && instruction.vector != 1) {
    fail(source.line, quoted(source.text) + " takes a vector operand");
  }
  instruction.dst[0] = lower_destination(source, operand, ir::dest_type(instruction, 0));
  if (operand.second.empty()) return;
  const bool pairs = ir::dest_type(instruction, 1) == Type::pred && !instruction.carry_out;
  if (!pairs) fail(source.line, quoted(source.text) + " has one result");
  ptx::Operand second;
  second.name = operand.second;
  instruction.dst[1] = lower_destination(source, second, Type::pred);
}

ir::RegId KernelLowerer::lower_destination(const ptx::Instruction& source,
                                           const ptx::Operand& operand, Type type) {
  if (operand.kind != ptx::Operand::Kind::name || operand.negated || operand.literal.bits != 0) {
    fail(source.line, "the result of " + quoted(source.text) + " must be a register");
  }
  if (operand.name == "_") return ir::kNoReg;
  const ir::RegId reg = register_of(source.line, operand.name);
  check_width(source, operand.name, reg, type, true);
  return reg;
}

void KernelLowerer::check_width(const ptx::Instruction& source, std::string_view name,
                                ir::RegId reg, Type type, bool result) const {
  const Type declared = type_of(reg);
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
    fail(source.line, quoted(name) + " is a ." + ir::to_string(declared) + " register, " +
                          quoted(source.text) + " needs ." + ir::to_string(type));
  }
}

void KernelLowerer::lower_vector_sources(const ptx::Instruction& source,
                                         const ptx::Operand& operand,
                                         ir::Instruction& instruction) {
  if (operand.kind != ptx::Operand::Kind::vector) {
    if (instruction.vector != 1) fail(source.line, quoted(source.text) + " takes a vector operand");
    instruction.src[1] = lower_source(source, operand, instruction.type);
    return;
  }
  if (operand.elements.size() != instruction.vector) {
    fail(source.line, quoted(source.text) + " cannot store " +
                          std::to_string(operand.elements.size()) + " values");
  }
  for (unsigned i = 0; i < instruction.vector; ++i) {
    instruction.src[1 + i] = lower_source(source, operand.elements[i], instruction.type);
  }
}

bool KernelLowerer::is_integer(const ptx::Operand& operand) {
  return operand.kind == ptx::Operand::Kind::literal &&
         operand.literal.kind == ptx::Literal::Kind::integer;
}

ir::Operand KernelLowerer::lower_source(const ptx::Instruction& source, const ptx::Operand& operand,
                                        Type type) {
  if (operand.kind == ptx::Operand::Kind::literal) {
    if (const std::string why = literal_mismatch(operand.literal, type); !why.empty()) {
      fail(source.line, quoted(source.text) + ": " + why);
    }
    return immediate(literal_bits(operand.literal, type));
  }
  if (operand.kind != ptx::Operand::Kind::name || !operand.second.empty()) {
    fail(source.line, "wrong kind of operand for " + quoted(source.text));
  }
  if (const auto value = constant_special(operand.name)) return immediate(*value);
  if (const auto special = special_named(source.line, operand.name)) {
    ir::Operand lowered;
    lowered.kind = ir::Operand::Kind::special;
    lowered.special = *special;
    return lowered;
  }
  const Entity& entity = resolve(source.line, operand.name);
  switch (entity.kind) {
    case Entity::Kind::reg: {
      if (operand.literal.bits != 0) fail(source.line, "a register has no offset here");
      check_width(source, operand.name, entity.reg, type, false);
      if (operand.negated && type != Type::pred)
        fail(source.line, "only predicates can be negated");
      ir::Operand lowered = register_operand(entity.reg);
      lowered.negated = operand.negated;
      return lowered;
    }
    case Entity::Kind::address: {
      ptx::Literal value{ptx::Literal::Kind::integer, entity.value + operand.literal.bits};
      return immediate(literal_bits(value, type));
    }
    default:
      fail(source.line, quoted(operand.name) + " is no operand for " + quoted(source.text));
  }
}

std::uint32_t KernelLowerer::lower_address(const ptx::Instruction& source,
                                           const ptx::Operand& operand,
                                           ir::Instruction& instruction) {
  if (operand.kind != ptx::Operand::Kind::address || operand.elements.size() != 1 ||
      operand.elements[0].kind == ptx::Operand::Kind::vector ||
      operand.elements[0].kind == ptx::Operand::Kind::address ||
      operand.literal.kind != ptx::Literal::Kind::integer) {
    fail(source.line, quoted(source.text) + " takes an address [base+offset]");
  }
  instruction.offset = static_cast<std::int64_t>(operand.literal.bits);
  instruction.src[0] = immediate(0);
  if (operand.name.empty()) return kNone;
  const Entity& entity = resolve(source.line, operand.name);
  switch (entity.kind) {
    case Entity::Kind::reg: {
      const unsigned bytes = ir::size_of(type_of(entity.reg));
      if (bytes != 4 && bytes != 8)
        fail(source.line, quoted(operand.name) + " cannot hold an address");
      instruction.src[0] = register_operand(entity.reg);
      return kNone;
    }
    case Entity::Kind::address:
      // A variable named in a generic access says which space it is in.
      if (instruction.space == ir::Space::generic) instruction.space = entity.space;
      if (instruction.space != entity.space) {
        fail(source.line, quoted(operand.name) + " is a " + to_string(entity.space) +
                              " variable, " + quoted(source.text) + " accesses " +
                              to_string(instruction.space) + " memory");
      }
      if (entity.space == ir::Space::param)
        check_param_access(source, operand, instruction, entity);
      instruction.offset += static_cast<std::int64_t>(entity.value);
      return kNone;
    case Entity::Kind::slot: {
      const auto slot = static_cast<std::uint32_t>(entity.value);
      if (instruction.space != ir::Space::param) {
        fail(source.line, quoted(operand.name) + " is a .param variable");
      }
      check_extent(source, operand, instruction, draft_.slots[slot].bytes);
      return slot;
    }
    default:
      fail(source.line, quoted(operand.name) + " is not an address");
  }
}

void KernelLowerer::check_param_access(const ptx::Instruction& source, const ptx::Operand& operand,
                                       const ir::Instruction& instruction,
                                       const Entity& entity) const {
  for (const ir::Param& param : draft_.kernel.params) {
    if (param.offset == entity.value && param.bytes != 0) {
      check_extent(source, operand, instruction, param.bytes);
    }
  }
}

void KernelLowerer::check_extent(const ptx::Instruction& source, const ptx::Operand& operand,
                                 const ir::Instruction& instruction, std::uint64_t limit) const {
  const std::uint64_t bytes = std::uint64_t{instruction.vector} * ir::size_of(instruction.type);
  const std::uint64_t offset = operand.literal.bits;
  if (offset > limit || bytes > limit - offset) {
    fail(source.line, quoted(source.text) + " accesses beyond the end of " + quoted(operand.name));
  }
}

void KernelLowerer::emit_move(std::uint32_t line, ir::RegId to, const ir::Operand& from) {
  ir::Instruction move;
  move.op = Op::mov;
  move.line = line;
  move.type = type_of(to) == Type::pred ? Type::pred : ir::bits_type(ir::size_of(type_of(to)));
  move.dst[0] = to;
  move.src[0] = from;
  emit(std::move(move));
}

}  // namespace paws::frontend::lowering
