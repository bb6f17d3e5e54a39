// SPDX-License-Identifier: MIT
#include "sim/sass/operands.h"

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "sim/sass/matrix_opcodes.h"

namespace paws::sass {
namespace {

using File = MachineRegister::File;
using ir::Op;
using ir::Type;

constexpr unsigned kRegisterBytes = 4;

bool is_data(MachineRegister reg) { return reg.file == File::general || reg.file == File::uniform; }

MachineRegister neighbour(MachineRegister reg, int distance) {
  return {reg.file, reg.number + static_cast<std::uint32_t>(distance)};
}

bool is_64_bits(std::string_view type) { return type == "F64" || type == "S64" || type == "U64"; }

/// Registers of the result and of the operand of a conversion. Its modifiers name the types, the
/// result's first; one alone is the operand's where the opcode itself says float or integer of 32
/// bits for the result.
std::pair<unsigned, unsigned> conversion_registers(const Opcode& opcode) {
  std::vector<std::string_view> types;
  for (const std::string_view word : opcode.words()) {
    const bool type =
        word.size() >= 2 && std::string_view("FSU").find(word[0]) != std::string_view::npos &&
        std::all_of(word.begin() + 1, word.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (type) types.push_back(word);
  }
  if (types.empty()) return {1, 1};
  const auto count = [](std::string_view type) { return is_64_bits(type) ? 2U : 1U; };
  if (types.size() > 1) return {count(types[0]), count(types[1])};
  if (opcode.base() == "FRND") return {count(types[0]), count(types[0])};
  const bool of_result = opcode.base() == "I2F" && types[0].front() == 'F';
  return of_result ? std::pair{count(types[0]), 1U} : std::pair{1U, count(types[0])};
}

/// How many registers each operand has.
struct Counts {
  unsigned destination = 1;
  unsigned first_source = 1;   ///< of a memory access with several sources: the address
  unsigned other_sources = 1;  ///< of a memory access: the data
  unsigned third_source = 0;   ///< where it differs from others; 0: it does not
};

Counts counts_of(const Opcode& opcode, const ir::Instruction& operation) {
  const bool twice = operation.type == Type::f64;
  Counts counts;
  switch (operation.op) {
    case Op::ld:
    case Op::st:
    case Op::atom:
    case Op::red: {
      const unsigned data = std::max(1U, ir::size_of(operation.type) / kRegisterBytes);
      const unsigned address = opcode.has("E") ? 2 : 1;
      return {data, address, operation.op == Op::ld ? 1 : data};
    }
    case Op::ldmatrix:
    case Op::stmatrix:
      return {operation.vector, 1, operation.vector};
    case Op::copy_async:
      // The address in shared memory stands before that in global memory.
      return {1, 1, opcode.has("E") ? 2U : 1U};
    case Op::mma: {
      const ProductRegisters product = registers_of_product(operation);
      return {product.c, product.a, product.b, product.c};
    }
    case Op::cvt: {
      const auto [result, operand] = conversion_registers(opcode);
      return {result, operand, operand};
    }
    case Op::set:
      if (operation.src_type == Type::f64) return {1, 2, 2};
      return counts;
    case Op::mad:
    case Op::mov:
      // The product and what is added to it have 64 bits. Only with three registers is it known
      // which of them that is.
      if (opcode.has("WIDE")) counts.destination = counts.third_source = 2;
      if (opcode.base() == "CS2R" && !opcode.has("32")) counts.destination = 2;
      break;
    default:
      break;
  }
  if (twice || ir::size_of(operation.type) == 8) return {2, 2, 2};
  return counts;
}

/// Appends `reg` and those behind it, unless the trace names these itself.
void append(MachineRegister reg, unsigned count, const std::vector<MachineRegister>& listed,
            std::vector<OperandRegister>& to) {
  if (is_constant(reg)) return;
  to.push_back({reg, false});
  if (!is_data(reg)) return;
  for (unsigned i = 1; i < count; ++i) {
    const MachineRegister next = neighbour(reg, static_cast<int>(i));
    if (next.number == kRz) {
      throw std::invalid_argument("an operand of " + std::to_string(count) +
                                  " registers begins at " + name_of(reg));
    }
    if (std::find(listed.begin(), listed.end(), next) == listed.end()) to.push_back({next, true});
  }
}

}  // namespace

std::string name_of(MachineRegister reg) {
  static constexpr std::array kFiles{"R", "UR", "P", "UP"};
  return std::string(kFiles.at(static_cast<std::size_t>(reg.file))) + std::to_string(reg.number);
}

bool is_constant(MachineRegister reg) {
  switch (reg.file) {
    case File::general:
      return reg.number == kRz;
    case File::uniform:
      return reg.number == kUrz || reg.number == kRz;
    default:
      return reg.number == kPt;
  }
}

OperandRegisters registers_of(const Definition& definition, const Opcode& opcode,
                              const ir::Instruction& operation, bool whole) {
  const Counts counts = whole ? Counts{} : counts_of(opcode, operation);
  OperandRegisters result;
  for (const MachineRegister reg : definition.destinations) {
    append(reg, counts.destination, definition.destinations, result.destinations);
  }
  // A store at a constant address names its data alone.
  const bool stores = operation.op == Op::st || operation.op == Op::red ||
                      operation.op == Op::atom || operation.op == Op::stmatrix;
  const bool addressed = !stores || definition.sources.size() > 1;
  for (std::size_t i = 0; i < definition.sources.size(); ++i) {
    unsigned count = i == 0 && addressed ? counts.first_source : counts.other_sources;
    if (i == 2 && counts.third_source != 0) count = counts.third_source;
    append(definition.sources[i], count, definition.sources, result.sources);
  }
  return result;
}

RegisterTable::RegisterTable(const std::vector<OperandRegisters>& all) {
  std::set<MachineRegister> used;
  const auto look_at = [&](const std::vector<OperandRegister>& list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      const MachineRegister reg = list[i].reg;
      used.insert(reg);
      if (!is_data(reg)) continue;
      const bool even = reg.number % 2 == 0;
      const bool together = even ? i + 1 < list.size() && list[i + 1].reg == neighbour(reg, 1)
                                 : i > 0 && list[i - 1].reg == neighbour(reg, -1);
      const auto [pair, added] = pairs_.try_emplace(even ? reg : neighbour(reg, -1), together);
      pair->second = pair->second && together;
    }
  };
  for (const OperandRegisters& one : all) {
    look_at(one.destinations);
    look_at(one.sources);
  }
  for (const MachineRegister reg : used) {
    if (is_data(reg) && reg.number % 2 != 0 && is_pair(neighbour(reg, -1))) continue;
    if (registers_.size() >= ir::kNoReg) {
      throw std::invalid_argument("more registers than a kernel can have");
    }
    ids_.emplace(reg, static_cast<ir::RegId>(registers_.size()));
    ir::Register& added = registers_.emplace_back();
    added.name = name_of(reg);
    added.type = Type::pred;  // takes no machine register of its own, so nor does a uniform one
    if (reg.file != File::general) continue;
    added.type = is_pair(reg) ? Type::b64 : Type::b32;
    added.machine = static_cast<std::uint16_t>(reg.number % kRegisterNumbers);
  }
}

bool RegisterTable::is_pair(MachineRegister first) const {
  const auto found = pairs_.find(first);
  return is_data(first) && found != pairs_.end() && found->second;
}

std::vector<RegisterTable::Named> RegisterTable::named(
    const std::vector<OperandRegister>& list) const {
  std::vector<Named> result;
  for (const OperandRegister& one : list) {
    const bool second = is_data(one.reg) && one.reg.number % 2 != 0;
    if (second && is_pair(neighbour(one.reg, -1))) continue;  // the first stands for both
    result.push_back({ids_.at(one.reg), one.implied, second});
  }
  return result;
}

void RegisterTable::leave_out(std::vector<Named>& list, unsigned most, const char* what) {
  while (list.size() > most) {
    auto out = std::find_if(list.rbegin(), list.rend(),
                            [](const Named& one) { return one.implied && one.odd; });
    if (out == list.rend()) {
      out = std::find_if(list.rbegin(), list.rend(), [](const Named& one) { return one.implied; });
    }
    if (out == list.rend()) {
      throw std::invalid_argument(std::to_string(list.size()) + " " + what +
                                  "; an instruction has " + std::to_string(most) + " at most");
    }
    list.erase(std::next(out).base());
  }
}

void RegisterTable::assign(const OperandRegisters& registers, ir::Instruction& instruction) const {
  std::vector<Named> destinations = named(registers.destinations);
  leave_out(destinations, ir::kMaxDst, "destinations");
  for (std::size_t i = 0; i < destinations.size(); ++i) instruction.dst[i] = destinations[i].id;
  std::vector<Named> sources = named(registers.sources);
  // Guards wait as other operands do. The first predicate goes where they stand.
  const auto predicate = std::find_if(sources.begin(), sources.end(), [&](const Named& one) {
    return registers_[one.id].type == Type::pred;
  });
  if (predicate != sources.end()) {
    instruction.guard = predicate->id;
    sources.erase(predicate);
  }
  leave_out(sources, ir::kMaxSrc, "sources");
  for (std::size_t i = 0; i < sources.size(); ++i) {
    instruction.src[i].kind = ir::Operand::Kind::reg;
    instruction.src[i].reg = sources[i].id;
  }
}

}  // namespace paws::sass
