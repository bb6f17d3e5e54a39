// SPDX-License-Identifier: MIT
#include "sim/profile/profile_table.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <tuple>

#include "sim/support/input_file.h"

namespace paws::profile {
namespace {

using observe::kWaits;
using observe::LineCounts;
using observe::Wait;

/// In the order of Wait.
const std::array<std::string, kWaits> kNames{"instruction",  "barrier", "memory",
                                             "arithmetic",   "unit",    "disabled",
                                             "not selected", "outside"};

/// Adds `counts` at `place`, behind all that is there.
void add_at(std::vector<LineCounts>& sums, std::size_t place, const LineCounts& counts) {
  if (sums.size() <= place) sums.resize(place + 1);
  sums[place] += counts;
}

std::string without_blanks_at_end(const std::string& text) {
  const std::size_t last = text.find_last_not_of(" \t\r");
  return last == std::string::npos ? "" : text.substr(0, last + 1);
}

std::vector<std::string> lines_of_file(const std::filesystem::path& path) {
  std::vector<std::string> lines;
  if (why_unreadable(path)) return lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(without_blanks_at_end(line));
  return lines;
}

}  // namespace

const std::vector<ProfileColumn>& profile_columns() {
  using Counts = const LineCounts&;
  static const std::vector<ProfileColumn> columns{
      {"issues", "warp instructions issued", [](Counts c) { return c.issues; }},
      {"warp_cycles", "warp cycles: live warps summed over core cycles, issues and waits",
       [](Counts c) { return c.warp_cycles(); }},
      {"wait_memory",
       "warp cycles that waited for an operand of a long-latency operation, for copies, or in a "
       "fence for stores",
       [](Counts c) { return c.waited_for(Wait::memory); }},
      {"wait_arithmetic",
       "warp cycles that waited for an operand of anything else: arithmetic, shared or constant "
       "memory",
       [](Counts c) { return c.waited_for(Wait::arithmetic); }},
      {"wait_instruction",
       "warp cycles that waited for the instruction: fetch, or a branch not resolved",
       [](Counts c) { return c.waited_for(Wait::instruction); }},
      {"wait_barrier", "warp cycles that waited at a barrier",
       [](Counts c) { return c.waited_for(Wait::barrier); }},
      {"wait_unit",
       "warp cycles with operands that waited for a unit, or were held back by a throttle",
       [](Counts c) { return c.waited_for(Wait::unit); }},
      {"wait_not_selected", "warp cycles in which another warp was issued",
       [](Counts c) { return c.waited_for(Wait::not_selected); }},
      {"wait_outside", "warp cycles that could have issued, outside of the ready queue",
       [](Counts c) { return c.waited_for(Wait::outside); }},
      {"wait_disabled",
       "warp cycles with operands in cycles in which the scheduler was not enabled",
       [](Counts c) { return c.waited_for(Wait::disabled); }},
      {"path_threads", "threads on the SIMT path, summed over the issues",
       [](Counts c) { return c.path_threads; }},
      {"thread_instructions", "of these, threads that passed the guard",
       [](Counts c) { return c.thread_instructions; }},
      {"l1_accesses", "transactions looked up in L1 or texture cache",
       [](Counts c) { return c.l1_accesses; }},
      {"l1_misses", "of these, misses", [](Counts c) { return c.l1_misses; }},
      {"shared_accesses", "warp instructions that accessed shared memory",
       [](Counts c) { return c.shared_accesses; }},
      {"shared_conflict_cycles", "further passes because of bank conflicts in shared memory",
       [](Counts c) { return c.shared_conflict_cycles; }}};
  return columns;
}

const std::string& name_of(Wait reason) { return kNames.at(static_cast<std::size_t>(reason)); }

std::string column_of(Wait reason) {
  std::string name = "wait_" + name_of(reason);
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

std::vector<LineCounts> ProfileTable::totals() const {
  std::vector<LineCounts> sums(schedulers.size());
  for (const ProfileRow& row : rows) {
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += row.counts[i];
  }
  return sums;
}

bool ProfileTable::has_workloads() const {
  return std::any_of(rows.begin(), rows.end(), [this](const ProfileRow& row) {
    return row.workload != rows.front().workload;
  });
}

ProfileTable table_of(const std::vector<ProfiledRun>& runs) {
  ProfileTable table;
  // Kernels of one name and file may have other code, for a block of another size.
  using Key = std::tuple<std::string, std::string, std::string, std::uint32_t, std::string>;
  std::map<Key, std::size_t> places;
  for (const ProfiledRun& run : runs) {
    const auto known = std::find(table.schedulers.begin(), table.schedulers.end(), run.scheduler);
    const auto column = static_cast<std::size_t>(known - table.schedulers.begin());
    if (known == table.schedulers.end()) table.schedulers.push_back(run.scheduler);
    for (const observe::ProfiledKernel& kernel : run.profile.kernels) {
      for (std::uint32_t pc = 0; pc < kernel.code.size(); ++pc) {
        const observe::ProfiledInstruction& from = kernel.code[pc];
        const auto [place, added] = places.try_emplace(
            {run.workload, kernel.name, kernel.file, pc, from.text}, table.rows.size());
        if (added) {
          table.rows.push_back({run.workload,
                                kernel.name,
                                kernel.file,
                                pc,
                                from.line,
                                from.text,
                                from.source_file,
                                from.source_line,
                                {}});
        }
        add_at(table.rows[place->second].counts, column, from.counts);
      }
    }
  }
  for (ProfileRow& row : table.rows) row.counts.resize(table.schedulers.size());
  return table;
}

std::uint64_t ProfileLine::waited() const {
  std::uint64_t sum = 0;
  for (const LineCounts& each : counts) sum += each.waited();
  return sum;
}

std::vector<ProfileLine> lines_of(const ProfileTable& table) {
  std::map<std::string, std::size_t> workloads;
  std::map<std::tuple<std::size_t, std::string, std::uint32_t>, ProfileLine> lines;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const ProfileRow& row = table.rows[i];
    const bool source = row.source_line != 0;
    const std::string& file = source ? row.source_file : row.file;
    const std::uint32_t number = source ? row.source_line : row.line;
    const std::size_t workload =
        workloads.try_emplace(row.workload, workloads.size()).first->second;
    ProfileLine& line = lines[{workload, file, number}];
    if (line.rows.empty()) {
      line.workload = row.workload;
      line.file = file;
      line.line = number;
      line.ptx_file = row.file;
    }
    if (std::find(line.kernels.begin(), line.kernels.end(), row.kernel) == line.kernels.end()) {
      line.kernels.push_back(row.kernel);
    }
    line.rows.push_back(i);
    for (std::size_t j = 0; j < row.counts.size(); ++j) add_at(line.counts, j, row.counts[j]);
  }
  std::vector<ProfileLine> list;
  list.reserve(lines.size());
  for (auto& [place, line] : lines) list.push_back(std::move(line));
  return list;
}

std::vector<Wait> reasons_of(const LineCounts& counts) {
  std::vector<Wait> reasons;
  for (unsigned i = 0; i < kWaits; ++i) {
    if (counts.waits[i] != 0) reasons.push_back(static_cast<Wait>(i));
  }
  std::stable_sort(reasons.begin(), reasons.end(),
                   [&](Wait a, Wait b) { return counts.waited_for(a) > counts.waited_for(b); });
  return reasons;
}

std::string SourceText::at(const ProfileLine& line) {
  auto file = std::find_if(files_.begin(), files_.end(), [&](const File& known) {
    return known.name == line.file && known.ptx_file == line.ptx_file;
  });
  if (file == files_.end()) {
    std::vector<std::string> lines = lines_of_file(line.file);
    if (lines.empty()) {
      lines = lines_of_file(std::filesystem::path(line.ptx_file).parent_path() / line.file);
    }
    files_.push_back({line.file, line.ptx_file, std::move(lines)});
    file = std::prev(files_.end());
  }
  return line.line == 0 || line.line > file->lines.size() ? "" : file->lines[line.line - 1];
}

}  // namespace paws::profile
