// SPDX-License-Identifier: MIT
#include "sim/launch/table_reader.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "sim/support/suggestion.h"

namespace paws {
namespace {

std::string kind_of(const toml::node& node) {
  std::ostringstream out;
  out << node.type();
  return out.str();
}

[[noreturn]] void wrong_type(const toml::node& node, const std::string& what,
                             const std::string& wanted, const std::string& file) {
  location_of(node, file).fail(what + " must be " + wanted + ", not " + kind_of(node));
}

}  // namespace

TableReader::TableReader(const toml::table& table, const std::string& file, std::string what,
                         const std::vector<std::string>& known)
    : table_(table), file_(file), what_(std::move(what)), where_(location_of(table, file)) {
  // The first unknown key of the file, not of the alphabet.
  const toml::key* unknown = nullptr;
  for (const auto& [key, value] : table) {
    if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
    if (unknown == nullptr || key.source().begin < unknown->source().begin) unknown = &key;
  }
  if (unknown != nullptr) {
    Location{file, unknown->source().begin.line}.fail("unknown key " + in_quotes(unknown->str()) +
                                                      " in " + what_ +
                                                      suggestion(unknown->str(), known));
  }
}

const toml::node& TableReader::need(std::string_view key) const {
  const toml::node* node = table_.get(key);
  if (node == nullptr) where_.fail(what_ + " needs " + in_quotes(key));
  return *node;
}

std::string TableReader::need_string(std::string_view key) const {
  return as_string(need(key), in_quotes(key), file_);
}

std::string TableReader::string(std::string_view key, const std::string& otherwise) const {
  return has(key) ? need_string(key) : otherwise;
}

bool TableReader::flag(std::string_view key) const {
  if (!has(key)) return false;
  const auto* value = need(key).as_boolean();
  if (value == nullptr) where(key).fail(in_quotes(key) + " must be true or false");
  return value->get();
}

Location TableReader::where(std::string_view key) const {
  const toml::node* node = table_.get(key);
  return node == nullptr ? where_ : location_of(*node, file_);
}

Location location_of(const toml::node& node, const std::string& file) {
  return {file, node.source().begin.line};
}

const toml::table& as_table(const toml::node& node, const std::string& what,
                            const std::string& file) {
  if (!node.is_table()) wrong_type(node, what, "a table", file);
  return *node.as_table();
}

const toml::array& as_array(const toml::node& node, const std::string& what,
                            const std::string& file) {
  if (!node.is_array()) wrong_type(node, what, "an array", file);
  return *node.as_array();
}

std::string as_string(const toml::node& node, const std::string& what, const std::string& file) {
  if (!node.is_string()) wrong_type(node, what, "a string", file);
  return node.as_string()->get();
}

std::uint64_t as_unsigned(const toml::node& node, const std::string& what,
                          const std::string& file) {
  const auto* integer = node.as_integer();
  if (integer == nullptr || integer->get() < 0) {
    wrong_type(node, what, "a non-negative integer", file);
  }
  return static_cast<std::uint64_t>(integer->get());
}

}  // namespace paws
