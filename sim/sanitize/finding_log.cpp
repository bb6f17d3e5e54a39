// SPDX-License-Identifier: MIT
#include "sim/sanitize/finding_log.h"

#include <algorithm>

namespace paws::sanitize {

bool FindingLog::note(Kind kind, std::uint32_t line, std::uint64_t block, std::uint64_t count) {
  last_ = {line, kind};
  const auto [at, is_new] = entries_.try_emplace(last_);
  Entry& entry = at->second;
  entry.finding.count += count;
  if (!is_new && entry.block <= block) return false;
  entry.block = block;
  return true;
}

void FindingLog::describe(Finding finding) {
  Entry& entry = entries_.at(last_);
  finding.kind = last_.second;
  finding.count = entry.finding.count;
  entry.finding = std::move(finding);
}

void FindingLog::merge(const FindingLog& other) {
  for (const auto& [key, theirs] : other.entries_) {
    if (note(key.second, key.first, theirs.block, theirs.finding.count)) describe(theirs.finding);
  }
}

void FindingLog::add_to(Report& report) const {
  for (const auto& [key, entry] : entries_) {
    const Finding& finding = entry.finding;
    const auto known = std::find_if(
        report.findings.begin(), report.findings.end(), [&finding](const Finding& other) {
          return other.kind == finding.kind && other.place.line == finding.place.line &&
                 other.kernel == finding.kernel && other.file == finding.file;
        });
    if (known == report.findings.end()) {
      report.findings.push_back(finding);
    } else {
      known->count += finding.count;
    }
  }
}

}  // namespace paws::sanitize
