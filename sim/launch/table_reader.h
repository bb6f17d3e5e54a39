// SPDX-License-Identifier: MIT
// Tables of a TOML file, read strictly: an unknown key, a missing one and a wrong type are errors
// with a line.
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/support/location.h"

namespace paws {

class TableReader {
 public:
  /// `what` names the table in messages: "[[buffer]]". Throws InputError on a key that is not in
  /// `known`.
  TableReader(const toml::table& table, const std::string& file, std::string what,
              const std::vector<std::string>& known);

  [[nodiscard]] bool has(std::string_view key) const { return table_.contains(key); }
  [[nodiscard]] const toml::node& need(std::string_view key) const;
  [[nodiscard]] const toml::node* find(std::string_view key) const { return table_.get(key); }

  [[nodiscard]] std::string need_string(std::string_view key) const;
  [[nodiscard]] std::string string(std::string_view key, const std::string& otherwise) const;

  /// false without the key.
  [[nodiscard]] bool flag(std::string_view key) const;

  /// Where the value of `key` stands, or the table.
  [[nodiscard]] Location where(std::string_view key) const;
  [[nodiscard]] const Location& where() const { return where_; }

 private:
  const toml::table& table_;
  const std::string& file_;
  std::string what_;
  Location where_;
};

Location location_of(const toml::node& node, const std::string& file);

/// The node as a table, string or array; else an error that says what `what` should be.
const toml::table& as_table(const toml::node& node, const std::string& what,
                            const std::string& file);
const toml::array& as_array(const toml::node& node, const std::string& what,
                            const std::string& file);
std::string as_string(const toml::node& node, const std::string& what, const std::string& file);
std::uint64_t as_unsigned(const toml::node& node, const std::string& what, const std::string& file);

}  // namespace paws
