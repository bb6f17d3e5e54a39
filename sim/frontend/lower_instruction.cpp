// SPDX-License-Identifier: MIT
// Instructions whose operands are registers, constants and addresses, and those on images.
#include "sim/frontend/lower_instruction.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/frontend/packed.h"
#include "sim/ir/operand_types.h"

namespace paws::frontend::lowering {

namespace {

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

void InstructionLowerer::lower(const ptx::Instruction& source, Decoded decoded) {
  ir::Instruction& instruction = decoded.instruction;
  if (ir::facts(instruction.op).sources == ir::Sources::mixed) {
    lower_video(source, std::move(decoded));
    return;
  }
  switch (instruction.op) {
    case Op::bra:
      operands_.expect(source, 1, 1);
      instruction.target = names_.label_of(source.line, source.operands[0]);
      draft_.emit(std::move(instruction));
      return;
    case Op::brx:
      lower_brx(source, std::move(instruction));
      return;
    case Op::mov:
      if (lower_vector_mov(source, instruction)) return;
      break;
    case Op::exit:
    case Op::trap:
    case Op::nop:
    case Op::prefetch:
      emit_without_operands(source, std::move(decoded));
      return;
    default:
      break;
  }
  lower_operands(source, std::move(decoded));
}

void InstructionLowerer::lower_policy(const ptx::Instruction& source, ir::Instruction instruction) {
  if (source.operands.empty()) operands_.expect(source, 1, 4);
  instruction.dst[0] = operands_.lower_destination(source, source.operands[0], Type::b64);
  instruction.src[0] = immediate(0);
  draft_.emit(std::move(instruction));
}

void InstructionLowerer::lower_brx(const ptx::Instruction& source, ir::Instruction instruction) {
  operands_.expect(source, 2, 2);
  instruction.src[0] = operands_.lower_source(source, source.operands[0], Type::u32);
  const ptx::Operand& table = source.operands[1];
  if (table.kind != ptx::Operand::Kind::name)
    draft_.fail(source.line, "expected a list of branch targets");
  const Entity entity = names_.resolve(source.line, table.name);
  if (entity.kind != Entity::Kind::table) {
    draft_.fail(source.line, quote(table.name) + " is not a list of branch targets");
  }
  for (const std::string_view name : entity.targets->names) {
    ptx::Operand label;
    label.name = name;
    instruction.table.push_back(names_.label_of(source.line, label));
  }
  draft_.emit(std::move(instruction));
}

void InstructionLowerer::emit_without_operands(const ptx::Instruction& source, Decoded decoded) {
  if (decoded.instruction.op == Op::prefetch) {
    operands_.expect(source, 1, 1);
    operands_.lower_address(source, source.operands[0], decoded.instruction);
  } else {
    operands_.expect(source, decoded.min_sources, decoded.max_sources);
  }
  draft_.emit(std::move(decoded.instruction));
}

bool InstructionLowerer::lower_vector_mov(const ptx::Instruction& source,
                                          ir::Instruction& instruction) {
  if (source.operands.size() != 2) return false;
  const ptx::Operand& to = source.operands[0];
  const ptx::Operand& from = source.operands[1];
  const bool unpack = to.kind == ptx::Operand::Kind::vector;
  const bool pack = from.kind == ptx::Operand::Kind::vector;
  if (unpack == pack) return false;
  const std::vector<ptx::Operand>& elements = unpack ? to.elements : from.elements;
  const unsigned bytes = ir::size_of(instruction.type);
  if ((elements.size() != 2 && elements.size() != 4) || bytes % elements.size() != 0) {
    draft_.fail(source.line, quote(source.text) + " cannot take " +
                                 std::to_string(elements.size()) + " elements");
  }
  instruction.vector = static_cast<std::uint8_t>(elements.size());
  instruction.op = unpack ? Op::unpack : Op::pack;
  const Type part = ir::bits_type(bytes / instruction.vector);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (unpack) {
      instruction.dst[i] = operands_.lower_destination(source, elements[i], part);
    } else {
      instruction.src[i] = operands_.lower_source(source, elements[i], part);
    }
  }
  if (unpack) {
    instruction.src[0] = operands_.lower_source(source, from, instruction.type);
  } else {
    instruction.dst[0] = operands_.lower_destination(source, to, instruction.type);
  }
  draft_.emit(std::move(instruction));
  return true;
}

void InstructionLowerer::lower_elect(const ptx::Instruction& source,
                                     const ir::Instruction& fields) {
  operands_.expect(source, 2, 2);
  const ptx::Operand& to = source.operands[0];
  if (to.kind != ptx::Operand::Kind::name || to.second.empty())
    draft_.fail(source.line, "expected d|p");
  const ir::Operand mask = operands_.lower_source(source, source.operands[1], Type::b32);
  ir::RegId leader = operands_.lower_destination(source, to, Type::b32);
  if (leader == ir::kNoReg) leader = names_.new_register(source.line, Type::b32, "%elect");
  ptx::Operand predicate;
  predicate.name = to.second;
  ir::Instruction step = fields;
  step.op = Op::brev;
  step.type = Type::b32;
  step.src[0] = mask;
  step.dst[0] = leader;
  draft_.emit(step);
  step.op = Op::clz;
  step.src[0] = register_operand(leader);
  draft_.emit(step);
  step.op = Op::setp;
  step.type = Type::u32;
  step.cmp = ir::Cmp::eq;
  step.src[1].kind = ir::Operand::Kind::special;
  step.src[1].special = ir::Special::laneid;
  step.dst[0] = operands_.lower_destination(source, predicate, Type::pred);
  draft_.emit(step);
}

void InstructionLowerer::lower_pair(const ptx::Instruction& source, const ir::Instruction& fields) {
  operands_.expect(source, 3, 3);
  ir::Instruction pack = fields;
  pack.op = Op::pack;
  pack.type = Type::b32;
  pack.src_type = Type::none;
  pack.round = ir::Round::none;
  pack.vector = 2;
  for (unsigned half = 2; half-- > 0;) {
    ir::Instruction convert = fields;
    convert.src[0] = operands_.lower_source(source, source.operands[2 - half], fields.src_type);
    convert.dst[0] = names_.new_register(source.line, Type::b16, "%half");
    pack.src[half] = register_operand(convert.dst[0]);
    draft_.emit(std::move(convert));
  }
  pack.dst[0] = operands_.lower_destination(source, source.operands[0], Type::b32);
  draft_.emit(std::move(pack));
}

void InstructionLowerer::lower_video(const ptx::Instruction& source, Decoded decoded) {
  ptx::Instruction whole = source;
  ir::Instruction& instruction = decoded.instruction;
  const std::array selectors{&instruction.dsel, &instruction.asel, &instruction.bsel};
  for (std::size_t i = 0; i < std::min(selectors.size(), whole.operands.size()); ++i) {
    *selectors.at(i) = take_selector(whole.operands[i]);
  }
  const bool merges = instruction.dsel != ir::Selector::none;
  const bool second = instruction.atom != ir::AtomOp::none;
  if (merges && second) {
    draft_.fail(source.line, quote(source.text) + " has no selector of its result");
  }
  decoded.min_sources = decoded.max_sources = merges || second ? 3 : 2;
  lower_operands(whole, std::move(decoded));
}

void InstructionLowerer::lower_packed(const ptx::Instruction& source, const Decoded& decoded) {
  operands_.expect(source, 4, 4);
  Packed packed;
  packed.fields = decoded.instruction;
  packed.op = decoded.packed.op;
  packed.elements = decoded.packed.elements;
  packed.accumulate = decoded.packed.accumulate;
  packed.a = operands_.lower_source(source, source.operands[1], decoded.instruction.src_type);
  packed.b = operands_.lower_source(source, source.operands[2], decoded.instruction.other_type);
  packed.c = operands_.lower_source(source, source.operands[3], decoded.instruction.type);
  packed.d = operands_.lower_destination(source, source.operands[0], decoded.instruction.type);
  const auto fresh = [&](Type type) { return names_.new_register(source.line, type, "%element"); };
  for (ir::Instruction& step : expand_packed(packed, fresh)) draft_.emit(std::move(step));
}

void InstructionLowerer::lower_operands(const ptx::Instruction& source, Decoded decoded) {
  ir::Instruction& instruction = decoded.instruction;
  std::size_t count = source.operands.size();
  if (decoded.cache_hint && count > 0) --count;
  const std::size_t least = decoded.destinations + decoded.min_sources;
  const std::size_t most = decoded.destinations + decoded.max_sources;
  if (count < least || count > most) operands_.expect(source, least, most);
  std::size_t next = 0;
  if (decoded.destinations == 1) lower_results(source, source.operands[next++], instruction);

  if (decoded.combines) {
    if ((instruction.bool_op != ir::BoolOp::none) != (count - next == decoded.max_sources)) {
      draft_.fail(source.line, quote(source.text) +
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
    slot = operands_.lower_address(source, source.operands[next++], instruction);
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
    instruction.src[index] =
        operands_.lower_source(source, operand, ir::source_type(instruction, index));
    ++index;
  }
  if (instruction.carry_in) instruction.src[index] = register_operand(names_.carry(source.line));
  if (instruction.carry_out) instruction.dst[1] = names_.carry(source.line);
  convert_space(instruction);
  draft_.emit(std::move(instruction), slot);
}

void InstructionLowerer::lower_reduction(const ptx::Instruction& source,
                                         ir::Instruction& instruction, std::size_t count) {
  instruction.src[0] = operands_.lower_source(source, source.operands[1], Type::u32);
  if (count == 4)
    instruction.src[1] = operands_.lower_source(source, source.operands[2], Type::u32);
  instruction.src[2] = operands_.lower_source(source, source.operands[count - 1], Type::pred);
  draft_.emit(std::move(instruction));
}

bool InstructionLowerer::slot_address(const ptx::Instruction& source, const ptx::Operand& operand,
                                      ir::Instruction& instruction) {
  const std::optional<std::uint32_t> slot = names_.find_slot(source.line, operand);
  if (!slot) return false;
  draft_.slot(*slot).address_taken = true;
  instruction.src[0] = immediate(operand.literal.bits);
  draft_.emit(std::move(instruction), *slot);
  return true;
}

void InstructionLowerer::convert_space(ir::Instruction& instruction) {
  if (instruction.space != ir::Space::param || names_.activation().instance == 0) return;
  const bool by_register =
      is_memory(instruction.op) && instruction.src[0].kind == ir::Operand::Kind::reg;
  if (by_register || instruction.op == Op::cvta || instruction.op == Op::isspacep) {
    instruction.space = ir::Space::local;
  }
}

std::uint8_t InstructionLowerer::constant_byte(const ptx::Instruction& source,
                                               const ptx::Operand& operand) const {
  if (!is_integer(operand) || operand.literal.bits > 0xff) {
    draft_.fail(source.line, "the table of lop3 must be a constant from 0 to 255");
  }
  return static_cast<std::uint8_t>(operand.literal.bits);
}

void InstructionLowerer::lower_results(const ptx::Instruction& source, const ptx::Operand& operand,
                                       ir::Instruction& instruction) {
  if (operand.kind == ptx::Operand::Kind::vector) {
    if (instruction.op != Op::ld || operand.elements.size() != instruction.vector) {
      draft_.fail(source.line, quote(source.text) + " cannot have " +
                                   std::to_string(operand.elements.size()) + " results");
    }
    for (unsigned i = 0; i < instruction.vector; ++i) {
      instruction.dst[i] =
          operands_.lower_destination(source, operand.elements[i], instruction.type);
    }
    return;
  }
  if (instruction.op == Op::ld && instruction.vector != 1) {
    draft_.fail(source.line, quote(source.text) + " takes a vector operand");
  }
  instruction.dst[0] = operands_.lower_destination(source, operand, ir::dest_type(instruction, 0));
  if (operand.second.empty()) return;
  const bool pairs = ir::dest_type(instruction, 1) == Type::pred && !instruction.carry_out;
  if (!pairs) draft_.fail(source.line, quote(source.text) + " has one result");
  ptx::Operand second;
  second.name = operand.second;
  instruction.dst[1] = operands_.lower_destination(source, second, Type::pred);
}

void InstructionLowerer::lower_vector_sources(const ptx::Instruction& source,
                                              const ptx::Operand& operand,
                                              ir::Instruction& instruction) {
  if (operand.kind != ptx::Operand::Kind::vector) {
    if (instruction.vector != 1)
      draft_.fail(source.line, quote(source.text) + " takes a vector operand");
    instruction.src[1] = operands_.lower_source(source, operand, instruction.type);
    return;
  }
  if (operand.elements.size() != instruction.vector) {
    draft_.fail(source.line, quote(source.text) + " cannot store " +
                                 std::to_string(operand.elements.size()) + " values");
  }
  for (unsigned i = 0; i < instruction.vector; ++i) {
    instruction.src[1 + i] = operands_.lower_source(source, operand.elements[i], instruction.type);
  }
}

void ImageLowerer::lower(const ptx::Instruction& source, ir::Instruction instruction) {
  const ir::ImageAccess& image = instruction.image;
  const bool writes = instruction.op == Op::sust;
  const bool asks = instruction.op == Op::image_query;
  const std::size_t count = source.operands.size();
  const std::size_t levels = image.mode == ir::TexMode::grad    ? 2
                             : image.mode == ir::TexMode::level ? 1
                                                                : 0;
  operands_.expect(source, 2 + levels, 2 + levels);
  const ptx::Operand& target = source.operands[writes ? 0 : 1];
  if (target.kind != ptx::Operand::Kind::address || target.literal.bits != 0 ||
      target.elements.size() != (asks ? 1U : 2U) ||
      target.elements[0].kind != ptx::Operand::Kind::name) {
    const bool sampler = target.elements.size() == 3;
    draft_.fail(
        source.line,
        quote(source.text) + (sampler ? ": separate samplers are not modelled, a texture object "
                                        "has its own"
                              : asks  ? " takes [handle]"
                                      : " takes [handle, coordinates]"));
  }
  ptx::Operand handle;
  handle.name = target.elements[0].name;
  unsigned next = 0;
  const auto add = [&](const ptx::Operand& operand) {
    instruction.src[next] =
        operands_.lower_source(source, operand, ir::source_type(instruction, next));
    ++next;
  };
  add(handle);
  const auto named = std::find_if(source_.variables.begin(), source_.variables.end(),
                                  [&](const auto& each) { return each.name == handle.name; });
  if (instruction.src[0].kind == ir::Operand::Kind::imm &&
      (named == source_.variables.end() || named->type != "texref")) {
    draft_.fail(source.line,
                quote(handle.name) +
                    " is no texture reference, and the handle of an object stands in a "
                    "register");
  }
  // Vectors may be filled up to four.
  const auto add_elements = [&](const ptx::Operand& operand, unsigned wanted) {
    const bool filled =
        wanted == 3 && operand.kind == ptx::Operand::Kind::vector && operand.elements.size() == 4;
    const auto elements = operands_.elements_of(source, operand, filled ? 4 : wanted);
    for (unsigned i = 0; i < wanted; ++i) add(elements[i]);
  };
  if (!asks) add_elements(target.elements[1], ir::place_operands(image.shape));
  for (std::size_t i = 2; i < count; ++i) {
    const unsigned wanted = image.mode == ir::TexMode::grad ? ir::coordinates_of(image.shape) : 1;
    add_elements(source.operands[i], wanted);
  }
  if (writes) {
    add_elements(source.operands[1], instruction.vector);
  } else {
    const auto to = operands_.lower_destinations(source, source.operands[0], instruction.vector,
                                                 ir::dest_type(instruction, 0));
    std::copy(to.begin(), to.end(), instruction.dst.begin());
  }
  draft_.emit(std::move(instruction));
}

}  // namespace paws::frontend::lowering
