// SPDX-License-Identifier: MIT
// A run as `paws run --json` has saved it.
#pragma once

#include <string>
#include <vector>

#include "sim/report/figures.h"
#include "sim/run/provenance.h"

namespace paws::report {

// NOLINTNEXTLINE(bugprone-exception-escape): clang-tidy does not believe that JSON values move.
struct SavedRun {
  ReportedRun run;
  Provenance made_by;
  std::vector<std::string> settings;  ///< of the GPU, key=value
};

/// Throws InputError, with the line as far as known, for a file that cannot be read, is no whole
/// JSON or no result of one run with timing, or was written by another version.
SavedRun read_run(const std::string& file);

/// to_html() of a run that was read from `file`. Throws InputError when the result lacks a figure.
std::string to_html(const std::string& file, const SavedRun& saved, const GpuConfig& gpu,
                    const std::string& command);

}  // namespace paws::report
