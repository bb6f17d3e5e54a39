// SPDX-License-Identifier: MIT
// The figures of one run from which its page is made: statistics by their names in JSON, profile,
// warps over time and machine. A saved run may lack profile or warps.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/config/gpu_config.h"
#include "sim/observe/line_profile.h"
#include "sim/observe/warp_series.h"
#include "sim/report/limit.h"

namespace paws::report {

// NOLINTNEXTLINE(bugprone-exception-escape): clang-tidy does not believe that JSON values move.
struct ReportedRun {
  std::string scheduler;
  nlohmann::json result;  ///< as `--json` writes it, of a run with timing
  std::optional<observe::Profile> profile;
  std::optional<observe::WarpSeries> warps;
};

/// What the machine has at most, and how much of it the run has used. Issue slots, DRAM, L2 and
/// load-store unit come first, then, with a profile, the other units that the run has used.
std::vector<Roof> roofs_of(const ReportedRun& run, const GpuConfig& gpu);

Evidence evidence_of(const ReportedRun& run, const GpuConfig& gpu);

/// On the data buses of all channels.
double dram_bytes(const ReportedRun& run, const GpuConfig& gpu);
/// On the ports of the L2's slices: requests in and replies out, headers and atomic operations
/// included.
double l2_bytes(const ReportedRun& run, const GpuConfig& gpu);

}  // namespace paws::report
