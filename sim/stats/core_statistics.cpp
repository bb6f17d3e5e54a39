// SPDX-License-Identifier: MIT
#include "sim/stats/core_statistics.h"

#include <algorithm>
#include <numeric>

namespace paws {
namespace {

template <typename Array>
void add(Array& sums, const Array& terms) {
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += terms[i];
}

}  // namespace

PartCounts& PartCounts::operator+=(const PartCounts& other) {
  cycles += other.cycles;
  warp_instructions += other.warp_instructions;
  thread_instructions += other.thread_instructions;
  warp_cycles += other.warp_cycles;
  return *this;
}

PartCounts& PartCounts::operator-=(const PartCounts& other) {
  cycles -= other.cycles;
  warp_instructions -= other.warp_instructions;
  thread_instructions -= other.thread_instructions;
  warp_cycles -= other.warp_cycles;
  return *this;
}

LaunchCounts& LaunchCounts::operator+=(const LaunchCounts& other) {
  warp_instructions += other.warp_instructions;
  thread_instructions += other.thread_instructions;
  blocks += other.blocks;
  warp_cycles += other.warp_cycles;
  active_cycles += other.active_cycles;
  add(parts, other.parts);
  return *this;
}

BlockTailCounts& BlockTailCounts::operator+=(const BlockTailCounts& other) {
  blocks += other.blocks;
  tail_cycles += other.tail_cycles;
  lost_warp_cycles += other.lost_warp_cycles;
  warp_slot_cycles += other.warp_slot_cycles;
  return *this;
}

DynctaCounts& DynctaCounts::operator+=(const DynctaCounts& other) {
  periods += other.periods;
  idle_cycles += other.idle_cycles;
  memory_cycles += other.memory_cycles;
  limits += other.limits;
  return *this;
}

FormationCounts& FormationCounts::operator+=(const FormationCounts& other) {
  formed += other.formed;
  joined += other.joined;
  conflicts += other.conflicts;
  splits += other.splits;
  most = std::max(most, other.most);
  return *this;
}

BarrelCounts& BarrelCounts::operator+=(const BarrelCounts& other) {
  add(instructions, other.instructions);
  add(rows, other.rows);
  add(sub_warps, other.sub_warps);
  threads += other.threads;
  executed_threads += other.executed_threads;
  dropped_threads += other.dropped_threads;
  forming_cycles += other.forming_cycles;
  frozen_cycles += other.frozen_cycles;
  lost_fetches += other.lost_fetches;
  branches += other.branches;
  divergent_branches += other.divergent_branches;
  stack_depths += other.stack_depths;
  stack_peak = std::max(stack_peak, other.stack_peak);
  group_switches += other.group_switches;
  premature_switches += other.premature_switches;
  further_blocks += other.further_blocks;
  formation += other.formation;
  return *this;
}

CoreStatistics& CoreStatistics::operator+=(const CoreStatistics& other) {
  add(scheduler_cycles, other.scheduler_cycles);
  held_cycles += other.held_cycles;
  add(lanes, other.lanes);
  add(path_lanes, other.path_lanes);
  executed += other.executed;
  blocks_started += other.blocks_started;
  blocks += other.blocks;
  warp_cycles += other.warp_cycles;
  alu_cycles += other.alu_cycles;
  memory_cycles += other.memory_cycles;
  add(flight_cycles[0], other.flight_cycles[0]);
  add(flight_cycles[1], other.flight_cycles[1]);
  add(parts, other.parts);
  tails += other.tails;
  icache_accesses += other.icache_accesses;
  icache_hits += other.icache_hits;
  icache_misses += other.icache_misses;
  icache_pending_hits += other.icache_pending_hits;
  icache_prefetches += other.icache_prefetches;
  icache_l15_accesses += other.icache_l15_accesses;
  icache_l15_misses += other.icache_l15_misses;
  operand_conflict_cycles += other.operand_conflict_cycles;
  l1_accesses += other.l1_accesses;
  l1_hits += other.l1_hits;
  l1_misses += other.l1_misses;
  l1_pending_hits += other.l1_pending_hits;
  add(l1_hits_by_locality, other.l1_hits_by_locality);
  add(l1_pending_hits_by_locality, other.l1_pending_hits_by_locality);
  texture_accesses += other.texture_accesses;
  texture_hits += other.texture_hits;
  texture_misses += other.texture_misses;
  texture_pending_hits += other.texture_pending_hits;
  l1_reservation_fails += other.l1_reservation_fails;
  l1_store_accesses += other.l1_store_accesses;
  l1_store_misses += other.l1_store_misses;
  bypass_transactions += other.bypass_transactions;
  gld_requested_bytes += other.gld_requested_bytes;
  gld_transaction_bytes += other.gld_transaction_bytes;
  l2_stop_cycles += other.l2_stop_cycles;
  store_transactions += other.store_transactions;
  atomic_transactions += other.atomic_transactions;
  shared_accesses += other.shared_accesses;
  shared_conflict_cycles += other.shared_conflict_cycles;
  requests += other.requests;
  replies += other.replies;
  outstanding_cycles += other.outstanding_cycles;
  fetching_cycles += other.fetching_cycles;
  unacknowledged_cycles += other.unacknowledged_cycles;
  dyncta += other.dyncta;
  barrel += other.barrel;
  return *this;
}

std::uint64_t CoreStatistics::warp_instructions() const {
  return std::accumulate(lanes.begin(), lanes.end(), std::uint64_t{0});
}

std::uint64_t CoreStatistics::thread_instructions() const {
  std::uint64_t sum = 0;
  for (unsigned i = 0; i <= ir::kWarpSize; ++i) sum += i * lanes[i];
  return sum;
}

std::uint64_t CoreStatistics::enabled_cycles() const {
  return std::accumulate(scheduler_cycles.begin(), scheduler_cycles.end(), std::uint64_t{0});
}

std::uint64_t CoreStatistics::cycles() const {
  return std::accumulate(flight_cycles[0].begin(), flight_cycles[0].end(), active_cycles());
}

std::uint64_t CoreStatistics::active_cycles() const {
  return std::accumulate(flight_cycles[1].begin(), flight_cycles[1].end(), std::uint64_t{0});
}

double CoreStatistics::idle_fraction() const {
  const std::uint64_t enabled = enabled_cycles();
  if (enabled == 0) return 0;
  return static_cast<double>(enabled - in_state(SchedulerState::issued)) /
         static_cast<double>(enabled);
}

}  // namespace paws
