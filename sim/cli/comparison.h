// SPDX-License-Identifier: MIT
// What `compare` knows of its simulations, and its files.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/failure.h"
#include "sim/run/simulation.h"

namespace paws::cli {

/// One simulation: its result or why it has none.
struct Outcome {
  unsigned noise_seed = 0;  ///< of its perturbation; 0: none
  SimulationResult result;  ///< of one that failed: workload, gpu, scheduler and engine alone
  std::optional<Failure> failure;
  sanitize::Report found_before_failure;  ///< by --check
};

/// "single:rr" of "single:gto".
std::string round_robin_of_level(const std::string& scheduler);

/// Cycles under RR of the same level, workload and perturbation ÷ the cycles of `outcome`; nothing
/// if either has not been run or has failed.
std::optional<double> speed_relative_to_rr(const std::vector<Outcome>& outcomes,
                                           const Outcome& outcome);

/// A list with an entry per simulation; one that failed has `failure`, the cause, and no
/// statistics.
nlohmann::json to_json(const std::vector<Outcome>& outcomes);

/// A line per simulation, after one of names; one that failed has its cause under `failure`.
std::string to_csv(const std::vector<Outcome>& outcomes);

}  // namespace paws::cli
