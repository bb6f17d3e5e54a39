// SPDX-License-Identifier: MIT
#include "sim/tests/micro/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

namespace paws::micro {
namespace {

/// Three digits, or more before the point.
std::string digits(double value) {
  const double magnitude = std::abs(value);
  const int decimals = magnitude >= 100 ? 0 : magnitude >= 10 ? 1 : 2;
  return fmt::format("{:.{}f}", value, decimals);
}

std::string tolerance(const Benchmark& benchmark) {
  const double percent = 100 * benchmark.tolerance;
  return benchmark.limit ? fmt::format("at most, down to −{:g} %", percent)
                         : fmt::format("±{:g} %", percent);
}

/// A line of the page; of a row, measurement and expectation apart from the rest.
struct Cells {
  std::string text;
  std::vector<double> numbers;
};

Cells split(const std::string& line) {
  const std::size_t first = line.find(" | ");
  const std::size_t second = line.find(" | ", first + 1);
  const std::size_t third = line.find(" | ", second + 1);
  if (!line.starts_with("|") || third == std::string::npos) return {line, {}};
  auto number = [&](std::size_t from) { return std::strtod(line.c_str() + from + 3, nullptr); };
  return {line.substr(0, first) + line.substr(third), {number(first), number(second)}};
}

}  // namespace

std::vector<std::string> rows(const Benchmark& benchmark, const std::vector<Result>& results) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < benchmark.points.size(); ++i) {
    const Point& point = benchmark.points[i];
    const std::string name =
        (i == 0 ? fmt::format("`{}`: {}", benchmark.name, benchmark.what) : std::string()) +
        (point.label.empty() ? "" : (i == 0 ? "; " : "") + point.label);
    const std::string rest =
        i == 0 ? fmt::format("{} | {} | `{}` | {} |", benchmark.unit, tolerance(benchmark),
                             benchmark.expect, benchmark.source)
               : std::string("| | | |");
    out.push_back(fmt::format("| {} | {} | {} | {}", name, digits(results[i].measured),
                              digits(results[i].expected), rest));
  }
  return out;
}

std::string page(const Table& table,
                 const std::function<std::vector<Result>(const Benchmark&)>& results) {
  std::string text;
  for (const Section& section : table.sections) {
    text += fmt::format("{} {}\n\n{}\n", text.empty() ? "#" : "##", section.name, section.text);
    const bool empty =
        std::none_of(table.benchmarks.begin(), table.benchmarks.end(),
                     [&](const Benchmark& benchmark) { return benchmark.section == section.name; });
    if (empty) continue;
    text +=
        "| benchmark | measured | expected | unit | tolerance | expectation | source |\n"
        "|---|---|---|---|---|---|---|\n";
    for (const Benchmark& benchmark : table.benchmarks) {
      if (benchmark.section != section.name) continue;
      for (const std::string& row : rows(benchmark, results(benchmark))) text += row + "\n";
    }
    text += "\n";
  }
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

std::optional<std::string> missing_row(const std::string& page,
                                       const std::vector<std::string>& rows) {
  std::istringstream lines(page);
  std::string line;
  const std::string name = rows.front().substr(0, rows.front().find(':') + 1);
  while (std::getline(lines, line) && !line.starts_with(name)) {
  }
  for (const std::string& row : rows) {
    const Cells there = split(line);
    const Cells here = split(row);
    if (there.text != here.text) return row;
    for (std::size_t i = 0; i < here.numbers.size(); ++i) {
      const double difference = std::abs(there.numbers[i] - here.numbers[i]);
      if (difference > kStaleShare * std::abs(here.numbers[i])) return row;
    }
    std::getline(lines, line);
  }
  return std::nullopt;
}

std::string without_numbers(const std::string& page) {
  std::istringstream lines(page);
  std::string out;
  for (std::string line; std::getline(lines, line);) out += split(line).text + "\n";
  return out;
}

}  // namespace paws::micro
