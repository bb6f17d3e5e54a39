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

template <typename Item>
const Item& find_named(const std::vector<Item>& items, const std::string& what,
                       const std::string& file, const std::string& name, const Location& where) {
  std::vector<const Item*> matches;
  std::vector<std::string> known;
  for (const Item& item : items) {
    if (item.name == name) return item;
    if (can_mean(name, item.name)) matches.push_back(&item);
    known.push_back(demangle(item.name));
  }
  if (matches.size() == 1) return *matches.front();
  if (matches.empty()) {
    where.fail(file + " has no " + what + " " + in_quotes(name) + suggestion(name, known));
  }
  std::string list;
  for (const Item* item : matches) list += (list.empty() ? "" : ", ") + item->name;
  where.fail(file + " has several " + what + "s " + in_quotes(name) + ": " + list);
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

const ir::Kernel& find_kernel(const ir::Module& module, const std::string& name,
                              const Location& where) {
  return find_named(module.kernels, "kernel", module.file, name, where);
}

const ir::Variable& find_variable(const ir::Module& module, const std::string& name,
                                  const Location& where) {
  return find_named(module.variables, "variable", module.file, name, where);
}

}  // namespace paws
