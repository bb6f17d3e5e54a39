// SPDX-License-Identifier: MIT
#include "sim/launch/module_table.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "sim/support/input_file.h"
#include "sim/support/list.h"
#include "sim/support/suggestion.h"

namespace paws {
namespace {

namespace fs = std::filesystem;

fs::path search(const fs::path& wanted, const std::vector<fs::path>& folders,
                const Location& where) {
  std::vector<std::string> tried;
  for (const fs::path& folder : folders) {
    fs::path file = folder / wanted;
    const std::optional<std::string> why = why_unreadable(file);
    if (!why) return file;
    std::error_code ignored;
    tried.push_back(file.string() + (fs::exists(file, ignored) ? " (" + *why + ")" : ""));
  }
  where.fail("the PTX file was not found; looked for " + listed(tried));
}

}  // namespace

ModuleTable::ModuleTable(const TableReader& top, const std::string& file) : file_(file) {
  if (!top.has("module")) {
    const fs::path ptx = top.string("ptx", "");
    entries_.push_back({ptx.stem().string(), ptx, top.where("ptx"), {}, {}});
    return;
  }
  if (top.has("ptx")) top.where("ptx").fail("the modules have their own \"ptx\"");
  for (const toml::node& each : as_array(top.need("module"), "\"module\"", file)) {
    const TableReader table(as_table(each, "[[module]]", file), file, "[[module]]",
                            {"name", "ptx", "global_offset", "constant_offset"});
    const fs::path ptx = table.need_string("ptx");
    const std::string name = table.string("name", ptx.stem().string());
    if (name.empty() || name.find('=') != std::string::npos) {
      table.where("name").fail(in_quotes(name) + " cannot name a module");
    }
    if (index_of(name)) {
      table.where("name").fail(in_quotes(name) + " is the name of two modules");
    }
    Entry entry{name, ptx, table.where("ptx"), {}, {}};
    const auto offset = [&](const char* key) -> std::optional<std::uint64_t> {
      if (!table.has(key)) return std::nullopt;
      return as_unsigned(table.need(key), in_quotes(key), file);
    };
    entry.global_offset = offset("global_offset");
    entry.constant_offset = offset("constant_offset");
    entries_.push_back(std::move(entry));
  }
  if (entries_.empty()) top.where("module").fail("\"module\" has no modules");
}

std::vector<std::string> ModuleTable::names() const {
  std::vector<std::string> out;
  for (const Entry& entry : entries_) out.push_back(entry.name);
  return out;
}

std::optional<std::size_t> ModuleTable::index_of(const std::string& name) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&name](const Entry& entry) { return entry.name == name; });
  if (found == entries_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - entries_.begin());
}

std::optional<std::size_t> ModuleTable::named(const TableReader& table) const {
  if (!table.has("module")) return std::nullopt;
  const std::string name = table.need_string("module");
  const auto index = index_of(name);
  if (!index) {
    table.where("module").fail("unknown module " + in_quotes(name) + suggestion(name, names()));
  }
  return index;
}

/// The module that "FILE" or "MODULE=FILE" replaces, and the file. A description with one module
/// takes the whole word for the file.
std::pair<std::size_t, fs::path> ModuleTable::replacement(const std::string& word) const {
  if (entries_.size() == 1) return {0, word};
  const std::size_t equals = word.find('=');
  const auto index = index_of(word.substr(0, equals));
  if (equals == std::string::npos || !index) {
    throw InputError("--ptx " + word + ": " + file_ + " has several modules, give MODULE=FILE" +
                     "; known: " + listed(names()));
  }
  return {*index, word.substr(equals + 1)};
}

std::vector<ModuleFile> ModuleTable::find(const LoadOptions& options,
                                          const fs::path& beside) const {
  std::vector<ModuleFile> out;
  for (const Entry& entry : entries_) {
    out.push_back({entry.name, "", entry.global_offset, entry.constant_offset});
  }
  for (const std::string& word : options.ptx) {
    const auto [index, file] = replacement(word);
    if (!out[index].ptx.empty()) {
      throw InputError("--ptx " + word + ": the module has a file already");
    }
    if (const auto why = why_unreadable(file)) throw InputError(file.string(), *why);
    out[index].ptx = file;
  }
  std::vector<fs::path> folders{beside};
  folders.insert(folders.end(), options.ptx_directories.begin(), options.ptx_directories.end());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Entry& entry = entries_[i];
    if (!out[i].ptx.empty()) continue;
    if (entry.ptx.empty()) entry.where.fail("the launch description needs \"ptx\"");
    out[i].ptx = search(entry.ptx, folders, entry.where);
  }
  return out;
}

}  // namespace paws
