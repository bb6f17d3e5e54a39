// SPDX-License-Identifier: MIT
#include "sim/launch/kernel_name.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <vector>

#include "sim/support/suggestion.h"

namespace paws {
namespace {

constexpr std::string_view kAnonymous = "(anonymous namespace)";

/// Offset of the first `wanted` outside <> and (); npos when there is none.
/// "(anonymous namespace)" is a name, not a parenthesis.
std::size_t find_outside(const std::string& text, char wanted) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, kAnonymous.size(), kAnonymous) == 0) {
      i += kAnonymous.size() - 1;
      continue;
    }
    if (depth == 0 && text[i] == wanted) return i;
    if (text[i] == '<' || text[i] == '(') ++depth;
    if (text[i] == '>' || text[i] == ')') --depth;
  }
  return std::string::npos;
}

/// "ns::scale<float, 4>" without template arguments: "ns::scale".
std::string without_templates(const std::string& name) {
  std::string out;
  int depth = 0;
  for (const char c : name) {
    if (c == '>') --depth;
    if (depth == 0 && c != '<' && c != '>') out += c;
    if (c == '<') ++depth;
  }
  return out;
}

/// "ns::scale" without namespaces: "scale".
std::string base_name(const std::string& name) {
  const std::size_t colon = name.rfind(':');
  return colon == std::string::npos ? name : name.substr(colon + 1);
}

/// Kernels or variables of a module, and the names that a message may propose.
template <typename Item>
using ItemsOf = const std::vector<Item>& (*)(const ir::Module&);
using NamesOf = std::vector<std::string> (*)(const ir::Module&);

template <typename Item>
struct Match {
  const ir::Module* module = nullptr;
  const Item* item = nullptr;
};

[[noreturn]] void fail_absent(std::span<const ir::Module> modules, const std::string& what,
                              const std::string& name, const std::vector<std::string>& known,
                              const Location& where) {
  std::string files;
  for (const ir::Module& module : modules) files += (files.empty() ? "" : ", ") + module.file;
  where.fail((modules.size() == 1 ? files + " has no " + what + " "
                                  : "none of " + files + " has a " + what + " ") +
             in_quotes(name) + suggestion(name, known));
}

template <typename Item>
[[noreturn]] void fail_ambiguous(const std::vector<Match<Item>>& matches, const std::string& what,
                                 const std::string& name, const Location& where) {
  const bool one_file = std::all_of(matches.begin(), matches.end(), [&](const Match<Item>& match) {
    return match.module == matches.front().module;
  });
  std::string list;
  for (const Match<Item>& match : matches) {
    list += list.empty() ? "" : ", ";
    list += match.item->name;
    if (!one_file) list += " (" + match.module->file + ")";
  }
  if (one_file) {
    where.fail(matches.front().module->file + " has several " + what + "s " + in_quotes(name) +
               ": " + list);
  }
  where.fail("several modules have a " + what + " " + in_quotes(name) + ", \"module\" must say " +
             "which one is meant: " + list);
}

template <typename Item>
Match<Item> find_named(std::span<const ir::Module> modules, ItemsOf<Item> items_of,
                       NamesOf names_of, const std::string& what, const std::string& name,
                       const Location& where) {
  std::vector<Match<Item>> exact;
  std::vector<Match<Item>> loose;
  std::vector<std::string> known;
  for (const ir::Module& module : modules) {
    for (const Item& item : items_of(module)) {
      if (item.name == name) exact.push_back({&module, &item});
      if (can_mean(name, item.name)) loose.push_back({&module, &item});
    }
    for (const std::string& symbol : names_of(module)) known.push_back(demangle(symbol));
  }
  const std::vector<Match<Item>>& matches = exact.empty() ? loose : exact;
  if (matches.empty()) fail_absent(modules, what, name, known, where);
  if (matches.size() > 1) fail_ambiguous(matches, what, name, where);
  return matches.front();
}

const std::vector<ir::Kernel>& kernels_of(const ir::Module& module) { return module.kernels; }
std::vector<std::string> entries_of(const ir::Module& module) { return module.entries; }

const std::vector<ir::Variable>& variables_of(const ir::Module& module) { return module.variables; }
std::vector<std::string> variable_names_of(const ir::Module& module) {
  std::vector<std::string> names;
  for (const ir::Variable& variable : module.variables) names.push_back(variable.name);
  return names;
}

}  // namespace

std::string demangle(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  if (status != 0 || symbol.compare(0, 2, "_Z") != 0) return symbol;
  std::string name(text.get());
  name = name.substr(0, find_outside(name, '('));
  // Template instances come with their return type: "void scale<float>".
  for (std::size_t space = find_outside(name, ' '); space != std::string::npos;
       space = find_outside(name, ' ')) {
    name = name.substr(space + 1);
  }
  return name;
}

bool can_mean(const std::string& name, const std::string& symbol) {
  const std::string demangled = demangle(symbol);
  const std::string plain = without_templates(demangled);
  return symbol == name || demangled == name || plain == name || base_name(plain) == name;
}

FoundKernel find_kernel(std::span<const ir::Module> modules, const std::string& name,
                        const Location& where) {
  const auto found = find_named<ir::Kernel>(modules, kernels_of, entries_of, "kernel", name, where);
  return {found.module, found.item};
}

const ir::Variable& find_variable(std::span<const ir::Module> modules, const std::string& name,
                                  const Location& where) {
  return *find_named<ir::Variable>(modules, variables_of, variable_names_of, "variable", name,
                                   where)
              .item;
}

}  // namespace paws
