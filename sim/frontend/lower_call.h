// SPDX-License-Identifier: MIT
// Calls: of functions of the runtime, of recursive functions, and of others, which are inlined.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/frontend/draft_builder.h"
#include "sim/frontend/function_table.h"
#include "sim/frontend/lower_operands.h"
#include "sim/frontend/names.h"
#include "sim/ptx/ast.h"

namespace paws::frontend::lowering {

/// Lowers the statements of a function that has been entered; returns the line of its last
/// instruction.
using BodyLowering = std::function<std::uint32_t(const ptx::Function&)>;

/// A call and what it exchanges with the function.
struct CallSite {
  const ptx::Instruction& source;
  ir::Instruction fields;  ///< guard and line
  const std::vector<ptx::Operand>& arguments;
  const std::vector<ptx::Operand>& returns;
};

/// Functions that the driver provides.
class BuiltinCalls {
 public:
  BuiltinCalls(Names& names, OperandLowerer& operands, DraftBuilder& draft)
      : names_(names), operands_(operands), draft_(draft) {}

  /// Refuses those that are not modelled with their reason; false for others.
  bool lower(const CallSite& site, std::string_view name);

 private:
  ir::Operand value_of(const CallSite& site, const ptx::Operand& argument, Type type);
  /// Of a function without results nothing is set.
  void set_result(const CallSite& site, ir::RegId value);

  Names& names_;
  OperandLowerer& operands_;
  DraftBuilder& draft_;
};

/// Recursive functions: their arguments, results and frames lie on a stack.
class RecursiveCalls {
 public:
  /// `stack_bytes`: of a thread.
  RecursiveCalls(Names& names, OperandLowerer& operands, DraftBuilder& draft,
                 std::uint32_t stack_bytes)
      : names_(names), operands_(operands), draft_(draft), stack_bytes_(stack_bytes) {}

  void lower(const CallSite& site, const ptx::Function& callee);

  /// The code of all functions that are called, behind the kernel's own.
  void lower_functions(const BodyLowering& lower_body);

 private:
  struct Called {
    const ptx::Function* function = nullptr;
    std::vector<std::uint64_t> offsets;  // of parameters, then results, in the frame
    std::vector<std::uint32_t> returns;  // labels behind the calls
    std::size_t end = 0;                 // the item that returns
  };

  /// The place of a function in called_.
  std::uint32_t called_function(const ptx::Function& callee);
  void lower_function(std::uint32_t index, const BodyLowering& lower_body);
  /// Its parameter or result for the function itself.
  void declare_formal(const ptx::Variable& formal, std::uint64_t offset, bool result);
  [[nodiscard]] Extent formal_extent(const ptx::Variable& formal) const;
  /// An argument or result that a call exchanges with its function in the frame.
  void bind_to_stack(const CallSite& site, const ptx::Variable& formal, std::uint32_t actual,
                     std::uint64_t offset);
  /// A load or store of a register at `offset` of the stack's end or a frame.
  void emit_stack_access(std::uint32_t line, Op op, ir::RegId base, std::uint64_t offset,
                         const ir::Operand& value, Type type);

  Names& names_;
  OperandLowerer& operands_;
  DraftBuilder& draft_;
  std::uint32_t stack_bytes_;
  std::vector<Called> called_;  // as CallStack has their frames
};

/// All calls; inlines those of functions that are neither builtin nor recursive.
class CallLowerer {
 public:
  CallLowerer(const FunctionTable& functions, Names& names, OperandLowerer& operands,
              RecursiveCalls& recursive, DraftBuilder& draft, BodyLowering lower_body)
      : functions_(functions),
        names_(names),
        operands_(operands),
        builtins_(names, operands, draft),
        recursive_(recursive),
        draft_(draft),
        lower_body_(std::move(lower_body)) {}

  void lower(const ptx::Instruction& source, const ir::Instruction& fields);

  void lower_return(const ptx::Instruction& source, ir::Instruction instruction);

 private:
  /// A call through a pointer: each function that it may point to, under the condition that it
  /// does.
  void lower_indirect(const CallSite& site, std::string_view pointer);
  [[nodiscard]] bool may_be_called(const ptx::Function& function, const CallSite& site);
  void inline_call(const CallSite& site, const ptx::Function& callee);
  Entity bind_argument(const CallSite& site, const ptx::Variable& formal,
                       const ptx::Operand& actual);
  Entity bind_result(const CallSite& site, const ptx::Variable& formal, const ptx::Operand& actual,
                     ir::RegId& copy_to);

  const FunctionTable& functions_;
  Names& names_;
  OperandLowerer& operands_;
  BuiltinCalls builtins_;
  RecursiveCalls& recursive_;
  DraftBuilder& draft_;
  BodyLowering lower_body_;
};

}  // namespace paws::frontend::lowering
