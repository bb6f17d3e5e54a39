// SPDX-License-Identifier: MIT
#include "sim/frontend/call_params.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "sim/frontend/symbols.h"
#include "sim/ir/operand_types.h"
#include "sim/ir/operands.h"
#include "sim/support/error.h"

namespace paws::frontend {
namespace {

using ir::Op;
using ir::Type;

/// A value in a slot: offset to size, and the register that holds it.
struct Cell {
  unsigned bytes = 0;
  ir::RegId reg = ir::kNoReg;
};

struct Placement {
  std::map<std::uint64_t, Cell> cells;  // by offset
  bool in_registers = true;
  ir::RegId base = ir::kNoReg;  // in local memory: of a frame, else of all
  std::uint64_t offset = 0;     // from there
};

class Placer {
 public:
  explicit Placer(Draft& draft) : draft_(draft), placements_(draft.slots.size()) {}

  void run() {
    survey();
    for (std::size_t i = 0; i < placements_.size(); ++i) place(placements_[i], draft_.slots[i]);
    std::vector<DraftItem> items;
    items.reserve(draft_.items.size());
    for (DraftItem& item : draft_.items) {
      if (item.slot == kNone) {
        items.push_back(std::move(item));
      } else {
        rewrite(item.instruction, placements_[item.slot], items);
      }
    }
    draft_.items = std::move(items);
    draft_.slots.clear();
  }

 private:
  /// Cells of every slot; a slot whose accesses overlap in part cannot be kept in registers.
  void survey() {
    for (std::size_t i = 0; i < placements_.size(); ++i) {
      const ParamSlot& slot = draft_.slots[i];
      if (slot.address_taken || slot.base != ir::kNoReg) placements_[i].in_registers = false;
    }
    for (const DraftItem& item : draft_.items) {
      if (item.slot == kNone || item.instruction.op == Op::mov) continue;
      const unsigned bytes = ir::size_of(item.instruction.type);
      for (unsigned e = 0; e < item.instruction.vector; ++e) {
        add_cell(placements_[item.slot],
                 static_cast<std::uint64_t>(item.instruction.offset) + std::uint64_t{e} * bytes,
                 bytes);
      }
    }
  }

  static void add_cell(Placement& placement, std::uint64_t offset, unsigned bytes) {
    const auto [hit, fresh] = placement.cells.try_emplace(offset, Cell{bytes, ir::kNoReg});
    bool agrees = fresh || hit->second.bytes == bytes;
    if (hit != placement.cells.begin()) {
      const auto before = std::prev(hit);
      agrees = agrees && before->first + before->second.bytes <= offset;
    }
    if (const auto after = std::next(hit); after != placement.cells.end()) {
      agrees = agrees && offset + bytes <= after->first;
    }
    placement.in_registers = placement.in_registers && agrees;
  }

  void place(Placement& placement, const ParamSlot& slot) {
    if (placement.in_registers) {
      for (auto& [offset, cell] : placement.cells) {
        cell.reg = new_register(ir::bits_type(std::max(cell.bytes, 2u)));
      }
      return;
    }
    if (slot.base != ir::kNoReg) {
      placement.base = slot.base;
      placement.offset = slot.offset;
      return;
    }
    if (slot.called != kNone) {
      CalledFunction& function = draft_.stack.functions[slot.called];
      placement.base = function.frame;
      placement.offset = align_up(function.bytes, slot.align);
      function.bytes = placement.offset + slot.bytes;
      return;
    }
    ir::Kernel& kernel = draft_.kernel;
    placement.offset = align_up(kernel.local_bytes, slot.align);
    kernel.local_bytes = static_cast<std::uint32_t>(placement.offset + slot.bytes);
  }

  ir::RegId new_register(Type type) {
    std::vector<ir::Register>& registers = draft_.kernel.registers;
    if (registers.size() >= ir::kNoReg) {
      throw InputError(draft_.kernel.file, "kernel '" + draft_.kernel.name +
                                               "' uses too many registers after inlining");
    }
    registers.push_back({type, "%param" + std::to_string(registers.size())});
    return static_cast<ir::RegId>(registers.size() - 1);
  }

  void rewrite(const ir::Instruction& access, const Placement& placement,
               std::vector<DraftItem>& items) {
    if (!placement.in_registers) {
      ir::Instruction local = access;
      const bool in_frame = placement.base != ir::kNoReg;
      if (access.op == Op::mov) {
        local.src[0].imm += placement.offset;
        if (in_frame) {
          local.op = Op::add;
          local.type = Type::u64;
          local.src[1] = std::exchange(local.src[0], ir::register_operand(placement.base));
        }
      } else {
        local.space = ir::Space::local;
        local.offset += static_cast<std::int64_t>(placement.offset);
        if (in_frame) local.src[0] = ir::register_operand(placement.base);
      }
      items.push_back({std::move(local), kNone, kNone});
      return;
    }
    const unsigned bytes = ir::size_of(access.type);
    for (unsigned e = 0; e < access.vector; ++e) {
      const std::uint64_t offset =
          static_cast<std::uint64_t>(access.offset) + std::uint64_t{e} * bytes;
      const ir::RegId cell = placement.cells.at(offset).reg;
      ir::Instruction move;
      move.line = access.line;
      move.guard = access.guard;
      move.guard_negated = access.guard_negated;
      if (access.op == Op::ld) {
        if (access.dst[e] == ir::kNoReg) continue;
        move.dst[0] = access.dst[e];
        move.src[0].kind = ir::Operand::Kind::reg;
        move.src[0].reg = cell;
        convert(move, type_of(access.dst[e]), access.type);
      } else {
        move.dst[0] = cell;
        move.src[0] = access.src[1 + e];
        const bool is_register = move.src[0].kind == ir::Operand::Kind::reg;
        const Type from = is_register ? type_of(move.src[0].reg) : type_of(cell);
        convert(move, type_of(cell),
                ir::size_of(from) == ir::size_of(type_of(cell)) ? from : access.type);
      }
      items.push_back({std::move(move), kNone, kNone});
    }
  }

  /// A plain move between registers of one size, else the extension or cut that the memory access
  /// would have done.
  static void convert(ir::Instruction& move, Type to, Type from) {
    if (ir::size_of(to) == ir::size_of(from)) {
      move.op = Op::mov;
      move.type = ir::bits_type(ir::size_of(to));
      return;
    }
    move.op = Op::cvt;
    const bool is_signed = ir::is_signed(from);
    move.src_type = integer(ir::size_of(from), is_signed);
    move.type = integer(ir::size_of(to), is_signed);
  }

  static Type integer(unsigned bytes, bool is_signed) {
    switch (bytes) {
      case 1:
        return is_signed ? Type::s8 : Type::u8;
      case 2:
        return is_signed ? Type::s16 : Type::u16;
      case 4:
        return is_signed ? Type::s32 : Type::u32;
      default:
        return is_signed ? Type::s64 : Type::u64;
    }
  }

  Type type_of(ir::RegId reg) const { return draft_.kernel.registers[reg].type; }

  Draft& draft_;
  std::vector<Placement> placements_;
};

}  // namespace

void place_call_params(Draft& draft) { Placer(draft).run(); }

}  // namespace paws::frontend
