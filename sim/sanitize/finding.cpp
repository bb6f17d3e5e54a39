// SPDX-License-Identifier: MIT
#include "sim/sanitize/finding.h"

#include <fmt/format.h>

#include <algorithm>

namespace paws::sanitize {
namespace {

constexpr std::array<const char*, kKinds> kNames{"uninitialised-shared-read", "shared-race",
                                                 "undefined-shuffle",         "divergent-barrier",
                                                 "division-by-zero",          "global-race"};

std::string in_brackets(const Place& place) {
  if (place.source_line == 0) return "";
  return fmt::format(" ({}:{})", place.source_file, place.source_line);
}

}  // namespace

std::string to_string(Kind kind) { return kNames.at(static_cast<std::size_t>(kind)); }

std::string to_string(const exec::Dim3& at) { return fmt::format("({},{},{})", at.x, at.y, at.z); }

Place place_of(const ir::Kernel& kernel, std::uint32_t pc) {
  Place place;
  place.line = kernel.code[pc].line;
  if (kernel.source_lines) {
    const ir::SourceLines::Place source = kernel.source_lines->at(place.line);
    place.source_file = source.file;
    place.source_line = source.line;
  }
  return place;
}

std::string to_string(const Place& place) {
  return fmt::format("line {}{}", place.line, in_brackets(place));
}

std::string to_string(const Finding& finding) {
  return fmt::format("{}:{}{}: kernel '{}', block {}, thread {}: {}{}: {}{}", finding.file,
                     finding.place.line, in_brackets(finding.place), finding.kernel,
                     to_string(finding.block), to_string(finding.thread),
                     is_warning(finding.kind) ? "warning: " : "", to_string(finding.kind),
                     finding.cause,
                     finding.count == 1 ? "" : fmt::format(" ({} times)", finding.count));
}

bool Report::clean() const {
  return std::all_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return is_warning(finding.kind); });
}

std::string summary(const Report& report) {
  if (report.findings.empty()) return "no findings";
  std::array<std::size_t, kKinds> of_kind{};
  for (const Finding& finding : report.findings)
    ++of_kind.at(static_cast<std::size_t>(finding.kind));
  std::string kinds;
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    if (of_kind.at(kind) == 0) continue;
    kinds += fmt::format("{} {} {}", kinds.empty() ? ":" : ",", of_kind.at(kind), kNames.at(kind));
  }
  const std::size_t count = report.findings.size();
  return fmt::format("{} finding{}{}", count, count == 1 ? "" : "s", kinds);
}

}  // namespace paws::sanitize
