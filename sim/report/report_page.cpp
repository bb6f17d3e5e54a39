// SPDX-License-Identifier: MIT
#include "sim/report/report_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/profile/profile_table.h"
#include "sim/profile/profile_text.h"
#include "sim/profile/reason_bars.h"
#include "sim/support/html.h"

namespace paws::report {

extern const char* const kReportPage;  // report_page.html

namespace {

using observe::LineCounts;
using observe::WarpCounts;
using observe::WarpSeries;

constexpr std::size_t kLines = 10;  ///< worst ones that are shown

std::string cell(const std::string& kind, const std::string& content) {
  return fmt::format("<td class=\"{}\">{}</td>", kind, content);
}

/// A figure of the run's JSON, shown as `shown`.
std::string figure(const ReportedRun& run, const char* name, const std::string& shown) {
  return fmt::format(
      "<td class=\"figure\" data-scheduler=\"{}\" data-name=\"{}\" "
      "data-value=\"{}\">{}</td>",
      escaped(run.scheduler), name, run.result.at(name).dump(), shown);
}

/// A count.
std::string figure(const ReportedRun& run, const char* name) {
  return figure(run, name, run.result.at(name).dump());
}

double number(const ReportedRun& run, const char* name) {
  return run.result.at(name).get<double>();
}

/// Names of columns; those of text, or of bars, begin at the left.
struct Column {
  std::string name;
  bool text = false;
};

std::string table(const std::vector<Column>& head, const std::string& rows) {
  std::string text = "<table><thead><tr>";
  for (const Column& column : head) {
    text +=
        fmt::format("<th{}>{}</th>", column.text ? " class=\"text\"" : "", escaped(column.name));
  }
  return text + "</tr></thead><tbody>" + rows + "</tbody></table>";
}

/// Behind those of `first` a column for each run, with the run's scheduler if there are several.
std::vector<Column> columns(std::vector<Column> first, const std::vector<ReportedRun>& runs,
                            const std::string& only) {
  for (const ReportedRun& run : runs)
    first.push_back({runs.size() > 1 ? run.scheduler : only, true});
  return first;
}

/// Takes the place of what runs without `option` have not counted.
std::string missing(const std::string& what, const std::string& option) {
  return fmt::format(
      "<p class=\"missing\">{} is not in the result: the run was without <code>{}</code>.</p>",
      what, option);
}

std::string limits_of(const std::vector<ReportedRun>& runs, const GpuConfig& gpu) {
  std::string text;
  std::vector<std::pair<std::string, std::string>> told;  // sentence, schedulers
  for (const ReportedRun& run : runs) {
    const std::string sentence = limit_of(evidence_of(run, gpu)).sentence;
    const auto same = std::find_if(told.begin(), told.end(),
                                   [&](const auto& other) { return other.first == sentence; });
    if (same == told.end()) {
      told.emplace_back(sentence, run.scheduler);
    } else {
      same->second += ", " + run.scheduler;
    }
  }
  for (const auto& [sentence, schedulers] : told) {
    text += fmt::format("<p class=\"limit\"><b>What limits it{}</b>{}</p>\n",
                        runs.size() > 1 ? " under " + escaped(schedulers) : "", escaped(sentence));
  }
  return text;
}

std::string schedulers_of(const std::vector<ReportedRun>& runs, const GpuConfig& gpu) {
  const double roof =
      32.0 * gpu.cores * gpu.core.schedulers / static_cast<double>(gpu.core.issue_interval);
  const bool speeds = runs.front().result.contains("speed_vs_rr");
  std::string rows;
  for (const ReportedRun& run : runs) {
    const nlohmann::json& verified = run.result.at("verified");
    rows += "<tr>" + cell("text", escaped(run.scheduler)) + figure(run, "cycles") +
            figure(run, "ipc", fmt::format("{:.2f}", number(run, "ipc"))) +
            cell("figure", fmt::format("{:.1f}&nbsp;%", 100 * number(run, "ipc") / roof)) +
            figure(run, "idle_fraction",
                   fmt::format("{:.1f}&nbsp;%", 100 * number(run, "idle_fraction"))) +
            figure(run, "gpu_tot_occupancy",
                   fmt::format("{:.1f}&nbsp;%", number(run, "gpu_tot_occupancy")));
    if (speeds) {
      const nlohmann::json& speed = run.result.at("speed_vs_rr");
      rows += figure(run, "speed_vs_rr",
                     speed.is_null() ? "-" : fmt::format("{:.3f}", speed.get<double>()));
    }
    rows += cell("text", verified.is_null()     ? "not checked"
                         : verified.get<bool>() ? "PASS"
                                                : "FAIL") +
            "</tr>";
  }
  std::vector<Column> head{
      {"scheduler", true}, {"cycles"}, {"IPC"}, {fmt::format("of the roof, {:g}", roof)}, {"idle"},
      {"occupancy"}};
  if (speeds) head.push_back({"vs RR"});
  head.push_back({"results", true});
  return table(head, rows);
}

std::string roofs_table(const std::vector<ReportedRun>& runs, const GpuConfig& gpu) {
  std::vector<std::string> names;
  std::map<std::string, std::vector<std::string>> cells;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (const Roof& roof : roofs_of(runs[i], gpu)) {
      std::vector<std::string>& row = cells[roof.name];
      if (row.empty()) names.push_back(roof.name);
      row.resize(runs.size(), cell("roof", "-"));
      row[i] = cell(
          "roof", fmt::format("<div class=\"meter\"><span class=\"{}\" style=\"width:{:.1f}%\">"
                              "</span></div>{:.1f}&nbsp;% <span class=\"words\">{}</span>",
                              roof.use >= kNearRoof ? "near" : "far", 100 * std::min(roof.use, 1.0),
                              100 * roof.use, escaped(roof.figure)));
    }
  }
  std::string rows;
  for (const std::string& name : names) {
    rows += "<tr>" + cell("text", escaped(name));
    for (const std::string& each : cells[name]) rows += each;
    rows += "</tr>";
  }
  std::string text = table(columns({{"roof", true}}, runs, "used"), rows);
  if (!runs.front().profile) text += missing("The use of the arithmetic units", "--profile");
  return text;
}

std::string cycles_table(const std::vector<ReportedRun>& runs) {
  if (!runs.front().profile) return missing("What warps wait for", "--profile");
  std::vector<LineCounts> totals;
  std::uint64_t most = 0;
  for (const ReportedRun& run : runs) {
    totals.push_back(run.profile->total());
    most = std::max(most, totals.back().warp_cycles());
  }
  std::string rows;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const LineCounts& total = totals[i];
    rows += "<tr>" + cell("text", escaped(runs[i].scheduler)) + figure(runs[i], "warp_cycles") +
            figure(runs[i], "gpgpu_n_tot_w_icount") +
            cell("waits", fmt::format("{}<span class=\"words\">waits: {}</span>",
                                      profile::warp_cycle_bar(total, most),
                                      profile::words(total, observe::kWaits))) +
            "</tr>";
  }
  return table({{"scheduler", true}, {"warp cycles"}, {"issues"}, {"issues and waits", true}},
               rows);
}

std::string lines_of(const std::vector<ReportedRun>& runs) {
  if (!runs.front().profile) return missing("The profile by line", "--profile");
  std::vector<profile::ProfiledRun> profiled;
  profiled.reserve(runs.size());
  for (const ReportedRun& run : runs) {
    profiled.push_back({run.result.at("workload").get<std::string>(), run.scheduler, *run.profile});
  }
  const profile::ProfileTable whole = profile::table_of(profiled);
  const std::vector<LineCounts> totals = whole.totals();
  std::vector<profile::ProfileLine> lines = profile::lines_of(whole);
  std::stable_sort(lines.begin(), lines.end(),
                   [](const auto& a, const auto& b) { return a.waited() > b.waited(); });
  lines.resize(std::min(lines.size(), kLines));
  std::uint64_t most = 0;
  for (const profile::ProfileLine& line : lines) {
    for (const LineCounts& counts : line.counts) most = std::max(most, counts.waited());
  }
  profile::SourceText source;
  std::string rows;
  for (const profile::ProfileLine& line : lines) {
    const std::string said = source.at(line);
    const std::string file = line.file.substr(line.file.rfind('/') + 1);
    rows += "<tr>" + cell("place", fmt::format("{}:{}", escaped(file), line.line)) +
            cell("source", escaped(said.empty() ? whole.rows[line.rows.front()].text : said));
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const LineCounts counts = i < line.counts.size() ? line.counts[i] : LineCounts{};
      rows += cell("waits", fmt::format("{}<span class=\"words\">{:.1f}&nbsp;%: {}</span>",
                                        profile::reason_bar(counts, most),
                                        profile::percent(counts.waited(), totals[i].warp_cycles()),
                                        profile::words(counts, 3)));
    }
    rows += "</tr>";
  }
  return table(columns({{"line", true}, {"source", true}}, runs, "waited, of all warp cycles"),
               rows);
}

/// Bands on top of each other, and a line, in a square of 100 by 100.
class Chart {
 public:
  Chart(const WarpSeries& series, std::uint64_t cycles, const GpuConfig& gpu)
      : series_(series), cycles_(static_cast<double>(cycles)), gpu_(gpu) {}

  std::string text() const {
    std::string bands;
    bands += band("other", [](const WarpCounts& c) { return c.live; });
    bands += band("memory", [](const WarpCounts& c) { return c.ready + c.memory; });
    bands += band("ready", [](const WarpCounts& c) { return c.ready; });
    const double slots = static_cast<double>(gpu_.core.schedulers) / gpu_.core.issue_interval;
    return fmt::format(
        "<svg viewBox=\"0 0 100 100\" preserveAspectRatio=\"none\" role=\"img\" "
        "aria-label=\"warps over time\">{}<polyline class=\"b-line\" points=\"{}\"/></svg>",
        bands, points([](const WarpCounts& c) { return c.issues; }, slots));
  }

 private:
  using Value = std::uint64_t (*)(const WarpCounts&);

  /// Steps from the begin to the end of each stretch; `whole` of a core and cycle is the top.
  [[nodiscard]] std::string points(Value value, double whole) const {
    std::string text;
    for (std::size_t i = 0; i < series_.stretches.size(); ++i) {
      const double from = static_cast<double>(i) * static_cast<double>(series_.width);
      const double to = std::min(from + static_cast<double>(series_.width), cycles_);
      const auto sum = static_cast<double>(value(series_.stretches[i]));
      const double height = 100 - 100 * sum / (whole * gpu_.cores * (to - from));
      text += fmt::format("{}{:.2f},{:.1f} {:.2f},{:.1f}", text.empty() ? "" : " ",
                          100 * from / cycles_, height, 100 * to / cycles_, height);
    }
    return text;
  }

  [[nodiscard]] std::string band(const char* name, Value value) const {
    return fmt::format("<polygon class=\"b-{}\" points=\"0,100 {} 100,100\"/>", name,
                       points(value, gpu_.warp_slots()));
  }

  const WarpSeries& series_;
  double cycles_;
  const GpuConfig& gpu_;
};

std::string warps_of(const std::vector<ReportedRun>& runs, const GpuConfig& gpu) {
  if (!runs.front().warps) return missing("The number of warps over time", "--sample");
  std::string text;
  std::uint64_t longest = 0;
  for (const ReportedRun& run : runs) {
    longest = std::max(longest, run.result.at("cycles").get<std::uint64_t>());
  }
  for (const ReportedRun& run : runs) {
    const auto cycles = run.result.at("cycles").get<std::uint64_t>();
    text += fmt::format(
        "<h3>{}</h3><div class=\"chart\" style=\"width:{:.1f}%\"><div class=\"scale\"><span>{} "
        "</span><span>0</span></div>{}<div class=\"axis\"><span>cycle 0</span><span>{}</span>"
        "</div></div>\n",
        escaped(run.scheduler), profile::percent(cycles, longest), gpu.warp_slots(),
        Chart(*run.warps, cycles, gpu).text(), cycles);
  }
  return text;
}

std::string bytes_cell(double bytes, const ReportedRun& run) {
  return cell("figure", fmt::format("{:.0f}", bytes)) +
         cell("figure", fmt::format("{:.2f}", bytes / std::max(1.0, number(run, "cycles"))));
}

std::string memory_of(const std::vector<ReportedRun>& runs, const GpuConfig& gpu) {
  std::string rows;
  for (const ReportedRun& run : runs) {
    const auto row = [&](const std::string& level, const std::string& cells) {
      rows += "<tr>" +
              cell("text",
                   runs.size() > 1 ? fmt::format("{}, {}", escaped(run.scheduler), level) : level) +
              cells + "</tr>";
    };
    const auto cache = [&](const std::string& level) {
      const auto named = [&](const char* what) { return level + "_total_cache_" + what; };
      const double accesses = number(run, named("accesses").c_str());
      const double hits = accesses - number(run, named("misses").c_str()) -
                          number(run, named("pending_hits").c_str());
      return figure(run, named("accesses").c_str()) +
             cell("figure",
                  fmt::format("{:.1f}&nbsp;%", accesses == 0 ? 0 : 100 * hits / accesses)) +
             figure(run, named("pending_hits").c_str()) + figure(run, named("misses").c_str());
    };
    row("L1", cache("L1D") + cell("figure", "") + cell("figure", ""));
    row("L2", cache("L2") + bytes_cell(l2_bytes(run, gpu), run));
    row("DRAM",
        cell("figure",
             fmt::format("{:.0f}", number(run, "dram_reads") + number(run, "dram_writes"))) +
            figure(run, "Row_Buffer_Locality",
                   fmt::format("{:.1f}&nbsp;%", 100 * number(run, "Row_Buffer_Locality"))) +
            cell("figure", "") + cell("figure", "") + bytes_cell(dram_bytes(run, gpu), run));
  }
  return table({{"level", true},
                {"accesses"},
                {"hits"},
                {"pending hits"},
                {"misses"},
                {"bytes"},
                {"bytes per cycle"}},
               rows) +
         "<p class=\"hint\">L1: transactions of loads and stores; L2: requests, bytes on the ports "
         "of "
         "its slices with headers; DRAM: lines read and written, hits in an open row, bytes on the "
         "data buses.</p>";
}

std::string what_ran(const ReportedRun& run, const std::string& command) {
  const std::vector<std::pair<const char*, std::string>> facts{
      {"command", command},
      {"kernel launches", run.result.at("launches").dump()},
      {"thread instructions", run.result.at("instructions").dump()}};
  std::string text;
  for (const auto& [name, value] : facts) {
    text += fmt::format("<dt>{}</dt><dd>{}</dd>", name, escaped(value));
  }
  return text;
}

/// Of the first run: under each scheduler the same kernels run.
std::string kernels_of(const ReportedRun& run) {
  struct Sum {
    std::uint64_t launches = 0, blocks = 0, cycles = 0;
  };
  std::map<std::string, Sum> sums;
  std::uint64_t before = 0;
  for (const nlohmann::json& launch : run.result.at("per_launch")) {
    Sum& sum = sums[launch.at("kernel_name").get<std::string>()];
    ++sum.launches;
    const auto so_far = launch.at("gpu_tot_issued_cta").get<std::uint64_t>();
    sum.blocks += so_far - before;
    before = so_far;
    sum.cycles += launch.at("gpu_sim_cycle").get<std::uint64_t>();
  }
  std::string rows;
  for (const nlohmann::json& kernel : run.result.at("kernels")) {
    const auto name = kernel.at("kernel").get<std::string>();
    rows += "<tr>" + cell("text", escaped(name));
    // One kernel may have been launched with several sizes of blocks.
    const auto sum = sums.extract(name);
    for (const auto count : {&Sum::launches, &Sum::blocks, &Sum::cycles}) {
      rows += cell("figure", sum ? std::to_string(sum.mapped().*count) : "");
    }
    for (const char* key :
         {"threads_per_block", "registers_per_thread", "shared_bytes", "blocks_per_core"}) {
      rows += cell("figure", kernel.at(key).dump());
    }
    rows += cell("text", escaped(kernel.at("limit").get<std::string>())) + "</tr>";
  }
  return table({{"kernel", true},
                {"launches"},
                {"blocks"},
                {"cycles"},
                {"threads per block"},
                {"registers per thread"},
                {"shared bytes"},
                {"blocks per core"},
                {"limit", true}},
               rows);
}

}  // namespace

std::string to_html(const std::vector<ReportedRun>& runs, const GpuConfig& gpu,
                    const Provenance& made_by, const std::string& command) {
  const ReportedRun& first = runs.front();
  std::string title = fmt::format("{} on {}", first.result.at("workload").get<std::string>(),
                                  first.result.at("gpu").get<std::string>());
  if (runs.size() == 1) title += " under " + first.scheduler;
  std::string page = kReportPage;
  fill(page, "title", escaped(title));
  fill(page, "heading", escaped(title));
  fill(page, "facts", escaped(as_line(made_by)));
  fill(page, "limit", limits_of(runs, gpu));
  fill(page, "schedulers", schedulers_of(runs, gpu));
  fill(page, "roofs", roofs_table(runs, gpu));
  fill(page, "cycles", cycles_table(runs));
  fill(page, "legend", profile::reason_legend());
  fill(page, "lines", lines_of(runs));
  fill(page, "warps", warps_of(runs, gpu));
  fill(page, "memory", memory_of(runs, gpu));
  fill(page, "what", what_ran(first, command));
  fill(page, "kernels", kernels_of(first));
  return page;
}

}  // namespace paws::report
