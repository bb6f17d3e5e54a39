// SPDX-License-Identifier: MIT
#include "sim/frontend/function_table.h"

#include <map>
#include <set>
#include <string>

#include "sim/support/error.h"

namespace paws::frontend::lowering {
namespace {

void collect(const ptx::Operand& operand, std::set<std::string_view>& names) {
  if (!operand.name.empty()) names.insert(operand.name);
  for (const ptx::Operand& element : operand.elements) collect(element, names);
}
void collect(const ptx::Initialiser& value, std::set<std::string_view>& names) {
  if (value.kind == ptx::Initialiser::Kind::symbol) names.insert(value.symbol);
  for (const ptx::Initialiser& element : value.elements) collect(element, names);
}

}  // namespace

FunctionTable::FunctionTable(const ptx::Module& source, const SymbolTable& symbols) {
  for (const ptx::Function& function : source.functions) {
    const auto [hit, fresh] = functions_.try_emplace(function.name, &function);
    if (fresh || !function.has_body) continue;
    if (hit->second->has_body) {
      throw InputError(source.file, function.line,
                       "'" + std::string(function.name) + "' is defined twice");
    }
    hit->second = &function;
  }
  for (const ptx::Alias& alias : source.aliases) {
    const auto hit = functions_.find(alias.target);
    if (hit == functions_.end()) {
      throw InputError(source.file, alias.line,
                       ".alias of '" + std::string(alias.target) + "', which is not a function");
    }
    functions_[alias.name] = hit->second;
  }
  find_candidates(source, symbols);
  find_recursive(source);
}

const ptx::Function* FunctionTable::find(std::string_view name) const {
  const auto hit = functions_.find(name);
  return hit == functions_.end() ? nullptr : hit->second;
}

Reached FunctionTable::reached(const ptx::Function& entry) const {
  Reached reached{{&entry}, {}};
  std::set<const ptx::Function*> seen{&entry};
  const auto reach = [&](const ptx::Function* callee) {
    if (callee != nullptr && seen.insert(callee).second) reached.functions.push_back(callee);
  };
  for (std::size_t i = 0; i < reached.functions.size(); ++i) {
    for (const ptx::Statement& statement : reached.functions[i]->body) {
      const auto* instruction = std::get_if<ptx::Instruction>(&statement);
      if (instruction == nullptr) continue;
      std::set<std::string_view> here;
      for (const ptx::Operand& operand : instruction->operands) collect(operand, here);
      bool direct = false;
      for (const std::string_view name : here) {
        const ptx::Function* callee = find(name);
        direct = direct || callee != nullptr;
        reach(callee);
      }
      if (instruction->root == "call" && !direct) {
        for (const Candidate& candidate : candidates_) reach(candidate.function);
      }
      reached.names.merge(here);
    }
  }
  return reached;
}

void FunctionTable::find_recursive(const ptx::Module& source) {
  std::map<const ptx::Function*, std::set<const ptx::Function*>> callees;
  for (const ptx::Function& function : source.functions) {
    for (const ptx::Statement& statement : function.body) {
      const auto* instruction = std::get_if<ptx::Instruction>(&statement);
      if (instruction == nullptr || instruction->root != "call") continue;
      for (const ptx::Operand& operand : instruction->operands) {
        if (operand.kind != ptx::Operand::Kind::name) continue;
        if (const ptx::Function* callee = find(operand.name)) callees[&function].insert(callee);
      }
    }
  }
  for (const auto& [function, direct] : callees) {
    std::set<const ptx::Function*> reached = direct;
    std::vector<const ptx::Function*> work(direct.begin(), direct.end());
    while (!work.empty() && !reached.contains(function)) {
      const auto next = callees.find(work.back());
      work.pop_back();
      if (next == callees.end()) continue;
      for (const ptx::Function* callee : next->second) {
        if (reached.insert(callee).second) work.push_back(callee);
      }
    }
    if (reached.contains(function)) recursive_.insert(function);
  }
}

void FunctionTable::find_candidates(const ptx::Module& source, const SymbolTable& symbols) {
  std::set<std::string_view> names;
  for (const ptx::Variable& variable : source.variables) {
    if (variable.initial) collect(*variable.initial, names);
  }
  for (const ptx::Function& function : source.functions) {
    for (const ptx::Statement& statement : function.body) {
      const auto* instruction = std::get_if<ptx::Instruction>(&statement);
      if (instruction == nullptr) continue;
      for (const ptx::Operand& operand : instruction->operands) {
        // The function that a call names is called, no more.
        const bool called = instruction->root == "call" && operand.kind == ptx::Operand::Kind::name;
        if (!called) collect(operand, names);
      }
    }
  }
  for (const ptx::Function& function : source.functions) {
    if (function.entry || !function.has_body || !names.contains(function.name)) continue;
    candidates_.push_back({&function, symbols.at(function.name).address});
  }
}

}  // namespace paws::frontend::lowering
