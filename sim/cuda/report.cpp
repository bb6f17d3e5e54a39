// SPDX-License-Identifier: MIT
#include "sim/cuda/report.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "sim/run/profile_json.h"
#include "sim/support/error.h"

namespace paws::cuda {

namespace {

/// Holds an empty file for each name of files that a process has taken.
constexpr const char* kNames = "names";
constexpr const char* kTimelines = "timelines";

}  // namespace

ReportWriter::ReportWriter(const std::filesystem::path& folder)
    : folder_(folder), process_(getpid()) {
  if (folder.empty()) return;
  // Counted, not named by the process's number: the order of the files is that of the starts.
  std::size_t number = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.is_regular_file()) ++number;
  }
  const auto file = folder / (std::to_string(1'000'000 + number) + "-" + std::to_string(getpid()));
  file_.open(file);
  if (!file_) throw InputError(file.string(), "cannot write");
  write({{"program", program_invocation_short_name}});
}

void ReportWriter::write(const nlohmann::json& line) {
  if (!file_.is_open() || !own()) return;
  // A program's name may be no text.
  file_ << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << std::endl;
}

bool ReportWriter::own() const { return getpid() == process_; }

unsigned ReportWriter::take_name(const std::string& name) const {
  if (folder_.empty()) return 1;
  const std::filesystem::path names = folder_ / kNames;
  std::filesystem::create_directory(names);
  for (unsigned count = 1;; ++count) {
    const auto file = names / (name + "-" + std::to_string(count));
    // Processes may run at the same time: one of them makes the file.
    const int made = open(file.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    if (made >= 0) {
      close(made);
      return count;
    }
    if (errno != EEXIST) throw InputError(file.string(), "cannot write");
  }
}

std::string ReportWriter::timeline_file() const {
  std::filesystem::create_directory(folder_ / kTimelines);
  return folder_ / kTimelines / std::to_string(1'000'000 + take_name(kTimelines));
}

std::vector<ProcessReport> read_reports(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
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
      } else if (json.contains("timeline")) {
        report.timeline = json["timeline"].get<std::string>();
      } else if (json.contains("profile")) {
        report.profile = profile_from(json["profile"]);
        if (json.contains("warps")) report.warps = warps_from(json["warps"]);
      } else if (json.contains("total")) {
        report.total = json["total"];
      }
    }
  }
  return reports;
}

}  // namespace paws::cuda
