// SPDX-License-Identifier: MIT
// The option --report of `run`, `compare` and `cuda`, and the page of `paws report`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "sim/config/gpu_config.h"
#include "sim/report/figures.h"
#include "sim/report/saved_run.h"
#include "sim/run/simulation.h"

namespace paws::cli {

/// Adds --report to `command`. `file` must outlive it; it stays empty without the option.
void add_report_option(CLI::App& command, std::string& file);

/// Throws InputError when the cores of `config` cannot be profiled or `file` cannot be written.
void check_report_option(const std::string& file, const GpuConfig& config);

/// Of a run that had SimulationRequest::profile and warps.
report::ReportedRun reported(const SimulationResult& result);

/// Writes the page. Throws InputError.
void give_report(const std::string& file, const std::vector<report::ReportedRun>& runs,
                 const GpuConfig& config, const Provenance& made_by);

/// The same of a run that was read from the file `result`.
void give_report(const std::string& file, const std::string& result, const report::SavedRun& saved,
                 const GpuConfig& config);

}  // namespace paws::cli
