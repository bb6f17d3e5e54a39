// SPDX-License-Identifier: MIT
// Options that `run`, `compare` and `cuda` share, and those that `phases` and `annotate` share.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "sim/run/simulation.h"

namespace paws::cli {

/// Takes whole numbers from `least` to `most`. CLI11's own validators say their range in up to 309
/// digits, and take numbers beyond those of the option's type.
CLI::Validator whole_number(std::uint64_t least,
                            std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

/// Adds an option that is one of two words; `value` says whether it is `yes` and must outlive
/// `command`.
void add_choice(CLI::App& command, const std::string& name, const std::string& yes,
                const std::string& no, bool& value, const std::string& description);

/// Adds what decides the simulated machine to `command`: --gpu, --engine, --blocks, --throttle,
/// --set, --check, --queues, --max-cycles, --threads. `request` must outlive it.
void add_machine_options(CLI::App& command, SimulationRequest& request);

/// The same, and what decides the workload: --size, --define, --ptx, --seed.
void add_simulation_options(CLI::App& command, SimulationRequest& request);

/// Throws InputError for options of add_machine_options() that mean nothing because simulations run
/// under `schedulers`. Of `config`, the request's GPU.
void check_machine_options(const CLI::App& command, const GpuConfig& config,
                           const std::vector<std::string>& schedulers);

/// Throws InputError for options that mean nothing without timing, which `mode` such as
/// "--timing off" asks for.
void check_untimed_options(const CLI::App& command, const std::string& mode);

/// Adds --max-instructions and --steps, for launches without timing. `request` must outlive
/// `command`.
void add_untimed_options(CLI::App& command, SimulationRequest& request);

/// Adds --printf, whether what kernels print is shown. `shown` must outlive `command`.
void add_printf_option(CLI::App& command, bool& shown);

/// Adds the file that `phases` and `annotate` compile to `command`, and --kernel, --gpu, --set.
/// `word`, `kernel` and `request` must outlive it.
void add_compile_options(CLI::App& command, std::string& word, std::string& kernel,
                         SimulationRequest& request);

}  // namespace paws::cli
