// SPDX-License-Identifier: MIT
// The table of microbenchmarks (workloads/micro/benchmarks.toml) and how one is measured.
//
// A benchmark runs a launch description of workloads/micro in two lengths; what it measures is a
// formula over the differences of the two runs, so that the start and the end of a kernel cancel.
// What is expected is a formula over keys of the GPU configuration and sizes of the description.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace paws::micro {

/// One value of a swept key or size.
struct Point {
  std::string label;                                        ///< "stride = 4"; empty without a sweep
  double x = 0;                                             ///< the swept value
  std::vector<std::pair<std::string, std::int64_t>> sizes;  ///< of the launch description
  std::vector<std::string> settings;                        ///< key=value of the configuration
};

struct Benchmark {
  std::string name, section, what, workload, scheduler;
  std::string gpu;                            ///< preset
  std::string varied;                         ///< size that is the length
  std::int64_t shorter = 0, longer = 0;       ///< the two lengths
  std::string measure, unit, expect, source;  ///< formulas, unit, where the expectation is from
  double tolerance = 0;                       ///< share of the expectation
  bool limit = false;                         ///< the expectation is an upper bound
  bool rtl = false;                           ///< is also run with the verilated RTL deciding
  std::string swept;                          ///< size or key; empty: none
  bool drawn = false;                         ///< a figure of the page shows the points
  std::vector<Point> points;                  ///< at least one
};

struct Section {
  std::string name, text;
};

struct Table {
  std::vector<Section> sections;
  std::vector<Benchmark> benchmarks;
};

/// Reads the table. Throws InputError.
Table load_table();

struct Result {
  double measured = 0, expected = 0;
  std::uint64_t cycles = 0;  ///< of the longer run

  /// Within the benchmark's tolerance; of a limit: not above it, and not below it by more.
  [[nodiscard]] bool passes(const Benchmark& benchmark) const;
};

enum class Engine : std::uint8_t { model, rtl };

/// Runs the two lengths. Throws InputError when a run fails or its results are wrong.
Result measure(const Benchmark& benchmark, const Point& point, Engine engine = Engine::model);

}  // namespace paws::micro
