// SPDX-License-Identifier: MIT
// One page of a run, or of runs of one workload under several schedulers.
#pragma once

#include <string>
#include <vector>

#include "sim/config/gpu_config.h"
#include "sim/report/figures.h"
#include "sim/run/provenance.h"

namespace paws::report {

/// HTML that needs nothing else: no other file, no network, no scripts. A figure that JSON has
/// stands in an attribute data-NAME="figure" of its cell, in full, and so does the scheduler.
/// There is at least one run. All have a profile or none, and so it is with warps over time; what
/// is missing is named with the option that adds it. `command` is the one that made the page.
std::string to_html(const std::vector<ReportedRun>& runs, const GpuConfig& gpu,
                    const Provenance& made_by, const std::string& command);

}  // namespace paws::report
