// SPDX-License-Identifier: MIT
// What the runtime tells `paws cuda`: a file per process, one JSON value per line, written as
// things happen, so that a program that crashes leaves what it has done until then.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace paws::cuda {

class ReportWriter {
 public:
  /// Into a file of the process in `folder`; empty: nowhere. Throws InputError.
  explicit ReportWriter(const std::filesystem::path& folder);

  void write(const nlohmann::json& line);

 private:
  std::ofstream file_;
};

/// What one process has told.
// NOLINTNEXTLINE(bugprone-exception-escape): clang-tidy does not believe that JSON values move.
struct ProcessReport {
  std::string program;
  std::vector<nlohmann::json> launches;  ///< in order
  nlohmann::json total;                  ///< null: the process did not end in order
  std::vector<std::string> leaks;        ///< allocations at the end
  std::vector<std::string> captures;     ///< launch descriptions that were written
};

/// Reads every file in `folder`, in the order of the processes' starts. A line that was cut off by
/// a crash is left out.
std::vector<ProcessReport> read_reports(const std::filesystem::path& folder);

}  // namespace paws::cuda
