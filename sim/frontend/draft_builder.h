// SPDX-License-Identifier: MIT
// Writes the draft of a kernel: instructions, labels, registers and room in local memory.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/frontend/draft.h"
#include "sim/frontend/symbols.h"
#include "sim/ir/operand_types.h"
#include "sim/ir/operands.h"
#include "sim/ptx/ast.h"
#include "sim/support/error.h"

namespace paws::frontend::lowering {

using ir::immediate;
using ir::Op;
using ir::register_operand;
using ir::Type;

inline std::string quote(std::string_view name) { return fmt::format("'{}'", name); }

/// An instruction without operands and guard.
inline ir::Instruction start(Op op, Type type, std::uint32_t line) {
  ir::Instruction instruction;
  instruction.op = op;
  instruction.type = type;
  instruction.line = line;
  return instruction;
}

class DraftBuilder {
 public:
  /// A draft without instructions, of the kernel `entry` of the file.
  DraftBuilder(const ptx::Module& source, const ptx::Function& entry) {
    ir::Kernel& kernel = draft_.kernel;
    kernel.name = std::string(entry.name);
    kernel.file = source.file;
    kernel.source_lines = source.source_lines;
    kernel.line = entry.line;
    kernel.required_block = entry.required_block;
    kernel.max_threads = entry.max_block[0] * entry.max_block[1] * entry.max_block[2];
    draft_.max_registers = entry.max_registers;
    draft_.min_blocks = entry.min_blocks;
  }

  [[noreturn]] void fail(std::uint32_t line, const std::string& cause) const {
    throw InputError(draft_.kernel.file, line, cause);
  }

  /// `slot`: see DraftItem.
  void emit(ir::Instruction instruction, std::uint32_t slot = kNone) {
    if (draft_.items.size() >= kMaxInstructions) {
      fail(draft_.kernel.line, "kernel " + quote(draft_.kernel.name) + " has more than " +
                                   std::to_string(kMaxInstructions) +
                                   " instructions after inlining");
    }
    draft_.items.emplace_back(DraftItem{std::move(instruction), kNone, slot});
  }

  void emit_move(std::uint32_t line, ir::RegId to, const ir::Operand& from) {
    ir::Instruction fields;
    fields.line = line;
    emit_guarded_move(fields, to, from);
  }

  /// Under the guard that `fields` has.
  void emit_guarded_move(const ir::Instruction& fields, ir::RegId to, const ir::Operand& from) {
    const Type type = type_of(to);
    ir::Instruction move =
        start(Op::mov, type == Type::pred ? type : ir::bits_type(ir::size_of(type)), fields.line);
    move.guard = fields.guard;
    move.guard_negated = fields.guard_negated;
    move.dst[0] = to;
    move.src[0] = from;
    emit(std::move(move));
  }

  /// A branch over what follows of a guarded call; returns the label where it ends, to be placed.
  std::uint32_t skip_where_guarded(const ir::Instruction& call) {
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

  std::uint32_t new_label() { return draft_.labels++; }
  void place_label(std::uint32_t label) { draft_.items.push_back({{}, label, kNone}); }

  ir::RegId new_register(std::uint32_t line, Type type, std::string name) {
    std::vector<ir::Register>& registers = draft_.kernel.registers;
    if (registers.size() >= ir::kNoReg) {
      fail(line, "kernel " + quote(draft_.kernel.name) + " uses more than " +
                     std::to_string(ir::kNoReg) + " registers after inlining");
    }
    registers.push_back({type, std::move(name)});
    return static_cast<ir::RegId>(registers.size() - 1);
  }

  [[nodiscard]] Type type_of(ir::RegId reg) const { return draft_.kernel.registers[reg].type; }

  /// The offset of a thread's `bytes` in its local memory.
  std::uint64_t allocate_local(std::uint32_t line, std::uint64_t bytes, std::uint64_t align) {
    const std::uint64_t offset = align_up(draft_.kernel.local_bytes, align);
    if (offset + bytes > kMaxLocalBytes) {
      fail(line,
           "kernel " + quote(draft_.kernel.name) + " needs more than 512 KiB of local memory");
    }
    draft_.kernel.local_bytes = static_cast<std::uint32_t>(offset + bytes);
    return offset;
  }

  std::uint32_t new_slot(const ParamSlot& slot) {
    draft_.slots.push_back(slot);
    return static_cast<std::uint32_t>(draft_.slots.size() - 1);
  }
  ParamSlot& slot(std::uint64_t index) { return draft_.slots[index]; }

  ir::Kernel& kernel() { return draft_.kernel; }
  CallStack& stack() { return draft_.stack; }
  std::vector<DraftItem>& items() { return draft_.items; }
  Draft take() { return std::move(draft_); }

 private:
  static constexpr std::size_t kMaxInstructions = std::size_t{1} << 17;
  static constexpr std::uint64_t kMaxLocalBytes = std::uint64_t{512} * 1024;  // per thread

  Draft draft_;
};

}  // namespace paws::frontend::lowering
