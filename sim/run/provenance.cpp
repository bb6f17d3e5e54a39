// SPDX-License-Identifier: MIT
#include "sim/run/provenance.h"

#include <fmt/format.h>

#include <sstream>

#include "sim/run/simulation.h"

namespace paws {
namespace {

std::string text_of(const GpuConfig::Field& field) {
  return std::visit(
      [](auto* value) -> std::string {
        using Value = std::remove_reference_t<decltype(*value)>;
        if constexpr (std::is_same_v<Value, Affinity>) {
          return std::string(name_of(*value));
        } else if constexpr (std::is_same_v<Value, bool>) {
          return *value ? "true" : "false";
        } else {
          return fmt::format("{}", *value);
        }
      },
      field);
}

/// What differs, whatever said so: a setting that repeats the preset's value changes nothing.
std::string differences(const SimulationRequest& request) {
  GpuConfig preset = load_gpu(request.gpu);
  GpuConfig config = gpu_of(request);
  std::vector<std::string> changed;
  const std::vector<GpuConfig::Key> before = preset.keys();
  const std::vector<GpuConfig::Key> now = config.keys();
  for (std::size_t i = 0; i < now.size(); ++i) {
    const std::string value = text_of(now[i].field);
    if (value != text_of(before[i].field)) changed.push_back(now[i].name + "=" + value);
  }
  for (const auto& [name, setting] : config.policy) {
    const auto found = preset.policy.find(name);
    if (found != preset.policy.end() && found->second.value == setting.value) continue;
    changed.push_back(fmt::format("policy.{}={}", name, setting.value));
  }
  return fmt::format("{}", fmt::join(changed, " "));
}

}  // namespace

std::string project_version() { return PAWS_VERSION; }

std::vector<std::pair<std::string, std::string>> Provenance::fields() const {
  return {{"version", version},
          {"commit", commit},
          {"workload", workload},
          {"gpu", gpu},
          {"settings", settings},
          {"size", size},
          {"defines", defines},
          {"seed", seed},
          {"scheduler", scheduler},
          {"engine", engine},
          {"block_scheduler", block_scheduler},
          {"throttle", throttle}};
}

Provenance provenance_of(const SimulationRequest& request, const std::string& workload,
                         std::optional<std::uint64_t> seed) {
  std::vector<std::string> defines;
  for (const auto& [name, value] : request.load.variables) {
    defines.push_back(fmt::format("{}={}", name, value));
  }
  Provenance made_by;
  made_by.version = project_version();
  made_by.commit = request.commit;
  made_by.workload = workload;
  made_by.gpu = load_gpu(request.gpu).name;
  made_by.settings = differences(request);
  made_by.size = request.load.size;
  made_by.defines = fmt::format("{}", fmt::join(defines, " "));
  if (seed) made_by.seed = std::to_string(*seed);
  made_by.engine = request.engine;
  if (!request.timing) return made_by;
  made_by.scheduler = request.scheduler;
  made_by.block_scheduler = request.blocks;
  made_by.throttle = request.throttle;
  return made_by;
}

std::string as_comment(const Provenance& made_by) {
  std::string text;
  for (const auto& [name, value] : made_by.fields()) {
    if (!value.empty()) text += fmt::format("# {}: {}\n", name, value);
  }
  return text;
}

std::string as_line(const Provenance& made_by) {
  std::string text;
  for (const auto& [name, value] : made_by.fields()) {
    if (!value.empty()) text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", name, value);
  }
  return text;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"') quoted += '"';
    quoted += letter;
  }
  return quoted + '"';
}

std::string with_provenance(const std::string& csv, const Provenance& made_by) {
  std::string names;
  std::string values;
  for (const auto& [name, value] : made_by.fields()) {
    names += "," + name;
    values += "," + csv_field(value);
  }
  std::string text;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    text += line + (text.empty() ? names : values) + '\n';
  }
  return text;
}

}  // namespace paws
