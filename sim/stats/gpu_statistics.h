// SPDX-License-Identifier: MIT
// Everything counted in a run of the GPU. sim/stats/statistics_table.h says what it amounts to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/memory/memory_system.h"
#include "sim/stats/block_limit.h"
#include "sim/stats/core_statistics.h"
#include "sim/stats/queue_statistics.h"

namespace paws {

/// So many consecutive blocks of a launch as the GPU holds at once, as far as there are any.
struct Wave {
  bool timed = false;
  /// Core cycles, if it is timed, from the start of its first block to that of the next wave; of
  /// the first and the last wave from the launch's start and to its end.
  std::uint64_t cycles = 0;
  /// If it is timed, those that all blocks issue in its cycles; else those of its blocks.
  std::uint64_t warp_instructions = 0;
};

/// One kernel launch, over all cores.
struct LaunchStatistics : LaunchCounts {
  std::string kernel;
  std::uint64_t cycles = 0;  ///< core cycles, until all launches that ran together had ended
  /// Those that LCS has found, by core; their cycles count from the launch's first one.
  std::vector<BlockLimit> limits;
  /// Of a launch whose blocks are sampled, in order: all other figures are of the timed waves.
  std::vector<Wave> waves;

  /// Thread instructions per core cycle; 0 when there was no cycle.
  [[nodiscard]] double ipc() const;
};

struct GpuStatistics {
  std::uint64_t cycles = 0;    ///< core cycles, summed over the launches
  std::uint64_t launches = 0;  ///< kernel launches
  CoreStatistics cores;        ///< summed over the cores
  memory::Statistics memory;
  std::vector<LaunchStatistics> kernels;  ///< one per launch, in order
  std::optional<QueueStatistics> queues;  ///< summed over the schedulers, when watched

  unsigned core_count = 0;
  unsigned warp_slots = 0;             ///< of a core
  std::uint64_t scheduler_cycles = 0;  ///< enabled ones that the clock has had, all schedulers
  std::uint64_t dram_capacity_fs = 0;  ///< channels × time
  std::uint64_t l2_capacity_fs = 0;    ///< slices × time

  /// Thread instructions per core cycle, over the whole GPU.
  [[nodiscard]] double ipc() const;
};

/// The first round and the later ones: blocks wait, and the core has been full.
PartCounts steady_state(const LaunchPartCounts& parts);

/// Share of the warp slots in use, over the core cycles with at least one live warp; 0 when none.
double occupancy(std::uint64_t warp_cycles, std::uint64_t active_cycles, unsigned warp_slots);

}  // namespace paws
