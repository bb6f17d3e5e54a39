// SPDX-License-Identifier: MIT
// Counters of the cores. Each is defined here, once, in one sentence.
#pragma once

#include <array>
#include <cstdint>

#include "sim/ir/kernel.h"
#include "sim/memory/line_owner.h"

namespace paws {

/// What a scheduler did in one enabled cycle (PAWS V-C, states 1 to 4, and one more for two
/// levels).
enum class SchedulerState : std::uint8_t {
  no_instruction,  ///< 1: no warp has a decoded instruction
  operand,         ///< 2: those that have one wait for an operand, a barrier or a fence
  pipeline,        ///< 3: those with operands cannot issue: unit busy, or held by an IssueFilter
  outside_ready,   ///< an instruction could issue, but its warp is not in the ready queue
  issued           ///< 4: an instruction was issued
};
inline constexpr unsigned kSchedulerStates = 5;

/// What a core has under way in one cycle (PAWS V-D), both bits may be set.
enum Flight : unsigned { kNothing = 0, kComputing = 1, kAccessing = 2 };
inline constexpr unsigned kFlights = 4;

/// The parts of a launch, in order, as one core sees them. Launches that run together have the same
/// parts.
enum class LaunchPart : std::uint8_t {
  startup,       ///< until the core has all blocks that fit, or that it may have, the first time
  first_round,   ///< from then on until all blocks that the core had then have ended
  later_rounds,  ///< from then on
  tail           ///< from the cycle on in which the last block of the grid starts on a core
};
inline constexpr unsigned kLaunchParts = 4;

/// What a core did in one part of its launches. An instruction is of the part in which it issues.
struct PartCounts {
  std::uint64_t cycles = 0;               ///< core cycles, with a live warp or without
  std::uint64_t warp_instructions = 0;    ///< issued
  std::uint64_t thread_instructions = 0;  ///< of these, lanes that executed them
  std::uint64_t warp_cycles = 0;          ///< sum over cycles of live warps

  PartCounts& operator+=(const PartCounts& other);
  PartCounts& operator-=(const PartCounts& other);
  bool operator==(const PartCounts&) const = default;
};
using LaunchPartCounts = std::array<PartCounts, kLaunchParts>;

/// What one kernel launch has had, on one core or summed over cores. Launches that run together are
/// told apart; summed over all launches these are the counters of CoreStatistics with the same
/// name.
struct LaunchCounts {
  std::uint64_t warp_instructions = 0;    ///< issued
  std::uint64_t thread_instructions = 0;  ///< of these, lanes that executed them
  std::uint64_t blocks = 0;               ///< thread blocks completed
  std::uint64_t warp_cycles = 0;          ///< sum over cycles of live warps
  std::uint64_t active_cycles = 0;        ///< core cycles with at least one live warp
  LaunchPartCounts parts{};               ///< the same by LaunchPart

  LaunchCounts& operator+=(const LaunchCounts& other);
  bool operator==(const LaunchCounts&) const = default;
};

/// The tails of blocks: of those that end while a block waits for a core, so that one takes their
/// place. A block ends in the cycle in which all its warps have ended and no result for them is
/// under way.
struct BlockTailCounts {
  std::uint64_t blocks = 0;            ///< counted blocks
  std::uint64_t tail_cycles = 0;       ///< sum over them of the end less the first exit of a warp
  std::uint64_t lost_warp_cycles = 0;  ///< sum over their warps of the end less the own exit
  std::uint64_t warp_slot_cycles = 0;  ///< sum over their warps of the end less the block's start

  BlockTailCounts& operator+=(const BlockTailCounts& other);
  bool operator==(const BlockTailCounts&) const = default;
};

/// What the throttle DYNCTA has counted (sim/throttle/dynamic_block_limit.h), of sampling periods
/// that have ended.
struct DynctaCounts {
  std::uint64_t periods = 0;
  std::uint64_t idle_cycles = 0;    ///< sum over periods of C_idle
  std::uint64_t memory_cycles = 0;  ///< sum over periods of C_mem
  std::uint64_t limits = 0;         ///< sum over periods of the block limit in them

  DynctaCounts& operator+=(const DynctaCounts& other);
  bool operator==(const DynctaCounts&) const = default;
};

/// What dynamic warp formation counts (sim/core/dynamic_warp_formation.h).
struct FormationCounts {
  std::uint64_t formed = 0;     ///< warps that were founded
  std::uint64_t joined = 0;     ///< threads that joined a warp which waited
  std::uint64_t conflicts = 0;  ///< parts of warps of which a thread found its lane taken
  std::uint64_t splits = 0;     ///< warps whose threads went on at several pcs
  std::uint64_t most = 0;       ///< warps that waited at a time

  FormationCounts& operator+=(const FormationCounts& other);
  bool operator==(const FormationCounts&) const = default;
};

/// How a barrel core forms the sub-warps of an instruction: the codes of PackMode
/// (model/subwarp_packer.h).
inline constexpr unsigned kSubWarpModes = 3;

/// What a barrel core counts beside the rest (sim/core/barrel_core.h). Its path_lanes count
/// sub-warps, one in a cycle at most, by their threads; its lanes count rows of 32 threads with a
/// thread on the path, by those that pass the guard.
struct BarrelCounts {
  /// Of instructions of warps, large or not, by how their sub-warps are formed: those executed,
  /// their rows with a thread on the path, their sub-warps.
  std::array<std::uint64_t, kSubWarpModes> instructions{}, rows{}, sub_warps{};
  std::uint64_t threads = 0;           ///< on the path, summed over the instructions
  std::uint64_t executed_threads = 0;  ///< the same as the ended blocks count them
  /// Of these, in no sub-warp: of jumps that are done with the first one, or kept out by a guard.
  std::uint64_t dropped_threads = 0;
  std::uint64_t forming_cycles = 0;      ///< without a selection, since sub-warps are left to form
  std::uint64_t frozen_cycles = 0;       ///< in which the memory stage holds the pipeline up
  std::uint64_t lost_fetches = 0;        ///< selections that the instruction cache could not serve
  std::uint64_t branches = 0;            ///< guarded ones
  std::uint64_t divergent_branches = 0;  ///< of these, both ways taken
  std::uint64_t stack_depths = 0;        ///< paths on the warp's stack, summed over instructions
  std::uint64_t stack_peak = 0;          ///< the most that a warp ever had
  std::uint64_t group_switches = 0;      ///< single:group: selections from another group
  /// Of these, those while a warp of the group that is left was in the pipeline: not all of its
  /// warps waited for memory, a barrier or an instruction.
  std::uint64_t premature_switches = 0;
  /// Of formed warps: by how much their blocks were more than they, summed over instructions.
  std::uint64_t further_blocks = 0;
  FormationCounts formation;

  BarrelCounts& operator+=(const BarrelCounts& other);
  bool operator==(const BarrelCounts&) const = default;
  [[nodiscard]] bool any() const { return *this != BarrelCounts{}; }
};

/// Of one core, or summed over cores. A core's state "in" a cycle is the one that the cycle leaves
/// behind: an instruction issued in cycle t and completed in cycle t + n is in flight for n cycles.
///
/// In flight (PAWS V-D, "monitored the ALU pipeline and the memory system"): a memory instruction
/// (whatever the load-store unit executes, shared memory included) from its issue until its
/// registers are written or its stores are acknowledged; any other one that writes a register from
/// its issue until that is written; a branch from its issue until it is resolved. The remaining
/// ones (barriers, fences, the exit that ends a warp) leave nothing under way.
struct CoreStatistics {
  /// Enabled scheduler cycles by state; their sum is the number of enabled cycles.
  std::array<std::uint64_t, kSchedulerStates> scheduler_cycles{};
  /// Of the cycles in state operand, those in which no warp is left but such as stand at a barrier
  /// or behind a branch, without a decoded instruction.
  std::uint64_t held_cycles = 0;
  /// Warp instructions issued with n active lanes (after the guard), n = 0..32.
  std::array<std::uint64_t, ir::kWarpSize + 1> lanes{};
  /// Warp instructions issued with n lanes on the SIMT path (before the guard), n = 0..32.
  std::array<std::uint64_t, ir::kWarpSize + 1> path_lanes{};
  std::uint64_t executed = 0;        ///< warp instructions executed for their values, ended blocks
  std::uint64_t blocks_started = 0;  ///< thread blocks given to the core
  std::uint64_t blocks = 0;          ///< thread blocks completed

  std::uint64_t warp_cycles = 0;    ///< sum over cycles of live warps
  std::uint64_t alu_cycles = 0;     ///< sum over cycles of ALU instructions in flight
  std::uint64_t memory_cycles = 0;  ///< sum over cycles of memory instructions in flight
  /// Cycles by what is in flight (Flight): [0] without a live warp, [1] with at least one.
  std::array<std::array<std::uint64_t, kFlights>, 2> flight_cycles{};

  LaunchPartCounts parts{};  ///< by LaunchPart of the launches
  BlockTailCounts tails;

  std::uint64_t icache_accesses = 0;      ///< fetches looked up in the instruction cache
  std::uint64_t icache_hits = 0;          ///< of these, found
  std::uint64_t icache_misses = 0;        ///< of these, asked for at the next level
  std::uint64_t icache_pending_hits = 0;  ///< of these, that wait for an outstanding line
  std::uint64_t icache_prefetches = 0;    ///< lines asked for at the next level ahead of a fetch
  std::uint64_t icache_l15_accesses = 0;  ///< misses and prefetches looked up in the second level
  std::uint64_t icache_l15_misses = 0;    ///< of these, sent to the L2
  std::uint64_t operand_conflict_cycles =
      0;  ///< cycles by which register-bank conflicts delayed instructions, summed over them
  std::uint64_t l1_accesses = 0;      ///< load and store transactions looked up in the L1
  std::uint64_t l1_hits = 0;          ///< of these, found
  std::uint64_t l1_misses = 0;        ///< of these, sent to the L2 or allocated
  std::uint64_t l1_pending_hits = 0;  ///< of these, merged into an outstanding miss
  memory::LocalityCounts l1_hits_by_locality{};  ///< the hits by whose line they found
  memory::LocalityCounts
      l1_pending_hits_by_locality{};       ///< the pending hits by whose miss they joined
  std::uint64_t texture_accesses = 0;      ///< transactions looked up in the texture cache
  std::uint64_t texture_hits = 0;          ///< of these, found
  std::uint64_t texture_misses = 0;        ///< of these, sent to the L2
  std::uint64_t texture_pending_hits = 0;  ///< of these, merged into an outstanding miss
  std::uint64_t l1_reservation_fails =
      0;                             ///< cycles in which a transaction found no MSHR, way or port
  std::uint64_t l2_stop_cycles = 0;  ///< cycles in which its L2 slice had told the core to stop
  std::uint64_t l1_store_accesses = 0;       ///< of the accesses, the stores
  std::uint64_t l1_store_misses = 0;         ///< of the misses, the stores that fetch no line
  std::uint64_t bypass_transactions = 0;     ///< load transactions sent past the L1
  std::uint64_t gld_requested_bytes = 0;     ///< that the threads of global loads asked for
  std::uint64_t gld_transaction_bytes = 0;   ///< of the lines or sectors that the loads looked for
  std::uint64_t store_transactions = 0;      ///< store transactions sent to the L2
  std::uint64_t atomic_transactions = 0;     ///< atomic transactions sent to the L2
  std::uint64_t shared_accesses = 0;         ///< shared-memory warp instructions
  std::uint64_t shared_conflict_cycles = 0;  ///< extra passes because of bank conflicts

  std::uint64_t requests = 0;               ///< requests sent into the crossbar
  std::uint64_t replies = 0;                ///< replies that came back
  std::uint64_t outstanding_cycles = 0;     ///< sum over cycles of loads and atomics without reply
  std::uint64_t fetching_cycles = 0;        ///< the same of instruction lines
  std::uint64_t unacknowledged_cycles = 0;  ///< sum over cycles of stores and reductions without

  DynctaCounts dyncta;
  BarrelCounts barrel;

  CoreStatistics& operator+=(const CoreStatistics& other);
  bool operator==(const CoreStatistics&) const = default;

  [[nodiscard]] std::uint64_t warp_instructions() const;
  [[nodiscard]] std::uint64_t thread_instructions() const;
  [[nodiscard]] std::uint64_t enabled_cycles() const;
  [[nodiscard]] std::uint64_t in_state(SchedulerState state) const {
    return scheduler_cycles[static_cast<std::size_t>(state)];
  }
  /// Cycles accounted, and of these the ones with at least one live warp.
  [[nodiscard]] std::uint64_t cycles() const;
  [[nodiscard]] std::uint64_t active_cycles() const;
  /// Enabled cycles without an issue ÷ enabled cycles (PAWS V-C); 0 when none.
  [[nodiscard]] double idle_fraction() const;
};

}  // namespace paws
