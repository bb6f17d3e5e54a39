// SPDX-License-Identifier: MIT
// micro_page PAGE [CURVES]: measures everything, writes its part of the page and, as JSON, the
// sweeps for the figure. micro_page --only NAME: prints one benchmark's row with all its points.

#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sim/support/error.h"
#include "sim/tests/micro/page.h"

namespace paws::micro {
namespace {

std::vector<Result> measured(const Benchmark& benchmark) {
  std::vector<Result> results;
  for (const Point& point : benchmark.points) results.push_back(measure(benchmark, point));
  return results;
}

std::string read(const std::string& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

void write(const std::string& file, const std::string& text) {
  std::ofstream out(file);
  out << text;
  out.close();
  if (!out) throw InputError(file, "cannot write");
}

int run(const std::vector<std::string>& arguments) {
  const Table table = load_table();
  if (arguments.size() == 2 && arguments[0] == "--only") {
    for (Benchmark benchmark : table.benchmarks) {
      if (benchmark.name != arguments[1]) continue;
      benchmark.drawn = false;
      std::cout << row(benchmark, measured(benchmark)) << "\n";
      return 0;
    }
    throw InputError(fmt::format("no microbenchmark is called '{}'", arguments[1]));
  }
  if (arguments.empty() || arguments.size() > 2) {
    throw InputError("usage: micro_page PAGE [CURVES] | micro_page --only NAME");
  }
  std::string text = read(arguments[0]);
  const auto [first, length] = place(text);  // before anything is measured
  nlohmann::json curves;
  const std::string part = page(table, [&](const Benchmark& benchmark) {
    const std::vector<Result> results = measured(benchmark);
    for (std::size_t i = 0; i < results.size(); ++i) {
      std::cerr << (results[i].passes(benchmark) ? "       " : "MISSES ") << benchmark.name << " "
                << benchmark.points[i].label << ": " << results[i].measured << " ("
                << results[i].expected << ")\n";
      if (benchmark.swept.empty()) continue;
      nlohmann::json& curve = curves[benchmark.name];
      curve["x"].push_back(benchmark.points[i].x);
      curve["measured"].push_back(results[i].measured);
      curve["expected"].push_back(results[i].expected);
    }
    return results;
  });
  write(arguments[0], text.replace(first, length, part));
  if (arguments.size() == 2) write(arguments[1], curves.dump(1) + "\n");
  return 0;
}

}  // namespace
}  // namespace paws::micro

int main(int count, char** arguments) {
  try {
    return paws::micro::run({arguments + 1, arguments + count});
  } catch (const paws::InputError& error) {
    std::cerr << "micro_page: " << error.what() << "\n";
    return 2;
  }
}
