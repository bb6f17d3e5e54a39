// SPDX-License-Identifier: MIT
#include "sim/run/workload_sets.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <filesystem>

#include "sim/launch/table_reader.h"
#include "sim/run/compile.h"
#include "sim/support/error.h"
#include "sim/support/input_file.h"
#include "sim/support/suggestion.h"

namespace paws {
namespace {

toml::table read(const std::string& file) {
  if (const auto why = why_unreadable(file)) throw InputError(file, *why);
  try {
    return toml::parse_file(file);
  } catch (const toml::parse_error& error) {
    Location{file, error.source().begin.line}.fail("not TOML: " + std::string(error.description()));
  }
}

}  // namespace

WorkloadSet workload_set(const std::string& name) {
  const std::string file = (std::filesystem::path(workload_folder()) / "sets.toml").string();
  const toml::table root = read(file);
  const toml::node* found = root.get(name);
  if (found == nullptr) {
    std::vector<std::string> known;
    for (const auto& [key, value] : root) known.emplace_back(key.str());
    throw InputError(
        fmt::format("--set {}: no set has this name (sets: {}), and a setting is key=value", name,
                    fmt::join(known, ", ")));
  }
  const TableReader table(as_table(*found, in_quotes(name), file), file,
                          "the set " + in_quotes(name),
                          {"description", "gpu", "engine", "workloads"});
  WorkloadSet set{name,
                  table.need_string("description"),
                  table.need_string("gpu"),
                  table.need_string("engine"),
                  {}};
  for (const auto& [workload, bound] : as_table(table.need("workloads"), "\"workloads\"", file)) {
    set.members.push_back(
        {std::string(workload.str()), as_string(bound, in_quotes(workload.str()), file)});
  }
  return set;
}

}  // namespace paws
