// SPDX-License-Identifier: MIT
// The PTX files of a launch description: their names, and the path behind each name.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/launch/table_reader.h"
#include "sim/launch/workload.h"

namespace paws {

class ModuleTable {
 public:
  /// Reads "ptx" or [[module]] of the description `file`. Throws InputError.
  ModuleTable(const TableReader& top, const std::string& file);

  /// The module that the key "module" of a launch or a symbol names; nothing without the key.
  [[nodiscard]] std::optional<std::size_t> named(const TableReader& table) const;

  /// The modules with their files: those that the options give, and those of the description where
  /// they are found, beside it first.
  [[nodiscard]] std::vector<ModuleFile> find(const LoadOptions& options,
                                             const std::filesystem::path& beside) const;

 private:
  struct Entry {
    std::string name;
    std::filesystem::path ptx;  ///< as written; empty: not given
    Location where;
    std::optional<std::uint64_t> global_offset, constant_offset;
  };

  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] std::optional<std::size_t> index_of(const std::string& name) const;
  [[nodiscard]] std::pair<std::size_t, std::filesystem::path> replacement(
      const std::string& word) const;

  std::string file_;
  std::vector<Entry> entries_;  ///< at least one
};

}  // namespace paws
