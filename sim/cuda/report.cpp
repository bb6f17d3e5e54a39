// SPDX-License-Identifier: MIT
#include "sim/cuda/report.h"

#include <errno.h>
#include <unistd.h>

#include <algorithm>

#include "sim/support/error.h"

namespace paws::cuda {

ReportWriter::ReportWriter(const std::filesystem::path& folder) {
  if (folder.empty()) return;
  // Counted, not named by the process's number: the order of the files is that of the starts.
  std::size_t number = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) number += entry.exists();
  const auto file = folder / (std::to_string(1'000'000 + number) + "-" + std::to_string(getpid()));
  file_.open(file);
  if (!file_) throw InputError(file.string(), "cannot write");
  write({{"program", program_invocation_short_name}});
}

void ReportWriter::write(const nlohmann::json& line) {
  if (file_.is_open()) file_ << line.dump() << std::endl;
}

std::vector<ProcessReport> read_reports(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<ProcessReport> reports;
  for (const std::filesystem::path& path : files) {
    ProcessReport& report = reports.emplace_back();
    std::ifstream file(path);
    std::string line;
    while (std::getline(file, line)) {
      const nlohmann::json json = nlohmann::json::parse(line, nullptr, false);
      if (json.is_discarded()) break;
      if (json.contains("program")) {
        report.program = json["program"].get<std::string>();
      } else if (json.contains("launch")) {
        report.launches.push_back(json);
      } else if (json.contains("leak")) {
        report.leaks.push_back(json["leak"].get<std::string>());
      } else if (json.contains("capture")) {
        report.captures.push_back(json["capture"].get<std::string>());
      } else if (json.contains("total")) {
        report.total = json["total"];
      }
    }
  }
  return reports;
}

}  // namespace paws::cuda
