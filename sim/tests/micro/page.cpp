// SPDX-License-Identifier: MIT
#include "sim/tests/micro/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "sim/support/error.h"

namespace paws::micro {
namespace {

/// Three digits, or more before the point.
std::string digits(double value) {
  const double magnitude = std::abs(value);
  const int decimals = magnitude >= 100 ? 0 : magnitude >= 10 ? 1 : 2;
  return fmt::format("{:.{}f}", value, decimals);
}

/// A line of the page; of a row, measurement and expectation apart from the rest.
struct Cells {
  std::string text;
  std::vector<double> numbers;
};

/// Adds those of a cell, between which there are commas.
void add_numbers(const std::string& cell, std::vector<double>& numbers) {
  std::istringstream parts(cell);
  for (std::string part; std::getline(parts, part, ',');) {
    numbers.push_back(std::strtod(part.c_str(), nullptr));
  }
}

Cells split(const std::string& line) {
  const std::size_t first = line.find(" | ");
  const std::size_t second = line.find(" | ", first + 1);
  const std::size_t third = line.find(" | ", second + 1);
  if (!line.starts_with("|") || third == std::string::npos) return {line, {}};
  Cells out{line.substr(0, first) + line.substr(third), {}};
  add_numbers(line.substr(first + 3, second - first - 3), out.numbers);
  add_numbers(line.substr(second + 3, third - second - 3), out.numbers);
  return out;
}

/// As a share of the expectation.
Result furthest(const std::vector<Result>& results) {
  auto off = [](const Result& result) { return std::abs(result.measured - result.expected); };
  return *std::max_element(results.begin(), results.end(),
                           [&](const Result& one, const Result& other) {
                             return off(one) * other.expected < off(other) * one.expected;
                           });
}

}  // namespace

std::string row(const Benchmark& benchmark, const std::vector<Result>& results) {
  std::string points;
  std::vector<Result> shown = results;
  if (benchmark.drawn) {
    points = fmt::format("; furthest of {} points", benchmark.points.size());
    shown = {furthest(results)};
  } else if (!benchmark.swept.empty()) {
    std::vector<double> values;
    for (const Point& point : benchmark.points) values.push_back(point.x);
    points = fmt::format("; {} = {}", benchmark.swept, fmt::join(values, ", "));
  }
  std::vector<std::string> measured;
  std::vector<std::string> expected;
  for (const Result& result : shown) {
    measured.push_back(digits(result.measured));
    expected.push_back(digits(result.expected));
  }
  return fmt::format("| `{}`: {}{} | {} | {} | {}{} | {} |", benchmark.name, benchmark.what, points,
                     fmt::join(measured, ", "), fmt::join(expected, ", "), benchmark.unit,
                     benchmark.limit ? ", at most" : "", benchmark.source);
}

std::pair<std::size_t, std::size_t> place(const std::string& text) {
  const std::string begin = "<!-- micro_page writes from here -->\n";
  const std::size_t mark = text.find(begin);
  const std::size_t end = text.find("<!-- to here -->", mark);
  if (mark == std::string::npos || end == std::string::npos) {
    throw InputError("the page has no marks of micro_page");
  }
  return {mark + begin.size(), end - mark - begin.size()};
}

std::string page(const Table& table,
                 const std::function<std::vector<Result>(const Benchmark&)>& results) {
  std::string text;
  for (const Section& section : table.sections) {
    text += fmt::format("{} {}\n\n{}\n", text.empty() ? "##" : "###", section.name, section.text);
    const bool empty =
        std::none_of(table.benchmarks.begin(), table.benchmarks.end(),
                     [&](const Benchmark& benchmark) { return benchmark.section == section.name; });
    if (empty) continue;
    text +=
        "| benchmark | measured | expected | unit | source |\n"
        "|---|---|---|---|---|\n";
    for (const Benchmark& benchmark : table.benchmarks) {
      if (benchmark.section != section.name) continue;
      text += row(benchmark, results(benchmark)) + "\n";
    }
    text += "\n";
  }
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

bool has_row(const std::string& page, const std::string& row) {
  std::istringstream lines(page);
  std::string line;
  const std::string name = row.substr(0, row.find(':') + 1);
  while (std::getline(lines, line) && !line.starts_with(name)) {
  }
  const Cells there = split(line);
  const Cells here = split(row);
  return there.text == here.text &&
         std::equal(there.numbers.begin(), there.numbers.end(), here.numbers.begin(),
                    here.numbers.end(), [](double one, double other) {
                      return std::abs(one - other) <= kStaleShare * std::abs(other);
                    });
}

std::string without_numbers(const std::string& page) {
  std::istringstream lines(page);
  std::string out;
  for (std::string line; std::getline(lines, line);) out += split(line).text + "\n";
  return out;
}

}  // namespace paws::micro
