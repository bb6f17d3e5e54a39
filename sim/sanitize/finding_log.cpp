// SPDX-License-Identifier: MIT
#include "sim/sanitize/finding_log.h"

#include <algorithm>

namespace paws::sanitize {
namespace {

bool same(const Place& one, const Place& other) {
  if (one.source_line == 0) return one.line == other.line;
  return one.source_line == other.source_line && one.source_file == other.source_file;
}

bool same(const Finding& one, const Finding& other) {
  if (one.kind != other.kind || one.kernel != other.kernel || one.file != other.file) return false;
  if (one.kind != Kind::global_race) return one.place.line == other.place.line;
  return same(one.place, other.place) && same(one.other->place, other.other->place);
}

}  // namespace

bool FindingLog::note(Kind kind, std::uint32_t line, std::uint64_t block, std::uint64_t count,
                      std::uint32_t other_line) {
  last_ = {line, kind, other_line};
  const auto [at, is_new] = entries_.try_emplace(last_);
  Entry& entry = at->second;
  entry.finding.count += count;
  if (!is_new && entry.block <= block) return false;
  entry.block = block;
  return true;
}

void FindingLog::describe(Finding finding) {
  Entry& entry = entries_.at(last_);
  finding.kind = last_.kind;
  finding.count = entry.finding.count;
  entry.finding = std::move(finding);
}

void FindingLog::merge(const FindingLog& other) {
  for (const auto& [key, theirs] : other.entries_) {
    if (note(key.kind, key.line, theirs.block, theirs.finding.count, key.other_line)) {
      describe(theirs.finding);
    }
  }
}

void FindingLog::add_to(Report& report) const {
  for (const auto& [key, entry] : entries_) {
    const Finding& finding = entry.finding;
    const auto known =
        std::find_if(report.findings.begin(), report.findings.end(),
                     [&finding](const Finding& other) { return same(finding, other); });
    if (known == report.findings.end()) {
      report.findings.push_back(finding);
    } else {
      known->count += finding.count;
    }
  }
}

}  // namespace paws::sanitize
