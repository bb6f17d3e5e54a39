// SPDX-License-Identifier: MIT
// Profiles by line of one or several runs beside each other: what all files and pages of a profile
// are made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/observe/line_profile.h"

namespace paws::profile {

struct ProfiledRun {
  std::string workload;
  std::string scheduler;
  observe::Profile profile;
};

/// A figure of an instruction or line, by its name in files.
struct ProfileColumn {
  std::string name;
  std::string definition;  ///< with its unit, no full stop
  std::uint64_t (*value)(const observe::LineCounts&);
};
const std::vector<ProfileColumn>& profile_columns();

/// "memory", "not selected", ...: of a reason, for people.
const std::string& name_of(observe::Wait reason);
/// The same in the name of its column: "wait_not_selected".
std::string column_of(observe::Wait reason);

/// One instruction.
struct ProfileRow {
  std::string workload, kernel;
  std::string file;  ///< PTX file
  std::uint32_t pc = 0;
  std::uint32_t line = 0;  ///< in the PTX file
  std::string text;
  std::string source_file;                  ///< empty: unknown
  std::uint32_t source_line = 0;            ///< 0: unknown
  std::vector<observe::LineCounts> counts;  ///< by scheduler
};

struct ProfileTable {
  std::vector<std::string> schedulers;  ///< in the order of their first runs
  std::vector<ProfileRow> rows;         ///< by workload, kernel and pc, in the order of the runs

  /// Of all rows, by scheduler.
  [[nodiscard]] std::vector<observe::LineCounts> totals() const;
  /// More than one.
  [[nodiscard]] bool has_workloads() const;
};

/// Runs of one workload under one scheduler are summed.
ProfileTable table_of(const std::vector<ProfiledRun>& runs);

/// A line of the source, or of the PTX where the source is not known, with all its instructions.
struct ProfileLine {
  std::string workload;
  std::string file;
  std::uint32_t line = 0;
  std::string ptx_file;                     ///< of its first instruction
  std::vector<std::string> kernels;         ///< in which it is
  std::vector<std::size_t> rows;            ///< places in ProfileTable::rows
  std::vector<observe::LineCounts> counts;  ///< by scheduler

  /// Warp cycles waited, summed over the schedulers.
  [[nodiscard]] std::uint64_t waited() const;
};

/// By workload in the order of the table, then by file and line.
std::vector<ProfileLine> lines_of(const ProfileTable& table);

/// The reasons for which warps waited, the largest first; those without a cycle are left out.
std::vector<observe::Wait> reasons_of(const observe::LineCounts& counts);

/// The text of lines of files, as far as these can be read.
class SourceText {
 public:
  /// What stands there, without blanks at its end; empty: not known. A relative name is looked up
  /// from the working folder, then from the folder of the PTX.
  [[nodiscard]] std::string at(const ProfileLine& line);

 private:
  struct File {
    std::string name, ptx_file;
    std::vector<std::string> lines;
  };
  std::vector<File> files_;
};

}  // namespace paws::profile
