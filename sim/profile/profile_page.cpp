// SPDX-License-Identifier: MIT
#include "sim/profile/profile_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sim/profile/profile_text.h"
#include "sim/profile/reason_bars.h"
#include "sim/support/html.h"

namespace paws::profile {

extern const char* const kProfilePage;  // profile_page.html

namespace {

using observe::kWaits;
using observe::LineCounts;

std::string totals_of(const ProfileTable& table) {
  std::string text =
      "<table><thead><tr><th class=\"place\">scheduler</th><th>warp cycles</th><th>issues</th>"
      "<th class=\"waits\">waits, and what for</th></tr></thead><tbody>";
  const std::vector<LineCounts> totals = table.totals();
  std::uint64_t most = 0;
  for (const LineCounts& total : totals) most = std::max(most, total.waited());
  for (std::size_t i = 0; i < totals.size(); ++i) {
    text += fmt::format(
        "<tr><td class=\"place\">{}</td><td class=\"figure\">{}</td><td class=\"figure\">{}</td>"
        "<td class=\"waits\">{}<span class=\"words\">{}</span></td></tr>",
        escaped(table.schedulers[i]), totals[i].warp_cycles(), totals[i].issues,
        reason_bar(totals[i], most), words(totals[i], kWaits));
  }
  return text + "</tbody></table>";
}

/// The rows of the lines, with the text of the source around them.
class Lines {
 public:
  Lines(const ProfileTable& table, const std::vector<ProfileLine>& lines)
      : table_(table),
        lines_(lines),
        several_(table.schedulers.size() > 1),
        totals_(table.totals()) {
    for (const ProfileLine& line : lines) {
      for (const LineCounts& counts : line.counts) most_ = std::max(most_, counts.waited());
    }
  }

  std::string text() {
    std::string text = head() + "<tbody>";
    const ProfileLine* before = nullptr;
    for (const ProfileLine& line : lines_) {
      const bool same =
          before != nullptr && before->workload == line.workload && before->file == line.file;
      if (!same) {
        text += fmt::format("<tr class=\"file\"><th colspan=\"{}\">{}{}</th></tr>\n", columns_,
                            table_.has_workloads() ? escaped(line.workload) + ": " : "",
                            escaped(line.file));
      }
      add_between(text, same ? before->line : line.line - std::min(line.line, kAround + 1), line);
      add(text, line);
      before = &line;
    }
    return text + "</tbody>";
  }

 private:
  static constexpr std::uint32_t kAround = 3;    ///< lines of the source before and behind others
  static constexpr std::uint32_t kLongest = 30;  ///< gap that is shown in full

  std::string head() {
    std::string text =
        "<caption>Lines of the source, or of the PTX where the source is not known"
        "</caption><thead><tr><th class=\"place\" aria-sort=\"none\">line</th>"
        "<th class=\"source\">source</th>";
    columns_ = 2;
    const auto add = [&](const std::string& kind, const std::string& name) {
      text += fmt::format(
          "<th class=\"{}\" aria-sort=\"none\"><button type=\"button\">{}</button></th>", kind,
          escaped(name));
      ++columns_;
    };
    for (const std::string& scheduler : table_.schedulers) {
      add("waits", several_ ? "waited, " + scheduler : "waited");
    }
    add("figure", "issues");
    if (!several_) {
      for (const char* name : {"L1 misses", "conflicts", "lanes"}) add("figure", name);
    }
    return text + "</tr></thead>";
  }

  /// What stands behind line `from` and before `line`.
  void add_between(std::string& text, std::uint32_t from, const ProfileLine& line) {
    ProfileLine other = line;
    const bool cut = line.line - from > kLongest;
    for (std::uint32_t number = from + 1; number < line.line; ++number) {
      if (cut && number == from + 1 + kAround) {
        text += fmt::format(
            "<tr class=\"other\"><td class=\"place\">...</td><td colspan=\"{}\"></td></tr>\n",
            columns_ - 1);
        number = line.line - kAround;
      }
      other.line = number;
      const std::string there = source_.at(other);
      if (there.empty()) continue;
      text += fmt::format(
          "<tr class=\"other\"><td class=\"place\">{}</td><td class=\"source\">{}</td>"
          "<td colspan=\"{}\"></td></tr>\n",
          number, escaped(there), columns_ - 2);
    }
  }

  void add(std::string& text, const ProfileLine& line) {
    text += fmt::format(
        "<tr class=\"line\"><td class=\"place\" data-value=\"{}\">{}:{}</td><td class=\"source\">",
        line.line, escaped(std::filesystem::path(line.file).filename().string()), line.line);
    add_source(text, line);
    text += "</td>";
    for (std::size_t i = 0; i < line.counts.size(); ++i) {
      const LineCounts& counts = line.counts[i];
      const std::string amount =
          several_
              ? std::to_string(counts.waited())
              : fmt::format("{:.1f}&nbsp;%", percent(counts.waited(), totals_[i].warp_cycles()));
      text += fmt::format(
          "<td class=\"waits\" data-value=\"{}\" data-label=\"{}\">{}<span class=\"words\">{}: "
          "{}</span></td>",
          counts.waited(), several_ ? escaped(table_.schedulers[i]) : "", reason_bar(counts, most_),
          amount, words(counts, 3));
    }
    const LineCounts& counts = line.counts.front();
    const auto figure = [&text](const char* name, const auto& value) {
      text += fmt::format("<td class=\"figure\" data-value=\"{0}\" data-label=\"{1}\">{0}</td>",
                          value, name);
    };
    figure("issues", counts.issues);
    if (!several_) {
      figure("L1 misses", counts.l1_misses);
      figure("conflicts", counts.shared_conflict_cycles);
      figure("lanes", fmt::format("{:.1f}", lanes_of(counts)));
    }
    text += "</tr>\n";
  }

  /// The line's text and its instructions.
  void add_source(std::string& text, const ProfileLine& line) {
    const std::string said = source_.at(line);
    const ProfileRow& first = table_.rows[line.rows.front()];
    if (line.rows.size() == 1 && (said.empty() || line.file == first.file)) {
      text += escaped(said.empty() ? first.text : said);
      return;
    }
    text += fmt::format(
        "<details><summary>{}</summary><div class=\"wide\"><table><thead><tr><th>pc</th>"
        "<th class=\"source\">instruction</th><th>issues</th>",
        escaped(said.empty() ? first.text : said));
    for (const std::string& scheduler : table_.schedulers) {
      text += fmt::format("<th>waited{}</th>", several_ ? ", " + escaped(scheduler) : "");
    }
    text += "</tr></thead><tbody>";
    for (const std::size_t at : line.rows) {
      const ProfileRow& row = table_.rows[at];
      text += fmt::format("<tr><td>{}</td><td class=\"source\">{}</td><td class=\"figure\">{}</td>",
                          row.pc, escaped(row.text), row.counts.front().issues);
      for (const LineCounts& counts : row.counts) {
        text += fmt::format("<td class=\"figure\">{}</td>", counts.waited());
      }
      text += "</tr>";
    }
    text += "</tbody></table></div></details>";
  }

  const ProfileTable& table_;
  const std::vector<ProfileLine>& lines_;
  bool several_;
  std::vector<LineCounts> totals_;
  std::uint64_t most_ = 0;
  std::size_t columns_ = 0;
  SourceText source_;
};

}  // namespace

std::string to_html(const ProfileTable& table, const Provenance& made_by) {
  std::string title = "Profile by line";
  if (!table.rows.empty()) {
    title += table.has_workloads() ? " of several workloads" : ": " + table.rows.front().workload;
    if (table.schedulers.size() == 1) title += ", " + table.schedulers.front();
  }
  const std::vector<ProfileLine> lines = lines_of(table);
  std::string page = kProfilePage;
  fill(page, "title", escaped(title));
  fill(page, "heading", escaped(title));
  fill(page, "facts", escaped(as_line(made_by)));
  fill(page, "totals", totals_of(table));
  fill(page, "legend", reason_legend());
  fill(page, "lines", Lines(table, lines).text());
  return page;
}

}  // namespace paws::profile
