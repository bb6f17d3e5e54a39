// SPDX-License-Identifier: MIT
#include "sim/frontend/lower.h"

#include <utility>

#include "sim/frontend/decode.h"
#include "sim/frontend/kernel_lowerer.h"
#include "sim/frontend/packed.h"

namespace paws::frontend {
namespace lowering {

namespace {

constexpr std::size_t kMaxInstructions = std::size_t{1} << 17;
constexpr std::uint64_t kGridWorkspaceBytes = 64;

}  // namespace

Draft KernelLowerer::run() {
  ir::Kernel& kernel = draft_.kernel;
  kernel.name = std::string(entry_.name);
  kernel.file = source_.file;
  kernel.source_lines = source_.source_lines;
  kernel.line = entry_.line;
  kernel.required_block = entry_.required_block;
  kernel.max_threads = entry_.max_block[0] * entry_.max_block[1] * entry_.max_block[2];
  draft_.max_registers = entry_.max_registers;
  draft_.min_blocks = entry_.min_blocks;
  lay_out_shared();
  frames_.emplace_back();
  frame().function = &entry_;
  frame().scopes.emplace_back();
  lay_out_params();
  lower_body(entry_);
  // Falling off the end is an exit.
  ir::Instruction end;
  end.op = Op::exit;
  end.line = last_line_;
  emit(end);
  // Functions that are called may call others.
  for (std::uint32_t i = 0; i < called_.size(); ++i) lower_called(i);
  for (const auto& [item, index] : returns_) {
    draft_.items[item].instruction.table = called_[index].returns;
  }
  return std::move(draft_);
}

DraftItem& KernelLowerer::emit(ir::Instruction instruction, std::uint32_t slot) {
  if (draft_.items.size() >= kMaxInstructions) {
    fail(entry_.line, "kernel " + quoted(entry_.name) + " has more than " +
                          std::to_string(kMaxInstructions) + " instructions after inlining");
  }
  return draft_.items.emplace_back(DraftItem{std::move(instruction), kNone, slot});
}

void KernelLowerer::lower_body(const ptx::Function& function) {
  const std::vector<ptx::Statement>& body = function.body;
  last_line_ = function.line;
  declare_labels(body, 0);
  for (std::size_t i = 0; i < body.size(); ++i) {
    const ptx::Statement& statement = body[i];
    if (const auto* instruction = std::get_if<ptx::Instruction>(&statement)) {
      last_line_ = instruction->line;
      lower_instruction(*instruction);
    } else if (const auto* variable = std::get_if<ptx::Variable>(&statement)) {
      declare_variable(*variable);
    } else if (const auto* label = std::get_if<ptx::Label>(&statement)) {
      const Entity& entity = resolve(label->line, label->name);
      if (entity.kind == Entity::Kind::label) {
        place_label(static_cast<std::uint32_t>(entity.value));
      }
    } else if (std::holds_alternative<ptx::ScopeBegin>(statement)) {
      frame().scopes.emplace_back();
      declare_labels(body, i + 1);
    } else if (std::holds_alternative<ptx::ScopeEnd>(statement)) {
      frame().scopes.pop_back();
    }
  }
}

void KernelLowerer::lower_instruction(const ptx::Instruction& source) {
  Decoded decoded = decode(source, source_.file);
  ir::Instruction& instruction = decoded.instruction;
  if (!source.guard.empty()) {
    instruction.guard = register_of(source.line, source.guard);
    instruction.guard_negated = source.guard_negated;
    if (type_of(instruction.guard) != Type::pred) {
      fail(source.line, "guard " + quoted(source.guard) + " is not a predicate");
    }
  }
  switch (decoded.pseudo) {
    case Decoded::Pseudo::call:
      lower_call(source, instruction);
      return;
    case Decoded::Pseudo::ret:
      expect_operands(source, 0, 0);
      if (frame().instance != 0) {
        instruction.op = Op::bra;
        instruction.target = frame().return_label;
      }
      emit(std::move(instruction));
      return;
    case Decoded::Pseudo::elect:
      lower_elect(source, instruction);
      return;
    case Decoded::Pseudo::cvt_pair:
      lower_pair(source, instruction);
      return;
    case Decoded::Pseudo::policy:
      if (source.operands.empty()) expect_operands(source, 1, 4);
      instruction.dst[0] = lower_destination(source, source.operands[0], Type::b64);
      instruction.src[0] = immediate(0);
      emit(std::move(instruction));
      return;
    case Decoded::Pseudo::mma:
    case Decoded::Pseudo::wmma_mma:
      lower_mma(source, instruction, decoded.pseudo == Decoded::Pseudo::wmma_mma);
      return;
    case Decoded::Pseudo::wmma_load:
    case Decoded::Pseudo::wmma_store:
      lower_fragment(source, decoded);
      return;
    case Decoded::Pseudo::matrix_rows:
      lower_matrix_rows(source, std::move(instruction));
      return;
    case Decoded::Pseudo::copy_async:
      lower_copy(source, std::move(decoded));
      return;
    case Decoded::Pseudo::copy_bulk:
      lower_bulk(source, decoded);
      return;
    case Decoded::Pseudo::copy_wait:
      lower_copy_wait(source, std::move(instruction));
      return;
    case Decoded::Pseudo::copy_wait_all:
      expect_operands(source, 0, 0);
      emit_wait_all(instruction);
      return;
    case Decoded::Pseudo::copy_arrive:
      lower_copy_arrive(source, decoded);
      return;
    case Decoded::Pseudo::mbarrier:
      lower_mbarrier(source, decoded);
      return;
    case Decoded::Pseudo::image:
      lower_image(source, std::move(instruction));
      return;
    case Decoded::Pseudo::packed:
      lower_packed(source, decoded);
      return;
    case Decoded::Pseudo::none:
      break;
  }
  if (ir::facts(instruction.op).sources == ir::Sources::mixed) {
    lower_video(source, std::move(decoded));
    return;
  }
  switch (instruction.op) {
    case Op::bra:
      expect_operands(source, 1, 1);
      instruction.target = label_of(source.line, source.operands[0]);
      emit(std::move(instruction));
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

}  // namespace lowering

std::vector<Draft> lower(const ptx::Module& source,
                         const std::function<bool(const std::string&)>& wanted,
                         std::uint32_t stack_bytes, ir::Module& module) {
  module.file = source.file;
  const SymbolTable symbols = lay_out_variables(source, module);
  const lowering::FunctionTable functions(source, symbols);
  std::vector<Draft> drafts;
  // Whichever kernels are wanted: compiling others of the file later moves no variable.
  std::uint64_t workspace = 0;
  if (source.text->find("%envreg") != std::string::npos) {
    workspace = add_variable(module, "grid workspace", lowering::kGridWorkspaceBytes);
  }
  for (const ptx::Function& function : source.functions) {
    if (!function.entry || !function.has_body) continue;
    module.entries.emplace_back(function.name);
    if (wanted && !wanted(std::string(function.name))) continue;
    if (functions.find(function.name) != &function) continue;
    drafts.push_back(
        lowering::KernelLowerer(source, symbols, functions, function, workspace, stack_bytes)
            .run());
  }
  return drafts;
}

}  // namespace paws::frontend
