// Counters of the cores. Each is defined here, once, in one sentence.
#pragma once

#include <array>
#include <cstdint>

#include "sim/ir/kernel.h"

namespace paws {

/// What a scheduler did in one enabled cycle (PAWS V-C, states 1 to 4, and one more for two
/// levels).
enum class SchedulerState : std::uint8_t {
  no_instruction,  ///< 1: no warp has a decoded instruction
  operand,         ///< 2: those that have one wait for an operand, a barrier or a fence
  pipeline,        ///< 3: those with operands cannot issue because their unit is busy
  outside_ready,   ///< an instruction could issue, but its warp is not in the ready queue
  issued           ///< 4: an instruction was issued
};
inline constexpr unsigned kSchedulerStates = 5;

struct CoreStatistics {
  /// Enabled scheduler cycles by state; their sum is the number of enabled cycles.
  std::array<std::uint64_t, kSchedulerStates> scheduler_cycles{};
  /// Warp instructions issued with n active lanes (after the guard), n = 0..32.
  std::array<std::uint64_t, ir::kWarpSize + 1> lanes{};
  std::uint64_t blocks = 0;               ///< thread blocks completed
  std::uint64_t warp_cycles = 0;          ///< sum over cycles of live warps
  std::uint64_t icache_accesses = 0;      ///< fetches looked up in the instruction cache
  std::uint64_t icache_misses = 0;        ///< of these, sent to the L2
  std::uint64_t icache_pending_hits = 0;  ///< of these, that wait for an outstanding miss
  std::uint64_t operand_conflict_cycles =
      0;  ///< cycles by which register-bank conflicts delayed instructions, summed over them
  std::uint64_t l1_accesses = 0;      ///< load transactions looked up in the L1
  std::uint64_t l1_misses = 0;        ///< of these, sent to the L2
  std::uint64_t l1_pending_hits = 0;  ///< of these, merged into an outstanding miss
  std::uint64_t l1_reservation_fails =
      0;                             ///< cycles in which a transaction found no MSHR, way or port
  std::uint64_t l2_stop_cycles = 0;  ///< cycles in which its L2 slice had told the core to stop
  std::uint64_t store_transactions = 0;      ///< store transactions sent to the L2
  std::uint64_t atomic_transactions = 0;     ///< atomic transactions sent to the L2
  std::uint64_t shared_accesses = 0;         ///< shared-memory warp instructions
  std::uint64_t shared_conflict_cycles = 0;  ///< extra passes because of bank conflicts

  CoreStatistics& operator+=(const CoreStatistics& other);
  bool operator==(const CoreStatistics&) const = default;

  [[nodiscard]] std::uint64_t warp_instructions() const;
  [[nodiscard]] std::uint64_t thread_instructions() const;
  [[nodiscard]] std::uint64_t enabled_cycles() const;
  /// Enabled cycles without an issue ÷ enabled cycles (PAWS V-C); 0 when none.
  [[nodiscard]] double idle_fraction() const;
};

}  // namespace paws
