// SPDX-License-Identifier: MIT
// What names stand for in a kernel and in the functions that are inlined into it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/frontend/draft_builder.h"
#include "sim/frontend/function_table.h"
#include "sim/frontend/symbols.h"
#include "sim/ptx/ast.h"

namespace paws::frontend::lowering {

/// What a name stands for.
struct Entity {
  enum class Kind : std::uint8_t { reg, label, table, address, slot, external };
  Kind kind = Kind::reg;
  ir::RegId reg = ir::kNoReg;
  ir::Space space = ir::Space::none;  // address
  std::uint64_t value = 0;            // address: offset or address; label, slot: index
  const ptx::BranchTargets* targets = nullptr;

  static Entity of_register(ir::RegId reg) { return {Kind::reg, reg}; }
  static Entity of_address(ir::Space space, std::uint64_t value) {
    return {Kind::address, ir::kNoReg, space, value};
  }
  static Entity of_slot(std::uint32_t index) {
    return {Kind::slot, ir::kNoReg, ir::Space::none, index};
  }
};

struct RegisterRange {
  std::string_view prefix;
  std::uint64_t count = 0;
  Type type = Type::none;
};

struct Scope {
  std::unordered_map<std::string_view, Entity> names;
  std::vector<RegisterRange> ranges;
};

/// One activation of an inlined function, or the kernel itself.
struct Activation {
  const ptx::Function* function = nullptr;
  unsigned instance = 0;  // 0 for the kernel
  std::uint32_t return_label = kNone;
  std::uint32_t called = kNone;  // the function that is called, not inlined, of which it is a part
  ir::RegId carry = ir::kNoReg;
  std::vector<Scope> scopes;
};

/// Names by activation and scope. Messages name the line that asks.
class Names {
 public:
  Names(const ptx::Module& source, const SymbolTable& symbols, const FunctionTable& functions,
        const SharedLayout& shared, const ptx::Function& entry, DraftBuilder& draft);

  /// An activation of the function; `called`: see Activation.
  void enter(const ptx::Function& function, std::uint32_t called);
  void leave() { activations_.pop_back(); }
  [[nodiscard]] const Activation& activation() const { return activations_.back(); }
  [[nodiscard]] bool is_active(const ptx::Function& function) const;

  void open_scope() { activations_.back().scopes.emplace_back(); }
  void close_scope() { activations_.back().scopes.pop_back(); }

  void declare(std::uint32_t line, std::string_view name, const Entity& entity);
  /// Names of the labels of the scope that starts at `first`; a goto may precede its label.
  void declare_labels(const std::vector<ptx::Statement>& body, std::size_t first);
  /// %r7 of `.reg .b32 %r<10>` comes into being when it is first used.
  void declare_range(const RegisterRange& range) {
    activations_.back().scopes.back().ranges.push_back(range);
  }

  /// Nothing if the name is not declared.
  std::optional<Entity> find(std::uint32_t line, std::string_view name);
  /// The slot that the operand names, if it is a call's parameter.
  std::optional<std::uint32_t> find_slot(std::uint32_t line, const ptx::Operand& operand);
  Entity resolve(std::uint32_t line, std::string_view name);
  ir::RegId register_of(std::uint32_t line, std::string_view name);
  std::uint32_t label_of(std::uint32_t line, const ptx::Operand& operand);

  /// The carry bit of this activation.
  ir::RegId carry(std::uint32_t line);
  /// Registers of inlined functions carry the number of the activation.
  ir::RegId new_register(std::uint32_t line, Type type, std::string_view name);
  /// For what a call exchanges.
  std::uint32_t new_slot(const Extent& extent);

 private:
  std::optional<Entity> find_in_ranges(std::uint32_t line, Scope& scope, std::string_view name);

  const ptx::Module& source_;
  const SymbolTable& symbols_;
  const FunctionTable& functions_;
  const SharedLayout& shared_;
  DraftBuilder& draft_;
  std::vector<Activation> activations_;
  unsigned instances_ = 0;
};

/// What declarations of variables make: registers, slots, parameters and room in memory.
class Declarations {
 public:
  Declarations(const SharedLayout& shared, Names& names, DraftBuilder& draft)
      : shared_(shared), names_(names), draft_(draft) {}

  /// Of the kernel.
  void declare_params(const ptx::Function& entry);

  void declare_variable(const ptx::Variable& variable);

 private:
  void declare_registers(const ptx::Variable& variable);
  /// In local memory; of a function that is called, in its frame.
  Entity local_variable(const ptx::Variable& variable, const Extent& extent);

  const SharedLayout& shared_;
  Names& names_;
  DraftBuilder& draft_;
};

}  // namespace paws::frontend::lowering
