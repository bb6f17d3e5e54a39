// SPDX-License-Identifier: MIT
#include "sim/cli/report_option.h"

#include <fmt/format.h>

#include <fstream>

#include "sim/cli/output_file.h"
#include "sim/report/report_page.h"
#include "sim/run/reproduce.h"
#include "sim/run/result_fields.h"
#include "sim/support/error.h"

namespace paws::cli {
namespace {

/// Of this process, as a shell takes it.
std::string command_line() {
  std::ifstream words("/proc/self/cmdline");
  std::string line;
  for (std::string word; std::getline(words, word, '\0');) {
    line += (line.empty() ? "" : " ") + shell_word(word);
  }
  return line;
}

}  // namespace

void add_report_option(CLI::App& command, std::string& file) {
  command.add_option(
      "--report", file,
      "write a page for a browser to this file: what limits the run, and the figures "
      "that say so (docs/guide/report.md)");
}

void check_report_option(const std::string& file, const GpuConfig& config) {
  if (file.empty()) return;
  if (config.barrel()) {
    throw InputError(
        fmt::format("--report: the cores of {} are barrels (core.pipeline_stages), of "
                    "which there is no profile by line",
                    config.name));
  }
  check_writable(file);
}

report::ReportedRun reported(const SimulationResult& result) {
  return {result.scheduler, to_json(result), *result.profile, *result.warps};
}

void give_report(const std::string& file, const std::vector<report::ReportedRun>& runs,
                 const GpuConfig& config, const Provenance& made_by) {
  write_file(file, report::to_html(runs, config, made_by, command_line()));
}

void give_report(const std::string& file, const std::string& result, const report::SavedRun& saved,
                 const GpuConfig& config) {
  write_file(file, report::to_html(result, saved, config, command_line()));
}

}  // namespace paws::cli
