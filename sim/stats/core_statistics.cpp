#include "sim/stats/core_statistics.h"

#include <numeric>

namespace paws {

CoreStatistics& CoreStatistics::operator+=(const CoreStatistics& other) {
  for (unsigned i = 0; i < kSchedulerStates; ++i) scheduler_cycles[i] += other.scheduler_cycles[i];
  for (unsigned i = 0; i <= ir::kWarpSize; ++i) lanes[i] += other.lanes[i];
  blocks += other.blocks;
  warp_cycles += other.warp_cycles;
  icache_accesses += other.icache_accesses;
  icache_misses += other.icache_misses;
  icache_pending_hits += other.icache_pending_hits;
  operand_conflict_cycles += other.operand_conflict_cycles;
  l1_accesses += other.l1_accesses;
  l1_misses += other.l1_misses;
  l1_pending_hits += other.l1_pending_hits;
  l1_reservation_fails += other.l1_reservation_fails;
  l2_stop_cycles += other.l2_stop_cycles;
  store_transactions += other.store_transactions;
  atomic_transactions += other.atomic_transactions;
  shared_accesses += other.shared_accesses;
  shared_conflict_cycles += other.shared_conflict_cycles;
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

double CoreStatistics::idle_fraction() const {
  const std::uint64_t enabled = enabled_cycles();
  const auto issued = static_cast<std::size_t>(SchedulerState::issued);
  if (enabled == 0) return 0;
  return static_cast<double>(enabled - scheduler_cycles[issued]) / static_cast<double>(enabled);
}

}  // namespace paws
