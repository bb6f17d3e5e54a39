// SPDX-License-Identifier: MIT
#include "sim/frontend/lower.h"

#include <string>
#include <utility>
#include <variant>

#include "sim/frontend/decode.h"
#include "sim/frontend/draft_builder.h"
#include "sim/frontend/function_table.h"
#include "sim/frontend/lower_call.h"
#include "sim/frontend/lower_instruction.h"
#include "sim/frontend/lower_operands.h"
#include "sim/frontend/names.h"
#include "sim/frontend/symbols.h"

namespace paws::frontend {
namespace lowering {

namespace {

constexpr std::uint64_t kGridWorkspaceBytes = 64;

/// One kernel: walks its statements and gives each to the part that lowers it.
class KernelLowerer {
 public:
  /// `grid_workspace` says where the blocks of a cooperative launch meet. `stack_bytes`: of a
  /// thread, for functions that are called.
  KernelLowerer(const ptx::Module& source, const SymbolTable& symbols,
                const FunctionTable& functions, const ptx::Function& entry,
                std::uint64_t grid_workspace, std::uint32_t stack_bytes)
      : entry_(entry),
        draft_(source, entry),
        shared_(lay_out_shared(source, functions.reached(entry))),
        names_(source, symbols, functions, shared_, entry, draft_),
        declarations_(shared_, names_, draft_),
        special_(names_, draft_, shared_.reserved, grid_workspace),
        operands_(names_, draft_, special_),
        instructions_(names_, operands_, draft_),
        images_(source, operands_, draft_),
        matrices_(names_, operands_, draft_),
        copies_(names_, operands_, draft_),
        recursive_(names_, operands_, draft_, stack_bytes),
        calls_(functions, names_, operands_, recursive_, draft_,
               [this](const ptx::Function& function) { return lower_body(function); }) {}

  KernelLowerer(const KernelLowerer&) = delete;
  KernelLowerer& operator=(const KernelLowerer&) = delete;

  Draft run() {
    draft_.kernel().shared_bytes = static_cast<std::uint32_t>(shared_.bytes);
    declarations_.declare_params(entry_);
    // Falling off the end is an exit.
    draft_.emit(start(Op::exit, Type::none, lower_body(entry_)));
    recursive_.lower_functions([this](const ptx::Function& each) { return lower_body(each); });
    return draft_.take();
  }

 private:
  std::uint32_t lower_body(const ptx::Function& function);
  void lower_instruction(const ptx::Instruction& source);

  const ptx::Function& entry_;
  DraftBuilder draft_;
  const SharedLayout shared_;
  Names names_;
  Declarations declarations_;
  SpecialRegisters special_;
  OperandLowerer operands_;
  InstructionLowerer instructions_;
  ImageLowerer images_;
  MatrixLowerer matrices_;
  CopyLowerer copies_;
  RecursiveCalls recursive_;
  CallLowerer calls_;
};

/// See BodyLowering.
std::uint32_t KernelLowerer::lower_body(const ptx::Function& function) {
  const std::vector<ptx::Statement>& body = function.body;
  std::uint32_t last_line = function.line;
  names_.declare_labels(body, 0);
  for (std::size_t i = 0; i < body.size(); ++i) {
    const ptx::Statement& statement = body[i];
    if (const auto* instruction = std::get_if<ptx::Instruction>(&statement)) {
      last_line = instruction->line;
      lower_instruction(*instruction);
    } else if (const auto* variable = std::get_if<ptx::Variable>(&statement)) {
      declarations_.declare_variable(*variable);
    } else if (const auto* label = std::get_if<ptx::Label>(&statement)) {
      const Entity entity = names_.resolve(label->line, label->name);
      if (entity.kind == Entity::Kind::label) {
        draft_.place_label(static_cast<std::uint32_t>(entity.value));
      }
    } else if (std::holds_alternative<ptx::ScopeBegin>(statement)) {
      names_.open_scope();
      names_.declare_labels(body, i + 1);
    } else if (std::holds_alternative<ptx::ScopeEnd>(statement)) {
      names_.close_scope();
    }
  }
  return last_line;
}

void KernelLowerer::lower_instruction(const ptx::Instruction& source) {
  Decoded decoded = decode(source, draft_.kernel().file);
  ir::Instruction& instruction = decoded.instruction;
  if (!source.guard.empty()) {
    instruction.guard = names_.register_of(source.line, source.guard);
    instruction.guard_negated = source.guard_negated;
    if (draft_.type_of(instruction.guard) != Type::pred) {
      draft_.fail(source.line, "guard " + quote(source.guard) + " is not a predicate");
    }
  }
  switch (decoded.pseudo) {
    case Decoded::Pseudo::call:
      return calls_.lower(source, instruction);
    case Decoded::Pseudo::ret:
      return calls_.lower_return(source, std::move(instruction));
    case Decoded::Pseudo::mma:
    case Decoded::Pseudo::wmma_mma:
      return matrices_.lower_mma(source, instruction, decoded.pseudo == Decoded::Pseudo::wmma_mma);
    case Decoded::Pseudo::wmma_load:
    case Decoded::Pseudo::wmma_store:
      return matrices_.lower_fragment(source, decoded);
    case Decoded::Pseudo::matrix_rows:
      return matrices_.lower_rows(source, std::move(instruction));
    case Decoded::Pseudo::copy_async:
      return copies_.lower_copy(source, std::move(decoded));
    case Decoded::Pseudo::copy_bulk:
      return copies_.lower_bulk(source, decoded);
    case Decoded::Pseudo::copy_wait:
      return copies_.lower_wait(source, std::move(instruction));
    case Decoded::Pseudo::copy_wait_all:
      return copies_.lower_wait_all(source, instruction);
    case Decoded::Pseudo::copy_arrive:
      return copies_.lower_arrive(source, decoded);
    case Decoded::Pseudo::mbarrier:
      return copies_.lower_mbarrier(source, decoded);
    case Decoded::Pseudo::image:
      return images_.lower(source, std::move(instruction));
    case Decoded::Pseudo::elect:
      return instructions_.lower_elect(source, instruction);
    case Decoded::Pseudo::cvt_pair:
      return instructions_.lower_pair(source, instruction);
    case Decoded::Pseudo::policy:
      return instructions_.lower_policy(source, std::move(instruction));
    case Decoded::Pseudo::packed:
      return instructions_.lower_packed(source, decoded);
    case Decoded::Pseudo::none:
      return instructions_.lower(source, std::move(decoded));
  }
}

}  // namespace

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
