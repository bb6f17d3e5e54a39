// SPDX-License-Identifier: MIT
// What the runtime tells `paws cuda`: a file per process, one JSON value per line, written as
// things happen, so that a program that crashes leaves what it has done until then.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/observe/line_profile.h"
#include "sim/observe/warp_series.h"

namespace paws::cuda {

class ReportWriter {
 public:
  /// Into a file of the process in `folder`; empty: nowhere. Throws InputError.
  explicit ReportWriter(const std::filesystem::path& folder);

  /// Nothing in a process that has forked from the one that made this: the file is not its own.
  void write(const nlohmann::json& line);

  /// Whether this process is the one that made this.
  [[nodiscard]] bool own() const;

  /// How many processes of this run, with this one, have taken the name for their files. Without a
  /// folder, 1. Throws InputError.
  [[nodiscard]] unsigned take_name(const std::string& name) const;

  /// The file for the process's timeline. Throws InputError.
  [[nodiscard]] std::string timeline_file() const;

 private:
  std::filesystem::path folder_;
  pid_t process_;
  std::ofstream file_;
};

/// What one process has told.
// NOLINTNEXTLINE(bugprone-exception-escape): clang-tidy does not believe that JSON values move.
struct ProcessReport {
  std::string program;
  std::vector<nlohmann::json> launches;      ///< in order
  nlohmann::json total;                      ///< null: the process did not end in order
  std::vector<std::string> leaks;            ///< allocations at the end
  std::vector<std::string> captures;         ///< launch descriptions that were written
  std::string timeline;                      ///< file; empty: as of total, or nothing was timed
  std::optional<observe::Profile> profile;   ///< nothing: as of total, or it was not asked for
  std::optional<observe::WarpSeries> warps;  ///< the same
};

/// Reads every file in `folder`, in the order of the processes' starts. A line that was cut off by
/// a crash is left out.
std::vector<ProcessReport> read_reports(const std::filesystem::path& folder);

}  // namespace paws::cuda
