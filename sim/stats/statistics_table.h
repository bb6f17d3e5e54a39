// SPDX-License-Identifier: MIT
// Every statistic of the program: its name, its unit, what it means in one sentence, and how it
// comes from what was counted. The listing of `paws run --stats`, the JSON, the CSV of
// `paws compare` and docs/reference/statistics.md are made from this table.
//
// A name is GPGPU-Sim's where the meaning is the same, so that scripts made for its output read
// ours; where the meaning differs the name does too.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/stats/gpu_statistics.h"

namespace paws {

/// A count or a ratio.
using StatisticValue = std::variant<std::uint64_t, double>;

/// What the figures of a run come from.
struct RunFigures {
  const GpuStatistics& gpu;
  double host_seconds = 0;
};

/// What the figures of one launch come from.
struct LaunchFigures {
  std::uint64_t number = 0;        ///< from 1
  const LaunchStatistics& launch;  ///< its own
  const LaunchStatistics& so_far;  ///< sums over the launches up to and with it
  unsigned warp_slots = 0;         ///< of a core
  unsigned core_count = 0;
};

template <typename Figures>
struct Statistic {
  std::string name;  ///< in JSON and CSV, unique
  std::string unit;
  std::string definition;  ///< one sentence
  /// Nothing when it was not measured.
  std::function<std::optional<StatisticValue>(const Figures&)> value;
  std::string label;   ///< in the listing; empty: the name
  std::string format;  ///< fmt's, of the value in the listing with what follows it; empty: default
  bool of_host = false;  ///< differs from run to run
};

/// Statistics that belong together, under a heading.
template <typename Figures>
struct StatisticGroup {
  std::string heading;
  std::string text;  ///< for the documentation: what holds for all of them; may be empty
  std::vector<Statistic<Figures>> statistics;
  /// In the listing one line of name:value, as GPGPU-Sim prints its distributions, after a line
  /// with the heading.
  bool one_line = false;
};

const std::vector<StatisticGroup<RunFigures>>& run_statistics();
const StatisticGroup<LaunchFigures>& launch_statistics();

/// Calls `visit(figures)` for every launch of `gpu`, in order.
void for_each_launch(const GpuStatistics& gpu,
                     const std::function<void(const LaunchFigures&)>& visit);

/// The listing: a block of lines `name = value` for each launch, then those of the run.
std::string listing(const RunFigures& figures);

}  // namespace paws
