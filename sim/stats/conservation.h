// SPDX-License-Identifier: MIT
// What must add up at the end of every launch. A figure that does not is an error of the simulator:
// std::logic_error, with both numbers.
#pragma once

#include <cstdint>
#include <span>

#include "sim/memory/memory_system.h"
#include "sim/stats/gpu_statistics.h"

namespace paws {

/// What a core has under way.
struct CoreResidue {
  std::uint64_t alu = 0, memory = 0;    ///< instructions in flight
  std::uint64_t loads = 0, stores = 0;  ///< requests without a reply
  std::uint64_t mshrs = 0;              ///< entries of L1 and texture cache taken
  std::uint64_t lines = 0;              ///< instruction lines on their way
};

/// Throws unless nothing is under way in the core.
void check_drained(std::uint32_t core, const CoreResidue& residue);

/// Throws unless, in one core, requests and replies are as many, blocks started and ended, warp
/// instructions issued and executed, states and cycles, and the parts of the launches add up to the
/// whole; in a barrel core, every thread on the path is in one sub-warp.
void check_core(std::uint32_t core, const CoreStatistics& statistics, std::uint64_t cycles,
                std::uint64_t scheduler_cycles);

/// Throws unless what `launches`, which ran together, have had of the cores adds up to what the
/// cores have counted from `before` to `after`.
void check_launches(const CoreStatistics& before, const CoreStatistics& after,
                    std::span<const LaunchStatistics> launches);

/// Throws unless requests in are replies out at every level (cores, crossbar, L2 slices, DRAM),
/// nothing but writes is left in the memory system, lookups are hits, misses or pending hits, and
/// Little's law holds: the requests outstanding in the cores, summed over cycles, are the
/// latencies that the memory system has seen, summed over requests. Both sides are whole core
/// cycles, so that the two are equal, not nearly so.
void check_memory(const GpuStatistics& total, const memory::Residue& residue);

/// Of a core, what a profile has summed over instructions, or what the core itself has counted.
struct ProfileFigures {
  std::uint64_t warp_instructions = 0;    ///< issued
  std::uint64_t path_threads = 0;         ///< lanes on the path, summed over them
  std::uint64_t thread_instructions = 0;  ///< of these, lanes that executed them
  std::uint64_t warp_cycles = 0;          ///< sum over cycles of live warps
  std::uint64_t l1_accesses = 0;          ///< and look-ups of the texture cache
  std::uint64_t l1_misses = 0;
  std::uint64_t shared_accesses = 0;
  std::uint64_t shared_conflict_cycles = 0;

  ProfileFigures& operator+=(const ProfileFigures& other);
  bool operator==(const ProfileFigures&) const = default;
};

/// Of a core; counters that only grow.
ProfileFigures profile_figures(const CoreStatistics& statistics);

/// Throws unless the profile of what a core has counted from `before` to `after` holds all of it.
void check_profile(std::uint32_t core, const ProfileFigures& profile, const ProfileFigures& before,
                   const ProfileFigures& after);

/// Throws unless Little's law holds for every place: the warps there summed over cycles are the
/// stays summed over warps. To be called when no warp is left.
void check_queues(const QueueStatistics& queues);

}  // namespace paws
