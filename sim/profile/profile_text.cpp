// SPDX-License-Identifier: MIT
#include "sim/profile/profile_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace paws::profile {
namespace {

using observe::LineCounts;
using observe::Wait;

constexpr std::size_t kReasons = 3;  ///< of a line

std::string place_of(const ProfileLine& line, bool with_workload) {
  return fmt::format("{}{}:{}", with_workload ? line.workload + ": " : "",
                     std::filesystem::path(line.file).filename().string(), line.line);
}

/// Without blanks before it, and with a single one in place of several or of a tab.
std::string squeezed(const std::string& text) {
  std::string closed;
  for (const char letter : text) {
    const bool blank = letter == ' ' || letter == '\t';
    if (!blank) {
      closed += letter;
    } else if (!closed.empty() && closed.back() != ' ') {
      closed += ' ';
    }
  }
  return closed;
}

/// Text of the line, else its first instruction.
std::string said_there(const ProfileTable& table, const ProfileLine& line, SourceText& source) {
  constexpr std::size_t kLongest = 60;
  std::string text = squeezed(source.at(line));
  if (text.empty()) text = table.rows[line.rows.front()].text;
  return text.size() <= kLongest ? text : text.substr(0, kLongest - 3) + "...";
}

void add_single(std::string& text, const ProfileTable& table, const ProfileLine& line,
                const LineCounts& total, SourceText& source) {
  const LineCounts& counts = line.counts.front();
  text += fmt::format("{:>8.1f} % {:>11} {:>10} {:>10} {:>6.1f}  {}  {}\n",
                      percent(counts.waited(), total.warp_cycles()), counts.issues,
                      counts.l1_misses, counts.shared_conflict_cycles, lanes_of(counts),
                      place_of(line, table.has_workloads()), said_there(table, line, source));
  text += fmt::format("{:53}{}\n", "", in_words(counts, kReasons));
}

void add_several(std::string& text, const ProfileTable& table, const ProfileLine& line,
                 SourceText& source) {
  for (std::size_t i = 0; i < table.schedulers.size(); ++i) {
    const std::vector<Wait> reasons = reasons_of(line.counts[i]);
    text += fmt::format("  {:>{}}",
                        fmt::format("{} {:<12}", line.counts[i].waited(),
                                    reasons.empty() ? "" : name_of(reasons.front())),
                        std::max<std::size_t>(table.schedulers[i].size(), 24));
  }
  text += fmt::format("  {}  {}\n", place_of(line, table.has_workloads()),
                      said_there(table, line, source));
}

}  // namespace

double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string in_words(const LineCounts& counts, std::size_t most) {
  constexpr double kLeast = 0.5;  // that is not rounded to 0
  std::string text;
  std::size_t number = 0;
  for (const Wait reason : reasons_of(counts)) {
    const double share = percent(counts.waited_for(reason), counts.waited());
    if (++number > most || share < kLeast) break;
    text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", name_of(reason), share);
  }
  return text.empty() ? "never" : text;
}

double lanes_of(const LineCounts& counts) {
  if (counts.issues == 0) return 0;
  return static_cast<double>(counts.thread_instructions) / static_cast<double>(counts.issues);
}

std::string to_text(const ProfileTable& table, std::size_t shown) {
  std::vector<ProfileLine> lines = lines_of(table);
  const std::size_t all = lines.size();
  std::stable_sort(lines.begin(), lines.end(), [](const ProfileLine& a, const ProfileLine& b) {
    return a.waited() > b.waited();
  });
  lines.resize(std::min(shown, all));
  const std::vector<LineCounts> totals = table.totals();
  std::string text;
  SourceText source;
  const auto heading =
      fmt::format("the {} of {} lines at which warps waited longest", lines.size(), all);
  if (table.schedulers.size() == 1) {
    text += fmt::format("profile             {}, in % of {} warp cycles\n", heading,
                        totals.front().warp_cycles());
    text += fmt::format("{:>10} {:>11} {:>10} {:>10} {:>6}  {}\n", "waited", "issues", "L1 misses",
                        "conflicts", "lanes", "line, and what for");
    for (const ProfileLine& line : lines) add_single(text, table, line, totals.front(), source);
    return text;
  }
  text += fmt::format("profile             {}: warp cycles waited, and what for most of all\n",
                      heading);
  for (const std::string& scheduler : table.schedulers) {
    text += fmt::format("  {:>{}}", scheduler, std::max<std::size_t>(scheduler.size(), 24));
  }
  text += "  line\n";
  for (const ProfileLine& line : lines) add_several(text, table, line, source);
  return text;
}

}  // namespace paws::profile
