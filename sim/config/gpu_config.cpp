// SPDX-License-Identifier: MIT
#include "sim/config/gpu_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <type_traits>
#include <utility>

#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include "model/scheduler_fields.h"
#include "sim/support/error.h"
#include "sim/support/input_file.h"
#include "sim/support/installation.h"
#include "sim/support/suggestion.h"

namespace paws {
namespace {

/// Keys with a default, which a file without a base need not have. Every key that is new is one of
/// them, so that older files go on working.
bool has_default(std::string_view key) {
  return key.starts_with("tensor.") || key.starts_with("bulk.") || key.starts_with("device.") ||
         key.starts_with("texture.") || key == kYieldAfterKey || key == "core.sub_cores" ||
         key == "core.shared_reserved" || key == "l1.sectored" || key == "l2.sectored" ||
         key == "l2.partitions" || key == "l2.far_latency" || key == "dram.twtr" ||
         key == "dram.twr" || key == "core.launch_interval" || key == "distributor.interval" ||
         key == "distributor.start_latency" || key == "l1.store_keeps" || key == "l1.tag_banks";
}

std::filesystem::path preset_folder() { return project_folder() / "sim/presets"; }

const GpuConfig::Key* find_key(const std::vector<GpuConfig::Key>& keys, std::string_view name) {
  const auto found = std::find_if(keys.begin(), keys.end(),
                                  [name](const GpuConfig::Key& key) { return key.name == name; });
  return found == keys.end() ? nullptr : &*found;
}

std::string unknown_key(const std::vector<GpuConfig::Key>& keys, std::string_view name) {
  std::vector<std::string> names(keys.size());
  std::transform(keys.begin(), keys.end(), names.begin(),
                 [](const GpuConfig::Key& key) { return key.name; });
  return fmt::format("unknown key '{}'{}", name, suggestion(name, names));
}

std::string kind_of(const GpuConfig::Key& key) {
  if (std::holds_alternative<bool*>(key.field)) return "true or false";
  if (std::holds_alternative<Affinity*>(key.field)) {
    return fmt::format("one of {}", fmt::join(affinity_names(), ", "));
  }
  const bool whole = !std::holds_alternative<double*>(key.field);
  return fmt::format("{} from {} to {}{}{}", whole ? "an integer" : "a number", key.low, key.high,
                     key.unit.empty() ? "" : " ", key.unit);
}

/// Stores `value` if it is of the key's kind and within its limits.
template <typename Value>
bool assign(const GpuConfig::Key& key, Value value) {
  if constexpr (std::is_same_v<Value, bool>) {
    if (auto* const* field = std::get_if<bool*>(&key.field)) {
      **field = value;
      return true;
    }
    return false;
  } else {
    const auto number = static_cast<double>(value);
    if (!(number >= key.low && number <= key.high)) return false;  // not a number: neither
    if (auto* const* field = std::get_if<double*>(&key.field)) {
      **field = static_cast<double>(value);
      return true;
    }
    if constexpr (std::is_integral_v<Value>) {
      if (auto* const* field = std::get_if<unsigned*>(&key.field)) {
        **field = static_cast<unsigned>(value);
        return true;
      }
      if (auto* const* field = std::get_if<std::uint16_t*>(&key.field)) {
        **field = static_cast<std::uint16_t>(value);
        return true;
      }
    }
    return false;
  }
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  const char* const end = text.data() + text.size();
  std::int64_t whole = 0;
  const auto [at, error] = std::from_chars(text.data(), end, whole);
  return error == std::errc{} && at == end ? std::optional(whole) : std::nullopt;
}

/// The same of a size: 16K is 16384, 2M are 2097152.
std::optional<std::int64_t> bytes(std::string_view text) {
  constexpr std::int64_t kKibi = 1024;
  constexpr std::int64_t kMost = std::numeric_limits<unsigned>::max();
  const std::int64_t unit = text.ends_with('K') ? kKibi : text.ends_with('M') ? kKibi * kKibi : 0;
  if (unit == 0) return std::nullopt;
  const auto whole = whole_number(text.substr(0, text.size() - 1));
  return whole && *whole <= kMost ? std::optional(*whole * unit) : std::nullopt;
}

/// Stores a word if the key has words.
bool assign_word(const GpuConfig::Key& key, std::string_view word) {
  auto* const* field = std::get_if<Affinity*>(&key.field);
  const std::optional<Affinity> affinity = affinity_of(word);
  if (field == nullptr || !affinity) return false;
  **field = *affinity;
  return true;
}

bool assign_text(const GpuConfig::Key& key, std::string_view text) {
  if (assign_word(key, text)) return true;
  if (text == "true" || text == "false") return assign(key, text == "true");
  if (const auto whole = whole_number(text)) return assign(key, *whole);
  if (const auto size = bytes(text); size && key.unit == "bytes") return assign(key, *size);
  const char* const end = text.data() + text.size();
  double number = 0;
  if (auto [at, error] = std::from_chars(text.data(), end, number);
      error == std::errc{} && at == end) {
    return assign(key, number);
  }
  return false;
}

constexpr std::string_view kPolicy = "policy.";

/// Stores `number` as the parameter `key` ("policy.NAME") of a policy; false if it is none.
bool assign_policy(GpuConfig& config, std::string_view key, std::optional<std::int64_t> number,
                   std::string where) {
  if (!number || *number < 0 || *number > std::numeric_limits<unsigned>::max()) return false;
  config.policy[std::string(key.substr(kPolicy.size()))] = {static_cast<unsigned>(*number),
                                                            std::move(where)};
  return true;
}

constexpr const char* kWholeNumber = "a whole number that is not negative";

constexpr std::string_view kBase = "base";

void assign_table(GpuConfig& config, const std::vector<GpuConfig::Key>& keys,
                  const toml::table& table, const std::string& prefix, const std::string& file,
                  std::map<std::string, bool>& seen) {
  for (const auto& [name, node] : table) {
    const std::string path = prefix + std::string(name.str());
    if (path == kBase) continue;
    const auto line = static_cast<unsigned long>(node.source().begin.line);
    if (const toml::table* inner = node.as_table()) {
      assign_table(config, keys, *inner, path + ".", file, seen);
      continue;
    }
    if (path.starts_with(kPolicy)) {
      if (!assign_policy(config, path, node.value_exact<std::int64_t>(),
                         fmt::format("{}:{}", file, line))) {
        throw InputError(file, line, fmt::format("'{}' must be {}", path, kWholeNumber));
      }
      continue;
    }
    const GpuConfig::Key* key = find_key(keys, path);
    if (key == nullptr) throw InputError(file, line, unknown_key(keys, path));
    bool good = false;
    if (const auto* word = node.as_string()) good = assign_word(*key, word->get());
    if (const auto* boolean = node.as_boolean()) good = assign(*key, boolean->get());
    if (const auto* integer = node.as_integer()) good = assign(*key, integer->get());
    if (const auto* number = node.as_floating_point()) good = assign(*key, number->get());
    if (!good) throw InputError(file, line, fmt::format("'{}' must be {}", path, kind_of(*key)));
    seen[path] = true;
  }
}

}  // namespace

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(preset_folder())) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

namespace {

/// The file of a preset, or the one at the path.
std::string file_of(const std::string& preset_or_path) {
  const std::vector<std::string> presets = preset_names();
  if (std::find(presets.begin(), presets.end(), preset_or_path) != presets.end()) {
    return (preset_folder() / (preset_or_path + ".toml")).string();
  }
  const std::optional<std::string> why = why_unreadable(preset_or_path);
  if (why && means_a_file(preset_or_path)) {
    throw InputError(preset_or_path, *why + ", and no GPU preset has this name");
  }
  if (why) {
    throw InputError(fmt::format("no GPU preset and no file is called '{}' (presets: {})",
                                 preset_or_path, fmt::join(presets, ", ")));
  }
  return preset_or_path;
}

/// The file that `table`, which stands in `file`, is based on: a preset, or a path from the folder
/// of `file`. Throws InputError if it is none, or one of `below`, the files that led here.
std::optional<std::string> base_of(const toml::table& table, const std::string& file,
                                   const std::vector<std::string>& below) {
  const toml::node* const node = table.get(kBase);
  if (node == nullptr) return std::nullopt;
  const auto line = static_cast<unsigned long>(node->source().begin.line);
  const std::optional<std::string> word = node->value_exact<std::string>();
  if (!word)
    throw InputError(file, line, "'base' must be the name of a preset or a file, in quotes");
  const std::filesystem::path beside = std::filesystem::path(file).parent_path() / *word;
  std::string base;
  try {
    base = file_of(std::filesystem::exists(beside) ? beside.string() : *word);
  } catch (const InputError& error) {
    throw InputError(file, line, fmt::format("base: {}", error.what()));
  }
  for (const std::string& other : below) {
    if (std::filesystem::equivalent(base, other)) {
      throw InputError(file, line, fmt::format("base '{}' is based on this file", *word));
    }
  }
  return base;
}

/// Reads `file` over what its base says. `below`: the files that it is the base of.
void read_file(GpuConfig& config, const std::vector<GpuConfig::Key>& keys, const std::string& file,
               std::map<std::string, bool>& seen, std::vector<std::string> below = {}) {
  toml::table table;
  try {
    table = toml::parse_file(file);
  } catch (const toml::parse_error& error) {
    throw InputError(file, error.source().begin.line, std::string(error.description()));
  }
  below.push_back(file);
  if (const auto base = base_of(table, file, below)) read_file(config, keys, *base, seen, below);
  assign_table(config, keys, table, "", file, seen);
}

}  // namespace

GpuConfig load_gpu(const std::string& preset_or_path) {
  const std::string file = file_of(preset_or_path);
  GpuConfig config;
  config.name = std::filesystem::path(file).stem().string();
  const std::vector<GpuConfig::Key> keys = config.keys();
  std::map<std::string, bool> seen;
  read_file(config, keys, file, seen);
  for (const GpuConfig::Key& key : keys) {
    if (!seen.contains(key.name) && !has_default(key.name)) {
      throw InputError(file,
                       fmt::format("key '{}' is missing ({}); base = \"m2090\" takes what the "
                                   "file does not say from that preset",
                                   key.name, key.meaning));
    }
  }
  config.says_yield_after = seen.contains(kYieldAfterKey);
  config.says_capability = seen.contains(kCapabilityKey);
  schedule_threads(config, false);
  try {
    check(config);
  } catch (const InputError& error) {
    throw InputError(file, error.what());
  }
  return config;
}

void schedule_threads(GpuConfig& config, bool told) {
  if (config.says_yield_after) return;
  const bool independent = !config.barrel() && (config.says_capability || told) &&
                           config.device.capability >= kIndependentThreads;
  config.frontend.yield_after = independent ? kYieldAfter : 0;
}

void set_key(GpuConfig& config, std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos) {
    throw InputError(fmt::format("--set {}: expected key=value", assignment));
  }
  const std::string_view name = assignment.substr(0, equals);
  const std::string_view value = assignment.substr(equals + 1);
  if (name.starts_with(kPolicy)) {
    if (!assign_policy(config, name, whole_number(value), fmt::format("--set {}", assignment))) {
      throw InputError(fmt::format("--set {}: the value must be {}", assignment, kWholeNumber));
    }
    return;
  }
  const std::vector<GpuConfig::Key> keys = config.keys();
  const GpuConfig::Key* key = find_key(keys, name);
  if (key == nullptr) throw InputError(fmt::format("--set: {}", unknown_key(keys, name)));
  if (!assign_text(*key, value)) {
    throw InputError(fmt::format("--set {}: the value must be {}", assignment, kind_of(*key)));
  }
  config.says_yield_after = config.says_yield_after || name == kYieldAfterKey;
  config.says_capability = config.says_capability || name == kCapabilityKey;
}

namespace {

template <typename Value>
std::string text_of(Value value) {
  if constexpr (std::is_same_v<Value, Affinity>) {
    return fmt::format("\"{}\"", name_of(value));
  } else {
    return fmt::format("{}", value);
  }
}

}  // namespace

std::string to_toml(const GpuConfig& config) {
  GpuConfig copy = config;
  std::string text = fmt::format("# GPU '{}'\n", config.name);
  std::string section;
  for (const GpuConfig::Key& key : copy.keys()) {
    const std::size_t dot = key.name.find('.');
    const std::string in = dot == std::string::npos ? "" : key.name.substr(0, dot);
    if (in != section) text += fmt::format("\n[{}]\n", in);
    section = in;
    const std::string value =
        std::visit([](const auto* field) { return text_of(*field); }, key.field);
    text += fmt::format("{} = {}  # {}{}\n", key.name.substr(in.empty() ? 0 : dot + 1), value,
                        key.unit.empty() ? "" : key.unit + ": ", key.meaning);
  }
  if (!config.policy.empty()) text += "\n[policy]\n";
  for (const auto& [name, setting] : config.policy) {
    text += fmt::format("{} = {}\n", name, setting.value);
  }
  return text;
}

}  // namespace paws
