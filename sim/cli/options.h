// SPDX-License-Identifier: MIT
// Options that `run`, `compare` and `cuda` share, and those that `phases` and `annotate` share.
#pragma once

#include <CLI/CLI.hpp>

#include "sim/run/simulation.h"

namespace paws::cli {

/// Adds what decides the simulated machine to `command`: --gpu, --engine, --blocks, --throttle,
/// --adapt, --set, --check, --queues, --max-cycles, --threads. `request` must outlive it.
void add_machine_options(CLI::App& command, SimulationRequest& request);

/// The same, and what decides the workload: --size, --define, --ptx, --seed.
void add_simulation_options(CLI::App& command, SimulationRequest& request);

/// Adds --printf, whether what kernels print is shown. `shown` must outlive `command`.
void add_printf_option(CLI::App& command, bool& shown);

/// Adds the file that `phases` and `annotate` compile to `command`, and --kernel, --gpu, --set.
/// `word`, `kernel` and `request` must outlive it.
void add_compile_options(CLI::App& command, std::string& word, std::string& kernel,
                         SimulationRequest& request);

}  // namespace paws::cli
