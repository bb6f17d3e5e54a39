// SPDX-License-Identifier: MIT
// The result of a simulation as names and values, for JSON and CSV.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sim/run/simulation.h"

namespace paws {

/// A fact of a run that is no statistic, by its name in JSON and CSV.
struct RunField {
  std::string name;
  std::string definition;  ///< one sentence
  nlohmann::json (*value)(const SimulationResult&);
  bool needs_timing = false;  ///< only a run with timing has it
  bool of_host = false;       ///< differs from run to run
};
const std::vector<RunField>& run_fields();

/// The fields, `kernels`, how each fills a core, `check`, the findings when asked for, and, of a
/// run with timing, every statistic by name and `per_launch`, the statistics of each launch.
nlohmann::json to_json(const SimulationResult& result);

/// Names and values of what to_json() has, without the launches and what differs from run to run.
/// An empty value: not measured.
std::vector<std::pair<std::string, std::string>> to_columns(const SimulationResult& result);

}  // namespace paws
