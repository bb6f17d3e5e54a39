// SPDX-License-Identifier: MIT
// The functions of a module by name, and those that pointers may point to.
#pragma once

#include <cstdint>
#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/frontend/symbols.h"
#include "sim/ptx/ast.h"

namespace paws::frontend::lowering {

/// A function that a pointer may point to.
struct Candidate {
  const ptx::Function* function = nullptr;
  std::uint64_t address = 0;
};

/// Functions by name, definitions before declarations.
class FunctionTable {
 public:
  FunctionTable(const ptx::Module& source, const SymbolTable& symbols);

  /// Functions of the file whose address is taken, in their order.
  [[nodiscard]] const std::vector<Candidate>& candidates() const { return candidates_; }

  [[nodiscard]] const ptx::Function* find(std::string_view name) const;

  /// What a kernel may reach, through pointers too.
  [[nodiscard]] Reached reached(const ptx::Function& entry) const;

  /// Whether the function calls itself by name, directly or through others.
  [[nodiscard]] bool recursive(const ptx::Function& function) const {
    return recursive_.contains(&function);
  }

 private:
  void find_recursive(const ptx::Module& source);
  void find_candidates(const ptx::Module& source, const SymbolTable& symbols);

  std::unordered_map<std::string_view, const ptx::Function*> functions_;
  std::vector<Candidate> candidates_;
  std::set<const ptx::Function*> recursive_;
};

}  // namespace paws::frontend::lowering
