// SPDX-License-Identifier: MIT
// Options that `run` and `compare` share, and those that `phases` and `annotate` share.
#pragma once

#include <CLI/CLI.hpp>

#include "sim/run/simulation.h"

namespace paws::cli {

/// Adds --gpu, --engine, --set, --size, --define, --ptx, --seed, --queues, --max-cycles, --threads
/// to `command`. `request` must outlive it.
void add_simulation_options(CLI::App& command, SimulationRequest& request);

/// Adds the file that `phases` and `annotate` compile to `command`, and --kernel, --gpu, --set.
/// `word`, `kernel` and `request` must outlive it.
void add_compile_options(CLI::App& command, std::string& word, std::string& kernel,
                         SimulationRequest& request);

}  // namespace paws::cli
