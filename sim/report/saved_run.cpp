// SPDX-License-Identifier: MIT
#include "sim/report/saved_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>

#include "sim/report/report_page.h"
#include "sim/run/profile_json.h"
#include "sim/support/error.h"
#include "sim/support/input_file.h"

namespace paws::report {
namespace {

using nlohmann::json;

json parsed(const std::string& file) {
  if (const auto why = why_unreadable(file)) throw InputError(file, *why);
  std::ifstream stream(file, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  try {
    return json::parse(text);
  } catch (const json::parse_error& error) {
    const std::size_t at = std::min(error.byte == 0 ? 0 : error.byte - 1, text.size());
    const auto line =
        1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    throw InputError(file, static_cast<unsigned long>(line),
                     at == text.size() ? "the JSON is cut off here" : "is no JSON from here on");
  }
}

/// Throws InputError unless it is what a run of this version with timing has saved.
void check_result(const std::string& file, const json& result) {
  constexpr const char* kWanted = "`paws report` reads what `paws run WORKLOAD --json FILE` writes";
  if (result.is_array() || (result.is_object() && result.contains("program"))) {
    throw InputError(file, fmt::format("is not the result of one run of a workload: {}", kWanted));
  }
  if (!result.is_object() || !result.contains("workload") || !result.contains("version") ||
      !result["version"].is_string()) {
    throw InputError(file, fmt::format("is not the result of a run: {}", kWanted));
  }
  const auto version = result["version"].get<std::string>();
  if (version != project_version()) {
    throw InputError(file, fmt::format("was written by paws {}, and this is paws {}: run again",
                                       version, project_version()));
  }
  if (result.value("timing", json()) != true) {
    throw InputError(file,
                     "is the result of a run with --timing off, which has no cycles to report");
  }
}

Provenance provenance_in(const json& result) {
  Provenance made_by;
  for (const auto& [name, field] : {std::pair{"version", &made_by.version},
                                    {"commit", &made_by.commit},
                                    {"workload", &made_by.workload},
                                    {"gpu", &made_by.gpu},
                                    {"settings", &made_by.settings},
                                    {"size", &made_by.size},
                                    {"defines", &made_by.defines},
                                    {"scheduler", &made_by.scheduler},
                                    {"engine", &made_by.engine},
                                    {"block_scheduler", &made_by.block_scheduler},
                                    {"throttle", &made_by.throttle}}) {
    result.at(name).get_to(*field);
  }
  if (const json& seed = result.at("seed"); !seed.is_null()) made_by.seed = seed.dump();
  return made_by;
}

void check_units(const std::string& file, const observe::Profile& profile) {
  for (const observe::ProfiledKernel& kernel : profile.kernels) {
    for (const observe::ProfiledInstruction& each : kernel.code) {
      if (static_cast<std::size_t>(each.unit) < core::kUnits) continue;
      throw InputError(file,
                       "is not the whole result of a run: `profile` names a unit that is none");
    }
  }
}

[[noreturn]] void lacks(const std::string& file, const json::exception& error) {
  // Without the name of the library's error.
  const std::string what = error.what();
  throw InputError(
      file, fmt::format("is not the whole result of a run: {}", what.substr(what.find("] ") + 2)));
}

}  // namespace

SavedRun read_run(const std::string& file) {
  json result = parsed(file);
  check_result(file, result);
  SavedRun saved;
  try {
    saved.made_by = provenance_in(result);
    saved.run.scheduler = saved.made_by.scheduler;
    if (result.contains("profile")) saved.run.profile = profile_from(result["profile"]);
    if (saved.run.profile) check_units(file, *saved.run.profile);
    if (result.contains("warps")) saved.run.warps = warps_from(result["warps"]);
  } catch (const json::exception& error) {
    lacks(file, error);
  }
  if (saved.run.warps && saved.run.warps->width == 0) {
    throw InputError(file, "is not the whole result of a run: `warps` has stretches of no cycles");
  }
  std::istringstream settings(saved.made_by.settings);
  for (std::string setting; settings >> setting;) saved.settings.push_back(setting);
  saved.run.result = std::move(result);
  return saved;
}

std::string to_html(const std::string& file, const SavedRun& saved, const GpuConfig& gpu,
                    const std::string& command) {
  try {
    return to_html({saved.run}, gpu, saved.made_by, command);
  } catch (const json::exception& error) {
    lacks(file, error);
  }
}

}  // namespace paws::report
