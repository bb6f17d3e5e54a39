// SPDX-License-Identifier: MIT
// Options that `run` and `compare` share.
#pragma once

#include <CLI/CLI.hpp>

#include "sim/cli/simulation.h"

namespace paws::cli {

/// Adds --gpu, --engine, --set, --size, --define, --ptx, --seed, --queues, --max-cycles, --threads
/// to `command`. `request` must outlive it.
void add_simulation_options(CLI::App& command, SimulationRequest& request);

}  // namespace paws::cli
