// SPDX-License-Identifier: MIT
// Warps per phase, live warps, instructions in flight and scheduler states over time, sampled at
// an interval: PAWS Fig. 6, 7 and 13.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/observer.h"

namespace paws::observe {

struct SampleSettings {
  std::uint64_t interval = 100;       ///< core cycles between two samples, at least 1
  std::optional<std::uint32_t> core;  ///< this one alone; else every core
};

/// One core at the end of one cycle, and what it has done since the sample before.
struct Sample {
  std::uint64_t launch = 0;  ///< from 1
  std::uint64_t cycle = 0;   ///< of the run
  std::uint64_t warps = 0, alu = 0, memory = 0;
  std::uint64_t issued = 0;
  std::vector<std::uint64_t> states;  ///< scheduler 0's cycles by SchedulerState, scheduler 1's...
  std::vector<std::uint64_t> phases;  ///< warps by phase of their next instruction
};

/// The samples of every core; lives longer than the Gpu that it watches.
class SampleTable {
 public:
  SampleTable(const SampleSettings& settings, std::uint32_t cores)
      : settings_(settings), cores_(cores) {}

  /// The observer of a core, or none for a core that is not sampled. It samples in every cycle that
  /// is a multiple of the interval and in the last one of every launch, and writes to its own
  /// core's samples alone.
  [[nodiscard]] std::unique_ptr<core::CoreObserver> observer(std::uint32_t core);

  [[nodiscard]] const std::vector<Sample>& samples(std::uint32_t core) const {
    return cores_.at(core);
  }

  /// A line of names, then the samples, core by core.
  [[nodiscard]] std::string csv() const;

 private:
  SampleSettings settings_;
  std::vector<std::vector<Sample>> cores_;
};

struct SampleColumn {
  std::string name;
  std::string definition;  ///< one sentence
};

/// The columns of csv() for so many schedulers per core and phases, in order.
std::vector<SampleColumn> sample_columns(std::size_t schedulers, std::size_t phases);

}  // namespace paws::observe
